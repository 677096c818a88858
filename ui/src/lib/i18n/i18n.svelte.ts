import en from "../../../messages/en.json";
import ja from "../../../messages/ja.json";
import type { Language, Params } from "../backend/view";
import { number } from "./format";
import { isolate } from "./isolate";
import type { Messages, Value } from "./keys";

export type Key = keyof Messages;
type Message = string | Record<string, string>;

const catalogues: Record<Language, Record<string, Message>> = { ja, en };

const current = $state<{ language: Language }>({ language: "ja" });

export function language(): Language {
  return current.language;
}

export function setLanguage(next: Language): void {
  current.language = next;
  if (typeof document !== "undefined") document.documentElement.lang = next;
}

/** Fills a message's parameters in; numbers are written as the language writes them. */
export function render(message: Message, params: Params, in_: Language): string {
  let text: string;
  if (typeof message === "string") {
    text = message;
  } else {
    const form = new Intl.PluralRules(in_).select(Number(params["count"] ?? 0));
    text = message[form] ?? message["other"] ?? "";
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) return "–";
    return typeof value === "number" ? number(value, in_) : isolate(value);
  });
}

type Arguments<K extends Key> = Messages[K] extends null ? [] : [params: { [P in keyof Messages[K]]: Value }];

/** Says a message in the current language. */
export function t<K extends Key>(key: K, ...[params]: Arguments<K>): string {
  return render(catalogues[current.language][key] ?? key, (params ?? {}) as Params, current.language);
}

/** Says a code of a family; one that this window does not know yet is shown as it is. */
export function tCode(family: string, code: string, params: Params = {}): string {
  const catalogue = catalogues[current.language];
  const message = catalogue[`${family}.${code}`];
  if (message === undefined) return render(catalogue["code.unknown"] ?? "{code}", { code }, current.language);
  return render(message, params, current.language);
}

export function hasCode(family: string, code: string): boolean {
  return `${family}.${code}` in catalogues.ja;
}
