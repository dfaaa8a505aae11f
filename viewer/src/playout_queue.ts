// What the server sent and is not shown yet: each state waits, with all that came with it, until the playout clock reaches
// it; then it goes to the mirror and the others who take messages. Until the next one, bodies are led there (Lead). No
// drawing.
import { newestPose, type Frame } from "./lead";
import type { Body, Mirror } from "./mirror";
import { jumpMs, PlayoutClock } from "./playout";
import type { ServerMessage } from "./protocol";
import type { Pose } from "./vector";

// What is about a time of the world, or must not come before what is.
const timed = new Set<ServerMessage["type"]>([
    "bones",
    "contacts",
    "draw",
    "events",
    "faceTouches",
    "gone",
    "lease",
    "object",
    "pairs",
    "sound",
    "soundPlace",
    "state",
    "vertices",
]);

// A page that draws no frames, such as one that is hidden, takes what comes at once after so long.
const hiddenMs = jumpMs / 2;

export interface PlayoutEvents {
    take(message: ServerMessage): void; // it is shown from now on
    held(): Iterable<Body>; // what is shown as the newest state has it, or where it is predicted
    predicted?(body: Body, shown: number, nowMs: number): Pose | null; // of what is held; null: it is not
    isPast(): boolean; // an earlier time is shown, so that nothing is led
    failed(error: unknown): void; // what came cannot be taken
}

export class Playout {
    clock = new PlayoutClock(0);
    shown = 0; // which sequence is drawn, between two too
    private frames: Frame[] = []; // that wait, oldest first
    private late: ServerMessage[] = []; // that came behind the state that is shown
    private speed = 1; // of a record
    private stepMs = 0;
    private lastMs = 0; // of the frame that was drawn last

    constructor(
        private readonly mirror: Mirror,
        private readonly events: PlayoutEvents,
    ) {}

    // The newest state that came.
    get newest(): number {
        return Math.max(this.clock.newest, this.mirror.sequence);
    }

    // Where a body is in the newest of the states that wait; null: none lists it.
    newestPose(body: Body): Pose | null {
        return newestPose(body, this.frames);
    }

    hear(message: ServerMessage, nowMs: number): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.flush();
            this.mirror.lead.clear();
            this.speed = 1;
            this.stepMs = 1000 * message.step;
            this.clock = new PlayoutClock(this.stepMs);
            this.events.take(message);
        } else if (message.type === "record" && message.speed !== this.speed) {
            this.flush();
            this.speed = message.speed;
            this.clock = new PlayoutClock(this.stepMs / message.speed);
            this.events.take(message);
        } else if (!timed.has(message.type) || this.clock.newest === 0) {
            this.takeFirst(message, nowMs);
        } else {
            this.wait(message, nowMs);
        }
        if (nowMs - this.lastMs > hiddenMs) {
            this.flush();
        }
    }

    // Once a frame, before it is drawn.
    update(nowMs: number): void {
        const { mirror, events, clock } = this;
        const passedMs = nowMs - this.lastMs;
        this.lastMs = nowMs;
        const shown = clock.advance(nowMs);
        const isPast = events.isPast();
        mirror.lead.settleOwn();
        if (isPast || this.late.length > 0 || (this.frames[0]?.state.sequence ?? Infinity) <= shown) {
            mirror.lead.settle();
            this.release(shown);
        }
        if (isPast) {
            this.shown = mirror.sequence;
        } else {
            this.lead(shown, passedMs, nowMs);
        }
    }

    // Bodies go on to the next state, or rest where there is none yet.
    private lead(shown: number, passedMs: number, nowMs: number): void {
        const { mirror } = this;
        const next = this.frames[0] ?? null;
        const states = next === null ? 0 : next.state.sequence - mirror.sequence;
        const share = next === null ? 0 : Math.min(1, Math.max(0, (shown - mirror.sequence) / states));
        this.shown = mirror.sequence + share * states;
        try {
            mirror.lead.show(next, share);
        } catch (error) {
            this.fail(error);
        }
        mirror.lead.showOwn(this.events.held(), this.frames, passedMs, (body) => this.events.predicted?.(body, shown, nowMs) ?? null);
    }

    // What has no time is taken at once, and so is all until the first state.
    private takeFirst(message: ServerMessage, nowMs: number): void {
        if (message.type === "state") {
            this.clock.hear(message.sequence, nowMs);
        }
        this.events.take(message);
    }

    private wait(message: ServerMessage, nowMs: number): void {
        if (message.type !== "state") {
            (this.frames[this.frames.length - 1]?.messages ?? this.late).push(message);
            return;
        }
        if (message.sequence <= this.clock.newest) {
            // Sequences go back in no scene: the server is another one.
            this.flush();
            this.clock = new PlayoutClock(this.stepMs / this.speed);
            this.takeFirst(message, nowMs);
            return;
        }
        this.clock.hear(message.sequence, nowMs);
        this.frames.push({ state: message, messages: [message] });
    }

    // Takes all that waits, whatever the clock says.
    private flush(): void {
        this.mirror.lead.settle();
        this.release(Infinity);
    }

    private release(until: number): void {
        const { frames, late } = this;
        let due = 0;
        while (due < frames.length && frames[due]!.state.sequence <= until) {
            due++;
        }
        this.frames = frames.slice(due);
        this.late = [];
        try {
            late.forEach((message) => this.events.take(message));
            frames.slice(0, due).forEach(({ messages }) => messages.forEach((message) => this.events.take(message)));
        } catch (error) {
            this.fail(error);
        }
    }

    // The rest may build on what could not be taken.
    private fail(error: unknown): void {
        this.mirror.lead.settle();
        this.frames = [];
        this.late = [];
        this.events.failed(error);
    }
}
