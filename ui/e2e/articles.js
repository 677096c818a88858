// The list of articles: keys, selection, beginning, batches.
import assert from "node:assert/strict";

import { becomes, open, test } from "./suite.js";

/** Narrows the list as a person would: by the tab, or by the menu of the tabs that do not fit. */
async function choose(page, name) {
  const tab = page.locator(".strip button:not([inert])").filter({ hasText: name });
  if (await tab.count()) return tab.click();
  const option = page.locator(".more option").filter({ hasText: name });
  await page.locator(".more select").selectOption(await option.getAttribute("value"));
}

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
  await page.keyboard.press("x");
  await becomes(() => page.locator("#article-2").getAttribute("aria-selected"), "true");
  await page.keyboard.press("Space");
  await page.locator("dialog iframe").waitFor();
  await page.keyboard.press("Space");
  await becomes(() => page.locator("dialog").count(), 0);
  await page.keyboard.press("Shift+Enter");
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

await test("Enter opens what an article became on the site", async () => {
  const page = await open("scene=still");
  await page.evaluate(() => {
    window.opened = [];
    window.ichidoFake.openLink = async (target) => void window.opened.push(target);
  });
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await becomes(() => page.evaluate(() => JSON.stringify(window.opened)), '[{"kind":"edit","articleId":0}]');
  await page.locator('[role="row"]').nth(4).click();
  await page.locator('[role="grid"]').press("Enter");
  await becomes(() => page.evaluate(() => document.activeElement?.tagName), "ASIDE");
  await page.close();
});

await test("rows are selected in a stretch, by mouse and by keys", async () => {
  const page = await open("scene=sites");
  const said = () => page.locator(".selection b").textContent();
  await page.locator('[role="row"] input').nth(2).click();
  await page.locator('[role="row"] input').nth(6).click({ modifiers: ["Shift"] });
  await becomes(said, "5件を選択中");
  await page.keyboard.press("Escape");
  await becomes(() => page.locator(".selection").count(), 0);
  await page.locator('[role="grid"]').focus();
  for (const key of ["ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
  await becomes(said, "3件を選択中");
  await page.keyboard.press("Control+a");
  await becomes(said, "214件を選択中");
  await page.close();
});

await test("articles are set aside and taken up again, one and many, and it can be undone", async () => {
  const page = await open("scene=sites&lang=en");
  const count = (name) => page.locator(".strip button").filter({ hasText: name }).locator("small").textContent();
  const [ready, skipped] = [Number(await count("Ready")), Number(await count("Skipped"))];
  await choose(page, "Ready");
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("s");
  await becomes(async () => Number(await count("Skipped")), skipped + 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes(async () => Number(await count("Skipped")), skipped);
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("Control+a");
  await page.getByRole("button", { name: `Skip ${ready}`, exact: true }).click();
  await becomes(async () => Number(await count("Skipped")), skipped + ready);
  await choose(page, "Skipped");
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press("Control+a");
  // What the site had before is not ours to take up.
  await page.getByRole("button", { name: `Stop skipping ${ready}`, exact: true }).click();
  await becomes(async () => Number(await count("Ready")), ready);
  await page.close();
});

await test("a start of many can be called off for five seconds, and nothing is sent", async () => {
  const page = await open("scene=sites&tick=100000");
  await page.evaluate(() => {
    window.registered = 0;
    const register = window.ichidoFake.register;
    window.ichidoFake.register = async (site, ids) => ((window.registered += 1), (window.asked = ids.length), register(site, ids));
  });
  const primary = page.locator("main header .primary");
  const count = Number(((await primary.textContent()) ?? "").match(/\d+/)?.[0]);
  await primary.click();
  await becomes(() => page.evaluate(() => document.activeElement?.textContent?.trim()), "取り消す");
  await page.keyboard.press("Enter");
  await page.getByText("登録を取り消しました").waitFor();
  await becomes(() => page.locator("section.bar").count(), 0);
  assert.equal(await page.evaluate(() => window.registered), 0);
  await primary.click();
  await page.keyboard.press("Escape");
  await becomes(() => page.locator("section.bar").count(), 0);
  await primary.click();
  await page.getByRole("button", { name: "すぐに始める" }).click();
  await becomes(() => page.evaluate(() => window.registered), 1);
  assert.equal(await page.evaluate(() => window.asked), count, "what the button said");
  await page.close();
  // Without anybody doing anything, it begins by itself.
  const left = await open("scene=sites&tick=100000");
  await left.locator("main header .primary").click();
  await left.locator("progress").waitFor({ timeout: 15_000 });
  await left.close();
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
