import type { Tally } from "../backend/view";
import { t } from "../i18n/i18n.svelte";

const order = [
  "created",
  "adopted",
  "verified",
  "skipped",
  "unknown",
  "halted",
  "refused",
  "needsWork",
  "waiting",
  "left",
] as const satisfies readonly (keyof Tally)[];

/** Says how the end of a batch is to be taken: a check mark stands for nothing but success. */
export function tone(tally: Tally): "ok" | "plain" | "alert" {
  if (tally.unknown + tally.halted + tally.refused > 0) return "alert";
  return tally.needsWork + tally.waiting + tally.left > 0 ? "plain" : "ok";
}

/** Says how a batch ended, leaving out what did not occur. */
export function summary(tally: Tally): string {
  const parts = order.filter((name) => tally[name] > 0).map((name) => t(`tally.${name}`, { count: tally[name] }));
  return parts.length === 0 ? t("tally.nothing") : parts.join(t("tally.separator"));
}
