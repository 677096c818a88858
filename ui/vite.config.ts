import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  // The window loads its files from inside the program.
  base: "./",
  clearScreen: false,
  build: { target: "es2022", cssTarget: ["chrome123", "safari17.5"], assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { port: 1420, strictPort: true },
});
