// Which time is shown: now, an earlier state of this session, or a tick of a record that the server shows. What the
// session did is kept in the page (Session); in a record the server goes where it is asked to. No drawing.
import type { Ask } from "./connection";
import type { Mirror } from "./mirror";
import type { RecordMessage, ReplyMessage, ServerMessage } from "./protocol";
import { EventKind } from "./protocol";
import { Session } from "./session";
import type { Timeline } from "./timeline";

export const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;

// What is not about a time of the world: it is taken at once, whatever is shown.
const timeless = new Set<ServerMessage["type"]>([
    "affordances",
    "aid",
    "clashes",
    "clashNote",
    "draw",
    "ended",
    "error",
    "gallery",
    "lease",
    "material",
    "mesh",
    "meshBones",
    "meshFaces",
    "meshLook",
    "meshTriangles",
    "meshVertices",
    "meshWeights",
    "models",
    "moved",
    "peopleList",
    "picture",
    "pong",
    "postureFile",
    "record",
    "recordTouches",
    "refused",
    "reply",
    "service",
    "stats",
    "stockList",
    "view",
]);

export interface PlaybackEvents {
    take(message: ServerMessage): void; // of the time that is shown
    ask(message: Ask): Promise<ReplyMessage>;
    say(text: string): void;
}

export class Playback {
    readonly session: Session;
    record: RecordMessage | null = null;
    speed = 1; // of playing
    private isPlaying = false; // the past, by the page itself
    private time = 0; // of the past that is shown, between two states too
    private sequence = 0; // of that state
    private lastMs = 0;
    private waiting: ServerMessage[] = []; // what came since the past is shown
    private wanted: number | null = null; // a tick that the server is to go to
    private isAsking = false;
    private tick = -1; // of the state of a record that came last

    constructor(
        private readonly mirror: Mirror,
        private readonly timeline: Timeline,
        private readonly events: PlaybackEvents,
    ) {
        this.session = new Session(mirror);
    }

    get isPast(): boolean {
        return this.session.isPast;
    }

    get start(): number {
        return this.record === null ? this.session.start : 0;
    }

    get end(): number {
        return this.record === null ? this.session.end : this.record.ticks * this.mirror.step;
    }

    // The time that is shown, or is asked for.
    get at(): number {
        if (this.record !== null) {
            return this.wanted === null ? this.mirror.time : this.wanted * this.mirror.step;
        }
        return this.isPast ? this.time : this.mirror.time;
    }

    hear(message: ServerMessage): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.begin();
        } else if (message.type === "record") {
            this.takeRecord(message);
        }
        if (this.isPast && !timeless.has(message.type)) {
            this.waiting.push(message);
            return;
        }
        if (message.type === "state" && this.record === null) {
            this.session.capture();
        }
        this.events.take(this.record === null ? message : this.withoutJumps(message));
    }

    // Shows a time, from the past of the session or of the record.
    seek(time: number): void {
        if (this.record !== null) {
            this.seekTick(Math.round(time / this.mirror.step));
        } else if (time >= this.end) {
            this.goLive();
        } else {
            this.showFrame(this.beginPast(time));
        }
    }

    // One state on, or back.
    step(by: -1 | 1): void {
        if (this.record !== null) {
            this.seekTick(Math.round(this.at / this.mirror.step) + by);
            return;
        }
        this.isPlaying = false;
        const now = this.isPast ? this.session.shown : this.beginPast(this.end);
        if (now + by >= this.session.frames.length) {
            this.goLive();
        } else if (now >= 0) {
            this.showFrame(Math.max(0, now + by));
        }
    }

    // To the next contact, or the one before: the first state in which two objects touch that did not before.
    toContact(direction: -1 | 1): void {
        const { at } = this;
        const near = this.mirror.step * 1e-3;
        let best: number | null = null;
        for (const begin of this.timeline.begins()) {
            const time = this.stateAfter(begin);
            const isThere = direction > 0 ? time > at + near : time < at - near;
            if (isThere && (best === null || (direction > 0 ? time < best : time > best))) {
                best = time;
            }
        }
        if (best === null) {
            this.events.say(this.noContact(direction));
        } else if (this.record !== null) {
            this.seek(best);
        } else {
            this.isPlaying = false;
            this.session.capture();
            this.showFrame(this.firstFrameAt(best));
        }
    }

    goLive(): void {
        if (!this.isPast) {
            return;
        }
        this.isPlaying = false;
        this.session.showNow();
        this.timeline.showAt(null);
        const { waiting } = this;
        this.waiting = [];
        waiting.forEach((message) => this.takeBehind(message));
    }

    // Plays or pauses what is shown. False: it is the world itself, which the server lets go.
    togglePlay(): boolean {
        if (!this.isPast) {
            return false;
        }
        this.isPlaying = !this.isPlaying;
        this.showPlaying();
        return true;
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        if (this.record !== null) {
            void this.events.ask({ type: "speed", speed }).then(({ status, message }) => {
                if (status !== 0) {
                    this.events.say(message);
                }
            });
        }
    }

    // Once a frame: goes on in the past, and takes in what came meanwhile.
    update(nowMs: number): void {
        const seconds = Math.min(0.25, (nowMs - this.lastMs) / 1000);
        this.lastMs = nowMs;
        this.timeline.since = this.record === null ? this.session.start : null;
        if (!this.isPast) {
            return;
        }
        this.catchUp();
        if (!this.isPlaying) {
            return;
        }
        this.time += seconds * this.speed;
        if (this.time >= this.end) {
            this.goLive();
        } else {
            const index = this.session.indexAt(this.time);
            if (index !== this.session.shown) {
                this.show(index);
            }
            this.timeline.showAt(this.time);
        }
    }

    private begin(): void {
        this.session.clear();
        this.waiting = [];
        this.isPlaying = false;
        this.record = null;
        this.wanted = null;
        this.tick = -1;
        this.timeline.showAt(null);
    }

    private takeRecord(message: RecordMessage): void {
        if (message.flaw !== "" && message.flaw !== this.record?.flaw) {
            this.events.say(`${message.name}: ${message.flaw}`);
        }
        this.record = message;
        this.speed = message.speed;
        this.session.clear();
    }

    // What touches where a record was entered, or left, did not begin or end there.
    private withoutJumps(message: ServerMessage): ServerMessage {
        if (message.type === "state") {
            this.timeline.isJump = message.tick !== this.tick + 1;
            this.tick = message.tick;
        }
        if (message.type !== "events" || !this.timeline.isJump) {
            return message;
        }
        const isTouch = (kind: number): boolean => kind === EventKind.touchBegin || kind === EventKind.touchEnd;
        return { ...message, events: message.events.filter(({ kind }) => !isTouch(kind)) };
    }

    // Goes into the past of the session, where it is not there yet. Returns the frame of a time.
    private beginPast(time: number): number {
        this.session.capture();
        this.time = Math.max(time, this.session.start);
        return this.session.indexAt(this.time);
    }

    private showFrame(index: number): void {
        const frame = this.session.frames[index];
        if (frame === undefined) {
            return;
        }
        this.show(index);
        if (!this.isPlaying) {
            this.time = Math.max(this.time, frame.time);
            const next = this.session.frames[index + 1];
            this.time = next !== undefined && this.time >= next.time ? frame.time : this.time;
        }
        this.timeline.showAt(this.time);
    }

    private show(index: number): void {
        this.session.show(index);
        this.sequence = this.mirror.sequence;
        this.showPlaying();
    }

    // The button of the controls is about what is shown.
    private showPlaying(): void {
        this.mirror.isPaused = !this.isPlaying;
        this.mirror.changes.state = true;
    }

    // Takes in what came while the past is shown, and shows the past again.
    private catchUp(): void {
        if (this.waiting.length === 0) {
            return;
        }
        this.session.showNow();
        const { waiting } = this;
        this.waiting = [];
        waiting.forEach((message) => this.takeBehind(message));
        this.session.capture();
        const index = this.session.frames.findIndex(({ sequence }) => sequence >= this.sequence);
        this.show(Math.max(0, index));
        this.time = Math.max(this.time, this.session.start);
        this.timeline.showAt(this.time);
    }

    private takeBehind(message: ServerMessage): void {
        if (message.type === "state") {
            this.session.capture();
        }
        this.mirror.apply(message);
        this.timeline.apply(message);
    }

    // The time of the first state at or after a time.
    private stateAfter(time: number): number {
        if (this.record !== null) {
            return Math.ceil(time / this.mirror.step - 1e-6) * this.mirror.step;
        }
        return this.session.frames[this.firstFrameAt(time)]?.time ?? this.end;
    }

    private firstFrameAt(time: number): number {
        const { frames } = this.session;
        const before = this.session.indexAt(time - this.mirror.step * 1e-6);
        const isLater = frames[before] !== undefined && frames[before].time < time - this.mirror.step * 1e-6;
        return Math.min(frames.length - 1, isLater ? before + 1 : Math.max(0, before));
    }

    private noContact(direction: -1 | 1): string {
        const { record } = this;
        const where = direction > 0 ? "after" : "before";
        if (record !== null && direction > 0 && record.searched < record.ticks && record.flaw === "") {
            return `no contact found ${where} this so far: ${Math.floor((100 * record.searched) / record.ticks)} % are searched`;
        }
        return `there is no contact ${where} this`;
    }

    // One request at a time, and the last one that was asked for.
    private seekTick(tick: number): void {
        this.wanted = Math.min(this.record?.ticks ?? 0, Math.max(0, tick));
        if (!this.isAsking) {
            void this.askForTick();
        }
    }

    private async askForTick(): Promise<void> {
        this.isAsking = true;
        while (this.wanted !== null) {
            const tick = this.wanted;
            const reply = await this.events.ask({ type: "seek", tick });
            if (reply.status !== 0) {
                this.events.say(reply.message);
            }
            if (this.wanted === tick) {
                this.wanted = null;
            }
        }
        this.isAsking = false;
    }
}
