import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { pagesPlugin } from "./scripts/pages.js";

export default defineConfig({
  // The reactive state of the window, not that of a server.
  resolve: { conditions: ["browser"] },
  plugins: [svelte(), pagesPlugin()],
  test: { include: ["src/**/*.test.ts"] },
});
