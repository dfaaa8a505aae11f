// When a state of the world is shown (a playout clock, or jitter buffer): behind its arrival by as much as arrivals
// scatter, so that motion between two states is smooth at any rate of frames; and what lies between two states. Pure: no
// page, no sockets, no drawing. Times are milliseconds of one clock of the page; states are counted by their sequence,
// which grows by one with every tick of the server, in a world that is paused too.
import { unitTurn, type Pose, type Quat } from "./vector";

export const maxDelayMs = 100; // a state is never meant to be shown later than this after its due arrival
export const maxSpeed = 2; // at which what is behind catches up, over the speed of the world
export const jumpMs = 2000; // who is farther behind, or drew no frame for so long, goes on from now

const windowMs = 3000; // of arrivals that count
const baseWindowMs = 1000; // of those among which the earliest is looked for: a server that paused comes later from then on
const learnMs = 500; // of arrivals before their period is measured
const shrinkPerMs = 0.03; // how fast the delay becomes smaller: a speed of 1.03 meanwhile
const easeMs = 150; // an error of so much doubles the speed
const maxSlowing = 0.05; // of the speed

interface Arrival {
    readonly sequence: number;
    readonly atMs: number;
    readonly gap: number; // states since the one that came before it
}

// Maps arrivals of states to the state that is shown, a number between two sequences.
export class PlayoutClock {
    shown = 0; // the sequence that is shown
    newest = 0; // that came; 0: none
    delayMs = maxDelayMs; // at which states are shown after the earliest time at which they may come
    jitterMs = 0; // by which the latest arrival of the last seconds was later than the earliest
    periodMs: number; // of states, as they come
    private arrivals: Arrival[] = [];
    private baseMs = 0; // when the newest state would have come, had it come as early as the earliest
    private lastMs: number | null = null; // of the frame before

    constructor(nominalMs: number) {
        this.periodMs = nominalMs > 0 && Number.isFinite(nominalMs) ? nominalMs : maxDelayMs / 6;
    }

    // A state came. One that is not newer than another before it counts for the jitter alone.
    hear(sequence: number, nowMs: number): void {
        const isFirst = this.newest === 0;
        const gap = isFirst ? 1 : Math.max(1, sequence - this.newest);
        this.newest = Math.max(this.newest, sequence);
        this.arrivals.push({ sequence, atMs: nowMs, gap });
        let old = 0;
        while (nowMs - this.arrivals[old]!.atMs > windowMs) {
            old++;
        }
        this.arrivals.splice(0, old);
        this.measure(nowMs);
        if (isFirst) {
            this.shown = this.targetAt(nowMs);
        }
    }

    // A frame is drawn now: returns which sequence it shows. It never goes back, never beyond the newest state, and never
    // faster than maxSpeed times the world but for a jump over what was not seen.
    advance(nowMs: number): number {
        const lastMs = this.lastMs ?? nowMs;
        const passedMs = Math.max(0, nowMs - lastMs);
        this.lastMs = Math.max(lastMs, nowMs); // a frame of an earlier time must not make the next one count it twice
        if (this.newest === 0) {
            return this.shown;
        }
        const wantedMs = this.wantedDelayMs();
        this.delayMs = Math.max(wantedMs, this.delayMs - shrinkPerMs * passedMs);
        const target = this.targetAt(nowMs);
        const behindMs = (target - this.shown) * this.periodMs - passedMs;
        const isFar = (this.newest - this.shown) * this.periodMs > jumpMs;
        if (passedMs > jumpMs || isFar) {
            this.shown = Math.max(this.shown, Math.min(target, this.newest));
            return this.shown;
        }
        const speed = 1 + Math.min(maxSpeed - 1, Math.max(-maxSlowing, behindMs / easeMs));
        this.shown = Math.max(this.shown, Math.min(this.newest, this.shown + (speed * passedMs) / this.periodMs));
        return this.shown;
    }

    // What an undisturbed line would have shown.
    private targetAt(nowMs: number): number {
        return this.newest + (nowMs - this.baseMs - this.delayMs) / this.periodMs;
    }

    // A state is shown on its way to the next one, which must be here by then: the longest gap between two, and the jitter.
    private wantedDelayMs(): number {
        const gap = this.arrivals.reduce((longest, each) => Math.max(longest, each.gap), 1);
        return Math.min(maxDelayMs, gap * this.periodMs + this.jitterMs);
    }

    // When the newest state would have come, had it been held up as this one was.
    private lateness({ sequence, atMs }: Arrival): number {
        return atMs - (sequence - this.newest) * this.periodMs;
    }

    private measure(nowMs: number): void {
        const { arrivals } = this;
        if (nowMs - arrivals[0]!.atMs >= learnMs) {
            this.measurePeriod();
        }
        let [earliest, latest] = [Infinity, -Infinity];
        for (const each of arrivals) {
            const late = this.lateness(each);
            latest = Math.max(latest, late);
            if (nowMs - each.atMs <= baseWindowMs) {
                earliest = Math.min(earliest, late);
            }
        }
        this.baseMs = earliest;
        this.jitterMs = latest - earliest;
    }

    // The earliest arrivals of the first and of the last third are those that nothing held up: a stall does not count.
    private measurePeriod(): void {
        const { arrivals } = this;
        const third = Math.floor(arrivals.length / 3);
        if (third < 2) {
            return;
        }
        const earliest = (from: number, to: number): Arrival => {
            let best = arrivals[from]!;
            for (let i = from + 1; i < to; i++) {
                best = this.lateness(arrivals[i]!) < this.lateness(best) ? arrivals[i]! : best;
            }
            return best;
        };
        const first = earliest(0, third);
        const last = earliest(arrivals.length - third, arrivals.length);
        const states = last.sequence - first.sequence;
        const period = (last.atMs - first.atMs) / states;
        if (states > 0 && period > 0) {
            this.periodMs += 0.1 * (period - this.periodMs);
        }
    }
}

// Above this cosine of half the angle the chord is as good as the arc.
const nearlyOne = 0.9995;

// The weights of two turns at a share of the short way between them. Nothing is made for a turn: there are many.
let [weightA, weightB] = [0, 0];

function weigh(dot: number, share: number): void {
    const side = dot < 0 ? -1 : 1;
    const cosine = Math.min(1, Math.abs(dot));
    if (cosine > nearlyOne) {
        weightA = side * (1 - share);
        weightB = share;
        return;
    }
    const angle = Math.acos(cosine);
    const inverse = 1 / Math.sin(angle);
    weightA = side * Math.sin((1 - share) * angle) * inverse;
    weightB = Math.sin(share * angle) * inverse;
}

export function turnBetween(a: Quat, b: Quat, share: number): Quat {
    weigh(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, share);
    const [p, q] = [weightA, weightB];
    return unitTurn({ w: p * a.w + q * b.w, x: p * a.x + q * b.x, y: p * a.y + q * b.y, z: p * a.z + q * b.z });
}

// A share of the way from one pose to another: straight, turning the short way.
export function poseBetween(from: Pose, to: Pose, share: number): Pose {
    if (share <= 0 || share >= 1) {
        return share <= 0 ? from : to;
    }
    const { position: a } = from;
    const { position: b } = to;
    const rest = 1 - share;
    return {
        rotation: turnBetween(from.rotation, to.rotation, share),
        position: { x: rest * a.x + share * b.x, y: rest * a.y + share * b.y, z: rest * a.z + share * b.z },
        scale: rest * from.scale + share * to.scale,
    };
}

// The same of bones: for each w, x, y, z of its turn, its place and its scale.
export function bonesBetween(from: Float64Array, to: Float64Array, share: number, out: Float64Array): void {
    const rest = 1 - share;
    for (let at = 0; at < out.length; at += 8) {
        weigh(from[at]! * to[at]! + from[at + 1]! * to[at + 1]! + from[at + 2]! * to[at + 2]! + from[at + 3]! * to[at + 3]!, share);
        const w = weightA * from[at]! + weightB * to[at]!;
        const x = weightA * from[at + 1]! + weightB * to[at + 1]!;
        const y = weightA * from[at + 2]! + weightB * to[at + 2]!;
        const z = weightA * from[at + 3]! + weightB * to[at + 3]!;
        const inverse = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
        out[at] = w * inverse;
        out[at + 1] = x * inverse;
        out[at + 2] = y * inverse;
        out[at + 3] = z * inverse;
        for (let k = at + 4; k < at + 8; k++) {
            out[k] = rest * from[k]! + share * to[k]!;
        }
    }
}
