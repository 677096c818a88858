import { expect, test } from "vitest";

import { row } from "../backend/fake/rows";
import { countByFilter, filters, filterOf, select } from "./filters";
import { addChanges, addPage, emptyRows } from "./rows";

test("changes replace rows in their place and add new ones at the end", () => {
  const rows = emptyRows();
  addPage(rows, { revision: 4, total: 2, rows: [row(1, null), row(2, null)] });
  expect(addChanges(rows, 5, [row(1, 9, { state: "sending" }), row(7, null)])).toBe(true);
  expect(rows.list.map((one) => [one.id, one.state])).toEqual([[1, "sending"], [2, "ready"], [7, "ready"]]);
});

test("an event older than the list changes nothing", () => {
  const rows = emptyRows();
  addPage(rows, { revision: 4, total: 1, rows: [row(1, null, { state: "done" })] });
  expect(addChanges(rows, 4, [row(1, null, { state: "sending" })])).toBe(false);
  expect(rows.list[0]?.state).toBe("done");
});

test("every row is counted once, a left halt only in the whole", () => {
  const halted = row(1, null, { state: "halted", haltReason: "hidden" });
  const rows = [halted, { ...halted, id: 2, left: true }, row(3, null), row(4, null, { state: "done", ending: "adopted" })];
  const counts = countByFilter(rows);
  expect(counts).toMatchObject({ all: 4, attention: 1, ready: 1, drafted: 1 });
  expect(filters.filter((name) => name !== "all").reduce((sum, name) => sum + counts[name], 0)).toBe(3);
  expect(filterOf({ ...halted, left: true })).toBe("all");
});

test("searching does not mind width, case or composed forms", () => {
  const rows = [row(1, null, { title: "Ｒｕｓｔ の ガイド", slug: "rust-guide" })];
  expect(select(rows, "all", "rust")).toHaveLength(1);
  expect(select(rows, "all", "ｶﾞｲﾄﾞ")).toHaveLength(1);
  expect(select(rows, "drafted", "rust")).toHaveLength(0);
});
