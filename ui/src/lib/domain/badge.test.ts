import { expect, test } from "vitest";

import { row } from "../backend/fake/rows";
import { setLanguage } from "../i18n/i18n.svelte";
import { about } from "./about";
import { badge } from "./badge";

test("a draft that a person linked is not said to have been found by the program", () => {
  setLanguage("ja");
  const adopted = row(1, 0, { state: "done", ending: "adopted" });
  expect(badge(adopted).text).toBe("引き取り済み");
  expect(badge({ ...adopted, linked: true }).text).toBe("つなぎ済み");
  expect(about({ ...adopted, linked: true }, null, 0)).toMatch(/人が確かめて/);
  setLanguage("en");
  expect(badge({ ...adopted, linked: true }).text).toBe("Linked");
});
