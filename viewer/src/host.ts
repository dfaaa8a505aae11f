// Where the world comes from: a server, over a WebSocket and HTTP, or a module of this page (local_host.ts). What the page says
// and hears is the same.
import { PROTOCOL_NAME, type WireDemo } from "./protocol";

// The part of a WebSocket that a connection uses.
export interface Line {
    readonly isOpen: boolean;
    onopen: (() => void) | null;
    onmessage: ((bytes: ArrayBuffer) => void) | null;
    onclose: ((code: number) => void) | null; // as of RFC 6455
    send(bytes: Uint8Array<ArrayBuffer>): void;
    close(): void;
}

// The reply to files that were sent. Status 0: they could not be sent.
export interface Reply {
    status: number;
    text: string;
}

export interface Host {
    // Where the package for JavaScript is, whose aid predicts what hands hold; null: this host needs no prediction.
    readonly core: string | null;
    open(address: string): Line;
    // The protocol that the host speaks; PROTOCOL_NAME where it cannot be asked.
    protocol(address: string): Promise<string>;
    upload(files: Blob, headers: Record<string, string>, progress: (sent: number, all: number) => void): Promise<Reply>;
    // Where the picture of a scene is; "": it has none.
    picture(demo: WireDemo): string;
}

class SocketLine implements Line {
    onopen: (() => void) | null = null;
    onmessage: ((bytes: ArrayBuffer) => void) | null = null;
    onclose: ((code: number) => void) | null = null;
    private readonly socket: WebSocket;

    constructor(address: string) {
        this.socket = new WebSocket(address, PROTOCOL_NAME);
        this.socket.binaryType = "arraybuffer";
        this.socket.onopen = (): void => this.onopen?.();
        this.socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>): void => this.onmessage?.(data);
        this.socket.onclose = ({ code }): void => this.onclose?.(code);
    }

    get isOpen(): boolean {
        return this.socket.readyState === WebSocket.OPEN;
    }

    send(bytes: Uint8Array<ArrayBuffer>): void {
        this.socket.send(bytes);
    }

    close(): void {
        this.socket.close();
    }
}

const serverHost: Host = {
    get core() {
        return new URL("fureai.mjs", document.baseURI).href;
    },

    open: (address) => new SocketLine(address),

    async protocol(address) {
        const response = await fetch(address.replace(/^ws/, "http"), { method: "HEAD", cache: "no-store" }).catch(() => null);
        return response?.headers.get("fureai-protocol") ?? PROTOCOL_NAME;
    },

    upload: (files, headers, progress) =>
        new Promise((resolve) => {
            const request = new XMLHttpRequest();
            request.open("POST", new URL("models", window.location.href));
            for (const [name, value] of Object.entries(headers)) {
                request.setRequestHeader(name, value);
            }
            request.upload.addEventListener("progress", ({ loaded, total }) => progress(loaded, total));
            request.addEventListener("loadend", () => resolve({ status: request.status, text: request.responseText }));
            request.send(files);
        }),

    picture: ({ picture }) => (picture === "" ? "" : `./${picture}`),
};

let current: Host = serverHost;

// The host of this page; before the page begins another one may take the server's place.
export const host = (): Host => current;

export function setHost(other: Host): void {
    current = other;
}
