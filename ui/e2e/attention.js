// Cards and banners: what needs a person, and what a person does about it.
import assert from "node:assert/strict";

import { nav } from "./browser.js";
import { becomes, open, test } from "./suite.js";

await test("a lost answer becomes a card, in words and by number", async () => {
  const page = await open("scene=first&n=4&tick=15");
  await page.locator("footer button").last().click();
  await page.locator(".card").first().click();
  await page.locator("#first-path").fill("~/記事");
  await page.locator("form button").click();
  await page.locator("main li").first().waitFor();
  await page.locator("footer button").last().click();
  await nav(page, "sites");
  await page.getByRole("switch").first().click({ force: true });
  await nav(page, "articles");
  await page.locator("main header .primary").click();
  await page.locator("nav .alert").waitFor();
  await nav(page, "attention");
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
  await nav(page, "attention");
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
    await nav(page, "attention");
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
  await nav(page, "attention");
  for (const title of ["前回の登録が途中で終わった", "記録が失われた", "サイトが以前の状態に戻された"]) {
    await page.locator(".banner").nth(["前", "記", "サ"].indexOf(title[0])).getByRole("button", { name: "くわしい説明" }).click();
    assert.equal(await page.locator("dialog h2").textContent(), title);
    await page.keyboard.press("Escape");
  }
  await nav(page, "sites");
  await page.locator(".paused").getByRole("button", { name: "くわしい説明" }).click();
  assert.equal(await page.locator("dialog h2").textContent(), "サイトへの送信を止めている");
  // A press beside the sheet leads back, too.
  await page.mouse.click(20, 400);
  await becomes(() => page.locator("dialog").count(), 0);
  await page.close();
});

await test("an unclean stop is released by a typed word", async () => {
  const page = await open("scene=empty&barrier=unclean_stop&lang=en");
  await nav(page, "attention");
  await page.locator("section .primary").click();
  await page.locator("dialog input").fill("checked");
  await page.locator("dialog .primary").click();
  await page.waitForFunction(() => document.querySelector("dialog, .banner") === null);
  await page.close();
});
