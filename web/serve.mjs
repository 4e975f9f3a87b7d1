// Serves a folder to this machine, as any server of static files would: `node serve.mjs FOLDER [PORT]`.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".png": "image/png",
};

/** Starts a server; the function is called with each path that is asked for. */
export function serve(folder, port = 0, asked = () => {}) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    let path;
    try {
      path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    } catch {
      response.writeHead(400).end();
      return;
    }
    asked(path);
    const file = join(root, normalize(path.endsWith("/") ? `${path}index.html` : path));
    let found;
    try {
      found = statSync(file).isFile() && file.startsWith(root);
    } catch {
      found = false;
    }
    if (!found) {
      response.writeHead(404, { "content-type": "text/plain" }).end("There is no such file.");
      return;
    }
    response.writeHead(200, {
      // The page states its own policy; a worker has that of its response.
      ...(extname(file) === ".js" ? { "content-security-policy": "default-src 'self' 'wasm-unsafe-eval'" } : {}),
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((done, failed) => {
    server.on("error", failed);
    server.listen(port, "127.0.0.1", () => done({ server, address: `http://localhost:${server.address().port}/` }));
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { address } = await serve(process.argv[2] ?? ".", Number(process.argv[3] ?? 8080));
  console.log(`${address} (Ctrl-C ends it)`);
}
