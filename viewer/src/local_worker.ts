// The worker of a page without a server: loads the module, fills its folder with the scenes, steps it when a tick is due, and
// carries messages and files between it and the page.
import { PackedFiles } from "./local_files";
import type { FromWorker, ToWorker } from "./local_messages";

// What the module exports (javascript/src/server.c); addresses and sizes are numbers.
interface ServerModule {
    HEAPU8: Uint8Array<ArrayBuffer>;
    FS: { mkdirTree(path: string): void; writeFile(path: string, bytes: Uint8Array): void };
    _fureai_alloc(size: number): number;
    _fureai_free(at: number): void;
    _fureai_error_message(): number;
    _fureai_error_path(): number;
    _fureai_error_line(): number;
    _fureai_error_column(): number;
    _fureai_server_create(folder: number, objects: number, first: number): number;
    _fureai_server_step(server: number): number;
    _fureai_server_wait(server: number): number;
    _fureai_session_open(server: number): number;
    _fureai_session_close(server: number): void;
    _fureai_session_send(server: number, bytes: number, size: number): number;
    _fureai_session_take(server: number, size: number): number;
    _fureai_session_close_code(server: number): number;
    _fureai_session_request(server: number, path: number, bytes: number, size: number): number;
    _fureai_reply_status(server: number): number;
    _fureai_reply_type(server: number): number;
    _fureai_reply_name(server: number): number;
    _fureai_reply_bytes(server: number): number;
    _fureai_reply_size(server: number): number;
}

type Request = Extract<ToWorker, { type: "request" }>;

const idleMs = 100; // between steps where none is due
const goingAway = 1001;
const folder = "/scenes";

const say = (message: FromWorker, moved: Transferable[] = []): void => {
    (self as unknown as { postMessage(message: FromWorker, moved: Transferable[]): void }).postMessage(message, moved);
};

// The module returns signed numbers; an address may be above 2 GiB.
const unsigned = (value: number): number => value >>> 0;

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The server in the module.
class LocalServer {
    private readonly server: number;
    private readonly sizePlace: number;
    private readonly requests: Request[] = [];
    private current: Request | null = null;
    private isAsked = false; // the server has the current request
    private given = 0; // bytes of its files in the module; 0: none
    private isOpen = false;
    private timer = 0;

    constructor(
        private readonly module: ServerModule,
        first: string,
    ) {
        this.sizePlace = unsigned(module._fureai_alloc(4));
        const texts = [folder, "/objects", first].map((text) => this.put(new TextEncoder().encode(`${text}\0`)));
        this.server = module._fureai_server_create(texts[0]!, texts[1]!, texts[2]!);
        texts.forEach((at) => module._fureai_free(at));
        if (this.server === 0) {
            throw new Error(this.error());
        }
        this.step();
    }

    take(message: ToWorker): void {
        switch (message.type) {
            case "open":
                this.isOpen = this.module._fureai_session_open(this.server) !== 0;
                say(this.isOpen ? { type: "opened" } : { type: "closed", code: goingAway });
                break;
            case "send":
                this.withBytes(message.bytes, (at, size) => this.module._fureai_session_send(this.server, at, size));
                break;
            case "close":
                this.module._fureai_session_close(this.server);
                this.close(goingAway);
                break;
            case "request":
                this.requests.push(message);
                this.beginNext();
                return;
            default:
                break;
        }
        this.step();
    }

    // One step and all that comes of it; the next one follows when it is due.
    private step(): void {
        self.clearTimeout(this.timer);
        if (this.module._fureai_server_step(this.server) === 0) {
            say({ type: "failed", sentence: this.error() });
            return;
        }
        this.carry();
        this.reply();
        const wait = 1000 * this.module._fureai_server_wait(this.server);
        this.timer = self.setTimeout(() => this.step(), Math.max(0, Math.min(idleMs, wait)));
    }

    private carry(): void {
        const { module } = this;
        for (;;) {
            const at = unsigned(module._fureai_session_take(this.server, this.sizePlace));
            if (at === 0) {
                break;
            }
            const bytes = module.HEAPU8.slice(at, at + this.word(this.sizePlace)).buffer;
            say({ type: "message", bytes }, [bytes]);
        }
        const code = this.isOpen ? module._fureai_session_close_code(this.server) : 0;
        if (code !== 0) {
            this.close(code);
        }
    }

    private close(code: number): void {
        if (this.isOpen) {
            this.isOpen = false;
            say({ type: "closed", code });
        }
    }

    // What a step throws is said: no step follows it.
    private beginNext(): void {
        this.begin().catch((error: unknown) => say({ type: "failed", sentence: sentenceOf(error) }));
    }

    // Requests, one after another.
    private async begin(): Promise<void> {
        const next = this.current === null ? this.requests.shift() : undefined;
        if (next === undefined) {
            return;
        }
        this.current = next;
        try {
            const bytes = next.files === null ? null : new Uint8Array(await next.files.arrayBuffer());
            const path = this.put(new TextEncoder().encode(`${next.path}\0`));
            this.given = bytes === null ? 0 : this.put(bytes);
            this.isAsked = this.module._fureai_session_request(this.server, path, this.given, bytes?.length ?? 0) !== 0;
            this.module._fureai_free(path);
            if (!this.isAsked) {
                throw new Error(this.error());
            }
        } catch (error) {
            this.finish(400, "text/plain", "", new TextEncoder().encode(sentenceOf(error)).buffer);
            return;
        }
        this.step();
    }

    private reply(): void {
        const { module, server } = this;
        const status = this.isAsked ? module._fureai_reply_status(server) : 0;
        if (status !== 0) {
            const at = unsigned(module._fureai_reply_bytes(server));
            const bytes = module.HEAPU8.slice(at, at + unsigned(module._fureai_reply_size(server))).buffer;
            const [type, name] = [module._fureai_reply_type(server), module._fureai_reply_name(server)];
            this.finish(status, this.text(type), this.text(name), bytes);
        }
    }

    private finish(status: number, mime: string, name: string, bytes: ArrayBuffer): void {
        if (this.given !== 0) {
            this.module._fureai_free(this.given);
            this.given = 0;
        }
        say({ type: "reply", number: this.current!.number, status, mime, name, bytes }, [bytes]);
        this.current = null;
        this.isAsked = false;
        this.beginNext();
    }

    private withBytes(bytes: Uint8Array, work: (at: number, size: number) => unknown): void {
        const at = this.put(bytes);
        work(at, bytes.length);
        this.module._fureai_free(at);
    }

    private put(bytes: Uint8Array): number {
        const at = unsigned(this.module._fureai_alloc(bytes.length));
        if (at === 0) {
            throw new Error(`There is no memory for ${bytes.length} bytes.`);
        }
        this.module.HEAPU8.set(bytes, at);
        return at;
    }

    private word(at: number): number {
        return new DataView(this.module.HEAPU8.buffer).getUint32(at, true);
    }

    private text(address: number): string {
        const { HEAPU8 } = this.module;
        const at = unsigned(address);
        return new TextDecoder().decode(HEAPU8.slice(at, HEAPU8.indexOf(0, at)));
    }

    private error(): string {
        const { module } = this;
        const [line, column] = [module._fureai_error_line(), module._fureai_error_column()];
        const place = [this.text(module._fureai_error_path()), line, column].filter((part) => part !== "" && part !== 0);
        return [...(place.length > 0 ? [place.join(":")] : []), this.text(module._fureai_error_message())].join(": ");
    }
}

async function fetchBytes(address: string, what: string): Promise<Uint8Array<ArrayBuffer>> {
    const reply = await fetch(address).catch(() => null);
    if (reply === null || !reply.ok) {
        const why = reply === null ? "it cannot be reached" : `the answer is ${reply.status}`;
        throw new Error(`${what} of this page cannot be loaded: ${why}. Load the page again.`);
    }
    return new Uint8Array(await reply.arrayBuffer());
}

async function load({ module: address, scenes, first }: Extract<ToWorker, { type: "load" }>): Promise<LocalServer> {
    const [wasmBinary, packed] = await Promise.all([
        fetchBytes(address.replace(/\.mjs$/, ".wasm"), "The module"),
        fetchBytes(scenes, "The scenes"),
    ]);
    const { default: make } = (await import(/* @vite-ignore */ address)) as {
        default: (options: { wasmBinary: Uint8Array }) => Promise<ServerModule>;
    };
    const module = await make({ wasmBinary }).catch((error: unknown) => {
        throw new Error(`The module of this page cannot begin: ${sentenceOf(error)}`);
    });
    const files = new PackedFiles(packed);
    for (const [name, bytes] of files.entries) {
        module.FS.mkdirTree(`/${name.replace(/\/[^/]*$/, "")}`);
        module.FS.writeFile(`/${name}`, bytes);
    }
    const server = new LocalServer(module, files.sceneNamed(first));
    say({ type: "loaded", pictures: files.pictures });
    return server;
}

let server: LocalServer | null = null;
self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
    if (data.type !== "load") {
        server?.take(data);
        return;
    }
    load(data).then(
        (made) => (server = made),
        (error: unknown) => say({ type: "failed", sentence: sentenceOf(error) }),
    );
};
