import { expect, test } from "vitest";

import { moveBy, scrollToShow, visibleRange } from "./virtual";

test("covers the view and no more than a few rows beside it", () => {
  for (let count of [0, 1, 30, 100_000]) {
    for (let scrollTop = 0; scrollTop < Math.min(count * 52, 20_000); scrollTop += 371) {
      const { start, end } = visibleRange(scrollTop, 600, 52, count);
      expect(start).toBeLessThanOrEqual(Math.floor(scrollTop / 52));
      expect(end).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((scrollTop + 600) / 52)));
      expect(end - start).toBeLessThanOrEqual(12 + 1 + 16);
    }
  }
});

test("a list that became shorter shows its end", () => {
  expect(visibleRange(50_000, 600, 52, 3)).toEqual({ start: 0, end: 3 });
});

test("scrolls only as far as needed", () => {
  expect(scrollToShow(3, 0, 600, 52)).toBe(0);
  expect(scrollToShow(0, 500, 600, 52)).toBe(0);
  expect(scrollToShow(20, 0, 600, 52)).toBe(21 * 52 - 600);
});

test("keys stay inside the list", () => {
  expect(moveBy("ArrowDown", -1, 5, 10)).toBe(0);
  expect(moveBy("ArrowUp", -1, 5, 10)).toBe(0);
  expect(moveBy("ArrowDown", 4, 5, 10)).toBe(4);
  expect(moveBy("PageDown", 1, 5, 10)).toBe(4);
  expect(moveBy("Home", 3, 5, 10)).toBe(0);
  expect(moveBy("End", 0, 0, 10)).toBeNull();
  expect(moveBy("x", 0, 5, 10)).toBeNull();
});
