import type { ArticleRow } from "../backend/view";

/** Says whether a person may set it aside: nothing of it has been sent, and nothing is about to be. */
export function canBeSetAside(row: ArticleRow | null): boolean {
  switch (row?.state) {
    case "ready":
    case "waiting":
    case "needs_work":
    case "refused":
      return true;
    case "planned":
    case "sending":
    case "skipped":
    case "halted":
    case "done":
    case undefined:
      return false;
  }
}

/** Says whether a person set it aside; what was there before us was not. */
export function isSetAside(row: ArticleRow | null): boolean {
  return row?.setAside ?? false;
}
