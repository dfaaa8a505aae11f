// A body in a hand that is tracked in space, and what the hand feels. No scene, no sockets, no headset.
import { compose, inverseTurn, multiply, unapplyPose, unitTurn, type Pose } from "./vector";

// Where a body is wanted: it keeps its place in the hand that took it.
export class Grip {
    private readonly inHand: Pose;
    raw: Pose;

    constructor(hand: Pose, body: Pose) {
        this.inHand = {
            rotation: multiply(inverseTurn(hand.rotation), body.rotation),
            position: unapplyPose(hand, body.position),
            scale: body.scale / hand.scale,
        };
        this.raw = body;
    }

    // The hand is here now.
    follow(hand: Pose): Pose {
        const { rotation, position, scale } = compose(hand, this.inHand);
        this.raw = { rotation: unitTurn(rotation), position, scale };
        return this.raw;
    }
}

export interface Pulse {
    strength: number; // 0 .. 1
    ms: number;
}

// A knock when a touch begins, and a faint hum while it lasts.
const knock: Pulse = { strength: 0.8, ms: 60 };
const hum: Pulse = { strength: 0.15, ms: 50 };
const humMs = 100;

export class Feel {
    private wasTouching = false;
    private lastPulse = -Infinity;

    // What is to be felt now; null: nothing new.
    update(isTouching: boolean, now: number): Pulse | null {
        const isNew = isTouching && !this.wasTouching;
        this.wasTouching = isTouching;
        if (!isTouching || (!isNew && now - this.lastPulse < humMs)) {
            return null;
        }
        this.lastPulse = now;
        return isNew ? knock : hum;
    }
}

// Whether an object is in one of the pairs that collide, five numbers a pair.
export function isTouching(pairs: Uint32Array, index1: number): boolean {
    for (let i = 0; i < pairs.length; i += 5) {
        if ((pairs[i] === index1 || pairs[i + 1] === index1) && pairs[i] !== pairs[i + 1]) {
            return true;
        }
    }
    return false;
}
