import type { ArticleRow, HistoryAbout, HistoryLine, HistoryPage } from "../view";

const minute = 60_000;

const about: Record<Exclude<HistoryAbout, "all" | "people">, readonly string[]> = {
  drafts: ["created", "adopted", "verified", "skipped"],
  trouble: ["refused", "not_sent", "outcome_unknown", "interrupted", "halted", "could_not_ask", "blocked", "unclean_stop", "creating_shut"],
};

/** Makes a believable history of a list, newest first. */
export function historyOf(rows: readonly ArticleRow[], now: number): HistoryLine[] {
  const lines: Omit<HistoryLine, "seq" | "at">[] = [];
  const add = (code: string, name: string, more: Partial<HistoryLine> = {}) =>
    lines.push({ code, byPerson: false, kind: "post", name, site: "サンプルのブログ", params: {}, ...more });
  // Told as it happened, and turned round at the end.
  for (const row of rows.toReversed()) {
    const id = String(700 + (row.id % 400));
    switch (row.state) {
      case "done":
        if (row.id % 3 === 0 && row.imagesTotal > 0) add("created", "cover.jpg", { kind: "image", params: { id: String(800 + row.id) } });
        add("begin_send", row.title);
        if (row.ending === "adopted") {
          add("outcome_unknown", row.title);
          add("adopted", row.title, { params: { id } });
        } else {
          add(row.ending === "verified" ? "verified" : "created", row.title, { params: { id } });
        }
        break;
      case "halted":
        add("begin_send", row.title);
        add("outcome_unknown", row.title);
        add("halted", row.title, { params: { reason: row.haltReason ?? "outcome_unknown" } });
        if (row.id % 2 === 0) add("look", row.title, { byPerson: true });
        break;
      case "refused":
        add("begin_send", row.title);
        add("refused", row.title);
        break;
      case "waiting":
        add("waits", row.title, { params: { reason: "could_not_ask" } });
        break;
      case "skipped":
        add("skipped", row.title, { params: { id } });
        break;
      case "ready":
      case "planned":
      case "needs_work":
      case "sending":
        break;
    }
  }
  if (lines.length === 0) return [];
  lines.unshift({ code: "site_added", byPerson: true, kind: null, name: "", site: "サンプルのブログ", params: {} });
  return lines.toReversed().map((line, at) => ({ ...line, seq: lines.length - at, at: now - (at + 1) * 1.7 * minute }));
}

export function historyPage(all: readonly HistoryLine[], wanted: HistoryAbout, text: string, offset: number, limit: number): HistoryPage {
  const found = all.filter(
    (line) =>
      (wanted === "all" || (wanted === "people" ? line.byPerson : about[wanted].includes(line.code))) &&
      line.name.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return { total: found.length, lines: found.slice(offset, offset + limit) };
}

export const diagnosisText = JSON.stringify(
  {
    ichido: "0.1.0",
    system: "linux",
    architecture: "x86_64",
    sites: 1,
    barriers: [],
    operations: [{ site: 1, kind: "post", state: "done", reason: null, left: false, count: 171 }],
    history: [{ at: 1_764_000_000_000, operation: 1, site: 1, by: "program", code: "created", reason: null, state: null, status: 201 }],
  },
  null,
  2,
);
