export interface Notice {
  id: number;
  tone: "plain" | "ok" | "alert";
  text: string;
  /** What the button beside it does, if there is one. */
  open: (() => void) | null;
}

const stayMs = 6000;

/** Short messages at the edge of the window. Those that need a person stay until they are closed. */
export class Notices {
  shown = $state.raw<readonly Notice[]>([]);
  #next = 1;

  add(tone: Notice["tone"], text: string, open: Notice["open"] = null): void {
    const notice = { id: this.#next++, tone, text, open };
    this.shown = [...this.shown.filter((other) => other.text !== text), notice].slice(-4);
    if (tone !== "alert") setTimeout(() => this.close(notice.id), stayMs);
  }

  close(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }
}
