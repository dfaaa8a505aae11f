import { defineConfig, type Plugin } from "vite";
import server from "./vite.config";

// What a page without a server may load: its own files, and nothing from elsewhere. A plain server of static files sends no
// headers, so the page says it itself.
const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

// The page of a server (index.html) with another beginning.
const withoutServer: Plugin = {
    name: "without-server",
    transformIndexHtml: {
        order: "pre",
        handler: (html) =>
            html
                .replace(/( *)<meta charset="utf-8" \/>/, `$&\n$1<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
                .replace(/( *)<link rel="icon"/, `$1<link rel="manifest" href="./page.webmanifest" />\n$&`)
                .replace("./src/main.ts", "./src/local_main.ts")
                .replace(/( *)<noscript>/, '$1<p id="failure" role="alert" hidden></p>\n$&'),
    },
};

export default defineConfig({ ...server, plugins: [withoutServer], worker: { format: "es" } });
