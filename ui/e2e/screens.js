// Every screen in both languages and themes: accessibility, and the size of the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { screens } from "./browser.js";
import { open, test } from "./suite.js";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function violations(page) {
  // Evaluated from outside: the policy of the page does not stand in the way.
  await page.evaluate(axeSource);
  const result = await page.evaluate((runOnly) => window.axe.run(document, { runOnly, iframes: false }), tags);
  return result.violations.map(
    (found) => `${found.id}: ${found.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("\n  ")}`,
  );
}

for (const screen of screens) {
  await test(`no violation on ${screen.name}`, async () => {
    for (const language of ["ja", "en"]) {
      for (const theme of ["light", "dark"]) {
        const page = await open(`${screen.scene}&lang=${language}&theme=${theme}`, { media: { reducedMotion: "reduce" } });
        await screen.go(page);
        assert.deepEqual(await violations(page), [], `${language}, ${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${screen.name} is ${wide} px too wide in ${language}`);
        await page.close();
      }
    }
  });
}

await test("the page fits at 200 % zoom and in a narrow window", async () => {
  for (const viewport of [{ width: 660, height: 410 }, { width: 400, height: 700 }]) {
    for (const screen of screens.filter(({ full }) => !full)) {
      const page = await open(`${screen.scene}&lang=en`, { viewport });
      await screen.go(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${screen.name} is ${wide} px too wide at ${viewport.width}`);
      await page.close();
    }
  }
});
