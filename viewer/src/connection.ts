// The line to the host of the world: says hello, reads frames, matches replies to requests, and comes back by itself when the
// line is lost, waiting longer each time.
import { host, type Line } from "./host";
import { decodeForClient, encode, PROTOCOL_NAME, PROTOCOL_VERSION } from "./protocol";
import type { ClientMessage, ReplyMessage, ServerMessage } from "./protocol";

export type LineState = "connecting" | "open" | "waiting";

export interface ConnectionEvents {
    message(message: ServerMessage): void;
    state(state: LineState, detail: string): void;
    tokenNeeded(sentence: string): void; // nothing is sent before another token is shown
    failed(message: string): void; // the server said why it will not go on, or sent what cannot be read
}

// A message that is answered, before it has a number.
type Unnumbered<M> = M extends { request: number } ? Omit<M, "request"> : never;
export type Ask = Unnumbered<ClientMessage>;

// Replies that hold more than a status.
const fullReplies = ["affordances", "peopleList", "postureFile", "stockList"] as const;
export type FullReply = Extract<ServerMessage, { type: (typeof fullReplies)[number] }>;
type FullOf<T extends FullReply["type"]> = Extract<FullReply, { type: T }>;
const isFull = (message: ServerMessage): message is FullReply => fullReplies.some((type) => type === message.type);

const firstWaitMs = 250;
const longestWaitMs = 8000;
const pingMs = 5000;
const silenceMs = 20000;
const tokenCode = 4401; // FR_CLOSE_TOKEN: why the server closed

export class Connection {
    state: LineState = "connecting";
    roundTripMs = 0;
    bytesReceived = 0;
    private line: Line | null = null;
    private waitMs = firstWaitMs;
    private timer = 0;
    private pinger = 0;
    private lastError = "";
    private hasOpened = false; // the line of now
    private otherProtocol = ""; // that the server was found to speak
    private lastHeard = 0;
    private lastPing = 0;
    private nextRequest = 1;
    private readonly pending = new Map<number, (reply: ReplyMessage | FullReply) => void>();

    constructor(
        private readonly address: string,
        private wants: number,
        private token: string, // "": none yet
        private readonly events: ConnectionEvents,
    ) {}

    // Begins again with another token.
    openWith(token: string): void {
        this.token = token;
        this.open();
    }

    open(): void {
        window.clearTimeout(this.timer);
        this.timer = 0;
        this.setState("connecting", "connecting");
        this.hasOpened = false;
        const line = host().open(this.address);
        line.onopen = (): void => this.opened();
        line.onmessage = (bytes): void => this.read(bytes);
        line.onclose = (code): void => this.closed(line, code);
        this.line = line;
    }

    // Does not wait any longer.
    retry(): void {
        if (this.state === "waiting" && this.timer !== 0) {
            this.waitMs = firstWaitMs;
            this.open();
        }
    }

    get isOpen(): boolean {
        return this.state === "open";
    }

    send(message: ClientMessage): boolean {
        if (this.line?.isOpen !== true) {
            return false;
        }
        this.line.send(encode(message));
        return true;
    }

    // Sends a request; the reply comes with its status, -1 where the connection is lost.
    ask(message: Ask): Promise<ReplyMessage> {
        return this.request(message) as Promise<ReplyMessage>;
    }

    // Sends a request whose reply holds more; a plain reply says why it came to nothing.
    askFor<T extends FullReply["type"]>(message: Ask, _type: T): Promise<FullOf<T> | ReplyMessage> {
        return this.request(message) as Promise<FullOf<T> | ReplyMessage>;
    }

    private request(message: Ask): Promise<ReplyMessage | FullReply> {
        const request = this.nextRequest++;
        return new Promise((resolve) => {
            this.pending.set(request, resolve);
            if (!this.send({ ...message, request } as ClientMessage)) {
                this.resolve(lost(request));
            }
        });
    }

    setWants(wants: number): void {
        if (wants !== this.wants) {
            this.wants = wants;
            this.send({ type: "wants", wants });
        }
    }

    private opened(): void {
        this.hasOpened = true;
        this.otherProtocol = "";
        this.lastHeard = performance.now();
        this.send({ type: "hello", version: PROTOCOL_VERSION, wants: this.wants, name: "" });
        this.send({ type: "key", token: this.token });
        this.pinger = window.setInterval(() => this.ping(), pingMs);
    }

    private ping(): void {
        if (performance.now() - this.lastHeard > silenceMs) {
            this.line?.close();
            return;
        }
        this.lastPing = performance.now();
        this.send({ type: "ping", token: BigInt(Math.round(this.lastPing)) });
    }

    private read(bytes: ArrayBuffer): void {
        this.lastHeard = performance.now();
        this.bytesReceived += bytes.byteLength;
        try {
            for (const message of decodeForClient(new Uint8Array(bytes))) {
                this.take(message);
            }
        } catch (error) {
            this.fail(error);
        }
    }

    // What the server sent cannot be taken: says so, and begins again.
    fail(error: unknown): void {
        this.events.failed(error instanceof Error ? error.message : String(error));
        this.line?.close();
    }

    private take(message: ServerMessage): void {
        switch (message.type) {
            case "welcome":
                this.waitMs = firstWaitMs;
                this.setState("open", "connected");
                break;
            case "reply":
                this.resolve(message);
                break;
            case "pong":
                this.roundTripMs = performance.now() - this.lastPing;
                break;
            case "error":
                this.lastError = message.message;
                break;
            default:
                if (isFull(message)) {
                    this.resolve(message);
                }
                break;
        }
        this.events.message(message);
    }

    private resolve(reply: ReplyMessage | FullReply): void {
        this.pending.get(reply.request)?.(reply);
        this.pending.delete(reply.request);
    }

    private closed(line: Line, code: number): void {
        if (line !== this.line) {
            return;
        }
        const sentence = this.lastError;
        this.lastError = "";
        window.clearInterval(this.pinger);
        for (const request of [...this.pending.keys()]) {
            this.resolve(lost(request));
        }
        if (code === tokenCode) {
            this.setState("waiting", sentence);
            this.events.tokenNeeded(sentence);
            return;
        }
        if (sentence !== "") {
            this.events.failed(sentence);
        }
        // A little chance keeps many viewers from coming back at once.
        const wait = this.waitMs * (0.75 + 0.5 * Math.random());
        this.waitMs = Math.min(longestWaitMs, this.waitMs * 2);
        this.setState("waiting", `no connection, trying again in ${(wait / 1000).toFixed(1)} s`);
        this.timer = window.setTimeout(() => this.open(), wait);
        if (!this.hasOpened) {
            void this.compareProtocols();
        }
    }

    // A server refuses the line of a page of another protocol, and no page can read why; over HTTP it says which one it
    // speaks. The page that it serves is of its own.
    private async compareProtocols(): Promise<void> {
        const theirs = await host().protocol(this.address);
        if (theirs === PROTOCOL_NAME || this.state !== "waiting") {
            return;
        }
        const sentence = `The server speaks ${theirs}, this page ${PROTOCOL_NAME}: load the page again.`;
        this.setState("waiting", sentence);
        if (theirs !== this.otherProtocol) {
            this.otherProtocol = theirs;
            this.events.failed(sentence);
        }
    }

    private setState(state: LineState, detail: string): void {
        this.state = state;
        this.events.state(state, detail);
    }
}

const lost = (request: number): ReplyMessage => ({ type: "reply", request, status: -1, message: "the connection was lost" });
