// The world of a page without a server: a module of WebAssembly in a worker, which is spoken to as a server is.
import { element } from "./element";
import type { Host, Line } from "./host";
import { unpackBundle, type Convert } from "./local_files";
import type { FromWorker, ToWorker } from "./local_messages";
import { PROTOCOL_NAME } from "./protocol";

type FileReply = Extract<FromWorker, { type: "reply" }>;

const goingAway = 1001;

class LocalLine implements Line {
    isOpen = false;
    onopen: (() => void) | null = null;
    onmessage: ((bytes: ArrayBuffer) => void) | null = null;
    onclose: ((code: number) => void) | null = null;

    constructor(private readonly say: (message: ToWorker, moved?: Transferable[]) => void) {
        this.say({ type: "open" });
    }

    send(bytes: Uint8Array<ArrayBuffer>): void {
        this.say({ type: "send", bytes });
    }

    close(): void {
        if (this.isOpen) {
            this.say({ type: "close" });
        }
    }

    take(message: FromWorker): void {
        if (message.type === "opened") {
            this.isOpen = true;
            this.onopen?.();
        } else if (message.type === "message") {
            this.onmessage?.(message.bytes);
        } else if (message.type === "closed") {
            this.isOpen = false;
            this.onclose?.(message.code);
        }
    }
}

export class LocalHost implements Host {
    readonly core = null; // nothing is between the page and its worker
    private line: LocalLine | null = null;
    private nextNumber = 1;
    private readonly asked = new Map<number, (reply: FileReply) => void>();

    private constructor(
        private readonly worker: Worker,
        private readonly pictures: ReadonlySet<string>,
        private readonly convert: Convert,
        private readonly failed: (sentence: string) => void,
    ) {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => this.take(data);
        worker.onerror = ({ message }): void => this.end(message);
    }

    // Loads the module and the scenes from beside the page. An error has a sentence for people.
    static async load(worker: Worker, base: string, first: string, failed: (sentence: string) => void): Promise<LocalHost> {
        const { packXml } = (await import(/* @vite-ignore */ new URL("fureai.mjs", base).href)) as { packXml: Convert };
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
                if (data.type === "loaded") {
                    resolve(new LocalHost(worker, new Set(data.pictures), packXml, failed));
                } else if (data.type === "failed") {
                    reject(new Error(data.sentence));
                }
            };
            worker.onerror = (event): void => {
                event.preventDefault();
                reject(new Error(`The worker of this page did not begin: ${event.message ?? "its file cannot be loaded"}.`));
            };
            const [module, scenes] = ["fureai_server.mjs", "scenes.bin"].map((name) => new URL(name, base).href);
            worker.postMessage({ type: "load", module: module!, scenes: scenes!, first } satisfies ToWorker);
        });
    }

    open(): Line {
        this.line = new LocalLine((message) => this.worker.postMessage(message));
        return this.line;
    }

    protocol(): Promise<string> {
        return Promise.resolve(PROTOCOL_NAME);
    }

    async upload(files: Blob): Promise<{ status: number; text: string }> {
        let body: Blob;
        try {
            body = new Blob([await unpackBundle(new Uint8Array(await files.arrayBuffer()), this.convert)]);
        } catch (error) {
            return { status: 400, text: error instanceof Error ? error.message : String(error) };
        }
        const { status, bytes } = await this.ask("/models", body);
        return { status, text: new TextDecoder().decode(bytes) };
    }

    picture({ name }: { name: string }): string {
        return this.pictures.has(name) ? `./pictures/${encodeURIComponent(name)}.jpg` : "";
    }

    // Gives a model of the scene to the person as a file.
    async download(path: string): Promise<void> {
        const { status, mime, name, bytes } = await this.ask(path, null);
        if (status !== 200) {
            throw new Error(new TextDecoder().decode(bytes).trim());
        }
        const address = URL.createObjectURL(new Blob([bytes], { type: mime }));
        element("a", { href: address, download: name === "" ? "model" : name }).click();
        window.setTimeout(() => URL.revokeObjectURL(address), 10000);
    }

    private ask(path: string, files: Blob | null): Promise<FileReply> {
        const number = this.nextNumber++;
        return new Promise((resolve) => {
            this.asked.set(number, resolve);
            this.worker.postMessage({ type: "request", number, path, files } satisfies ToWorker);
        });
    }

    private take(message: FromWorker): void {
        if (message.type === "reply") {
            this.asked.get(message.number)?.(message);
            this.asked.delete(message.number);
        } else if (message.type === "failed") {
            this.end(message.sentence);
        } else {
            this.line?.take(message);
        }
    }

    private end(sentence: string): void {
        this.line?.take({ type: "closed", code: goingAway });
        for (const [number, resolve] of this.asked) {
            resolve({ type: "reply", number, status: 0, mime: "", name: "", bytes: new ArrayBuffer(0) });
        }
        this.asked.clear();
        this.failed(sentence);
    }
}
