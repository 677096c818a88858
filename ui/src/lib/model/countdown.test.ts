import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Countdown } from "./countdown.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("begins once, when the time is up", () => {
  const begun = vi.fn();
  const countdown = new Countdown();
  countdown.start(12, begun);
  vi.advanceTimersByTime(4600);
  expect([begun.mock.calls.length, countdown.seconds, countdown.running]).toEqual([0, 1, true]);
  vi.advanceTimersByTime(60_000);
  expect([begun.mock.calls.length, countdown.running]).toEqual([1, false]);
});

test("what was called off never begins", () => {
  const begun = vi.fn();
  const countdown = new Countdown();
  countdown.start(12, begun);
  countdown.cancel();
  countdown.now();
  vi.advanceTimersByTime(60_000);
  expect(begun).not.toHaveBeenCalled();
});

test("can begin at once, and then not again", () => {
  const begun = vi.fn();
  const countdown = new Countdown();
  countdown.start(12, begun);
  countdown.now();
  vi.advanceTimersByTime(60_000);
  expect(begun).toHaveBeenCalledTimes(1);
});
