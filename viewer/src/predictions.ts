// What the user's hands hold, predicted: a Prediction for each body, which is told what the hand wants and what the server
// says. After the hand has let go, a body is shown where it was last until the others are shown as late, and goes over to
// where they show it. No drawing.
import { AidSpace, loadCore, type Core } from "./aid_space";
import { bodyReach } from "./bounds";
import type { Body, Mirror } from "./mirror";
import { free, Prediction, type Solver } from "./prediction";
import type { AidMessage, ServerMessage } from "./protocol";
import type { Pose } from "./vector";

// The modes that help a hand, of fr_aid_mode, and the state of an object that says another.
const aidModes = new Set([3, 4, 5]);
const modeState = "aid";

const longestWaitMs = 1000; // for the server to say that something was let go

interface Held {
    readonly prediction: Prediction;
    move: number; // the newest of which the server spoke
    awaited: { move: number; sequence: number } | null; // a move that a state that did not come has
    said: Pose; // where the newest state has it
    left: { sequence: number; untilMs: number } | null; // it was let go, and is shown where it was until that state is
    isLeaving: boolean; // it goes over to where the others are shown
}

export interface PredictionEvents {
    newest(body: Body): Pose | null; // of the states that came and are not shown yet
    loaded?(core: Core | null): void;
}

export class Predictions {
    private aid: AidMessage | null = null; // null: the server said nothing, and nothing is predicted
    private readonly held = new Map<Body, Held>();
    private space: AidSpace | null = null;
    private core: Core | "none" | "loading" | "not asked" = "not asked";
    private sequence = 0; // of the newest state

    constructor(
        private readonly mirror: Mirror,
        private readonly events: PredictionEvents,
        private readonly load: () => Promise<Core> = loadCore,
    ) {}

    // What is shown by prediction.
    get bodies(): Iterable<Body> {
        return this.held.keys();
    }

    of(body: Body): Prediction | null {
        return this.held.get(body)?.prediction ?? null;
    }

    // A message came, before it is shown.
    hear(message: ServerMessage): void {
        switch (message.type) {
            case "welcome":
            case "reset":
                this.clear();
                break;
            case "aid":
                this.aid = message;
                break;
            case "moved": {
                const held = this.find(message.object.index1);
                if (held !== null) {
                    held.awaited = { move: message.move, sequence: message.sequence };
                    this.check(held);
                }
                break;
            }
            case "state":
                this.sequence = message.sequence;
                for (const [body, held] of this.held) {
                    const { index1, generation } = body;
                    const listed = message.bodies.find(({ object }) => object.index1 === index1 && object.generation === generation);
                    held.said = listed?.pose ?? held.said;
                    this.check(held);
                }
                break;
        }
    }

    // A hand wants a body there; `move`: the message that said so to the server, 0: none did.
    want(body: Body, raw: Pose, move: number, nowMs: number): void {
        const known = this.held.get(body);
        const held = known?.left === null ? known : this.take(body);
        try {
            if (held !== null) {
                this.space?.follow((each) => this.events.newest(each));
                held.prediction.want(raw, move, nowMs);
            }
        } catch {
            this.forget(body); // the server alone says where it is
        }
    }

    // The hand has let go: the server was asked to take it, and replied or not.
    async leave(body: Body, asked: Promise<unknown>, nowMs: number): Promise<void> {
        const held = this.held.get(body);
        if (held === undefined) {
            return;
        }
        const left = { sequence: Infinity, untilMs: nowMs + longestWaitMs };
        held.left = left;
        await asked;
        left.sequence = this.sequence + 1; // the state of a tick that has taken it
    }

    // Where a body is shown in this frame; null: as without this. `shown`: the state that the others are shown in, `pose`: where
    // they would show it.
    show(body: Body, pose: Pose, shown: number, nowMs: number): Pose | null {
        const held = this.held.get(body);
        if (held === undefined) {
            return null;
        }
        const { prediction, left } = held;
        held.isLeaving ||= left !== null && (shown >= left.sequence || nowMs > left.untilMs);
        if (held.isLeaving) {
            prediction.follow(pose, nowMs);
            if (prediction.isSettled) {
                this.forget(body);
            }
        }
        return prediction.pose;
    }

    private find(index1: number): Held | null {
        const body = this.mirror.bodies.get(index1);
        return (body === undefined ? undefined : this.held.get(body)) ?? null;
    }

    // A body in the hand of the user, from now on; null: it cannot be predicted now.
    private take(body: Body): Held | null {
        const before = this.held.get(body);
        const shown = before?.prediction.pose ?? body.pose;
        this.forget(body);
        const solver = this.solverOf(body);
        if (solver === null) {
            return null;
        }
        const prediction = new Prediction(shown, bodyReach(body, this.mirror), solver);
        const held: Held = { prediction, move: 0, awaited: null, said: this.events.newest(body) ?? body.pose, left: null, isLeaving: false };
        this.held.set(body, held);
        return held;
    }

    private solverOf(body: Body): Solver | null {
        const { aid } = this;
        if (aid === null) {
            return null;
        }
        if (!aidModes.has(body.states.get(modeState) ?? aid.mode)) {
            return free;
        }
        if (this.core === "not asked") {
            void this.loadNow();
        }
        if (typeof this.core === "string" || (this.space === null && !AidSpace.isFor(this.mirror))) {
            return null;
        }
        try {
            this.space ??= new AidSpace(this.core, this.mirror);
            this.space.follow((each) => this.events.newest(each));
            return this.space.solver(body, aid);
        } catch {
            return null; // no memory for it, or a mesh that the module does not take
        }
    }

    private async loadNow(): Promise<void> {
        this.core = "loading";
        this.core = await this.load().catch(() => "none" as const);
        this.events.loaded?.(this.core === "none" ? null : this.core);
    }

    private check(held: Held): void {
        if (held.awaited !== null && held.awaited.sequence <= this.sequence) {
            held.move = held.awaited.move;
            held.awaited = null;
        }
        if (held.move > 0 && held.left === null) {
            try {
                held.prediction.hear(held.move, held.said);
            } catch {
                held.left = { sequence: 0, untilMs: 0 };
            }
        }
    }

    private forget(body: Body): void {
        const held = this.held.get(body);
        if (held !== undefined) {
            this.held.delete(body);
            held.prediction.end();
        }
    }

    private clear(): void {
        [...this.held.keys()].forEach((body) => this.forget(body));
        this.space?.free();
        this.space = null;
        this.aid = null;
        this.sequence = 0;
    }
}
