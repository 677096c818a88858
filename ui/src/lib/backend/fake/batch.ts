import type { ArticleRow, Tally } from "../view";
import { halted } from "./rows";

/** What the next tick of a batch does to the article that is being registered. */
export function advance(row: ArticleRow, now: number, losesAnswer: boolean): ArticleRow {
  switch (row.step) {
    case null:
      return { ...row, state: "planned", step: "check", waitReason: null, at: now };
    case "check":
      return { ...row, step: row.imagesTotal > 0 ? "images" : "draft", state: row.imagesTotal > 0 ? "planned" : "sending", at: now };
    case "images":
      if (row.imagesDone < row.imagesTotal) return { ...row, imagesDone: row.imagesDone + 1, at: now };
      return { ...row, step: "draft", state: "sending", at: now };
    case "draft":
      return { ...row, step: "verify", at: now };
    case "verify":
      if (losesAnswer) return halted(row, "outcome_unknown", now);
      return { ...row, step: null, state: "done", ending: "created", at: now };
  }
}

export function emptyTally(): Tally {
  return { created: 0, adopted: 0, verified: 0, skipped: 0, unknown: 0, halted: 0, waiting: 0, refused: 0, needsWork: 0, left: 0 };
}

export function countEnd(tally: Tally, row: ArticleRow): void {
  if (row.state === "done") tally.created += 1;
  else if (row.state === "halted") tally.unknown += 1;
  else tally.waiting += 1;
}
