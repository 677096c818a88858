export interface Notice {
  id: number;
  tone: "plain" | "ok" | "alert";
  text: string;
  /** What the button beside it does, if there is one. */
  open: (() => void) | null;
  /** What that button is called, where "open" does not say it. */
  label: string | null;
}

const stayMs = 6000;
/** What went wrong is read longer, but must not cover what comes after. */
const alertStayMs = 20000;

/** Short messages at the edge of the window. What needs a person stands in its own place as well. */
export class Notices {
  shown = $state.raw<readonly Notice[]>([]);
  #next = 1;

  add(tone: Notice["tone"], text: string, open: Notice["open"] = null, label: string | null = null): void {
    const notice = { id: this.#next++, tone, text, open, label };
    this.shown = [...this.shown.filter((other) => other.text !== text), notice].slice(-4);
    setTimeout(() => this.close(notice.id), tone === "alert" ? alertStayMs : stayMs);
  }

  close(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }
}
