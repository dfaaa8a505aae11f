// What is shown between two states: bodies are led from where the mirror's state says to where the next state will, and
// those in the user's own hands are shown as the newest state has them. settle() takes all of it back, so that what is
// stored and compared is a state of the world.
import { readBodies, turnAt, viewOf, type PackedBody } from "./bones";
import { periodOf } from "./glide";
import type { Body, Mirror } from "./mirror";
import { poseBetween } from "./playout";
import { Hold, StateFlags, WirePair } from "./protocol";
import type { BonesMessage, ContactsMessage, PairsMessage, ServerMessage, StateMessage } from "./protocol";
import type { Pose } from "./vector";

// A state and what came with it.
export interface Frame {
    readonly state: StateMessage;
    readonly messages: ServerMessage[]; // the state first
}

// Where a body goes until the next state.
interface Target {
    readonly from: Pose;
    readonly to: Pose;
    readonly period: number; // states over which it goes there: see Glide
    readonly bones: { view: DataView; packed: PackedBody } | null;
}

// What is in a hand goes over to the newest state, and back, in this time.
const handOverMs = 150;

interface Own {
    share: number; // 0: as all others are shown, 1: as the newest state has it
    settled: Pose | null; // where it is shown without this
    isPredicted: boolean; // it was, in the frame before
}

// Pairs and contacts of the mirror's state, while others are shown.
type Touches = Pick<Mirror, "pairs" | "pairTotal" | "contacts" | "contactTotal">;

export class Lead {
    private next: Frame | null = null; // that bodies are led to
    private readonly targets = new Map<Body, Target>();
    private readonly gliding = new Map<Body, Pose>(); // those on a longer way, and where the state has them
    private readonly own = new Map<Body, Own>();
    private touches: Touches | null = null;
    private mixed: { pairs: Uint32Array; contacts: Touches["contacts"]; result: Touches } | null = null;

    constructor(private readonly mirror: Mirror) {}

    // Leads to `next` by a share; null: the state itself is shown.
    show(next: Frame | null, share: number): void {
        if (this.next !== next) {
            this.settle();
            this.next = next;
            if (next !== null && !this.isJump(next.state)) {
                this.aim(next);
            }
        }
        const { mirror, targets } = this;
        const { poses } = mirror.changes;
        for (const [body, { from, to, period, bones }] of targets) {
            body.pose = poseBetween(from, to, share / period);
            if (bones !== null && body.bones !== null) {
                body.bones.lead(bones.view, bones.packed, share / period);
                body.verticesVersion++;
            }
            poses.add(body);
        }
        const sequence = mirror.sequence + share * ((next?.state.sequence ?? mirror.sequence) - mirror.sequence);
        for (const body of this.gliding.keys()) {
            body.goOn(sequence);
            poses.add(body);
        }
    }

    // Shows what the user holds where it is predicted, else as the newest of the frames that wait has it, and what it touches there.
    showOwn(held: Iterable<Body>, waiting: readonly Frame[], passedMs: number, predict: (body: Body) => Pose | null = () => null): void {
        const { mirror, own } = this;
        const holding = new Set(held);
        holding.forEach((body) => own.set(body, own.get(body) ?? { share: 0, settled: null, isPredicted: false }));
        for (const [body, each] of own) {
            const predicted = holding.has(body) ? predict(body) : null;
            if (predicted !== null) {
                Object.assign(each, { share: 1, settled: body.pose, isPredicted: true });
                body.pose = predicted;
                mirror.changes.poses.add(body);
                continue;
            }
            if (each.isPredicted && !holding.has(body)) {
                own.delete(body); // it has gone over to where it is shown
                continue;
            }
            each.isPredicted = false;
            const by = passedMs / handOverMs;
            each.share = holding.has(body) ? Math.min(1, each.share + by) : each.share - by;
            if (each.share <= 0 && !holding.has(body)) {
                own.delete(body);
                continue;
            }
            const newest = newestPose(body, waiting);
            if (newest !== null) {
                each.settled = body.pose;
                body.pose = poseBetween(body.pose, newest, each.share);
                mirror.changes.poses.add(body);
            }
        }
        if (holding.size > 0) {
            this.showTouches(new Set([...holding].map(({ index1 }) => index1)), waiting);
        }
    }

    // Takes back what showOwn() did.
    settleOwn(): void {
        const { mirror } = this;
        for (const [body, each] of this.own) {
            if (each.settled !== null) {
                body.pose = each.settled;
                each.settled = null;
                mirror.changes.poses.add(body);
            }
        }
        if (this.touches !== null) {
            Object.assign(mirror, this.touches);
            this.touches = null;
        }
    }

    // Puts all bodies where the mirror's state has them.
    settle(): void {
        const { mirror, targets, gliding } = this;
        this.settleOwn();
        const { poses } = mirror.changes;
        for (const [body, { from }] of targets) {
            body.pose = from;
            if (body.bones?.settle() === true) {
                body.verticesVersion++;
            }
            poses.add(body);
        }
        for (const [body, pose] of gliding) {
            body.goOn(mirror.sequence);
            body.pose = pose;
            poses.add(body);
        }
        targets.clear();
        gliding.clear();
        this.next = null;
    }

    // Another scene, or another server.
    clear(): void {
        this.targets.clear();
        this.gliding.clear();
        this.own.clear();
        this.next = this.touches = this.mixed = null;
    }

    // No body goes from the end of a scene to its begin, or from one place of a record to another.
    private isJump({ time, tick, sequence }: StateMessage): boolean {
        const { mirror } = this;
        return time < mirror.time || tick - mirror.tick > sequence - mirror.sequence;
    }

    private aim({ state, messages }: Frame): void {
        const { mirror, targets } = this;
        const isPaused = (state.flags & StateFlags.paused) !== 0;
        const periodAt = (pose: Pose, hold: number): number =>
            isPaused || hold !== Hold.free || mirror.near.distance === 0 ? 1 : periodOf(mirror.near, pose.position);
        for (const { object, hold, pose } of state.bodies) {
            const body = mirror.find(object);
            if (body !== undefined) {
                targets.set(body, { from: body.pose, to: pose, period: periodAt(pose, hold), bones: null });
            }
        }
        const packed = messages.filter((message): message is BonesMessage => message.type === "bones");
        for (const view of packed.map(({ data }) => viewOf(data))) {
            for (const each of readBodies(view)) {
                const body = mirror.bodies.get(each.index1);
                if (body !== undefined) {
                    const scale = targets.get(body)?.to.scale ?? (body.glide?.to ?? body.pose).scale;
                    const to = { rotation: turnAt(view, each.at), position: each.position, scale };
                    targets.set(body, { from: body.pose, to, period: periodAt(to, body.hold), bones: { view, packed: each } });
                }
            }
        }
        for (const body of mirror.gliders) {
            if (!targets.has(body)) {
                this.gliding.set(body, body.pose);
            }
        }
    }

    // Pairs and contacts of what is held are those of the newest state, as its place is.
    private showTouches(held: ReadonlySet<number>, waiting: readonly Frame[]): void {
        const { mirror } = this;
        const pairs = newestOf<PairsMessage>(waiting, "pairs");
        const contacts = newestOf<ContactsMessage>(waiting, "contacts");
        if (pairs === null && contacts === null) {
            return;
        }
        const shown: Touches = {
            pairs: mirror.pairs,
            pairTotal: mirror.pairTotal,
            contacts: mirror.contacts,
            contactTotal: mirror.contactTotal,
        };
        this.touches = shown;
        const newPairs = pairs?.pairs ?? shown.pairs;
        const newContacts = contacts?.contacts ?? shown.contacts;
        if (this.mixed?.pairs !== newPairs || this.mixed.contacts !== newContacts || this.changedSince()) {
            const result = { ...mixPairs(shown, newPairs, held), ...mixContacts(shown, newContacts, held) };
            this.mixed = { pairs: newPairs, contacts: newContacts, result };
            mirror.changes.pairs = mirror.changes.contacts = true;
        }
        Object.assign(mirror, this.mixed.result);
    }

    private changedSince(): boolean {
        return this.mirror.changes.pairs || this.mirror.changes.contacts;
    }
}

export function newestPose({ index1, generation }: Body, waiting: readonly Frame[]): Pose | null {
    for (let i = waiting.length - 1; i >= 0; i--) {
        const found = waiting[i]!.state.bodies.find(({ object }) => object.index1 === index1);
        if (found !== undefined) {
            return found.object.generation === generation ? found.pose : null;
        }
    }
    return null;
}

function newestOf<M extends ServerMessage>(waiting: readonly Frame[], type: M["type"]): M | null {
    for (let i = waiting.length - 1; i >= 0; i--) {
        const found = waiting[i]!.messages.find((message) => message.type === type);
        if (found !== undefined) {
            return found as M;
        }
    }
    return null;
}

// The pairs of one state but for those of some bodies, and of these the pairs of another.
export function mixPairs(shown: Pick<Touches, "pairs" | "pairTotal">, newest: Uint32Array, held: ReadonlySet<number>): Pick<Touches, "pairs" | "pairTotal"> {
    const numbers: number[] = [];
    const takeIf = (from: Uint32Array, isHeld: boolean): void => {
        for (let at = 0; at < from.length; at += WirePair.size) {
            if ((held.has(from[at + WirePair.a]!) || held.has(from[at + WirePair.b]!)) === isHeld) {
                for (let k = at; k < at + WirePair.size; k++) {
                    numbers.push(from[k]!);
                }
            }
        }
    };
    takeIf(shown.pairs, false);
    takeIf(newest, true);
    const pairs = Uint32Array.from(numbers);
    return { pairs, pairTotal: shown.pairTotal + (pairs.length - shown.pairs.length) / WirePair.size };
}

function mixContacts(shown: Pick<Touches, "contacts" | "contactTotal">, newest: Touches["contacts"], held: ReadonlySet<number>): Pick<Touches, "contacts" | "contactTotal"> {
    const isHeld = ({ a, b }: { a: number; b: number }): boolean => held.has(a) || held.has(b);
    const contacts = [...shown.contacts.filter((each) => !isHeld(each)), ...newest.filter(isHeld)];
    return { contacts, contactTotal: shown.contactTotal + contacts.length - shown.contacts.length };
}
