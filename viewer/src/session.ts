// The states that the page was sent, to look at again: a list of frames that is bounded in bytes, the oldest of which goes
// first. A frame holds what changed since the one before; every some frames one holds all (a key frame). No drawing.
import type { Body, Mirror } from "./mirror";
import { packPairs, unpackPairs } from "./pair_pack";
import { WirePair, type WireContact } from "./protocol";
import type { Glide } from "./glide";
import type { Pose } from "./vector";

export const sessionBytes = 64 * 1024 * 1024;

const framesBetweenKeys = 64;
const maxContacts = 512; // of a frame
const frameOverhead = 240; // bytes of a frame beside what it holds
const contactBytes = 240;

// Where bodies are, in few bytes: places as doubles, turns, scales and bones as floats.
interface Moved {
    readonly bodies: readonly Body[];
    readonly places: Float64Array; // 3 a body
    readonly turns: Float32Array; // w, x, y, z and the scale
    readonly holds: Uint8Array;
    readonly shapes: ReadonlyMap<Body, Float32Array>; // bones or vertices of those that changed their shape
}

export interface Frame {
    readonly sequence: number;
    readonly tick: number;
    readonly time: number;
    readonly isPaused: boolean;
    readonly isPartial: boolean;
    readonly moved: Moved;
    readonly all: readonly Body[] | null; // there are; null: as many as in the frame before
    readonly pairs: Uint8Array;
    readonly pairCount: number;
    readonly pairTotal: number;
    readonly contacts: readonly WireContact[];
    readonly contactTotal: number;
    readonly isKey: boolean;
    readonly bytes: number;
}

// How a body was when it was last stored.
interface Stored {
    pose: Pose;
    hold: number;
    version: number; // of its vertices
}

// How a body is now, exactly.
interface Kept {
    readonly pose: Pose;
    readonly hold: number;
    readonly glide: Glide | null;
    readonly bones: Float64Array | null;
    readonly vertices: Float32Array | null;
}

// The world as it is now, while an earlier state of it is shown.
interface Tip {
    readonly bodies: Map<Body, Kept>;
    readonly frame: Pick<Mirror, "sequence" | "tick" | "time" | "isPaused" | "isPartial">;
    readonly pairs: Uint32Array;
    readonly pairTotal: number;
    readonly contacts: readonly WireContact[];
    readonly contactTotal: number;
}

export class Session {
    frames: Frame[] = []; // oldest first
    bytes = 0; // of all frames
    shown = -1; // the frame that is in the mirror; -1: the world as it is
    hasContacts = false; // frames hold the points of contact too
    private stored = new Map<Body, Stored>();
    private sinceKey = 0;
    private tip: Tip | null = null;

    constructor(
        private readonly mirror: Mirror,
        private readonly maxBytes = sessionBytes,
    ) {}

    get isPast(): boolean {
        return this.tip !== null;
    }

    get start(): number {
        return this.frames[0]?.time ?? this.mirror.time;
    }

    // The time of the newest state.
    get end(): number {
        return this.tip?.frame.time ?? this.mirror.time;
    }

    clear(): void {
        this.frames = [];
        this.bytes = 0;
        this.shown = -1;
        this.stored = new Map();
        this.sinceKey = 0;
        this.tip = null;
    }

    // Stores what the mirror holds, where that is the newest state.
    capture(): void {
        const { mirror } = this;
        mirror.lead.settle();
        const last = this.frames[this.frames.length - 1];
        if (this.isPast || mirror.sequence === 0 || last?.sequence === mirror.sequence) {
            return;
        }
        const isKey = last === undefined || this.sinceKey + 1 >= framesBetweenKeys;
        const { changed, hasOthers } = this.findChanged(isKey);
        const bodies = isKey || hasOthers ? [...mirror.bodies.values()] : null;
        const pairs = packPairs(mirror.pairs);
        const isStill = changed.length === 0 && !hasOthers && last?.time === mirror.time && isEqual(last.pairs, pairs);
        if (isStill) {
            return;
        }
        const moved = this.store(changed, isKey);
        const contacts = this.hasContacts ? thin(mirror.contacts) : [];
        const isSame = last !== undefined && !isKey && isEqual(last.pairs, pairs);
        const frame: Frame = {
            sequence: mirror.sequence,
            tick: mirror.tick,
            time: mirror.time,
            isPaused: mirror.isPaused,
            isPartial: mirror.isPartial,
            moved,
            all: bodies,
            pairs: isSame ? last.pairs : pairs,
            pairCount: mirror.pairs.length / WirePair.size,
            pairTotal: mirror.pairTotal,
            contacts,
            contactTotal: contacts.length > 0 ? mirror.contactTotal : 0,
            isKey,
            bytes: sizeOf(moved, bodies?.length ?? 0, isSame ? 0 : pairs.length, contacts.length),
        };
        if (hasOthers && bodies !== null) {
            this.stored = new Map(bodies.map((body) => [body, this.stored.get(body)!]));
        }
        this.sinceKey = isKey ? 0 : this.sinceKey + 1;
        this.frames.push(frame);
        this.bytes += frame.bytes;
        this.dropOldest();
    }

    // The last frame at or before a time; the first where all are later.
    indexAt(time: number): number {
        let [low, high] = [0, this.frames.length];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.frames[middle]!.time <= time) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return this.frames.length === 0 ? -1 : low;
    }

    // Puts a frame into the mirror, where the newest state was or another frame is.
    show(index: number): void {
        const { mirror } = this;
        const frame = this.frames[index];
        if (frame === undefined) {
            return;
        }
        mirror.lead.settle();
        this.tip ??= this.keep();
        let key = index;
        while (!this.frames[key]!.isKey) {
            key--;
        }
        // The last change of each body counts.
        const moves = new Map<Body, { moved: Moved; at: number }>();
        const shapes = new Map<Body, Float32Array>();
        let all: readonly Body[] = [];
        for (let i = key; i <= index; i++) {
            const { moved, all: there } = this.frames[i]!;
            moved.bodies.forEach((body, at) => moves.set(body, { moved, at }));
            moved.shapes.forEach((shape, body) => shapes.set(body, shape));
            all = there ?? all;
        }
        this.setBodies(all);
        for (const [body, { moved, at }] of moves) {
            this.place(body, poseAt(moved, at), moved.holds[at]!, null);
        }
        for (const [body, shape] of shapes) {
            body.reshape(shape);
        }
        Object.assign(mirror, pick(frame));
        this.setContacts(unpackPairs(frame.pairs, frame.pairCount), frame.pairTotal, frame.contacts, frame.contactTotal);
        this.shown = index;
    }

    // Puts the newest state back into the mirror.
    showNow(): void {
        const { tip, mirror } = this;
        if (tip === null) {
            return;
        }
        this.tip = null;
        this.shown = -1;
        this.setBodies([...tip.bodies.keys()]);
        for (const [body, { pose, hold, glide, bones, vertices }] of tip.bodies) {
            this.place(body, glide?.to ?? pose, hold, null);
            const shape = bones ?? vertices;
            if (shape !== null) {
                body.reshape(shape);
            }
        }
        Object.assign(mirror, tip.frame);
        this.setContacts(tip.pairs, tip.pairTotal, tip.contacts, tip.contactTotal);
    }

    // The bodies that are not as they were stored, or all; and whether there are others than before. Once for each state: no
    // list is made of what stayed.
    private findChanged(isAll: boolean): { changed: Body[]; hasOthers: boolean } {
        const changed: Body[] = [];
        let hasOthers = this.mirror.bodies.size !== this.stored.size;
        for (const body of this.mirror.bodies.values()) {
            const stored = this.stored.get(body);
            hasOthers ||= stored === undefined;
            if (isAll || stored?.pose !== body.pose || stored.hold !== body.hold || stored.version !== body.verticesVersion) {
                changed.push(body);
            }
        }
        return { changed, hasOthers };
    }

    private store(bodies: readonly Body[], isKey: boolean): Moved {
        const places = new Float64Array(3 * bodies.length);
        const turns = new Float32Array(5 * bodies.length);
        const holds = new Uint8Array(bodies.length);
        const shapes = new Map<Body, Float32Array>();
        for (let i = 0; i < bodies.length; i++) {
            const body = bodies[i]!;
            const { position, rotation, scale } = body.pose;
            places[3 * i] = position.x;
            places[3 * i + 1] = position.y;
            places[3 * i + 2] = position.z;
            turns[5 * i] = rotation.w;
            turns[5 * i + 1] = rotation.x;
            turns[5 * i + 2] = rotation.y;
            turns[5 * i + 3] = rotation.z;
            turns[5 * i + 4] = scale;
            holds[i] = body.hold;
            const stored = this.stored.get(body);
            const shape = isKey || stored?.version !== body.verticesVersion ? body.shape : null;
            if (shape !== null) {
                shapes.set(body, Float32Array.from(shape));
            }
            if (stored === undefined) {
                this.stored.set(body, { pose: body.pose, hold: body.hold, version: body.verticesVersion });
            } else {
                stored.pose = body.pose;
                stored.hold = body.hold;
                stored.version = body.verticesVersion;
            }
        }
        return { bodies, places, turns, holds, shapes };
    }

    // A key frame goes with all frames that are differences from it.
    private dropOldest(): void {
        while (this.bytes > this.maxBytes) {
            const next = this.frames.findIndex((frame, i) => i > 0 && frame.isKey);
            if (next < 0) {
                return;
            }
            for (const { bytes } of this.frames.splice(0, next)) {
                this.bytes -= bytes;
            }
            this.shown = this.shown < 0 ? -1 : Math.max(0, this.shown - next);
        }
    }

    private keep(): Tip {
        const { mirror } = this;
        const bodies = new Map<Body, Kept>();
        for (const body of mirror.bodies.values()) {
            const shape = body.shape?.slice() ?? null;
            const isBones = shape instanceof Float64Array;
            bodies.set(body, {
                pose: body.pose,
                hold: body.hold,
                glide: body.glide,
                bones: isBones ? shape : null,
                vertices: isBones ? null : (shape as Float32Array | null),
            });
        }
        const { pairs, pairTotal, contacts, contactTotal } = mirror;
        return { bodies, frame: pick(mirror), pairs, pairTotal, contacts, contactTotal };
    }

    private setBodies(wanted: readonly Body[]): void {
        const { mirror } = this;
        const isAlike = wanted.length === mirror.bodies.size && wanted.every((body) => mirror.find(body.ref) === body);
        if (isAlike) {
            return;
        }
        mirror.bodies.clear();
        wanted.forEach((body) => mirror.bodies.set(body.index1, body));
        mirror.changes.bodies = true;
    }

    private place(body: Body, pose: Pose, hold: number, glide: Glide | null): void {
        const { changes } = this.mirror;
        body.pose = pose;
        body.glide = glide;
        if (body.hold !== hold) {
            body.hold = hold;
            changes.holds.add(body);
        }
        changes.poses.add(body);
    }

    private setContacts(pairs: Uint32Array, pairTotal: number, contacts: readonly WireContact[], contactTotal: number): void {
        Object.assign(this.mirror, { pairs, pairTotal, contacts, contactTotal });
        Object.assign(this.mirror.changes, { state: true, pairs: true, contacts: true });
    }
}

const pick = ({ sequence, tick, time, isPaused, isPartial }: Tip["frame"]): Tip["frame"] => ({
    sequence,
    tick,
    time,
    isPaused,
    isPartial,
});

function poseAt({ places, turns }: Moved, at: number): Pose {
    const [x, y, z] = places.subarray(3 * at, 3 * at + 3) as unknown as [number, number, number];
    const [w, i, j, k, scale] = turns.subarray(5 * at, 5 * at + 5) as unknown as [number, number, number, number, number];
    return { position: { x, y, z }, rotation: { w, x: i, y: j, z: k }, scale };
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

// As many as a frame holds, from all over the list.
function thin(contacts: readonly WireContact[]): readonly WireContact[] {
    const step = Math.ceil(contacts.length / maxContacts);
    return step <= 1 ? contacts : contacts.filter((_, i) => i % step === 0);
}

function sizeOf({ bodies, shapes }: Moved, listed: number, pairBytes: number, contacts: number): number {
    let bytes = frameOverhead + (3 * 8 + 5 * 4 + 1 + 8) * bodies.length + 8 * listed + pairBytes + contactBytes * contacts;
    shapes.forEach((shape) => (bytes += shape.byteLength + 48));
    return bytes;
}
