// Bodies that are far come with fewer states, as the page asked for: each of their states is shown bit by bit over those
// that follow, so that their motion stays smooth.
import { distance, unitTurn, type Pose, type Vec3 } from "./vector";

// What the page asked for: within so many metres of the point all bodies come with every state; 0: all do.
export interface Near {
    point: Vec3;
    distance: number;
}

// Fewer than every so many states never come.
const longestPeriod = 16;

// With every how many states a body at a place comes, as docs/protocol.md says it.
export function periodOf(near: Near, place: Vec3): number {
    let period = 1;
    if (near.distance > 0) {
        const away = distance(near.point, place);
        for (let limit = near.distance; away > limit && period < longestPeriod; limit *= 2) {
            period *= 2;
        }
    }
    return period;
}

export function mixPoses(from: Pose, to: Pose, share: number): Pose {
    const { rotation: a, position: p } = from;
    const { rotation: b, position: q } = to;
    const rest = 1 - share;
    const side = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -rest : rest;
    return {
        rotation: unitTurn({
            w: side * a.w + share * b.w,
            x: side * a.x + share * b.x,
            y: side * a.y + share * b.y,
            z: side * a.z + share * b.z,
        }),
        position: { x: rest * p.x + share * q.x, y: rest * p.y + share * q.y, z: rest * p.z + share * q.z },
        scale: rest * from.scale + share * to.scale,
    };
}

// A body on its way to where it was last said to be.
export class Glide {
    constructor(
        readonly from: Pose,
        readonly to: Pose,
        private readonly sequence: number, // of the state that said so
        private readonly period: number,
    ) {}

    // How much of the way is done when a state is shown; 1 at the last before the next is due.
    shareAt(sequence: number): number {
        return Math.min(1, (sequence - this.sequence + 1) / this.period);
    }
}

// A world of fewer bodies is never thinned.
const fewBodies = 64;

// A body that is smaller on the page is far, in pixels.
const farPixels = 24;

// At most so often a wish is sent.
const wishMs = 500;

// A wish differs where the eye went by this share of its distance, or the distance changed by it.
const worthwhile = 0.1;

// Decides when to ask for fewer states of what is far.
export class NearWish {
    current: Near = { point: { x: 0, y: 0, z: 0 }, distance: 0 };
    private sentMs = -Infinity;

    // A new connection asks for nothing yet.
    reset(): void {
        this.current = { ...this.current, distance: 0 };
        this.sentMs = -Infinity;
    }

    // The wish to send now; null where none is. `size` is that of a body in the middle of all, `pixel` the metres that a
    // pixel a metre away has.
    update(now: number, eye: Vec3, bodyCount: number, size: number, pixel: number): Near | null {
        const far = bodyCount > fewBodies && size > 0 ? size / (farPixels * pixel) : 0;
        const { point, distance: before } = this.current;
        const isSame =
            Math.abs(far - before) <= worthwhile * before && (far === 0 || distance(point, eye) <= worthwhile * before);
        if (isSame || now - this.sentMs < wishMs || !Number.isFinite(far)) {
            return null;
        }
        this.sentMs = now;
        this.current = { point: eye, distance: far };
        return this.current;
    }
}
