import { afterEach, expect, test } from "vitest";

import { parse, spans } from "../../../scripts/pages.js";
import { reasons } from "../backend/fake/cards";
import { setLanguage } from "./i18n.svelte";
import { pageOf, type PageCode } from "./pages";

afterEach(() => setLanguage("ja"));

const others: readonly PageCode[] = ["unclean_stop", "journal_lost", "site_restored", "site_paused"];

test("whatever stops people is explained in the language of the window", () => {
  for (const code of [...reasons, ...others]) {
    setLanguage("ja");
    const ja = pageOf(code);
    setLanguage("en");
    const en = pageOf(code);
    expect(ja?.sections.map((section) => section.heading), code).toEqual(["何が起きたか", "安全のために", "できること"]);
    expect(en?.sections.map((section) => section.heading), code).toEqual(["What happened", "What is safe", "What you can do"]);
    expect(ja?.title).not.toBe(en?.title);
    const points = (page: typeof ja) => page?.sections[2]?.blocks[0]?.lines.length ?? 0;
    expect(points(ja), code).toBeGreaterThan(1);
    expect(points(ja), `${code}: both languages name the same acts`).toBe(points(en));
  }
});

const whole = "# a / b\n\nCode: `x`\n\n## 日本語\n\n### h\n\ntext\n\n## English\n\n### h\n\n- one\n- two\n";

test("a page is read into plain parts", () => {
  expect(parse(whole)).toMatchObject({ code: "x", ja: { title: "a" }, en: { title: "b" } });
  expect(parse(whole).en.sections[0]?.blocks).toMatchObject([{ kind: "list", lines: [[{ text: "one" }], [{ text: "two" }]] }]);
  expect(spans("a **b** `c`")).toEqual([
    { text: "a ", tone: "plain" },
    { text: "b", tone: "strong" },
    { text: " ", tone: "plain" },
    { text: "c", tone: "code" },
  ]);
});

test("what has not the form of a page is refused when the window is built", () => {
  for (const [from, to] of [["# a / b", "# a"], ["## English", "## Deutsch"], ["### h", "h"], ["text", "[a](b)"], ["text", "<b>"], ["text", "**open"]] as const) {
    expect(() => parse(whole.replace(from, to)), to).toThrow();
  }
});
