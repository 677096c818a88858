import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { policy, previewDocument, styleDigest } from "./preview";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the one sheet of the frame is the one that both policies name", () => {
  const digest = `sha256-${createHash("sha256").update(read("./preview.css")).digest("base64")}`;
  expect(styleDigest).toBe(digest);
  const window: { app: { security: { csp: string } } } = JSON.parse(read("../../../../tauri.conf.json"));
  expect(window.app.security.csp).toContain(`style-src 'self' '${digest}'`);
});

test("the frame's policy stands before anything else and lets nothing out", () => {
  expect(policy).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'$/);
  const document = previewDocument("<p>text</p>", "ja", "dark");
  expect(document.indexOf("Content-Security-Policy")).toBeLessThan(document.indexOf("<style>"));
  expect(document).toMatch(/<style>[^<]*<\/style><\/head><body><p>text<\/p><\/body><\/html>$/);
  // The attribute that holds the policy cannot be left by it.
  expect(policy).not.toContain('"');
});
