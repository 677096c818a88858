import pages from "virtual:pages";

import type { BarrierCode, HaltReason } from "../backend/view";
import { language } from "./i18n.svelte";

export interface Span {
  text: string;
  tone: "plain" | "strong" | "code";
}
export interface Block {
  kind: "text" | "list";
  lines: Span[][];
}
export interface Page {
  title: string;
  sections: { heading: string; blocks: Block[] }[];
}

/** What is explained: each reason of a halt, and what else stops people. */
export type PageCode = HaltReason | BarrierCode | "site_paused";

/** Returns a page in the language of the window. */
export function pageOf(code: PageCode): Page | null {
  return pages[code]?.[language()] ?? null;
}
