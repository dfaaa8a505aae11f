// Going somewhere else at once (teleport): a stick that is pushed forward aims by an arc to the floor, and goes there when
// it is let go. No headset, no drawing.
import { add, times, vec3, type Vec3 } from "./vector";

// The arc is that of something thrown at this speed, so that pointing a little higher reaches farther.
const throwSpeed = 6; // metres a second
const gravity = 9.81;
const maxReach = 12; // metres along the floor
const arcPoints = 24;

// A stick aims from here on, and lets go below the second: between the two nothing changes.
const aimsFrom = 0.7;
const goesBelow = 0.4;

export interface Arc {
    readonly points: readonly Vec3[];
    readonly target: Vec3 | null; // on the floor; null: it does not come there, or too far away
}

// The arc of a throw from a place, along a unit vector, down to a floor of a height.
export function arcOf(origin: Vec3, direction: Vec3, floor: number): Arc {
    const [up, height] = [throwSpeed * direction.y, origin.y - floor];
    const root = up * up + 2 * gravity * height;
    const level = throwSpeed * Math.hypot(direction.x, direction.z);
    const falls = root >= 0 ? (up + Math.sqrt(root)) / gravity : 0; // seconds until it is there
    const isThere = height > 0 && falls > 0 && level * falls <= maxReach;
    const seconds = isThere ? falls : Math.min(Math.max(falls, 0.3), maxReach / Math.max(level, throwSpeed / 2));
    const at = (t: number): Vec3 => add(add(origin, times(direction, throwSpeed * t)), vec3(0, -0.5 * gravity * t * t, 0));
    const points = Array.from({ length: arcPoints }, (_, i) => at((seconds * i) / (arcPoints - 1)));
    return { points, target: isThere ? { ...at(falls), y: floor } : null };
}

// One stick.
export class Aim {
    arc: Arc | null = null; // while it aims

    // The stick is so far forward, -1 .. 1, and the hand here. Returns where to go, once, when it is let go.
    update(forward: number, origin: Vec3, direction: Vec3, floor: number): Vec3 | null {
        if (forward >= aimsFrom || (this.arc !== null && forward >= goesBelow)) {
            this.arc = arcOf(origin, direction, floor);
            return null;
        }
        const target = this.arc?.target ?? null;
        this.arc = null;
        return target;
    }

    // Nothing comes of it, as where the hand is lost.
    stop(): void {
        this.arc = null;
    }
}

const rideMs = 180;

// The short way there, which people see that do not ask for less motion.
export class Ride {
    private startMs: number | null = null;

    constructor(
        private readonly from: Vec3,
        readonly to: Vec3,
    ) {}

    // Where the floor of the room is now.
    at(nowMs: number): Vec3 {
        this.startMs ??= nowMs;
        const share = Math.min(1, Math.max(0, (nowMs - this.startMs) / rideMs));
        return share >= 1 ? this.to : add(times(this.from, 1 - share), times(this.to, share));
    }

    isOver(nowMs: number): boolean {
        return this.startMs !== null && nowMs - this.startMs >= rideMs;
    }
}
