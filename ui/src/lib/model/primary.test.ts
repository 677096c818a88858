import { expect, test } from "vitest";

import { row } from "../backend/fake/rows";
import { barrier, practiceSite } from "../backend/fake/sites";
import type { BatchView } from "../backend/view";
import { primary } from "./primary";

const site = practiceSite(0);
const ready = [row(0, null), row(1, null, { state: "waiting" }), row(2, null, { state: "done" }), row(3, null, { state: "needs_work" })];

test("names what is ready or waits", () => {
  expect(primary(ready, new Set(), site, null, [])).toEqual({ count: 2, ids: [0, 1], picked: false, shut: null });
});

test("counts only what was picked of it", () => {
  expect(primary(ready, new Set([1, 2]), site, null, [])).toEqual({ count: 1, ids: [1], picked: true, shut: null });
  expect(primary(ready, new Set([2, 3]), site, null, []).shut).toBe("none_picked");
});

test("says the first thing that is in the way", () => {
  const batch = { siteId: site.id, total: 1, ended: 0, startedAt: 0, state: "running", currentId: null } satisfies BatchView;
  expect(primary([], new Set(), null, null, []).shut).toBe("no_site");
  expect(primary(ready, new Set(), site, batch, []).shut).toBe("running");
  expect(primary(ready, new Set(), site, null, [barrier("unclean_stop", 0)]).shut).toBe("barrier");
  expect(primary(ready, new Set(), site, null, [barrier("site_restored", 0)]).shut).toBeNull();
  expect(primary(ready, new Set(), { ...site, credentials: "missing" }, null, []).shut).toBe("credentials");
  expect(primary([], new Set(), site, null, []).shut).toBe("no_articles");
  expect(primary([row(2, null, { state: "done" })], new Set(), site, null, []).shut).toBe("nothing_ready");
});
