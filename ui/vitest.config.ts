import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The reactive state of the window, not that of a server.
  resolve: { conditions: ["browser"] },
  plugins: [svelte()], test: { include: ["src/**/*.test.ts"] },
});
