import { expect, test } from "vitest";

import { render } from "./i18n.svelte";
import { isolate } from "./isolate";

test("a text from elsewhere cannot turn the sentence that it stands in", () => {
  const hostile = "a\u202etxt.exe\u2067\u200f";
  expect(isolate(hostile)).toBe("\u2068atxt.exe\u2069");
  expect(render("“{title}” needs you", { title: hostile }, "en")).toBe("“\u2068atxt.exe\u2069” needs you");
  // Words that are written from right to left keep to their own place.
  expect(isolate("שלום")).toBe("\u2068שלום\u2069");
  expect(isolate("秋の京都 Rust")).toBe("秋の京都 Rust");
});

test("a text without end is cut, whole characters only", () => {
  const cut = isolate("𠮷".repeat(500));
  expect(cut.length).toBeLessThan(250);
  expect(cut).toMatch(/^𠮷+…$/u);
});
