const waitMs = 5000;
const tickMs = 200;

/** Some seconds in which what was asked for can be called off. */
export class Countdown {
  /** How many articles it is about; 0 while nothing is to begin. */
  count = $state(0);
  seconds = $state(0);
  #timer: ReturnType<typeof setInterval> | null = null;
  #begin: (() => void) | null = null;

  get running(): boolean {
    return this.count > 0;
  }

  start(count: number, begin: () => void): void {
    this.cancel();
    this.count = count;
    this.#begin = begin;
    // By the clock: a window in the background gets its ticks late.
    const until = Date.now() + waitMs;
    this.seconds = waitMs / 1000;
    this.#timer = setInterval(() => {
      const left = until - Date.now();
      if (left <= 0) this.now();
      else this.seconds = Math.ceil(left / 1000);
    }, tickMs);
  }

  /** Begins without waiting any longer. */
  now(): void {
    const begin = this.#begin;
    this.cancel();
    begin?.();
  }

  cancel(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#begin = null;
    this.count = 0;
  }
}
