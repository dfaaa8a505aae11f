// The vibration that a hand with a body gets, as pulses of a controller or a phone. No headset, no page.
import { EventKind, WirePair, type WireEvent } from "./protocol";

export interface Pulse {
    strength: number; // 0 .. 1
    ms: number;
}

// The strongest that a desk arm gives: as strong as a controller can.
const fullForce = 8; // newtons

// A knock when a touch begins, and a faint hum while it lasts; a firm click where a face snaps, a soft one where it comes
// off. A force is felt again and again, without a gap.
const knock: Pulse = { strength: 0.8, ms: 60 };
const hum: Pulse = { strength: 0.15, ms: 50 };
const humMs = 100;
const snap: Pulse = { strength: 1, ms: 40 };
const loose: Pulse = { strength: 0.5, ms: 25 };
const forceMs = 50;
const weakest = 0.02; // of full strength: less is not felt

export class HapticPulses {
    private wasTouching = false;
    private lastPulse = -Infinity;
    private pending: Pulse | null = null;
    private force: number | null = null; // newtons; null: no event of a force came, so touches are felt instead

    // Takes an event of the body that is held.
    apply({ kind, value }: WireEvent): void {
        if (kind === EventKind.snap) {
            this.pending = snap;
        } else if (kind === EventKind.loose) {
            this.pending ??= loose;
        } else if (kind === EventKind.force) {
            this.force = Math.max(0, value);
        }
    }

    // Another body, or none.
    clear(): void {
        this.wasTouching = false;
        this.pending = null;
        this.force = null;
    }

    // What is to be felt now; null: nothing new.
    update(isTouching: boolean, now: number): Pulse | null {
        const isNew = isTouching && !this.wasTouching;
        this.wasTouching = isTouching;
        const pulse = this.pending ?? (this.force === null ? this.ofTouch(isTouching, isNew, now) : this.ofForce(now));
        this.pending = null;
        if (pulse !== null) {
            this.lastPulse = now;
        }
        return pulse;
    }

    private ofTouch(isTouching: boolean, isNew: boolean, now: number): Pulse | null {
        if (!isTouching || (!isNew && now - this.lastPulse < humMs)) {
            return null;
        }
        return isNew ? knock : hum;
    }

    private ofForce(now: number): Pulse | null {
        const strength = Math.min(1, this.force! / fullForce);
        return strength < weakest || now - this.lastPulse < forceMs ? null : { strength, ms: forceMs };
    }
}

// Whether an object is in one of the pairs that collide.
export function isTouching(pairs: Uint32Array, index1: number): boolean {
    for (let at = 0; at < pairs.length; at += WirePair.size) {
        const [a, b] = [pairs[at + WirePair.a], pairs[at + WirePair.b]];
        if ((a === index1 || b === index1) && a !== b) {
            return true;
        }
    }
    return false;
}

// A phone knows no strength: a weaker pulse is a shorter one. Where it may not vibrate, and where the page was not touched
// yet, it does not.
export function vibratePhone({ strength, ms }: Pulse): boolean {
    const { vibrate, userActivation } = navigator as Partial<Navigator>;
    if (vibrate === undefined || userActivation?.hasBeenActive === false) {
        return false;
    }
    return navigator.vibrate(Math.max(5, Math.round(strength * ms)));
}
