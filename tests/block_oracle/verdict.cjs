// Puts together what both releases said, prints what is wrong, and ends with 1 if something is.
//
//   node verdict.cjs FOLDER [RESULT]        FOLDER holds new.jsonl and old.jsonl; RESULT is written when nothing is wrong
"use strict";

const { createHash } = require("node:crypto");
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const [folder, result] = process.argv.slice(2);
const read = (release) =>
  readFileSync(path.join(folder, `${release}.jsonl`), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const version = (release) =>
  JSON.parse(readFileSync(path.join(__dirname, release, "package.json"), "utf8")).dependencies["@wordpress/block-library"];

// A name such as `details.new.html` is what is sent to sites of that release only.
const meant = (file, release) => !/\.(new|old)\.html$/.test(file) || file.endsWith(`.${release}.html`);

const judged = {};
let wrong = 0;
const releases = ["new", "old"];
for (const release of releases) {
  for (const { file, blocks, problems, changed } of read(release)) {
    if (!meant(file, release)) continue;
    const entry = (judged[path.basename(file)] ??= {
      sha256: createHash("sha256").update(readFileSync(file)).digest("hex"),
      blocks,
    });
    // The old release takes a root's class that it does not write itself for one of the author's own, and keeps it.
    const kept = release === "new" ? changed === null : true;
    entry[release] = { valid: problems.length === 0, unchanged: changed === null };
    if (problems.length > 0 || !kept) {
      wrong += 1;
      console.error(`${file} (${release}):`);
      for (const { block, why } of problems) console.error(`  ${block}: ${why.slice(0, 400)}`);
      if (!kept) console.error(`  sent:  ${JSON.stringify(changed.before)}\n  saved: ${JSON.stringify(changed.after)}`);
    }
  }
}
const count = Object.keys(judged).length;
console.log(`${count} files; ${wrong} verdicts against; releases ${releases.map(version).join(" and ")}`);
if (wrong > 0) process.exit(1);
if (result) {
  const sorted = Object.fromEntries(Object.entries(judged).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(result, `${JSON.stringify({ releases: { new: version("new"), old: version("old") }, files: sorted }, null, 1)}\n`);
}
