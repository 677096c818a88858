// Reads the pages of docs/halts into plain parts, so that the window shows them without reading Markdown or HTML at run
// time. What does not have the form of these pages is refused when the window is built.
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = join(dirname(fileURLToPath(import.meta.url)), "../../docs/halts");

/** Splits a line into plain, strong and code parts. */
export function spans(line) {
  const parts = line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter((part) => part !== "");
  return parts.map((part) => {
    if (part.startsWith("**") && part.endsWith("**")) return { text: part.slice(2, -2), tone: "strong" };
    if (part.startsWith("`") && part.endsWith("`")) return { text: part.slice(1, -1), tone: "code" };
    if (/[*`<>[\]]/.test(part)) throw new Error(`not a text of these pages: ${part}`);
    return { text: part, tone: "plain" };
  });
}

function sections(lines) {
  const found = [];
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const section = found.at(-1);
    if (line.startsWith("### ")) found.push({ heading: line.slice(4), blocks: [] });
    else if (section === undefined || line.startsWith("#")) throw new Error(`stands outside a section: ${line}`);
    else if (line.startsWith("- ")) {
      const last = section.blocks.at(-1);
      if (last?.kind === "list") last.lines.push(spans(line.slice(2)));
      else section.blocks.push({ kind: "list", lines: [spans(line.slice(2))] });
    } else section.blocks.push({ kind: "text", lines: [spans(line)] });
  }
  return found;
}

/** Reads one page. */
export function parse(source) {
  const [head, japanese, english, ...more] = source.split(/^## (?:日本語|English)$/m);
  const found = /^# (.+) \/ (.+)\n\nCode: `(\w+)`\s*$/.exec(head ?? "");
  if (found === null || japanese === undefined || english === undefined || more.length > 0) {
    throw new Error(`not the form of a page: ${head?.slice(0, 80)}`);
  }
  const [, ja, en, code] = found;
  const page = (title, text) => ({ title, sections: sections(text.split("\n")) });
  return { code, ja: page(ja, japanese), en: page(en, english) };
}

export function readPages() {
  const pages = {};
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".md")).sort()) {
    const { code, ...page } = parse(readFileSync(join(folder, name), "utf8"));
    if (code !== basename(name, ".md")) throw new Error(`${name} says that it explains ${code}`);
    pages[code] = page;
  }
  return pages;
}

const name = "virtual:pages";

/** Hands the pages to the window as a module. */
export function pagesPlugin() {
  return {
    name: "pages",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file));
      return `export default ${JSON.stringify(readPages())};`;
    },
  };
}
