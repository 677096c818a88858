import type { Language } from "../backend/view";

/** Each language is named in itself, whatever the window speaks. */
export const languages: readonly { value: Language; label: string; lang: string }[] = [
  { value: "ja", label: "日本語", lang: "ja" },
  { value: "en", label: "English", lang: "en" },
];
