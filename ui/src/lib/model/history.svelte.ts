import type { Backend } from "../backend/backend";
import type { HistoryAbout, HistoryPage } from "../backend/view";

const pageSize = 100;

/** What of the history is shown: one page, and what was asked for. */
export class History {
  page = $state.raw<HistoryPage | null>(null);
  about = $state<HistoryAbout>("all");
  text = $state("");
  offset = $state(0);
  readonly #backend: Backend;
  #asked = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get last(): number {
    return Math.min(this.offset + pageSize, this.page?.total ?? 0);
  }

  get isFirst(): boolean {
    return this.offset === 0;
  }

  get isLast(): boolean {
    return this.offset + pageSize >= (this.page?.total ?? 0);
  }

  /** Reads the page that is asked for; an answer that another question overtook is dropped. */
  async read(): Promise<void> {
    const mine = ++this.#asked;
    const page = await this.#backend.history(this.about, this.text, this.offset, pageSize);
    if (mine === this.#asked) this.page = page;
  }

  ask(change: { about?: HistoryAbout; text?: string }): Promise<void> {
    this.about = change.about ?? this.about;
    this.text = change.text ?? this.text;
    this.offset = 0;
    return this.read();
  }

  turn(by: -1 | 1): Promise<void> {
    this.offset = Math.max(0, this.offset + by * pageSize);
    return this.read();
  }
}
