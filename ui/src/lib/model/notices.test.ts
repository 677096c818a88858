import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Notices } from "./notices.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what went well leaves soon, what went wrong stays longer and leaves too", () => {
  const notices = new Notices();
  notices.add("ok", "done");
  notices.add("alert", "lost");
  vi.advanceTimersByTime(5_999);
  expect(notices.shown.map((notice) => notice.text)).toEqual(["done", "lost"]);
  vi.advanceTimersByTime(1);
  expect(notices.shown.map((notice) => notice.text)).toEqual(["lost"]);
  vi.advanceTimersByTime(13_999);
  expect(notices.shown).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(notices.shown).toEqual([]);
});

test("what is said again stays from its last time on, once", () => {
  const notices = new Notices();
  notices.add("alert", "lost");
  vi.advanceTimersByTime(15_000);
  notices.add("alert", "lost");
  vi.advanceTimersByTime(15_000);
  expect(notices.shown.map((notice) => notice.text)).toEqual(["lost"]);
  vi.advanceTimersByTime(5_000);
  expect(notices.shown).toEqual([]);
});
