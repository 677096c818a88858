// Hostile texts in the frame of the preview: none runs a script, reaches a network or leads out of its frame.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { context, elsewhere, open, site, test } from "./suite.js";

const cases = JSON.parse(readFileSync(new URL("../../tests/fixtures/preview/shown.json", import.meta.url), "utf8"));
const ran = [];
// Each text calls this where it gets a script to run.
await context.exposeBinding("hit", ({ frame }) => void ran.push(frame.url()));

/** Shows each text in a frame made as `make` says, and waits until all have loaded and had time to act. */
async function show(page, texts, frame) {
  const step = 40;
  for (let at = 0; at < texts.length; at += step) {
    await page.evaluate(
      async ([list, { attributes, before, after }]) => {
        const loads = list.map((text) => {
          const one = document.createElement("iframe");
          for (const [name, value] of attributes) one.setAttribute(name, value);
          one.srcdoc = before + text + after;
          one.className = "shown";
          const loaded = new Promise((resolve) => one.addEventListener("load", resolve, { once: true }));
          document.body.append(one);
          return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 60_000))]);
        });
        await Promise.all(loads);
        await new Promise((resolve) => setTimeout(resolve, 400));
      },
      [texts.slice(at, at + step), frame],
    );
    yieldFrames?.(page);
    await page.evaluate(() => document.querySelectorAll("iframe.shown").forEach((one) => one.remove()));
  }
}

let yieldFrames = null;

/** Opens an article and takes its frame for a pattern: what it may do, and the document around the text. */
async function pattern(page) {
  const mark = "the text stands here";
  await page.evaluate((html) => window.ichidoFake.play({ html, picturesLeftOut: 0, cut: false }), mark);
  await page.locator('[role="row"]').nth(5).click();
  const frame = page.locator("aside iframe");
  await frame.waitFor();
  const [attributes, source] = await frame.evaluate((one) => [
    [...one.attributes].filter(({ name }) => name !== "srcdoc").map(({ name, value }) => [name, value]),
    one.srcdoc,
  ]);
  const [before, after] = source.split(mark);
  assert.equal(new Map(attributes).get("sandbox"), "");
  assert.match(before, /^<!doctype html>.*http-equiv="Content-Security-Policy" content="default-src 'none';/);
  return { attributes, before, after };
}

async function harmless(texts) {
  const page = await open("scene=sites", { expectsProblems: true });
  const frame = await pattern(page);
  const opened = [];
  context.on("page", (other) => opened.push(other.url()));
  const [runs, asked, missing] = [ran.length, elsewhere.asked.length, site.missing.length];
  const address = page.url();
  const places = [];
  yieldFrames = (of) => places.push(...of.mainFrame().childFrames().map((one) => one.url()));
  await show(page, texts, frame);
  yieldFrames = null;
  assert.deepEqual(ran.slice(runs), [], "a script ran");
  assert.deepEqual(elsewhere.asked.slice(asked), [], "another site was asked");
  assert.deepEqual(site.missing.slice(missing), [], "the window's own place was asked");
  assert.deepEqual(opened, [], "a window was opened");
  assert.equal(page.url(), address, "the window went elsewhere");
  assert.ok(places.length >= texts.length);
  assert.deepEqual([...new Set(places)], ["about:srcdoc"], "a frame went elsewhere");
  await page.close();
}

await test("the hostile texts act where nothing holds them", async () => {
  const page = await context.newPage();
  await page.goto("http://leak.invalid/");
  const [runs, asked] = [ran.length, elsewhere.asked.length];
  page.on("dialog", (dialog) => void dialog.dismiss());
  await show(page, cases.filter(({ kind }) => kind === "html").map(({ source }) => source), { attributes: [], before: "", after: "" });
  // Otherwise the tests below would prove nothing.
  assert.ok(ran.length - runs >= 50, `${ran.length - runs} scripts ran`);
  assert.ok(elsewhere.asked.length - asked >= 40, `${elsewhere.asked.length - asked} requests`);
  console.log(`        (${ran.length - runs} scripts ran and ${elsewhere.asked.length - asked} requests were made)`);
  await page.close();
});

await test("what is shown of hostile texts does nothing in the frame", async () => {
  const texts = cases.flatMap(({ shown }) => shown);
  assert.ok(cases.length >= 150);
  await harmless(texts);
  console.log(`        (${cases.length} texts, ${texts.length} frames: no script ran, nothing was asked for)`);
});

await test("the frame holds hostile texts even where nothing was taken out of them", async () => {
  await harmless(cases.map(({ source }) => source));
});

await test("a press on a link in the frame leads nowhere", async () => {
  const page = await open("scene=sites", { expectsProblems: true });
  const [asked, address] = [elsewhere.asked.length, page.url()];
  await page.evaluate(() => window.ichidoFake.play({ html: '<p><a href="http://leak.invalid/raw">raw</a> <a title="http://leak.invalid/x">clean</a></p>', picturesLeftOut: 0, cut: false }));
  await page.locator('[role="row"]').nth(5).click();
  const frame = page.frameLocator("aside iframe");
  for (const name of ["clean", "raw"]) await frame.getByText(name, { exact: true }).click();
  await page.waitForTimeout(300);
  assert.deepEqual(elsewhere.asked.slice(asked), []);
  assert.equal(page.url(), address);
  await page.close();
});

await test("the preview tells what it leaves out, and why there is none", async () => {
  const page = await open("scene=still&lang=en");
  await page.locator('[role="row"]').nth(4).click();
  await page.getByText("Put right what needs work").waitFor();
  await page.evaluate(() => window.ichidoFake.play({ html: "<p>text</p>", picturesLeftOut: 3, cut: true }));
  await page.locator('[role="row"]').nth(5).click();
  await page.getByText("3 pictures are left out: too large or too many.").waitFor();
  await page.getByText("it is sent whole").waitFor();
  await page.close();
});
