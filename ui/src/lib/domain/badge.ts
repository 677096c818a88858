import type { ArticleRow, HaltReason } from "../backend/view";
import { t, tCode } from "../i18n/i18n.svelte";
import type { IconName } from "../shared/icons";

export interface Badge {
  tone: "done" | "ready" | "halted" | "refused" | "needs-work" | "working" | "waiting";
  icon: IconName;
  text: string;
  busy: boolean;
}

export function haltName(reason: HaltReason): string {
  return tCode("halt", `${reason}.name`);
}

/** Says a row's state as a shape, a word and a colour, never by one of them alone. */
export function badge(row: ArticleRow): Badge {
  const still = (tone: Badge["tone"], icon: IconName, text: string): Badge => ({ tone, icon, text, busy: false });
  switch (row.state) {
    case "ready":
      return still("ready", "circle", row.warnings > 0 ? t("state.ready_warnings", { count: row.warnings }) : t("state.ready"));
    case "planned":
      return row.step === null ? still("waiting", "queued", t("state.planned")) : { tone: "working", icon: "working", text: step(row), busy: true };
    case "sending":
      return row.step === null
        ? still("working", "working", t("state.sending"))
        : { tone: "working", icon: "working", text: step(row), busy: true };
    case "waiting":
      return still("waiting", "waiting", t("state.waiting"));
    case "needs_work":
      return still("needs-work", "pencil", `${t("state.needs_work")} ${row.errors}`);
    case "refused":
      return still("refused", "refused", t("state.refused"));
    case "skipped":
      return still("waiting", "skipped", row.setAside ? t("state.set_aside") : t("state.skipped"));
    case "halted": {
      const name = row.haltReason === null ? t("filter.attention") : haltName(row.haltReason);
      return row.left ? still("waiting", "left", t("state.left", { name })) : still("halted", "halted", name);
    }
    case "done":
      if (row.changed) return still("needs-work", "pencil", t("ending.changed"));
      if (row.linked) return still("done", "adopted", t("ending.linked"));
      if (row.ending === "adopted") return still("done", "adopted", t("ending.adopted"));
      if (row.ending === "verified") return still("done", "verified", t("ending.verified"));
      return still("done", "check", t("ending.created"));
  }
}

function step(row: ArticleRow): string {
  if (row.step === "images") return t("step.images", { done: row.imagesDone, total: row.imagesTotal });
  return row.step === null ? t("state.sending") : t(`step.${row.step}`);
}
