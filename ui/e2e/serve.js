// Serves the built window on loopback under the policy of the desktop, so that what it would block is blocked here too.
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../dist-fake");
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
// The window's own policy; what it says of the program behind it has no meaning here.
const configured = JSON.parse(readFileSync(new URL("../../tauri.conf.json", import.meta.url), "utf8")).app.security.csp;
const policy = configured.replace(/connect-src [^;]*;/, "");

export async function serve() {
  const missing = [];
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = join(root, path === "/" ? "index.html" : path);
    if (!file.startsWith(root) || !existsSync(file)) {
      missing.push(path);
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", "content-security-policy": policy });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  return { origin: `http://127.0.0.1:${server.address().port}`, missing, close: () => server.close() };
}

/** Stands for the rest of the world: answers everything with an empty page that forbids nothing, and counts. */
export async function listen() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  return { asked, port: server.address().port, close: () => server.close() };
}
