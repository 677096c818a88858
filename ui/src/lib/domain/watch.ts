import type { Light, WatchView } from "../backend/view";
import { moment } from "../i18n/format";
import { language, t } from "../i18n/i18n.svelte";
import type { IconName } from "../shared/icons";

/** Each state has a shape and a word of its own; never colour alone. */
export const lightIcons: Record<Light, IconName> = {
  needs_you: "halted",
  working: "working",
  paused: "pause",
  offline: "waiting",
  watching: "watch",
  off: "watch",
};

/** What the light says, in a few words. */
export function lightWords(watch: WatchView, on: boolean, now: number): string {
  if (!on) return t("watch.light.off");
  switch (watch.light) {
    case "working":
      return watch.working === null
        ? t("watch.light.watching")
        : t("watch.light.working", { ended: watch.working.ended, all: watch.working.articles });
    case "paused":
      return watch.pausedUntil === null
        ? t("watch.light.paused")
        : t("watch.light.paused_until", { time: moment(watch.pausedUntil, now, language()) });
    case "off":
      return t("watch.light.no_folder");
    case "needs_you":
    case "offline":
    case "watching":
      return t(`watch.light.${watch.light}`);
  }
}
