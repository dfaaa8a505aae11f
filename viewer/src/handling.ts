// What holds the bodies that hands hold, collected from the events of handling: how many faces, how near they are to coming
// off, and the force. No page, no drawing.
import { EventKind, type ServerMessage, type WireEvent, type WireRef } from "./protocol";

export interface Held {
    count: number; // faces that hold it
    freedom: number; // degrees that are left
    pull: number; // 0 .. 1: at 1 it comes off
    force: number; // newtons
}

const freedoms = [6, 3, 1, 0] as const;

// Degrees of freedom that are left to a body that so many faces hold: a plane leaves three, two planes one, a corner none.
// A peg in its hole has two, which its SNAP reports.
export const freedomsLeft = (count: number): number => freedoms[Math.min(count, 3)] ?? 0;

const free: Held = { count: 0, freedom: 6, pull: 0, force: 0 };

export class Handling {
    version = 0; // one more when something changed
    isKnown = false; // an event of handling came in this scene
    private readonly held = new Map<number, Held>();

    apply(message: ServerMessage): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.held.clear();
            this.isKnown = false;
            this.version++;
        } else if (message.type === "gone") {
            this.forget(message.object);
        } else if (message.type === "events") {
            message.events.forEach((event) => this.applyEvent(event));
        }
    }

    // What is known of a body; free where nothing is known.
    of(ref: WireRef): Held {
        return this.held.get(ref.index1) ?? free;
    }

    private applyEvent(event: WireEvent): void {
        const { kind, a, count, pull, value } = event;
        switch (kind) {
            case EventKind.held:
            case EventKind.released:
            case EventKind.removed:
                this.forget(a);
                return;
            case EventKind.snap:
                this.set(a, { count, freedom: value, pull: 0 });
                return;
            case EventKind.loose:
                this.set(a, { count, freedom: freedomsLeft(count), pull: 0 });
                return;
            case EventKind.slide:
                this.set(a, { count, pull });
                return;
            case EventKind.pull:
                this.set(a, { count, pull });
                return;
            case EventKind.force:
                this.set(a, { force: value });
                return;
            case EventKind.done:
                this.forget(a);
                this.isKnown = true;
                return;
            case EventKind.contact:
            case EventKind.fitted:
                this.set(a, {});
                return;
        }
    }

    private set(ref: WireRef, known: Partial<Held>): void {
        this.held.set(ref.index1, { ...this.of(ref), ...known });
        this.isKnown = true;
        this.version++;
    }

    private forget({ index1 }: WireRef): void {
        if (this.held.delete(index1)) {
            this.version++;
        }
    }
}
