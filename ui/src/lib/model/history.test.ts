import { expect, test } from "vitest";

import { fakeBackend, sceneOf } from "../backend/fake";
import type { HistoryPage } from "../backend/view";
import { History } from "./history.svelte";

test("turns its pages and begins anew with each question", async () => {
  const history = new History(fakeBackend(sceneOf("http://localhost/?scene=still&n=214")));
  await history.read();
  const total = history.page?.total ?? 0;
  expect(total).toBeGreaterThan(200);
  expect([history.isFirst, history.isLast, history.last]).toEqual([true, false, 100]);
  await history.turn(1);
  const second = history.page?.lines[0]?.seq ?? 0;
  expect(second).toBe(total - 100);
  await history.ask({ about: "trouble" });
  expect(history.offset).toBe(0);
  expect(history.page?.total).toBeLessThan(total);
});

test("a slow answer does not stand in the place of a newer one", async () => {
  const backend = fakeBackend(sceneOf("http://localhost/?scene=still"));
  const answers: ((page: HistoryPage) => void)[] = [];
  backend.history = () => new Promise((resolve) => answers.push(resolve));
  const history = new History(backend);
  const [slow, quick] = [history.ask({ text: "a" }), history.ask({ text: "ab" })];
  answers[1]?.({ total: 1, lines: [] });
  answers[0]?.({ total: 9, lines: [] });
  await Promise.all([slow, quick]);
  expect(history.page?.total).toBe(1);
});
