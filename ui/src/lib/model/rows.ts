import type { ArticlePage, ArticleRow } from "../backend/view";

/** The list as last read, and where each row stands in it. */
export interface Rows {
  revision: number;
  list: ArticleRow[];
  index: Map<number, number>;
}

export function emptyRows(): Rows {
  return { revision: 0, list: [], index: new Map() };
}

/**
 * Adds a part of the list as it is read. The whole counts as no newer than its oldest part: changes
 * since then are taken in again.
 */
export function addPage(rows: Rows, page: ArticlePage): void {
  rows.revision = rows.list.length === 0 ? page.revision : Math.min(rows.revision, page.revision);
  for (const row of page.rows) put(rows, row);
}

/** Takes in changed rows; an event older than what was read changes nothing. */
export function addChanges(rows: Rows, revision: number, changed: ArticleRow[]): boolean {
  if (revision <= rows.revision) return false;
  rows.revision = revision;
  for (const row of changed) put(rows, row);
  return changed.length > 0;
}

function put(rows: Rows, row: ArticleRow): void {
  const at = rows.index.get(row.id);
  if (at === undefined) {
    rows.index.set(row.id, rows.list.length);
    rows.list.push(row);
  } else {
    rows.list[at] = row;
  }
}
