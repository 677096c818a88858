import type { ArticleDetail, ArticleRow, Finding, LinkKind, TimelineEntry } from "../view";

const second = 1000;

export function detail(row: ArticleRow, opId: string | null, now: number): ArticleDetail {
  const remoteId = row.state === "done" || row.state === "skipped" ? 700 + (row.id % 400) : null;
  return {
    id: row.id,
    opId,
    path: `~/記事/公開前/${row.slug}/index.md`,
    excerpt: row.warnings > 0 ? null : "道具を減らして、手順を決める。続けられる形にするまでの記録です。",
    tags: row.id % 5 === 2 ? [] : ["暮らし", "記録"],
    categories: ["日記"],
    remoteId,
    findings: findings(row),
    timeline: timeline(row, row.at ?? now, remoteId),
    links: links(row),
  };
}

function links(row: ArticleRow): LinkKind[] {
  if (row.state === "done" || row.state === "skipped") return ["edit", "folder"];
  if (row.state === "halted") return ["drafts", "media", "folder"];
  return ["folder"];
}

function findings(row: ArticleRow): Finding[] {
  const file = `${row.slug}/index.md`;
  const found: Finding[] = [];
  if (row.errors > 0) {
    found.push(
      { severity: "error", code: "front_matter_full_width", file, line: 3, params: {} },
      { severity: "error", code: "image_not_found", file, line: 42, params: { reference: "images/genkan.JPG", similar: "images/genkan.jpg" } },
    );
  }
  if (row.warnings > 0) found.push({ severity: "warning", code: "excerpt_missing", file, line: null, params: {} });
  if (row.id % 6 === 2) found.push({ severity: "note", code: "slug_adjusted", file, line: 4, params: { written: "Tax Checklist 2026", slug: row.slug } });
  return found;
}

function timeline(row: ArticleRow, at: number, remoteId: number | null): TimelineEntry[] {
  const id = String(remoteId ?? 0);
  const sent = (before: number): TimelineEntry[] => [
    { at: at - before - 6 * second, code: "looked_before", params: {}, tone: "plain" },
    ...(row.imagesTotal > 0
      ? [{ at: at - before - 3 * second, code: "image_done", params: { name: "cover.jpg", id: "812" }, tone: "ok" as const }]
      : []),
    { at: at - before, code: "sending", params: {}, tone: "plain" },
  ];
  switch (row.state) {
    case "ready":
      return [];
    case "planned":
      return [{ at, code: "planned", params: {}, tone: "plain" }];
    case "needs_work":
      return [{ at, code: "read", params: {}, tone: "plain" }];
    case "sending":
      return sent(0);
    case "waiting":
      return [
        { at: at - 2 * second, code: "could_not_ask", params: {}, tone: "plain" },
        { at, code: "waiting", params: {}, tone: "plain" },
      ];
    case "refused":
      return [...sent(second), { at, code: "refused", params: { code: row.refusal ?? "" }, tone: "alert" }];
    case "skipped":
      return [{ at, code: "skipped", params: { id }, tone: "plain" }];
    case "halted":
      return [
        ...sent(155 * second),
        { at: at - 125 * second, code: "no_answer", params: { count: 30 }, tone: "alert" },
        { at: at - 120 * second, code: "looked_none", params: {}, tone: "plain" },
        { at, code: "looked_none", params: {}, tone: "plain" },
      ];
    case "done":
      if (row.ending === "adopted") {
        return [
          ...sent(35 * second),
          { at: at - 5 * second, code: "connection_lost", params: {}, tone: "alert" },
          { at: at - second, code: "looked_found", params: { id }, tone: "ok" },
          { at, code: "adopted", params: { id }, tone: "ok" },
        ];
      }
      if (row.ending === "verified") return [{ at, code: "verified", params: { id }, tone: "ok" }];
      return [...sent(second), { at, code: "created", params: { id }, tone: "ok" }];
  }
}
