import type { Plugin } from "vite";

type Span = { text: string; tone: "plain" | "strong" | "code" };
type Block = { kind: "text" | "list"; lines: Span[][] };
type Page = { title: string; sections: { heading: string; blocks: Block[] }[] };
export function spans(line: string): Span[];
export function parse(source: string): { code: string; ja: Page; en: Page };
export function readPages(): Record<string, { ja: Page; en: Page }>;
export function pagesPlugin(): Plugin;
