import { expect, test } from "vitest";

import { eta } from "./eta";

test("says nothing before three have ended, and nothing at the end", () => {
  expect(eta(2, 20, 60_000)).toBeNull();
  expect(eta(20, 20, 60_000)).toBeNull();
  expect(eta(3, 20, 0)).toBeNull();
});

test("rounds to what is known", () => {
  expect(eta(10, 11, 60_000)).toEqual({ code: "soon" });
  expect(eta(3, 20, 1_200), "a quick beginning is not nearly the end").toEqual({ code: "under_minute" });
  expect(eta(10, 15, 60_000)).toEqual({ code: "under_minute" });
  expect(eta(5, 20, 60_000)).toEqual({ code: "minutes", count: 3 });
  expect(eta(10, 200, 60_000)).toEqual({ code: "minutes", count: 20 });
  expect(eta(10, 2000, 60_000)).toEqual({ code: "hours", count: 3 });
});
