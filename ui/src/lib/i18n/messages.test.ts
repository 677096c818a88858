import { readFileSync } from "node:fs";

import { afterEach, expect, test } from "vitest";

import en from "../../../messages/en.json";
import ja from "../../../messages/ja.json";
import { compare, unused } from "../../../scripts/messages.js";
import { acts, reasons } from "../backend/fake/cards";
import { moment } from "./format";
import { hasCode, render, setLanguage, t, tCode } from "./i18n.svelte";

afterEach(() => setLanguage("ja"));

test("both languages say everything, with the same parameters", () => {
  expect(compare(ja, en)).toEqual([]);
});

test("what does not fit together is named", () => {
  expect(compare({ a: "{x}" }, { a: "{y}" })).toEqual(["a: ja has {x}, en has {y}"]);
  expect(compare({ a: "1", b: "2" }, { a: "1" })).toEqual(["en.json lacks b"]);
  expect(compare({ a: "1" }, { a: { one: "1" } })).toEqual(['en.json: a lacks the form "other"']);
  expect(unused(["a.b", "c.d", "e.f.g"], ['t("a.b")', "t(`e.${x}.g`)"])).toEqual(["c.d"]);
});

test("every halt has a name and a sentence, every act its words", () => {
  for (const reason of reasons) {
    expect(hasCode("halt", `${reason}.name`), reason).toBe(true);
    expect(hasCode("halt", `${reason}.why`), reason).toBe(true);
    for (const act of acts[reason]) expect(hasCode("act", act), act).toBe(true);
  }
});

test("every code of the preflight has its words, and what must be fixed a cure", () => {
  const path = new URL("../../../../src-tauri/crates/article/src/finding.rs", import.meta.url);
  const codes = [...readFileSync(path, "utf8").matchAll(/= (Error|Warning|Note) "(\w+)"/g)];
  expect(codes.length).toBeGreaterThan(20);
  for (const [, severity, code = ""] of codes) {
    expect(hasCode("finding", code), code).toBe(true);
    if (severity !== "Note") expect(hasCode("fix", code), `cure of ${code}`).toBe(true);
  }
});

test("every halt and wait reason of the core has its words", () => {
  const path = new URL("../../../../src-tauri/crates/core/src/operation.rs", import.meta.url);
  const source = readFileSync(path, "utf8");
  const codes = (type: string) => {
    const body = source.slice(source.indexOf(`impl ${type} {`));
    return [...body.slice(0, body.indexOf("\n}\n")).matchAll(/Self::\w+ => "(\w+)"/g)].map(([, code = ""]) => code);
  };
  expect(codes("HaltReason").sort()).toEqual([...reasons].sort());
  for (const code of codes("WaitReason")) expect(hasCode("wait", code), code).toBe(true);
});

test("Japanese uses full-width punctuation and no space before a counter", () => {
  for (const [key, message] of Object.entries(ja) as [string, string | Record<string, string>][]) {
    for (const text of typeof message === "string" ? [message] : Object.values(message)) {
      expect(text, key).not.toMatch(/[ぁ-んァ-ヶ一-龠][,.?!:;](\s|$)/);
      expect(text, key).not.toMatch(/\} (件|回|分|枚|行)/);
    }
  }
});

test("plural forms follow the language", () => {
  setLanguage("en");
  expect(t("register.all", { count: 1 })).toBe("Register 1 draft");
  expect(t("register.all", { count: 1200 })).toBe("Register 1,200 drafts");
  setLanguage("ja");
  expect(t("register.all", { count: 1 })).toBe("1件を下書き登録");
});

test("an unknown code and a missing parameter are shown, not hidden", () => {
  expect(tCode("finding", "made_up")).toBe("コード：made_up");
  expect(render("{a}と{b}", { a: "x" }, "ja")).toBe("xと–");
});

test("a parameter is never read as a message", () => {
  expect(render("{a}", { a: "{b} <b>$&</b>", b: "no" }, "ja")).toBe("{b} <b>$&</b>");
});

test("today shows the time, another day the date", () => {
  const now = new Date(2026, 8, 27, 14, 5).getTime();
  expect(moment(now, now, "ja")).toBe("14:05");
  expect(moment(now, now, "ja", true)).toBe("14:05:00");
  expect(moment(new Date(2026, 8, 26, 9, 3).getTime(), now, "ja")).toBe("9月26日 09:03");
  expect(moment(new Date(2025, 11, 1, 9, 3).getTime(), now, "ja")).toBe("2025年12月1日 09:03");
  expect(moment(new Date(2026, 8, 26, 9, 3).getTime(), now, "en")).toBe("26 Sept 09:03");
});
