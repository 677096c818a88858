// Writes a picture of every screen. Usage: node e2e/screenshots.js [folder] [name…]
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { screens, start } from "./browser.js";

const [folder = process.env["SCREENSHOTS"] ?? "../target/screenshots", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { open, stop, problems } = await start();
try {
  for (const screen of screens.filter(({ name }) => names.length === 0 || names.includes(name))) {
    for (const language of ["ja", "en"]) {
      for (const theme of ["light", "dark"]) {
        const page = await open(`${screen.scene}&lang=${language}&theme=${theme}`, { media: { reducedMotion: "reduce" } });
        await screen.go(page);
        if (screen.full) {
          const height = await page.evaluate(() => document.querySelector("main")?.scrollHeight ?? 820);
          await page.setViewportSize({ width: 1320, height: Math.min(height, 6000) });
        }
        await page.screenshot({ path: join(folder, `${screen.name}-${language}-${theme}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await stop();
}
if (problems.length > 0) {
  console.error([...new Set(problems)].join("\n"));
  process.exit(1);
}
