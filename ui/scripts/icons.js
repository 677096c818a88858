// Draws the icons of the program from icons/*.svg. Run by hand after a change: node scripts/icons.js
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../icons");
const drawing = (size) => readFileSync(join(folder, size <= 32 ? "icon-small.svg" : "icon.svg"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

async function png(size) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const svg = drawing(size).replace(/<svg ([^>]*?) width="\d+" height="\d+">/, `<svg $1 width="${size}" height="${size}">`);
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
  const bytes = await page.screenshot({ omitBackground: true });
  await page.close();
  return bytes;
}

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const pngs = new Map();
for (const size of sizes) pngs.set(size, await png(size));
await browser.close();

/** Windows: a folder of PNGs. */
function ico(of) {
  const head = Buffer.alloc(6 + 16 * of.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(of.length, 4);
  let offset = head.length;
  of.forEach((size, at) => {
    const entry = 6 + 16 * at;
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(pngs.get(size).length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += pngs.get(size).length;
  });
  return Buffer.concat([head, ...of.map((size) => pngs.get(size))]);
}

/** macOS: blocks of a type and a PNG each. */
function icns() {
  const types = [["icp4", 16], ["icp5", 32], ["icp6", 64], ["ic07", 128], ["ic08", 256], ["ic09", 512], ["ic10", 1024], ["ic11", 32], ["ic12", 64], ["ic13", 256], ["ic14", 512]];
  const blocks = types.map(([type, size]) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, "latin1");
    head.writeUInt32BE(8 + pngs.get(size).length, 4);
    return Buffer.concat([head, pngs.get(size)]);
  });
  const head = Buffer.alloc(8);
  head.write("icns", 0, "latin1");
  head.writeUInt32BE(8 + blocks.reduce((sum, block) => sum + block.length, 0), 4);
  return Buffer.concat([head, ...blocks]);
}

for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) writeFileSync(join(folder, `${size}x${size}.png`), pngs.get(size));
writeFileSync(join(folder, "128x128@2x.png"), pngs.get(256));
writeFileSync(join(folder, "icon.png"), pngs.get(512));
writeFileSync(join(folder, "icon.ico"), ico([16, 24, 32, 48, 64, 256]));
writeFileSync(join(folder, "icon.icns"), icns());
copyFileSync(join(folder, "icon.svg"), join(folder, "../ui/public/icon.svg"));
