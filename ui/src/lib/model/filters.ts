import type { ArticleRow } from "../backend/view";

export const filters = [
  "all",
  "needs_work",
  "ready",
  "working",
  "waiting",
  "attention",
  "refused",
  "drafted",
  "skipped",
] as const;

export type Filter = (typeof filters)[number];

/** Says under which tab a row stands, besides "all"; a halt that a person left stands under none. */
export function filterOf(row: ArticleRow): Filter {
  switch (row.state) {
    case "ready":
      return "ready";
    case "planned":
    case "sending":
      return "working";
    case "waiting":
      return "waiting";
    case "needs_work":
      return "needs_work";
    case "refused":
      return "refused";
    case "skipped":
      return "skipped";
    case "halted":
      return row.left ? "all" : "attention";
    case "done":
      return "drafted";
  }
}

export function countByFilter(rows: readonly ArticleRow[]): Record<Filter, number> {
  const counts = Object.fromEntries(filters.map((name) => [name, 0])) as Record<Filter, number>;
  for (const row of rows) {
    const filter = filterOf(row);
    if (filter !== "all") counts[filter] += 1;
  }
  counts.all = rows.length;
  return counts;
}

/** Makes texts comparable: width, case and composed forms do not matter when a person searches. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

const folded = new WeakMap<ArticleRow, string>();

/** A hundred thousand titles are not folded anew with every key. */
function foldedTitle(row: ArticleRow): string {
  let title = folded.get(row);
  if (title === undefined) folded.set(row, (title = fold(row.title)));
  return title;
}

export function select(rows: readonly ArticleRow[], filter: Filter, query: string): readonly ArticleRow[] {
  const wanted = fold(query.trim());
  if (filter === "all" && wanted === "") return rows;
  return rows.filter(
    (row) =>
      (filter === "all" || filterOf(row) === filter) &&
      (wanted === "" || foldedTitle(row).includes(wanted) || row.slug.includes(wanted)),
  );
}
