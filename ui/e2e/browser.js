import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { listen, serve } from "./serve.js";

/** Starts the browser and the server; every page reports what went wrong in it. */
export async function start() {
  const site = await serve();
  const elsewhere = await listen();
  const profile = mkdtempSync(join(tmpdir(), "ichido-ui-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP leak.invalid 127.0.0.1:${elsewhere.port}`,
    ],
    viewport: { width: 1320, height: 820 },
  });
  const problems = [];

  async function open(query, options = {}) {
    const page = await context.newPage();
    if (!options.expectsProblems) {
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(`${query}: ${message.text()}`);
      });
      page.on("pageerror", (error) => problems.push(`${query}: ${error.message}`));
    }
    if (options.viewport) await page.setViewportSize(options.viewport);
    if (options.media) await page.emulateMedia(options.media);
    await page.goto(`${site.origin}/?${query}`);
    await page.waitForSelector("main");
    return page;
  }

  async function stop() {
    await context.close();
    site.close();
    elsewhere.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return { open, stop, problems, context, site, elsewhere };
}

/** The screens, each with the scene that fills it and the steps that lead to it. */
export const screens = [
  { name: "articles", scene: "scene=still", go: async () => {} },
  {
    name: "articles-inspector",
    scene: "scene=still",
    go: async (page) => {
      await page.locator('[role="row"]').nth(5).click();
      await page.frameLocator("aside iframe").locator("h2").waitFor();
    },
  },
  {
    name: "articles-findings",
    scene: "scene=still",
    go: async (page) => {
      await page.locator('[role="row"]').nth(4).click();
      await page.waitForSelector("aside dl");
    },
  },
  {
    name: "articles-preview",
    scene: "scene=still",
    go: async (page) => {
      await page.locator('[role="row"]').nth(5).click();
      await page.locator('[role="grid"]').press("Space");
      await page.frameLocator("dialog iframe").locator("h2").waitFor();
    },
  },
  {
    name: "articles-selected",
    scene: "scene=sites",
    go: async (page) => {
      await page.locator('[role="row"] input').nth(1).click();
      await page.locator('[role="row"] input').nth(12).click({ modifiers: ["Shift"] });
      await page.locator(".selection").waitFor();
    },
  },
  {
    name: "articles-countdown",
    scene: "scene=sites",
    go: async (page) => {
      await page.locator("main header .primary").click();
      await page.locator("section.bar").waitFor();
    },
  },
  {
    name: "articles-rejected",
    scene: "scene=sites",
    go: async (page) => {
      const rejected = [{ path: "~/写真/2026", code: "not_article" }, { path: "~/記事/下書き/極秘", code: "unreadable" }, { path: "~/記事/公開前", code: "already" }];
      await page.evaluate((list) => window.ichidoFake.emit({ type: "scan", scan: { running: false, found: 214, rejected: list }, folders: [{ path: "~/記事/公開前", articles: 214, scannedAt: Date.now() }] }), rejected);
      await page.locator("section.rejected").waitFor();
    },
  },
  { name: "articles-watched", scene: "scene=watch", go: async (page) => page.locator("button.light").waitFor() },
  {
    name: "watch",
    scene: "scene=watch",
    go: async (page) => {
      await page.locator("button.light").click();
      await page.waitForSelector("dialog[open]");
    },
  },
  {
    name: "watch-troubled",
    scene: "scene=watch_troubled",
    go: async (page) => {
      await page.locator("button.light").click();
      await page.waitForSelector("dialog[open]");
    },
  },
  {
    name: "watch-take-over",
    scene: "scene=watch_troubled",
    go: async (page) => {
      await page.locator("button.light").click();
      await page.locator("dialog li").nth(1).locator("button").click();
      await page.locator("dialog[open] input[type=text]").waitFor();
    },
  },
  { name: "articles-empty", scene: "scene=empty", go: async () => {} },
  {
    name: "articles-nothing-found",
    scene: "scene=still",
    go: async (page) => page.locator('input[type="search"]').fill("みつからない"),
  },
  { name: "articles-drop", scene: "scene=still", go: async (page) => page.evaluate(() => window.ichidoFake.emit({ type: "drag", paths: 3 })) },
  { name: "attention", scene: "scene=batch&tick=100000&barrier=unclean_stop", go: (page) => nav(page, "attention") },
  { name: "attention-all", scene: "scene=attention", go: (page) => nav(page, "attention"), full: true },
  { name: "attention-barriers", scene: "scene=empty&barrier=journal_lost&barrier=site_restored", go: (page) => nav(page, "attention") },
  { name: "attention-empty", scene: "scene=empty", go: (page) => nav(page, "attention") },
  {
    name: "attention-link",
    scene: "scene=still",
    go: async (page) => {
      await nav(page, "attention");
      await page.locator("article button[aria-expanded]").first().click();
      await page.locator("article form input").fill("123");
      await page.locator("article form button").first().click();
      await page.waitForSelector("article form table");
    },
  },
  {
    name: "attention-send-again",
    scene: "scene=attention",
    go: async (page) => {
      await nav(page, "attention");
      const name = /送り直す|send again/;
      await page.getByRole("button", { name }).and(page.locator(":enabled")).first().click();
      await page.waitForSelector("dialog[open]");
    },
  },
  {
    name: "explained-halt",
    scene: "scene=attention",
    go: async (page) => {
      await nav(page, "attention");
      await page.locator("article header button").first().click();
      await page.waitForSelector("dialog[open] h2");
    },
  },
  {
    name: "explained-barrier",
    scene: "scene=empty&barrier=journal_lost",
    go: async (page) => {
      await nav(page, "attention");
      await page.locator(".banner button").first().click();
      await page.waitForSelector("dialog[open] h2");
    },
  },
  { name: "history", scene: "scene=still", go: async (page) => (await nav(page, "history"), await page.waitForSelector("main td")) },
  { name: "history-empty", scene: "scene=empty", go: async (page) => (await nav(page, "history"), await page.waitForSelector("main .empty")) },
  {
    name: "history-diagnosis",
    scene: "scene=still",
    go: async (page) => {
      await nav(page, "history");
      await page.locator("main header button").nth(2).click();
      await page.waitForSelector("dialog[open] textarea");
    },
  },
  { name: "sites", scene: "scene=sites", go: (page) => nav(page, "sites") },
  ...["blog.example.jp", "closed.example.jp", "old.example.jp"].map((address) => ({
    name: `sites-connect-${address.split(".")[0]}`,
    scene: "scene=sites",
    go: async (page) => {
      await nav(page, "sites");
      await page.locator("main > header button").click();
      await page.locator('form input[inputmode="url"]').fill(address);
      await page.locator("form .browser button").click();
      await page.locator("form .asked").waitFor();
    },
  })),
  {
    name: "sites-add",
    scene: "scene=sites&keychain=missing",
    go: async (page) => {
      await nav(page, "sites");
      await page.locator("main > header button").click();
      await page.locator('form input[type="text"]').first().fill("https://blog.example.jp");
      await page.locator('form input[type="text"]').nth(1).fill("editor");
      await page.locator('form input[type="password"]').fill("wrong password");
      await page.locator('form button[type="submit"]').click();
      await page.waitForSelector("form li");
    },
  },
  { name: "start-failed", scene: "scene=broken", go: async (page) => void (await page.waitForSelector("h1")) },
  { name: "settings", scene: "scene=sites", go: (page) => nav(page, "settings"), full: true },
  { name: "first-language", scene: "scene=first", go: async () => {} },
  { name: "first-site", scene: "scene=first", go: async (page) => void (await next(page)) },
  {
    name: "first-folder",
    scene: "scene=first",
    go: async (page) => {
      await next(page);
      await page.locator(".card").first().click();
      await page.waitForSelector("#first-path");
    },
  },
  {
    name: "first-dry-run",
    scene: "scene=first",
    go: async (page) => {
      await next(page);
      await page.locator(".card").first().click();
      await page.locator("#first-path").fill("~/記事");
      await page.locator("form button").click();
      await page.waitForSelector("main li");
    },
  },
  {
    name: "keys",
    scene: "scene=still",
    go: async (page) => {
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
    },
  },
];

const order = ["articles", "attention", "history", "sites", "settings"];

export async function nav(page, name) {
  await page.locator("nav button").nth(order.indexOf(name)).click();
}

async function next(page) {
  await page.locator("footer button").last().click();
}
