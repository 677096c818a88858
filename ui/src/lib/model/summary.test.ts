import { expect, test } from "vitest";

import { emptyTally } from "../backend/fake/batch";
import type { Tally } from "../backend/view";
import { tone } from "./summary";

test("a check mark stands for nothing but success", () => {
  const of = (name: keyof Tally) => tone({ ...emptyTally(), created: 3, [name]: 1 });
  for (const name of ["created", "adopted", "verified", "skipped"] as const) expect(of(name), name).toBe("ok");
  for (const name of ["needsWork", "waiting", "left"] as const) expect(of(name), name).toBe("plain");
  for (const name of ["unknown", "halted", "refused"] as const) expect(of(name), name).toBe("alert");
});
