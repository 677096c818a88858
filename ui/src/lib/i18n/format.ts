import type { Language } from "../backend/view";

const locales: Record<Language, string> = { ja: "ja-JP", en: "en-GB" };
const cache = new Map<string, Intl.DateTimeFormat>();

function formatter(in_: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = in_ + JSON.stringify(options);
  let found = cache.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locales[in_], options);
    cache.set(key, found);
  }
  return found;
}

export function number(value: number, in_: Language): string {
  return new Intl.NumberFormat(locales[in_]).format(value);
}

/** Writes a time of today as a time, another day as a date with its time. */
export function moment(at: number, now: number, in_: Language, seconds = false): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = formatter(in_, {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
    hourCycle: "h23",
  }).format(then);
  if (then.toDateString() === today.toDateString()) return time;
  const sameYear = then.getFullYear() === today.getFullYear();
  const date = formatter(in_, {
    month: in_ === "ja" ? "long" : "short",
    day: "numeric",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(then);
  return `${date} ${time}`;
}
