import type { ArticleRow, BarrierView, BatchView, SiteView } from "../backend/view";

export type Shut =
  | "no_site"
  | "no_articles"
  | "nothing_ready"
  | "none_picked"
  | "barrier"
  | "running"
  | "credentials";

export interface Primary {
  /** What pressing the button registers. */
  count: number;
  ids: number[];
  /** Whether these are those that a person selected. */
  picked: boolean;
  shut: Shut | null;
}

/** Says what the one primary button will do, or why it cannot. */
export function primary(
  rows: readonly ArticleRow[],
  picked: ReadonlySet<number>,
  site: SiteView | null,
  batch: BatchView | null,
  barriers: readonly BarrierView[],
): Primary {
  const goes = (row: ArticleRow) => row.state === "ready" || row.state === "waiting";
  const chosen = rows.filter((row) => goes(row) && (picked.size === 0 || picked.has(row.id)));
  return { count: chosen.length, ids: chosen.map((row) => row.id), picked: picked.size > 0, shut: shut() };

  function shut(): Shut | null {
    if (site === null) return "no_site";
    if (batch !== null) return "running";
    if (barriers.some((barrier) => barrier.siteId === null || barrier.siteId === site.id)) return "barrier";
    if (site.credentials === "missing") return "credentials";
    if (rows.length === 0) return "no_articles";
    if (chosen.length === 0) return picked.size === 0 ? "nothing_ready" : "none_picked";
    return null;
  }
}
