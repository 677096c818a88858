import { expect, test } from "vitest";

import { fakeBackend, sceneOf } from "../backend/fake";
import { row } from "../backend/fake/rows";
import type { BatchView } from "../backend/view";
import { setLanguage } from "../i18n/i18n.svelte";
import { App } from "./app.svelte";

async function started(query: string) {
  const backend = fakeBackend(sceneOf(`http://localhost/?${query}`));
  const app = new App(backend);
  const stop = await app.start();
  setLanguage("ja");
  return { app, backend, stop };
}

test("rows that change move between the tabs", async () => {
  const { app, stop } = await started("scene=sites&n=40");
  const before = app.counts.ready;
  const ready = app.rows.find((one) => one.state === "ready");
  app.take({ type: "rows", revision: 99, rows: [row(ready?.id ?? -1, 1, { state: "done", ending: "created" })] });
  expect(app.counts.ready).toBe(before - 1);
  app.take({ type: "rows", revision: 98, rows: [row(ready?.id ?? -1, 1)] });
  expect(app.counts.ready, "an older event").toBe(before - 1);
  app.filter = "drafted";
  expect(app.shown.every((one) => one.state === "done")).toBe(true);
  stop();
});

test("the end of a batch is said once, with what became of it", async () => {
  const { app, stop } = await started("scene=sites&n=40");
  const batch: BatchView = { siteId: "blog", total: 2, ended: 1, startedAt: 0, state: "running", currentId: 1 };
  app.take({ type: "batch", batch, tally: null });
  expect(app.primary.shut).toBe("running");
  const tally = { created: 1, adopted: 0, verified: 0, skipped: 0, unknown: 1, halted: 0, waiting: 0, refused: 0, needsWork: 0, left: 0 };
  app.take({ type: "batch", batch: null, tally });
  expect(app.notices.shown.map((notice) => notice.text)).toEqual(["登録が終わりました：作成1・結果不明1"]);
  expect(app.primary.shut).toBeNull();
  stop();
});

test("a halt stays until a person closes its message, and counts as the cards do", async () => {
  const { app, stop } = await started("scene=sites&n=40");
  app.take({ type: "attention", count: 3, haltedTitle: "秋の京都" });
  expect(app.notices.shown).toMatchObject([{ tone: "alert", text: "「秋の京都」に確認が必要です" }]);
  expect(app.needs).toBe(3);
  await app.readCards();
  expect(app.needs).toBe(app.cards?.length);
  stop();
});

test("a refusal is said in words, and the request answers nothing", async () => {
  const { app, stop } = await started("scene=sites&n=40");
  const answer = await app.try(() => Promise.reject({ code: "held", params: {} }));
  expect(answer).toBeNull();
  expect(app.notices.shown.at(-1)?.text).toContain("別の場所で登録が動いています");
  expect(await app.try(() => Promise.reject(new Error("secret detail")))).toBeNull();
  expect(app.notices.shown.at(-1)?.text, "what was thrown is not shown").not.toContain("secret");
  stop();
});

test("what was selected and opened is forgotten when the list no longer has it", async () => {
  const { app, backend, stop } = await started("scene=sites&n=40");
  await app.open(5);
  app.pick(5, true);
  await backend.removeFolder("~/記事/公開前");
  await app.readList();
  expect([app.rows.length, app.active, app.picked.size]).toEqual([0, null, 0]);
  stop();
});

test("a start that fails says so and can be tried again", async () => {
  const { app, stop } = await started("scene=broken");
  expect(app.ready).toBe(false);
  expect(app.startError?.code).toBe("journal");
  stop();
});

test("ten thousand rows are read in parts", async () => {
  const { app, stop } = await started("scene=still&n=12345");
  expect(app.counts.all).toBe(12_345);
  expect(app.rows.map((one) => one.id)).toEqual(Array.from({ length: 12_345 }, (_, id) => id));
  stop();
});

test("a change that arrives while the list is read is not lost", async () => {
  const { app, backend, stop } = await started("scene=still&n=6000");
  const page = backend.articles;
  backend.articles = async (offset, limit) => {
    const read = await page(offset, limit);
    if (offset === 0) app.take({ type: "rows", revision: 50, rows: [row(3, 1, { state: "refused" })] });
    return { ...read, revision: offset === 0 ? 49 : 51 };
  };
  await app.readList();
  expect(app.rows[3]?.state).toBe("refused");
  stop();
});
