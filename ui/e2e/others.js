// The other screens: history, sites, settings, the first start.
import assert from "node:assert/strict";

import { nav } from "./browser.js";
import { becomes, open, test } from "./suite.js";

await test("the history is turned, narrowed, exported and told", async () => {
  const page = await open("scene=still&lang=en");
  await nav(page, "history");
  const range = page.locator("main nav > span");
  await becomes(async () => /^1–100 of \d{3}$/.test((await range.textContent()) ?? ""), true);
  await page.getByRole("button", { name: "Older" }).click();
  await becomes(async () => /^101–200 of/.test((await range.textContent()) ?? ""), true);
  await page.locator("main label", { hasText: "Trouble" }).click();
  await becomes(async () => /^1–/.test((await range.textContent()) ?? ""), true);
  assert.equal(await page.locator("main td .dot.ok").count(), 0);
  await page.locator("main input[type=search]").fill("望遠鏡 なし");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await becomes(async () => /^1–100/.test((await range.textContent()) ?? ""), true);
  await page.getByRole("button", { name: "Export CSV…" }).click();
  await page.getByText("Exported").waitFor();
  await page.getByRole("button", { name: "Copy diagnosis…" }).click();
  assert.ok(JSON.parse(await page.locator("dialog textarea").inputValue()).history.length > 0);
  await page.close();
});

await test("a setting out of bounds is not taken, and says what is", async () => {
  const page = await open("scene=sites&lang=en");
  await page.evaluate(() => {
    window.saved = [];
    window.ichidoFake.saveSettings = async (settings) => void window.saved.push(settings);
  });
  await nav(page, "settings");
  const window_ = page.getByLabel("Wait before sending again");
  await window_.fill("0");
  await window_.press("Tab");
  await page.getByText("Enter a whole number from 1 to 1,440.").waitFor();
  assert.equal(await page.evaluate(() => window.saved.length), 0);
  await window_.fill("25");
  await window_.press("Tab");
  await becomes(() => page.evaluate(() => window.saved.at(-1)?.settleWindowMinutes), 25);
  await page.getByLabel("Words that must not appear").fill("絶対、TODO");
  await page.getByLabel("Words that must not appear").press("Tab");
  await becomes(() => page.evaluate(() => window.saved.at(-1)?.forbiddenWords), "絶対、TODO");
  await page.close();
});

await test("the language changes at once, everywhere", async () => {
  const page = await open("scene=sites&lang=ja");
  await nav(page, "settings");
  await page.getByText("English").click();
  await becomes(() => page.locator("h1").textContent(), "Settings");
  await becomes(() => page.locator("html").getAttribute("lang"), "en");
  await page.close();
});

await test("a password that works is wiped from its field and kept nowhere in the page, and the form closes", async () => {
  const page = await open("scene=sites");
  await nav(page, "sites");
  await page.locator("main > header button").click();
  await page.locator('form input[type="text"]').first().fill("https://blog.example.jp");
  await page.locator('form input[type="text"]').nth(1).fill("editor");
  await page.locator('form input[type="password"]').fill("canary canary canary");
  await page.locator('form button[type="submit"]').click();
  await becomes(() => page.locator("form").count(), 0);
  await page.getByText("「サンプルのブログ」につながりました").waitFor();
  assert.equal(await page.getByRole("list", { name: "できること" }).count(), 1, "what works is listed once");
  assert.ok(!(await page.content()).includes("canary"));
  await page.close();
});

await test("a password that does not work stays to be put right, and the form can be left", async () => {
  const page = await open("scene=sites");
  await nav(page, "sites");
  const opener = page.locator("main > header button");
  await opener.click();
  await page.locator('form input[type="text"]').first().fill("https://blog.example.jp");
  await page.locator('form input[type="text"]').nth(1).fill("editor");
  await page.locator('form input[type="password"]').fill("wrong password");
  await page.locator('form button[type="submit"]').click();
  await page.locator("form li").first().waitFor();
  assert.equal(await page.locator('form input[type="password"]').inputValue(), "wrong password");
  await page.getByRole("button", { name: "やめる" }).click();
  await becomes(() => page.locator("form").count(), 0);
  assert.ok(await opener.evaluate((button) => button === document.activeElement));
  await page.close();
});

await test("two switches pressed at once are both switched", async () => {
  const page = await open("scene=sites");
  await nav(page, "sites");
  const switches = page.getByRole("switch");
  await page.evaluate(() => document.querySelectorAll('[role="switch"]').forEach((one) => one.click()));
  for (let at = 0; at < 3; at += 1) await becomes(() => switches.nth(at).isChecked(), true);
  // Both answers have come: nothing switches back.
  await page.waitForTimeout(60);
  for (let at = 0; at < 3; at += 1) assert.ok(await switches.nth(at).isChecked());
  await page.close();
});

await test("a folder without articles says so at the first start, and another can be chosen", async () => {
  const page = await open("scene=first&lang=en&n=4");
  await page.locator("footer button").last().click();
  await page.locator(".card").first().click();
  await page.locator("#first-path").fill("~/空");
  await page.locator("form button").click();
  await page.getByRole("heading", { name: "This folder holds no article yet" }).waitFor();
  assert.ok(!/\b0\b/.test((await page.locator("main").textContent()) ?? ""), "nothing is counted");
  await page.getByRole("button", { name: "Choose folder…" }).click();
  await page.locator("main li").first().waitFor();
  await page.close();
});

await test("who is asked in the browser can be given up, and asked again", async () => {
  const page = await open("scene=sites&lang=en");
  await page.locator('nav button:has-text("Sites")').click();
  await page.locator("main > header button").click();
  const ask = page.getByRole("button", { name: "Connect in the browser" });
  await ask.click();
  assert.equal(await page.locator("form .asked").count(), 0, "without an address nobody is asked");
  await page.locator('form input[inputmode="url"]').fill("blog.example.jp");
  for (let time = 0; time < 2; time += 1) {
    await ask.click();
    await page.getByText("Sign in to WordPress in the browser").waitFor();
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await becomes(() => page.locator("form .asked").count(), 0);
    await becomes(() => ask.isEnabled(), true);
  }
  assert.equal(await page.locator("form .problem").count(), 0, "giving up is no problem");
  await page.close();
});
