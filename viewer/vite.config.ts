import { defineConfig } from "vite";

// Everything is a file of ours served from one origin: nothing inlined as a data address, so that the server's content
// policy can be strict, and no file from elsewhere.
export default defineConfig({
    base: "./",
    build: {
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1200,
        emptyOutDir: true,
    },
});
