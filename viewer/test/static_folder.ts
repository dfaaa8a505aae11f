// A plain server of static files, as any that serves a page without a server of ours: no header but the type.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";

const types: Record<string, string> = {
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
};

export class StaticFolder {
    readonly asked: string[] = []; // paths, in their order
    readonly missing = new Set<string>(); // paths that are not there although they are
    private readonly sockets = new Set<Socket>();

    private constructor(
        private readonly folder: string,
        private readonly server: Server,
    ) {}

    static async open(folder: string): Promise<StaticFolder> {
        const server = createServer((request, response) => {
            const name = new URL(request.url!, "http://localhost").pathname;
            made.asked.push(name);
            try {
                if (name.includes("..") || made.missing.has(name)) {
                    throw new Error("not there");
                }
                const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
                const bytes = readFileSync(file);
                response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
                response.end(bytes);
            } catch {
                response.writeHead(404).end("not there");
            }
        });
        const made = new StaticFolder(folder, server);
        server.on("connection", (socket: Socket) => {
            made.sockets.add(socket);
            socket.on("close", () => made.sockets.delete(socket));
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        return made;
    }

    get address(): string {
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    read(name: string): string {
        return readFileSync(path.join(this.folder, name), "utf8");
    }

    async close(): Promise<void> {
        this.sockets.forEach((socket) => socket.destroy());
        await new Promise<void>((resolve) => this.server.close(() => resolve()));
    }
}
