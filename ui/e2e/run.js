// Drives every screen in Chromium. Usage: node e2e/run.js [part of a test's name…]
import { finish } from "./suite.js";

await import("./screens.js");
await import("./articles.js");
await import("./attention.js");
await import("./others.js");
await import("./preview.js");
process.exit((await finish()) ? 0 : 1);
