// A hand that holds one body: asks for its lease, sends where it is wanted, and gives it back. The body is shown where
// the server says it is; where that differs from what was asked for, the difference is told.
import type { Connection } from "./connection";
import { RawTrail, type Drag } from "./drag";
import type { Body } from "./mirror";
import type { Pose } from "./vector";

// A lease without a word ends after some seconds; saying the same again keeps it.
const repeatMs = 800;

export type HandState = "empty" | "asking" | "holding";

export class Hand {
    state: HandState = "empty";
    body: Body | null = null;
    drag: Drag | null = null;
    private trail = new RawTrail();
    private sequence = 0;
    private isMoved = false;
    private lastSent = 0;
    private isDropped = false;

    constructor(
        private readonly connection: Connection,
        private readonly say: (text: string) => void,
    ) {}

    async grab(body: Body, drag: Drag): Promise<boolean> {
        if (this.state !== "empty") {
            return false;
        }
        this.state = "asking";
        this.body = body;
        this.drag = drag;
        this.trail = new RawTrail();
        this.isMoved = false;
        this.isDropped = false;
        const reply = await this.connection.ask({ type: "grab", object: body.ref });
        if (reply.status !== 0) {
            this.say(`${body.title} cannot be taken: ${reply.message}`);
            this.clear();
            return false;
        }
        this.state = "holding";
        this.trail.add(drag.raw, performance.now());
        if (this.isDropped) {
            // Let go before the answer came: what was moved meanwhile still counts.
            this.update(performance.now());
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

    // Sends the newest wish, once a frame at most.
    update(now: number): void {
        if (this.state !== "holding" || this.body === null || this.drag === null) {
            return;
        }
        if (!this.connection.isOpen) {
            this.clear();
            return;
        }
        if (this.isMoved || now - this.lastSent > repeatMs) {
            const { raw } = this.drag;
            this.connection.send({ type: "move", object: this.body.ref, sequence: ++this.sequence, raw });
            this.trail.add(raw, now);
            this.isMoved = false;
            this.lastSent = now;
        }
    }

    drop(): void {
        if (this.state === "asking") {
            this.isDropped = true;
            return;
        }
        if (this.state === "holding" && this.body !== null) {
            this.update(performance.now());
            void this.connection.ask({ type: "drop", object: this.body.ref });
        }
        this.clear();
    }

    // The pose that was asked for, when what is shown is another; else null.
    ghost(size: number, now: number): Pose | null {
        if (this.state !== "holding" || this.body === null || this.drag === null) {
            return null;
        }
        return this.trail.isCorrected(this.body.pose, size, now) ? this.drag.raw : null;
    }

    private clear(): void {
        this.state = "empty";
        this.body = null;
        this.drag = null;
    }
}
