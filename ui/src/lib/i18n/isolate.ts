const directed = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/u;
const steering = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const longest = 240;

/**
 * Keeps a text from elsewhere within its place in a sentence: it cannot turn the direction of what stands around it,
 * and one without end is cut.
 */
export function isolate(text: string): string {
  const short = text.length > longest ? `${[...text.slice(0, longest)].slice(0, -1).join("")}…` : text;
  return directed.test(short) ? `\u2068${short.replace(steering, "")}\u2069` : short;
}
