// Drives every screen in Chromium: accessibility, size of the page, keyboard, the acts of a card.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { nav, screens, start } from "./browser.js";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const { open, stop, problems } = await start();
// Names given on the command line choose the tests whose names hold one of them.
const wanted = process.argv.slice(2);
let failed = 0;

async function test(name, body) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  try {
    await body();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED  ${name}\n${error.stack ?? error}`);
  }
}

/** Waits until a value is what it should become; what it is at the end is what fails. */
async function becomes(read, expected, message) {
  const until = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (value === expected) return;
    if (Date.now() > until) return assert.equal(value, expected, message);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function violations(page) {
  // Evaluated from outside: the policy of the page does not stand in the way.
  await page.evaluate(axeSource);
  const result = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), tags);
  return result.violations.map(
    (found) => `${found.id}: ${found.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("\n  ")}`,
  );
}

for (const screen of screens) {
  await test(`no violation on ${screen.name}`, async () => {
    for (const language of ["ja", "en"]) {
      for (const theme of ["light", "dark"]) {
        const page = await open(`${screen.scene}&lang=${language}&theme=${theme}`, { media: { reducedMotion: "reduce" } });
        await screen.go(page);
        assert.deepEqual(await violations(page), [], `${language}, ${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${screen.name} is ${wide} px too wide in ${language}`);
        await page.close();
      }
    }
  });
}

await test("the page fits at 200 % zoom and in a narrow window", async () => {
  for (const viewport of [{ width: 660, height: 410 }, { width: 400, height: 700 }]) {
    for (const screen of screens.filter(({ full }) => !full)) {
      const page = await open(`${screen.scene}&lang=en`, { viewport });
      await screen.go(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${screen.name} is ${wide} px too wide at ${viewport.width}`);
      await page.close();
    }
  }
});

for (const count of [10_000, 100_000]) {
  await test(`${count} articles keep the page small`, async () => {
    const page = await open(`scene=still&n=${count}`);
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok((await elements()) < 1500, `${await elements()} elements`);
    const grid = page.locator('[role="grid"]');
    assert.equal(await grid.getAttribute("aria-rowcount"), String(count));
    for (const part of [0.25, 0.5, 0.99, 1]) {
      await grid.evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), part);
      const first = await grid.evaluate((element) => Math.floor(element.scrollTop / 52) + 1);
      await page.locator(`[role="row"][aria-rowindex="${first}"]`).waitFor();
      assert.ok((await elements()) < 1500, `${await elements()} elements`);
    }
    await becomes(() => page.locator('[role="row"]').last().getAttribute("aria-rowindex"), String(count));
    await page.locator('input[type="search"]').fill("望遠鏡");
    await page.waitForFunction((all) => Number(document.querySelector('[role="grid"]')?.getAttribute("aria-rowcount")) === all / 20, count);
    assert.ok((await page.locator('[role="row"]').count()) > 0);
    await page.close();
  });
}

await test("the list is used by keyboard", async () => {
  const page = await open("scene=still");
  const active = () => page.locator('[role="grid"]').getAttribute("aria-activedescendant");
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("ArrowDown");
  await becomes(active, "article-0");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await becomes(active, "article-2");
  await page.keyboard.press("Space");
  await becomes(() => page.locator("#article-2").getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  await becomes(() => page.evaluate(() => document.activeElement?.tagName), "ASIDE");
  await page.keyboard.press("Escape");
  await becomes(() => page.locator("main > aside").count(), 0);
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute("role")), "grid");
  await page.keyboard.press("End");
  await becomes(active, "article-213");
  await becomes(() => page.locator("#article-213").isVisible(), true);
  await page.keyboard.press("Control+f");
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute("type")), "search");
  await page.keyboard.type("?");
  assert.equal(await page.locator("dialog").count(), 0, "a question mark in a field is text");
  await page.keyboard.press("Escape");
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await becomes(() => page.locator("dialog").count(), 0);
  await page.close();
});

await test("the primary button says what it will do, or why it cannot", async () => {
  const page = await open("scene=sites&barrier=journal_lost");
  const shut = page.locator("main header .primary");
  assert.equal(await shut.getAttribute("aria-disabled"), "true");
  assert.match((await page.locator("#shut").textContent()) ?? "", /確認が済むまで/);
  await page.close();
  const free = await open("scene=sites");
  assert.match((await free.locator("main header .primary").textContent()) ?? "", /^\d+件を下書き登録$/);
  await free.close();
});

await test("a batch moves live, is paused and goes on", async () => {
  const page = await open("scene=batch&tick=15");
  const bar = page.locator("progress");
  const before = Number(await bar.getAttribute("value"));
  await page.waitForFunction((from) => Number(document.querySelector("progress")?.value) > from, before);
  await page.getByRole("button", { name: "一時停止" }).click();
  await page.getByRole("button", { name: "再開" }).click();
  await page.waitForFunction(() => document.querySelector("progress") === null);
  await page.getByText(/登録が終わりました：作成\d+/).waitFor();
  await page.close();
});

await test("a lost answer becomes a card, in words and by number", async () => {
  const page = await open("scene=first&n=4&tick=15");
  await page.locator("footer button").last().click();
  await page.locator(".card").first().click();
  await page.locator("#first-path").fill("~/記事");
  await page.locator("form button").click();
  await page.locator("main li").first().waitFor();
  await page.locator("footer button").last().click();
  await nav(page, 2);
  await page.getByRole("switch").first().click({ force: true });
  await nav(page, 0);
  await page.locator("main header .primary").click();
  await page.locator("nav .alert").waitFor();
  await nav(page, 1);
  const card = page.locator("article");
  await becomes(() => card.count(), 1);
  assert.match((await card.textContent()) ?? "", /二重投稿を防ぐため自動では再送しません/);
  const again = card.getByRole("button", { name: /送り直す/ });
  assert.ok(await again.isDisabled());
  await card.getByRole("button", { name: "保留にする" }).click();
  await page.locator("main > details > summary").click();
  await page.getByRole("button", { name: "保留をやめる" }).click();
  await page.locator("main > article").waitFor();
  await page.close();
});

await test("send again opens only for the typed slug", async () => {
  const page = await open("scene=attention&n=214");
  await nav(page, 1);
  const card = page.locator("article").filter({ hasText: "ゴミ箱の中" });
  await card.getByRole("button", { name: /送り直す/ }).click();
  const go = page.locator("dialog .primary");
  assert.ok(await go.isDisabled());
  await page.locator("dialog input").fill("coffee");
  assert.ok(await go.isDisabled());
  await page.locator("dialog input").fill((await card.locator("dd.mono").first().textContent()) ?? "");
  await go.click();
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await becomes(() => card.count(), 0);
  await page.close();
});

await test("every card opens the page of its reason, and the way back leads to it", async () => {
  for (const [language, parts] of [
    ["ja", ["何が起きたか", "安全のために", "できること"]],
    ["en", ["What happened", "What is safe", "What you can do"]],
  ]) {
    const page = await open(`scene=attention&lang=${language}`);
    await nav(page, 1);
    const cards = page.locator("main > article");
    assert.ok((await cards.count()) >= 12);
    for (let at = 0; at < (await cards.count()); at += 1) {
      const card = cards.nth(at);
      const opener = card.locator("header button");
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.locator("dialog[open]");
      assert.equal(await dialog.getByRole("heading", { level: 2 }).textContent(), ((await card.locator(".state").textContent()) ?? "").trim());
      assert.ok(await dialog.locator("h2").evaluate((heading) => heading === document.activeElement), "it is read from its heading");
      assert.deepEqual(await dialog.getByRole("heading", { level: 3 }).allTextContents(), parts);
      // Each act on the card but those of this moment alone is explained in its own words.
      const text = (await dialog.textContent()) ?? "";
      for (const name of await card.locator("footer > button.primary, footer > button.danger").allTextContents()) {
        assert.ok(text.includes(name.trim().replace(/…$/, "")), `${name} is not explained`);
      }
      if (at % 2 === 0) await page.keyboard.press("Escape");
      else await dialog.getByRole("button").click();
      await becomes(() => page.locator("dialog").count(), 0);
      assert.ok(await opener.evaluate((button) => button === document.activeElement), "the focus is where it was");
    }
    await page.close();
  }
});

await test("what stops a whole site or batch is explained as well", async () => {
  const page = await open("scene=sites&barrier=unclean_stop&barrier=journal_lost&barrier=site_restored&pause=refused");
  await nav(page, 1);
  for (const title of ["前回の登録が途中で終わった", "記録が失われた", "サイトが以前の状態に戻された"]) {
    await page.locator(".banner").nth(["前", "記", "サ"].indexOf(title[0])).getByRole("button", { name: "くわしい説明" }).click();
    assert.equal(await page.locator("dialog h2").textContent(), title);
    await page.keyboard.press("Escape");
  }
  await nav(page, 2);
  await page.locator(".paused").getByRole("button", { name: "くわしい説明" }).click();
  assert.equal(await page.locator("dialog h2").textContent(), "サイトへの送信を止めている");
  // A press beside the sheet leads back, too.
  await page.mouse.click(20, 400);
  await becomes(() => page.locator("dialog").count(), 0);
  await page.close();
});

await test("an unclean stop is released by a typed word", async () => {
  const page = await open("scene=empty&barrier=unclean_stop&lang=en");
  await nav(page, 1);
  await page.locator("section .primary").click();
  await page.locator("dialog input").fill("checked");
  await page.locator("dialog .primary").click();
  await page.waitForFunction(() => document.querySelector("dialog, .banner") === null);
  await page.close();
});

await test("the language changes at once, everywhere", async () => {
  const page = await open("scene=sites&lang=ja");
  await nav(page, 3);
  await page.getByText("English").click();
  await becomes(() => page.locator("h1").textContent(), "Settings");
  await becomes(() => page.locator("html").getAttribute("lang"), "en");
  await page.close();
});

await test("a password that works is wiped from its field and kept nowhere in the page, and the form closes", async () => {
  const page = await open("scene=sites");
  await nav(page, 2);
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
  await nav(page, 2);
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
  await nav(page, 2);
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

await test("a folder that is in the list already was not refused", async () => {
  const page = await open("scene=still&lang=en");
  const scan = (rejected) => page.evaluate((list) => window.ichidoFake.emit({ type: "scan", scan: { running: false, found: 1, rejected: list }, folders: [] }), rejected);
  await scan([{ path: "~/a", code: "already" }]);
  const told = page.locator("section.rejected");
  await becomes(async () => (await told.textContent())?.includes("In the list already"), true);
  assert.ok(!((await told.textContent()) ?? "").includes("Not taken"));
  await scan([{ path: "~/a", code: "already" }, { path: "~/b", code: "not_article" }]);
  await becomes(async () => (await told.textContent())?.includes("Not taken"), true);
  await page.close();
});

await test("hostile titles keep to their place", async () => {
  for (const viewport of [{ width: 1320, height: 820 }, { width: 660, height: 410 }]) {
    const page = await open("scene=attention&lang=en", { viewport });
    await page.evaluate(() => {
      const title = `\u202e\u2067${"never ending ".repeat(400)}${"x".repeat(3000)}`;
      const row = { id: 0, title, slug: "y".repeat(600), state: "halted", waitReason: null, haltReason: "outcome_unknown", refusal: null, left: false, ending: null, linked: false, step: null, imagesDone: 0, imagesTotal: 0, errors: 0, warnings: 0, changed: false, at: 0 };
      window.ichidoFake.emit({ type: "rows", revision: 999, rows: [row] });
      window.ichidoFake.emit({ type: "attention", count: 12, haltedTitle: title });
    });
    const toast = page.locator(".toast");
    await toast.waitFor();
    assert.ok((await toast.evaluate((one) => one.getBoundingClientRect().height)) < 260, "the message is short");
    await toast.getByRole("button", { name: "Close this message" }).click();
    await page.locator('[role="row"]').first().click();
    const heading = page.locator("aside h2");
    await heading.waitFor();
    assert.ok((await heading.evaluate((one) => one.getBoundingClientRect().height)) < 120, "the heading is clamped");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    const directions = await page.locator("aside h2, [role=row] .title").evaluateAll((all) => all.map((one) => one.querySelector("bdi") !== null));
    assert.ok(directions.length > 1 && directions.every(Boolean), "titles are isolated");
    await page.close();
  }
});

await test("the header says whose site it is, whatever is known of the role", async () => {
  const page = await open("scene=sites&lang=en");
  await page.evaluate(() =>
    window.ichidoFake.emit({ type: "sites", currentSite: "blog", sites: [{ id: "blog", name: "Blog", home: "blog.example", user: "ann", role: null, practice: false, running: true, switches: null, credentials: "keychain", pause: null, checkedAt: null, checks: [] }] }),
  );
  await page.getByText("Blog (blog.example), connected as ann").waitFor();
  await page.close();
});

await stop();
for (const problem of new Set(problems)) {
  failed += 1;
  console.error(`FAILED  console: ${problem}`);
}
process.exit(failed === 0 ? 0 : 1);
