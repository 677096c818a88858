import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const root = dirname(fileURLToPath(import.meta.url));

// Who may lean on whom; a folder may always use itself.
const allowed: Record<string, readonly string[]> = {
  "lib/backend": [],
  "lib/i18n": ["lib/backend"],
  "lib/model": ["lib/backend", "lib/i18n"],
  "lib/shared": [],
  "lib/domain": ["lib/shared", "lib/model", "lib/i18n", "lib/backend"],
  views: ["lib/domain", "lib/shared", "lib/model", "lib/i18n", "lib/backend"],
};

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : /\.(svelte|ts|css)$/.test(name) ? [path] : [];
  });
}

const tierOf = (path: string) => Object.keys(allowed).find((tier) => relative(root, path).startsWith(`${tier}/`));
const sources = files(root).filter((path) => !path.endsWith(".test.ts"));

test("each tier leans only on those below it", () => {
  const wrong: string[] = [];
  for (const path of sources) {
    const tier = tierOf(path);
    if (tier === undefined) continue;
    for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const to = tierOf(join(dirname(path), target)) ?? target;
      if (!to.endsWith(".json") && to !== tier && !(allowed[tier] ?? []).includes(to)) wrong.push(`${relative(root, path)} -> ${to}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("the window opens no address and runs no HTML by itself", () => {
  for (const path of sources.filter((one) => !one.endsWith(".css"))) {
    const text = readFileSync(path, "utf8");
    expect(text, path).not.toMatch(/\{@html|innerHTML|window\.open|<a [^>]*href|\sstyle="|localStorage|sessionStorage/);
  }
});

test("components take colours by their meaning, never from the raw scale", () => {
  for (const path of sources.filter((one) => one.endsWith(".svelte") || one.endsWith("base.css"))) {
    expect(readFileSync(path, "utf8"), path).not.toMatch(/var\(--(gray|night|ai|matsu|daidai|shu|kin)-|#[0-9a-f]{6}\b/i);
  }
});

test("no file is long", () => {
  for (const path of sources.filter((one) => !one.endsWith("i18n/keys.ts"))) {
    expect(readFileSync(path, "utf8").split("\n").length, path).toBeLessThanOrEqual(400);
  }
});
