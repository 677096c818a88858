import type { SiteView } from "../backend/view";
import { t } from "../i18n/i18n.svelte";

/** A site is called as it calls itself; the practice site is ours to name. */
export function siteName(site: SiteView): string {
  return site.practice ? t("practice.title") : site.name;
}
