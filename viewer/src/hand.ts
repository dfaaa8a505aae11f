// A hand that holds one body: asks for its lease, sends where it is wanted, and gives it back. The body is shown where
// the server says it is; where that differs from the wanted pose, the difference is shown.
import type { Connection } from "./connection";
import { RawTrail } from "./drag";
import type { Body } from "./mirror";
import type { Predictions } from "./predictions";
import { samePose, type Pose } from "./vector";

// A lease ends after some seconds without a message; the same pose is sent again to hold it, also while no frame is drawn.
const repeatMs = 800;

// Faster than this no hand is, and a server that limits messages is not to drop them.
const minMs = 10;

export type HandState = "empty" | "asking" | "holding";

// `D` is how the hand moves: a drag by the pointer, a grip in space.
export class Hand<D extends { raw: Pose }> {
    state: HandState = "empty";
    body: Body | null = null;
    drag: D | null = null;
    private trail = new RawTrail();
    private sequence = 0;
    private newest = 0; // sequence of the newest wish for this body; 0: none was sent
    private isMoved = false;
    private lastSent = 0;
    private isDropped = false;
    private readonly timer: number;

    constructor(
        private readonly connection: Connection,
        private readonly say: (text: string) => void,
        private readonly predictions: Predictions | null = null,
    ) {
        this.timer = window.setInterval(() => this.update(performance.now()), repeatMs);
    }

    // It is not used any more.
    dispose(): void {
        window.clearInterval(this.timer);
    }

    refusal: () => string | null = () => null; // why nothing can be taken now

    async grab(body: Body, drag: D): Promise<boolean> {
        if (this.state !== "empty") {
            return false;
        }
        const why = this.refusal();
        if (why !== null) {
            this.say(why);
            return false;
        }
        this.state = "asking";
        this.body = body;
        this.drag = drag;
        this.trail = new RawTrail();
        this.isMoved = false;
        this.isDropped = false;
        this.newest = 0;
        const reply = await this.connection.ask({ type: "grab", object: body.ref });
        if (reply.status !== 0) {
            this.say(`${body.title} cannot be taken: ${reply.message}`);
            this.clear();
            return false;
        }
        this.state = "holding";
        this.trail.add(drag.raw, performance.now());
        if (this.isDropped) {
            this.drop();
            return false;
        }
        return true;
    }

    move(pose: Pose): void {
        if (this.drag !== null) {
            this.drag.raw = pose;
            this.isMoved = true;
        }
    }

    // Sends the newest wish, unless one was sent just now, and predicts where that leads.
    update(now: number): void {
        this.sendNewest(now);
        if (this.body !== null && this.drag !== null) {
            this.predictions?.want(this.body, this.drag.raw, this.isMoved ? 0 : this.newest, now);
        }
    }

    private sendNewest(now: number): void {
        if (this.state !== "holding" || this.body === null || this.drag === null) {
            return;
        }
        if (!this.connection.isOpen) {
            this.clear();
            return;
        }
        if (now - this.lastSent > (this.isMoved ? minMs : repeatMs)) {
            this.send(this.body, this.drag.raw, now);
        }
    }

    private send(body: Body, raw: Pose, now: number): void {
        this.newest = ++this.sequence;
        this.connection.send({ type: "move", object: body.ref, sequence: this.newest, raw });
        this.trail.add(raw, now);
        this.isMoved = false;
        this.lastSent = now;
    }

    drop(): void {
        if (this.state === "asking") {
            this.isDropped = true;
            return;
        }
        if (this.state === "holding" && this.body !== null) {
            // What was moved since the last frame, or before the reply came, still counts.
            if (this.isMoved && this.drag !== null) {
                this.send(this.body, this.drag.raw, performance.now());
            }
            this.clear(this.connection.ask({ type: "drop", object: this.body.ref }));
            return;
        }
        this.clear();
    }

    // The wanted pose where another one is shown; else null.
    ghost(size: number, now: number): Pose | null {
        if (this.state !== "holding" || this.body === null || this.drag === null) {
            return null;
        }
        const prediction = this.predictions?.of(this.body) ?? null;
        const isCorrected =
            prediction?.isTrusted === true
                ? !samePose(prediction.aim, this.drag.raw, size, 1e-6 * Math.max(1, size))
                : this.trail.isCorrected(this.body.pose, size, now);
        return isCorrected ? this.drag.raw : null;
    }

    // `asked`: what the server replies to the end of it.
    private clear(asked: Promise<unknown> = Promise.resolve()): void {
        if (this.body !== null) {
            void this.predictions?.leave(this.body, asked, performance.now());
        }
        this.state = "empty";
        this.body = null;
        this.drag = null;
    }
}
