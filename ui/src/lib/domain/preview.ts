import type { Language, Theme } from "../backend/view";
import style from "./preview.css?raw";

/** The digest of the one sheet that may be used in the frame; a test holds it to the sheet and to the window's policy. */
export const styleDigest = "sha256-jyeZhpM0fO3VmzTpGx0nDnFYLisLiJNBkMmjZyXSvbU=";

/**
 * What the frame may do: show pictures that stand in the markup, and use that one sheet. No script, no font, no frame,
 * no form, and no address on any network.
 */
export const policy = `default-src 'none'; img-src data:; style-src '${styleDigest}'; form-action 'none'; base-uri 'none'`;

/** Puts markup that was made harmless into a document of its own. */
export function previewDocument(html: string, language: Language, theme: Theme): string {
  return [
    `<!doctype html><html lang="${language}" data-theme="${theme}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<style>${style}</style></head><body>${html}</body></html>`,
  ].join("");
}
