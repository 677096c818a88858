export type Eta = { code: "soon" | "under_minute" } | { code: "minutes" | "hours"; count: number };

const fewest = 3;
const minute = 60_000;
const nearTheEnd = 0.8;

/** Estimates what is left of a batch; says nothing before three articles have ended. */
export function eta(ended: number, total: number, elapsedMs: number): Eta | null {
  const left = total - ended;
  if (ended < fewest || left <= 0 || elapsedMs <= 0) return null;
  const remaining = (elapsedMs / ended) * left;
  // A quick beginning says little: "soon" is kept for the end.
  if (remaining < 10_000 && ended >= total * nearTheEnd) return { code: "soon" };
  if (remaining < minute) return { code: "under_minute" };
  const minutes = Math.round(remaining / minute);
  // Beyond ten minutes, single minutes would promise more than is known.
  if (minutes <= 10) return { code: "minutes", count: minutes };
  if (minutes < 90) return { code: "minutes", count: Math.round(minutes / 5) * 5 };
  return { code: "hours", count: Math.round(minutes / 60) };
}
