import type { ArticleRow, AttentionCard } from "../backend/view";
import { moment } from "../i18n/format";
import { language, t, tCode } from "../i18n/i18n.svelte";

/** Says why a card stands where it stands, with when and what was sent. */
export function why(card: AttentionCard, now: number): string {
  return tCode("halt", `${card.reason}.why`, {
    ...card.params,
    time: moment(card.sent?.at ?? card.since, now, language()),
    what: card.kind === "post" || card.kind === "image" ? t(`request.${card.kind}`) : t("request.other"),
  });
}

/** Says in one or two sentences where an article stands and what happens next. */
export function about(row: ArticleRow, cards: readonly AttentionCard[] | null, now: number): string {
  switch (row.state) {
    case "waiting":
      return tCode("wait", row.waitReason ?? "could_not_ask");
    case "halted": {
      const card = cards?.find((other) => other.articleId === row.id);
      if (card) return why(card, now);
      return tCode("halt", `${row.haltReason ?? "outcome_unknown"}.why`, {
        time: row.at === null ? "–" : moment(row.at, now, language()),
        what: t("request.post"),
      });
    }
    case "done":
      if (row.changed) return t("about.changed");
      if (row.linked) return t("about.linked");
      if (row.ending === "adopted" || row.ending === "verified") return t(`about.${row.ending}`);
      return t("about.created");
    case "skipped":
      return row.setAside ? t("about.set_aside") : t("about.skipped");
    case "ready":
    case "planned":
    case "needs_work":
    case "refused":
    case "sending":
      return t(`about.${row.state}`);
  }
}
