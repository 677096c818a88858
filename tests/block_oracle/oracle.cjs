// Asks WordPress's own block library whether it would take a file of block markup as it stands: every block valid, none
// missing or classic, and the same text again after parsing and serialising.
//
//   node oracle.cjs PACKAGES FILE...        PACKAGES holds node_modules; one line of JSON a file on stdout
"use strict";

const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const [packages, ...files] = process.argv.slice(2);
const load = createRequire(path.join(path.resolve(packages), "package.json"));

// The library is written for a browser; what it says of invalid blocks on the console is asked of the blocks instead.
const { JSDOM } = load("jsdom");
const { window } = new JSDOM("<!doctype html><html><body></body></html>", {
  url: "http://127.0.0.1/",
  pretendToBeVisual: true,
});
const own = (name) => Object.getOwnPropertyDescriptor(globalThis, name) !== undefined;
for (const name of Object.getOwnPropertyNames(window)) {
  if (!own(name)) globalThis[name] = window[name];
}
Object.defineProperty(globalThis, "window", { value: window, configurable: true });
Object.defineProperty(globalThis, "document", { value: window.document, configurable: true });
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
window.matchMedia = () => ({ matches: false, addListener() {}, removeListener() {}, addEventListener() {}, removeEventListener() {} });
globalThis.matchMedia = window.matchMedia;
class Watcher {
  observe() {}
  unobserve() {}
  disconnect() {}
}
for (const name of ["ResizeObserver", "IntersectionObserver"]) {
  window[name] = Watcher;
  globalThis[name] = Watcher;
}
window.CSS ??= { supports: () => false, escape: (text) => text };
globalThis.CSS = window.CSS;
// Loopback or nothing: validating needs no network.
globalThis.fetch = () => Promise.reject(new Error("no network here"));
window.fetch = globalThis.fetch;
for (const level of ["log", "info", "warn", "error", "debug", "group", "groupCollapsed", "groupEnd"]) {
  console[level] = () => {};
}

const { parse, serialize, validateBlock } = load("@wordpress/blocks");
const { registerCoreBlocks } = load("@wordpress/block-library");
// The packages bring some others twice, which WordPress loads once: what adds to blocks must not do so twice.
for (const { handlers } of Object.values(load("@wordpress/hooks").filters)) {
  if (!Array.isArray(handlers)) continue;
  const known = new Set();
  for (let at = 0; at < handlers.length; at += 1) {
    const key = `${handlers[at].namespace} ${handlers[at].callback}`;
    if (known.has(key)) handlers.splice(at--, 1);
    known.add(key);
  }
}
registerCoreBlocks();

const problems = (blocks, into = []) => {
  for (const block of blocks) {
    if (["core/freeform", "core/missing"].includes(block.name)) {
      into.push({ block: block.attributes.originalName ?? block.name, why: "not a block of this release" });
      continue;
    }
    // The newer releases take an HTML block as it stands, and have nothing to compare it with.
    const [valid, issues] = block.innerContent ? [true, []] : validateBlock(block);
    if (!valid || block.isValid === false) {
      into.push({ block: block.name, why: issues.map((issue) => issue.args.slice(0, 3).map(String).join(" ")).join("; ") || "repaired by an older form" });
    }
    problems(block.innerBlocks, into);
  }
  return into;
};

for (const file of files) {
  const text = readFileSync(file, "utf8").replace(/\n+$/, "");
  const blocks = parse(text);
  const found = problems(blocks);
  const again = serialize(blocks);
  const changed = again === text ? null : difference(text, again);
  process.stdout.write(`${JSON.stringify({ file, blocks: blocks.length, problems: found, changed })}\n`);
}

function difference(before, after) {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return { before: before.slice(Math.max(0, at - 40), at + 80), after: after.slice(Math.max(0, at - 40), at + 80) };
}
process.exit(0);
