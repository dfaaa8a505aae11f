// What is in a hand, shown before the server has said where it is: where the hand wants it, as far as something lets it go
// (Solver). What the server says of a move is compared with what was shown for that move; where they differ, all is
// predicted again from what it said, and the difference goes away smoothly. Pure: no page, no sockets, no module.
import { add, inverseTurn, length, multiply, subtract, times, turnAbout, unitTurn, vec3, type Pose, type Quat, type Vec3 } from "./vector";

// Where a held object may go.
export interface Solver {
    begin(pose: Pose): void; // it is held from here on
    solve(raw: Pose, seconds: number): Pose; // wanted there, so much later
    end(): void;
}

// Nothing stops it.
export const free: Solver = { begin: () => undefined, solve: (raw) => raw, end: () => undefined };

export const slack = 1e-3; // metres: nearer to what the server says nothing is corrected
export const easeMs = 100; // in which a difference becomes 1 / e of itself
export const easySpeed = 0.1; // metres a second: a difference goes away no faster than this ...
const longestEase = 0.5; // seconds: ... or than in this, where it is large
const doubtAfter = 3; // differences in a row after which the server alone is believed
const trustAfter = 8; // words in a row that are as predicted, after which it is predicted again
const jump = 2e-3; // metres beside the hand, in a frame
const mostFrames = 512; // that wait for the server's word

interface Frame {
    move: number; // that wanted this; 0: none that was sent
    readonly raw: Pose;
    pose: Pose; // as predicted
    readonly seconds: number; // since the frame before
}

const noTurn: Quat = { w: 1, x: 0, y: 0, z: 0 };

// How far apart two poses put what is within `size` metres of their places, at most.
export function gap(a: Pose, b: Pose, size: number): number {
    const between = multiply(inverseTurn(a.rotation), b.rotation);
    return length(subtract(a.position, b.position)) + 2 * Math.hypot(between.x, between.y, between.z) * size + Math.abs(a.scale - b.scale) * size;
}

const apart = (a: Pose, b: Pose): number => length(subtract(a.position, b.position));

// The angle of a turn, 0 .. pi.
const angleOf = ({ w, x, y, z }: Quat): number => 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));

// A share of a turn, the short way.
function shareOf(turn: Quat, share: number): Quat {
    const side = turn.w < 0 ? -1 : 1;
    const angle = angleOf(turn);
    return angle < 1e-9 ? noTurn : turnAbout(vec3(side * turn.x, side * turn.y, side * turn.z), angle * share);
}

export class Prediction {
    pose: Pose; // that is shown
    private predicted: Pose; // the same without what is still corrected
    private shift: Vec3 = vec3(0, 0, 0); // from it to what is shown
    private turn: Quat = noTurn;
    private frames: Frame[] = []; // since the last move of which the server spoke
    private lastMs: number | null = null;
    private said: Pose | null = null; // where the server has it
    private wrong = 0; // words in a row that differed
    private right = 0;
    isTrusted = true; // what is predicted is shown
    corrections = 0; // how often it was predicted again

    // `shown`: where it is seen now, `size`: metres from its place to what is farthest of it.
    constructor(
        shown: Pose,
        private readonly size: number,
        private readonly solver: Solver,
    ) {
        this.pose = this.predicted = shown;
        solver.begin(shown);
    }

    // A frame in which the hand wants it there; `move`: the message that said so, 0: none did.
    want(raw: Pose, move: number, nowMs: number): void {
        const seconds = this.pass(nowMs);
        const pose = this.solver.solve(raw, seconds);
        const jumped = apart(pose, this.predicted) > apart(raw, this.frames.at(-1)?.raw ?? raw) + jump;
        if (this.isTrusted && jumped && apart(pose, this.pose) < length(this.shift)) {
            this.keep(pose); // it snapped to, or came off, towards where it is shown
        }
        this.frames.push({ move, raw, pose, seconds });
        this.frames.splice(0, Math.max(0, this.frames.length - mostFrames));
        this.show(this.isTrusted ? pose : (this.said ?? pose), seconds);
    }

    // A frame in which it goes where another says.
    follow(pose: Pose, nowMs: number): void {
        const seconds = this.pass(nowMs);
        this.keep(pose);
        this.show(pose, seconds);
    }

    // Whether what is shown is where it is meant to be.
    get isSettled(): boolean {
        return this.difference < 1e-6 * Math.max(1, this.size);
    }

    // The server has it there, and a move of the hand counted in that.
    hear(move: number, said: Pose): void {
        this.said = said;
        const first = this.frames.findIndex((frame) => frame.move === move);
        if (first < 0) {
            return;
        }
        this.frames.splice(0, first);
        // The wish stood for some frames, of which the server saw one: the nearest.
        const next = this.frames.findIndex((frame) => frame.move !== move);
        const wished = this.frames.slice(0, next < 0 ? this.frames.length : next);
        const error = Math.min(...wished.map(({ pose }) => gap(pose, said, this.size)));
        if (error <= slack) {
            this.wrong = 0;
            if (++this.right >= trustAfter && !this.isTrusted) {
                this.isTrusted = true;
                this.keep(this.frames.at(-1)!.pose);
            }
            return;
        }
        this.right = 0;
        this.wrong++;
        if (this.isTrusted && this.wrong > doubtAfter) {
            this.isTrusted = false;
            this.keep(said);
        }
        this.again(wished.length - 1, said);
    }

    end(): void {
        this.solver.end();
    }

    // Predicts what came behind a frame again, from where the server has it.
    private again(from: number, said: Pose): void {
        this.corrections++;
        this.solver.begin(said);
        this.frames[from]!.pose = said;
        for (const frame of this.frames.slice(from + 1)) {
            frame.pose = this.solver.solve(frame.raw, frame.seconds);
        }
        if (this.isTrusted) {
            this.keep(this.frames.at(-1)!.pose);
        }
    }

    private pass(nowMs: number): number {
        const seconds = Math.max(0, nowMs - (this.lastMs ?? nowMs)) / 1000;
        this.lastMs = Math.max(nowMs, this.lastMs ?? nowMs);
        return seconds;
    }

    // It is meant to be at a pose from now on; what is shown stays.
    private keep(pose: Pose): void {
        this.predicted = pose;
        this.shift = subtract(this.pose.position, pose.position);
        this.turn = unitTurn(multiply(this.pose.rotation, inverseTurn(pose.rotation)));
    }

    private get difference(): number {
        return length(this.shift) + angleOf(this.turn) * this.size;
    }

    private show(pose: Pose, seconds: number): void {
        this.predicted = pose;
        const { difference } = this;
        if (difference > 0) {
            const eased = difference * (1 - Math.exp((-1000 * seconds) / easeMs));
            const most = seconds * Math.max(easySpeed, difference / longestEase);
            const share = this.isSettled ? 0 : 1 - Math.min(eased, most) / difference;
            this.shift = times(this.shift, share);
            this.turn = shareOf(this.turn, share);
        }
        this.pose = {
            rotation: unitTurn(multiply(this.turn, pose.rotation)),
            position: add(pose.position, this.shift),
            scale: pose.scale,
        };
    }

    // Where it would be shown were nothing corrected.
    get aim(): Pose {
        return this.predicted;
    }
}
