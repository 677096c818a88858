// Reads messages/{ja,en}.json, refuses what does not fit together, and writes the types of the keys.
//
// A message is a text with {parameters}, or an object of plural forms chosen by the parameter `count`.
// Usage: node scripts/messages.js [--check]   (--check writes nothing and fails if the types are old)
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "src/lib/i18n/keys.ts");

export function placeholders(message) {
  const texts = typeof message === "string" ? [message] : Object.values(message);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])))].sort();
}

/** Returns what is wrong with two catalogues of messages. */
export function compare(ja, en) {
  const problems = [];
  for (const key of new Set([...Object.keys(ja), ...Object.keys(en)])) {
    if (!(key in ja)) problems.push(`ja.json lacks ${key}`);
    else if (!(key in en)) problems.push(`en.json lacks ${key}`);
    else {
      const [here, there] = [placeholders(ja[key]), placeholders(en[key])];
      if (here.join() !== there.join()) problems.push(`${key}: ja has {${here}}, en has {${there}}`);
      for (const [language, message] of [["ja", ja[key]], ["en", en[key]]]) {
        const texts = typeof message === "string" ? [message] : Object.values(message);
        if (texts.length === 0 || texts.some((text) => text.trim() === "")) problems.push(`${language}.json: ${key} is empty`);
        if (typeof message !== "string" && !("other" in message)) problems.push(`${language}.json: ${key} lacks the form "other"`);
      }
    }
  }
  return problems;
}

function sources(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.(svelte|ts)$/.test(name) && path !== target && !/\.test\.ts$/.test(name) ? [path] : [];
  });
}

/** Returns the keys that no source names, whole or by a family such as `halt.${reason}`. */
export function unused(keys, texts) {
  const whole = new Set();
  const families = [];
  for (const text of texts) {
    for (const match of text.matchAll(/["'`]([a-z][\w]*(?:\.[\w]+)+)["'`]/g)) whole.add(match[1]);
    for (const match of text.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{[^`]*?\}((?:\.\w+)*)`/g)) families.push([match[1], match[2]]);
    for (const match of text.matchAll(/\btCode\(\s*"([\w.]+)"/g)) families.push([`${match[1]}.`, ""]);
  }
  return keys.filter((key) => !whole.has(key) && !families.some(([head, tail]) => key.startsWith(head) && key.endsWith(tail)));
}

function main() {
  const read = (language) => JSON.parse(readFileSync(join(root, `messages/${language}.json`), "utf8"));
  const [ja, en] = [read("ja"), read("en")];
  const keys = Object.keys(ja);
  const problems = compare(ja, en);
  const texts = sources(join(root, "src")).map((path) => readFileSync(path, "utf8"));
  for (const key of unused(keys, texts)) problems.push(`${key} is used nowhere`);
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exit(1);
  }
  const lines = keys.map((key) => {
    const names = placeholders(ja[key]);
    const params = names.length === 0 ? "null" : `{ ${names.map((name) => `${name}: Value`).join("; ")} }`;
    return `  ${JSON.stringify(key)}: ${params};`;
  });
  const text = `// Written by scripts/messages.js from messages/*.json.\n\nexport type Value = string | number;\n\nexport interface Messages {\n${lines.join("\n")}\n}\n`;
  let old = "";
  try {
    old = readFileSync(target, "utf8");
  } catch {
    // Not written yet.
  }
  if (old === text) return;
  if (process.argv.includes("--check")) {
    console.error("src/lib/i18n/keys.ts is older than messages/");
    process.exit(1);
  }
  writeFileSync(target, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
