import type { Settings } from "./view";

/** What the window assumes until the program has told what is set. */
export const firstSettings: Settings = {
  language: "ja",
  theme: "system",
  settleWindowMinutes: 10,
  stripCameraData: true,
  shrinkImages: true,
  createTags: false,
  classic: false,
  descriptionIs: "excerpt",
  defaultCategories: "",
  bareUrls: "embed",
  obsidian: "auto",
  lineBreaks: false,
  customFields: "",
  featureFirstImage: false,
  forbiddenWords: "",
  requiredWords: "",
  checkAlt: true,
  checkLinks: true,
  checkLocalLinks: true,
  shortestText: 0,
  titleLength: 0,
  watchSettleSeconds: 5,
};
