// What the tests of the window share: the browser, and the record of what came out.
import assert from "node:assert/strict";

import { start } from "./browser.js";

export const { open, stop, problems, context, site, elsewhere } = await start();
// Names given on the command line choose the tests whose names hold one of them.
const wanted = process.argv.slice(2);
let failed = 0;

export async function test(name, body) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  try {
    await body();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED  ${name}\n${error.stack ?? error}`);
  }
}

/** Waits until a value is what it should become; what it is at the end is what fails. */
export async function becomes(read, expected, message) {
  const until = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (value === expected) return;
    if (Date.now() > until) return assert.equal(value, expected, message);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Closes the browser, and says whether all went well; what the pages complained of counts. */
export async function finish() {
  await stop();
  for (const problem of new Set(problems)) {
    failed += 1;
    console.error(`FAILED  console: ${problem}`);
  }
  return failed === 0;
}
