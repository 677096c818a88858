import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

import { pagesPlugin } from "./scripts/pages.js";

export default defineConfig({
  plugins: [svelte(), pagesPlugin()],
  // The window loads its files from inside the program.
  base: "./",
  clearScreen: false,
  build: { target: "es2022", cssTarget: ["chrome123", "safari17.5"], assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { port: 1420, strictPort: true },
});
