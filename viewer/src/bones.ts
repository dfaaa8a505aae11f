// Where the bones of a body are: the bytes of BONES are read here, and bones are put together. A thousand bodies of many
// bones come with every state, so numbers lie in arrays and nothing is made for a bone.
import { bonesBetween } from "./playout";
import { dualNumbers, linearNumbers, type Skin } from "./skin";
import type { Quat, Vec3 } from "./vector";

// The steps of a packed turn, and what a quotient of 0 is.
const levels = 41285;
const middle = (levels - 1) / 2;
const perLevel = 1 / levels;
const perStep = 1 / middle;

const turnBytes = 6;
const placeBytes = 16;

// The numbers of a bone: w, x, y and z of its turn, its position, its scale.
export const boneNumbers = 8;

// Writes a turn of 48 bits, as docs/protocol.md describes it: w, x, y, z.
function unpackTurn(view: DataView, at: number, out: Float64Array, to: number): void {
    const packed = view.getUint32(at, true) + 4294967296 * view.getUint16(at + 4, true);
    // Quotients are below 2^33: with the half added, none is within rounding of a whole number.
    const first = Math.floor((packed + 0.5) * perLevel);
    const second = Math.floor((first + 0.5) * perLevel);
    const third = Math.floor((second + 0.5) * perLevel);
    const c = (packed - first * levels - middle) * perStep;
    const b = (first - second * levels - middle) * perStep;
    const a = (second - third * levels - middle) * perStep;
    const qa = a * (0.8 + 0.2 * a * a);
    const qb = b * (0.8 + 0.2 * b * b);
    const qc = c * (0.8 + 0.2 * c * c);
    const largest = 1 / Math.sqrt(1 + qa * qa + qb * qb + qc * qc);
    // Which is largest comes first; the others keep their order.
    const place = third & 3;
    out[to] = qa * largest;
    out[to + 1] = qb * largest;
    out[to + 2] = qc * largest;
    out[to + 3] = qc * largest;
    if (place <= 1) {
        out[to + 2] = qb * largest;
        if (place === 0) {
            out[to + 1] = qa * largest;
        }
    }
    out[to + place] = largest;
}

const scratch = new Float64Array(4);

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function turnAt(view: DataView, at: number): Quat {
    unpackTurn(view, at, scratch, 0);
    return { w: scratch[0]!, x: scratch[1]!, y: scratch[2]!, z: scratch[3]! };
}

// A body in the bytes of a message.
export interface PackedBody {
    index1: number;
    position: Vec3;
    at: number; // where its turn and its bones begin
    end: number;
}

// Throws where the bytes are none.
export function readBodies(view: DataView): PackedBody[] {
    const bodies: PackedBody[] = [];
    let at = 0;
    let index1 = 0;
    const whole = (): number => {
        let value = 0;
        for (let factor = 1; factor <= 128 ** 4; factor *= 128) {
            const byte = view.getUint8(at++);
            value += (byte % 128) * factor;
            if (byte < 128) {
                return value;
            }
        }
        throw new RangeError("a number of bones is too long");
    };
    while (at < view.byteLength) {
        index1 += whole();
        const position = { x: view.getFloat64(at, true), y: view.getFloat64(at + 8, true), z: view.getFloat64(at + 16, true) };
        if (!Number.isFinite(position.x + position.y + position.z)) {
            throw new RangeError(`the place of object ${index1} is not finite`);
        }
        at += 24;
        const size = whole();
        if (size < turnBytes || at + size > view.byteLength) {
            throw new RangeError("the bones of a body are cut off");
        }
        bodies.push({ index1, position, at, end: at + size });
        at += size;
    }
    return bodies;
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function countBits(view: DataView, from: number, count: number): number {
    let sum = 0;
    for (let i = 0; i < count >> 3; i++) {
        sum += bitCounts[view.getUint8(from + i)]!;
    }
    const rest = count & 7;
    return rest === 0 ? sum : sum + bitCounts[view.getUint8(from + (count >> 3)) & ((1 << rest) - 1)]!;
}

// Where the parts of a body's bytes begin; 0 for what is left out.
interface Cut {
    turnMask: number;
    placeMask: number;
    isWhole: boolean; // every bone is there
}

// Throws where the bytes are not those of a body of so many bones.
function cutBytes(view: DataView, { at: begin, end }: PackedBody, count: number): Cut {
    const mask = (count + 7) >> 3;
    let turnMask = 0;
    let placeMask = 0;
    let at = begin + turnBytes;
    let turns = 0;
    let places = 0;
    if (at < end && at + mask <= end) {
        turnMask = at;
        turns = countBits(view, at, count);
        at += mask + turnBytes * turns;
    }
    if (turnMask !== 0 && at < end && at + mask <= end) {
        placeMask = at;
        places = countBits(view, at, count);
        at += mask + placeBytes * places;
    }
    if (at !== end) {
        throw new RangeError(`${end - begin} bytes are not those of ${count} bones`);
    }
    return { turnMask, placeMask, isWhole: turns === count && places === count };
}

// The numbers that move vertices, of one state of the bones.
interface Moved {
    version: number;
    numbers: Float32Array;
}

// The bones of one body.
export class Bones {
    version = 0; // grows with what was taken
    private readonly local: Float64Array; // in the frames of their parents
    private glide: { from: Float64Array; to: Float64Array } | null = null; // of a body that is far: between which they are
    private ahead: { from: Float64Array; to: Float64Array; source: PackedBody | null } | null = null; // of the next state
    private placedNow: Float64Array | null = null; // in the body's frame; null: not wanted so far
    private placedVersion = -1;
    private readonly moved = new Map<Skin, Moved>();

    constructor(private readonly skin: Skin) {
        this.local = new Float64Array(boneNumbers * skin.boneCount);
    }

    // The first bones of a body are all of them; null where these are not.
    static begin(skin: Skin, view: DataView, body: PackedBody): Bones | null {
        const isWhole = cutBytes(view, body, skin.boneCount).isWhole;
        const bones = isWhole ? new Bones(skin) : null;
        bones?.take(view, body);
        return bones;
    }

    get count(): number {
        return this.skin.boneCount;
    }

    // Takes what changed from the bytes of the body. Of one that is far they are shown by a share, and go on by mix(). Throws
    // where the bytes are not of its bones.
    take(view: DataView, body: PackedBody, share = 1): void {
        this.settle();
        const cut = cutBytes(view, body, this.count);
        if (share < 1) {
            this.glide ??= { from: this.local.slice(), to: this.local.slice() };
            this.glide.from.set(this.local);
        }
        this.takeCut(view, cut, this.glide?.to ?? this.local);
        if (cut.turnMask !== 0) {
            this.version++;
        }
        this.mix(share);
    }

    // Shows a share of the way to where the bytes of a later state take them, until settle(). Throws as take() does.
    lead(view: DataView, body: PackedBody, share: number): void {
        const { length } = this.local;
        this.ahead ??= { from: new Float64Array(length), to: new Float64Array(length), source: null };
        const { ahead } = this;
        if (ahead.source !== body) {
            this.settle();
            const cut = cutBytes(view, body, this.count);
            ahead.from.set(this.local);
            ahead.to.set(this.glide?.to ?? this.local);
            this.takeCut(view, cut, ahead.to);
            ahead.source = body;
        }
        bonesBetween(ahead.from, ahead.to, share, this.local);
        this.version++;
    }

    // Puts them back where their newest state says. True where they were elsewhere.
    settle(): boolean {
        if (this.ahead === null || this.ahead.source === null) {
            return false;
        }
        this.local.set(this.ahead.from);
        this.ahead.source = null;
        this.version++;
        return true;
    }

    private takeCut(view: DataView, { turnMask, placeMask }: Cut, local: Float64Array): void {
        const mask = (this.count + 7) >> 3;
        if (placeMask !== 0) {
            this.takePlaces(view, placeMask, placeMask + mask, local);
        }
        if (turnMask !== 0) {
            this.takeTurns(view, turnMask, turnMask + mask, local);
        }
    }

    // Shows so much of the way to what came last. True where bones moved.
    mix(share: number): boolean {
        if (this.glide === null) {
            return false;
        }
        const { local } = this;
        const { from, to } = this.glide;
        if (share >= 1) {
            local.set(to);
            this.glide = null;
        } else {
            mixBones(from, to, share, local);
        }
        this.version++;
        return true;
    }

    // Where the bones are, in the frames of their parents.
    get numbers(): Float64Array {
        return this.local;
    }

    // Puts them where they were once.
    setNumbers(numbers: Float64Array | Float32Array): void {
        this.settle();
        this.glide = null;
        this.local.set(numbers);
        this.version++;
    }

    private takeTurns(view: DataView, mask: number, at: number, local: Float64Array): void {
        const { count } = this;
        for (let bone = 0; bone < count; bone++) {
            if (((view.getUint8(mask + (bone >> 3)) >> (bone & 7)) & 1) !== 0) {
                unpackTurn(view, at, local, boneNumbers * bone);
                at += turnBytes;
            }
        }
    }

    private takePlaces(view: DataView, mask: number, at: number, local: Float64Array): void {
        const { count } = this;
        for (let bone = 0; bone < count; bone++) {
            if (((view.getUint8(mask + (bone >> 3)) >> (bone & 7)) & 1) === 0) {
                continue;
            }
            const x = view.getFloat32(at, true);
            const y = view.getFloat32(at + 4, true);
            const z = view.getFloat32(at + 8, true);
            const scale = view.getFloat32(at + 12, true);
            // Sums of floats that are finite are finite doubles.
            if (!Number.isFinite(x + y + z + scale) || scale <= 0) {
                throw new RangeError(`bone ${bone} has the place ${x}, ${y}, ${z} and the scale ${scale}`);
            }
            const to = boneNumbers * bone + 4;
            local[to] = x;
            local[to + 1] = y;
            local[to + 2] = z;
            local[to + 3] = scale;
            at += placeBytes;
        }
    }

    // All bones in the body's frame.
    get placed(): Float64Array {
        this.placedNow ??= new Float64Array(this.local.length);
        if (this.placedVersion !== this.version) {
            this.placedVersion = this.version;
            placeBones(this.skin, this.local, this.placedNow);
        }
        return this.placedNow;
    }

    // Writes the same as floats, boneNumbers for each bone.
    writePlaced(out: Float32Array, at: number): void {
        const { length } = this.local;
        if (placing.length < length) {
            placing = new Float64Array(length);
        }
        placeBones(this.skin, this.local, placing);
        out.set(placing.length === length ? placing : placing.subarray(0, length), at);
    }

    // What moves the vertices of a skin of as many bones: skin.boneNumbers for each bone.
    numbersOf(skin: Skin): Float32Array {
        let moved = this.moved.get(skin);
        if (moved === undefined) {
            moved = { version: -1, numbers: new Float32Array(skin.boneNumbers * skin.boneCount) };
            this.moved.set(skin, moved);
        }
        if (moved.version !== this.version) {
            moved.version = this.version;
            (skin.isDual ? writeDual : writeLinear)(skin, this.placed, moved.numbers);
        }
        return moved.numbers;
    }
}

// Bones that are put together only to be written.
let placing = new Float64Array(0);

// Puts bones together: from the frames of their parents to that of the body.
function placeBones({ order, parents }: Skin, l: Float64Array, p: Float64Array): void {
    for (let i = 0; i < order.length; i++) {
        const bone = order[i]!;
        const a = boneNumbers * bone;
        const parent = parents[bone]!;
        if (parent >= order.length) {
            for (let k = a; k < a + boneNumbers; k++) {
                p[k] = l[k]!;
            }
            continue;
        }
        const o = boneNumbers * parent;
        const ow = p[o]!;
        const ox = p[o + 1]!;
        const oy = p[o + 2]!;
        const oz = p[o + 3]!;
        const scale = p[o + 7]!;
        const w = l[a]!;
        const x = l[a + 1]!;
        const y = l[a + 2]!;
        const z = l[a + 3]!;
        p[a] = ow * w - ox * x - oy * y - oz * z;
        p[a + 1] = ow * x + ox * w + oy * z - oz * y;
        p[a + 2] = ow * y - ox * z + oy * w + oz * x;
        p[a + 3] = ow * z + ox * y - oy * x + oz * w;
        const vx = l[a + 4]! * scale;
        const vy = l[a + 5]! * scale;
        const vz = l[a + 6]! * scale;
        const tx = 2 * (oy * vz - oz * vy);
        const ty = 2 * (oz * vx - ox * vz);
        const tz = 2 * (ox * vy - oy * vx);
        p[a + 4] = vx + ow * tx + oy * tz - oz * ty + p[o + 4]!;
        p[a + 5] = vy + ow * ty + oz * tx - ox * tz + p[o + 5]!;
        p[a + 6] = vz + ow * tz + ox * ty - oy * tx + p[o + 6]!;
        p[a + 7] = scale * l[a + 7]!;
    }
}

function mixBones(from: Float64Array, to: Float64Array, share: number, out: Float64Array): void {
    const rest = 1 - share;
    for (let at = 0; at < out.length; at += boneNumbers) {
        let dot = 0;
        for (let k = at; k < at + 4; k++) {
            dot += from[k]! * to[k]!;
        }
        const side = dot < 0 ? -rest : rest;
        let square = 0;
        for (let k = at; k < at + 4; k++) {
            out[k] = side * from[k]! + share * to[k]!;
            square += out[k]! * out[k]!;
        }
        const scale = 1 / Math.sqrt(square);
        for (let k = at; k < at + 4; k++) {
            out[k] = scale * out[k]!;
        }
        for (let k = at + 4; k < at + boneNumbers; k++) {
            out[k] = rest * from[k]! + share * to[k]!;
        }
    }
}

// Three rows of 4 of each bone: from where the mesh was made to where the bone takes it.
function writeLinear(skin: Skin, placed: Float64Array, out: Float32Array): void {
    const { inverseBinds: m, boneCount } = skin;
    for (let bone = 0; bone < boneCount; bone++) {
        const p = boneNumbers * bone;
        const w = placed[p]!;
        const x = placed[p + 1]!;
        const y = placed[p + 2]!;
        const z = placed[p + 3]!;
        const s = placed[p + 7]!;
        const s2 = 2 * s;
        const at = linearNumbers * bone;
        const i0 = s - s2 * (y * y + z * z);
        const j0 = s2 * (x * y - w * z);
        const k0 = s2 * (x * z + w * y);
        const i1 = s2 * (x * y + w * z);
        const j1 = s - s2 * (x * x + z * z);
        const k1 = s2 * (y * z - w * x);
        const i2 = s2 * (x * z - w * y);
        const j2 = s2 * (y * z + w * x);
        const k2 = s - s2 * (x * x + y * y);
        for (let column = 0; column < 3; column++) {
            const a = m[at + column]!;
            const b = m[at + 4 + column]!;
            const c = m[at + 8 + column]!;
            out[at + column] = i0 * a + j0 * b + k0 * c;
            out[at + 4 + column] = i1 * a + j1 * b + k1 * c;
            out[at + 8 + column] = i2 * a + j2 * b + k2 * c;
        }
        const a = m[at + 3]!;
        const b = m[at + 7]!;
        const c = m[at + 11]!;
        out[at + 3] = i0 * a + j0 * b + k0 * c + placed[p + 4]!;
        out[at + 7] = i1 * a + j1 * b + k1 * c + placed[p + 5]!;
        out[at + 11] = i2 * a + j2 * b + k2 * c + placed[p + 6]!;
    }
}

// A dual quaternion of each bone, and the rows that stretch before it turns; each row of 3 is filled up to 4.
function writeDual(skin: Skin, placed: Float64Array, out: Float32Array): void {
    const { inverseBinds: m, turns, stretches, boneCount } = skin;
    for (let bone = 0; bone < boneCount; bone++) {
        const p = boneNumbers * bone;
        const b = 12 * bone;
        const aw = placed[p]!;
        const ax = placed[p + 1]!;
        const ay = placed[p + 2]!;
        const az = placed[p + 3]!;
        const s = placed[p + 7]!;
        const t = turns[bone]!;
        const w = aw * t.w - ax * t.x - ay * t.y - az * t.z;
        const x = aw * t.x + ax * t.w + ay * t.z - az * t.y;
        const y = aw * t.y - ax * t.z + ay * t.w + az * t.x;
        const z = aw * t.z + ax * t.y - ay * t.x + az * t.w;
        // Where the bone takes the mesh's origin.
        const vx = s * m[b + 3]!;
        const vy = s * m[b + 7]!;
        const vz = s * m[b + 11]!;
        const cx = 2 * (ay * vz - az * vy);
        const cy = 2 * (az * vx - ax * vz);
        const cz = 2 * (ax * vy - ay * vx);
        const tx = vx + aw * cx + ay * cz - az * cy + placed[p + 4]!;
        const ty = vy + aw * cy + az * cx - ax * cz + placed[p + 5]!;
        const tz = vz + aw * cz + ax * cy - ay * cx + placed[p + 6]!;
        const to = dualNumbers * bone;
        out[to] = w;
        out[to + 1] = x;
        out[to + 2] = y;
        out[to + 3] = z;
        out[to + 4] = -0.5 * (tx * x + ty * y + tz * z);
        out[to + 5] = 0.5 * (tx * w + ty * z - tz * y);
        out[to + 6] = 0.5 * (ty * w + tz * x - tx * z);
        out[to + 7] = 0.5 * (tz * w + tx * y - ty * x);
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 3; column++) {
                out[to + 8 + 4 * row + column] = s * stretches[9 * bone + 3 * row + column]!;
            }
        }
    }
}
