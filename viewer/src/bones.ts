// Where the bones of a body are: the bytes of BONES are read here, and bones are put together. A thousand bodies of many
// bones come with every state, so numbers lie in arrays and nothing is made for a bone.
import { dualNumbers, linearNumbers, type Skin } from "./skin";
import type { Quat, Vec3 } from "./vector";

// The steps of a packed turn, and what a quotient of 0 is.
const levels = 41285;
const middle = (levels - 1) / 2;

const turnBytes = 6;
const placeBytes = 16;

// The numbers of a bone: w, x, y and z of its turn, its position, its scale.
export const boneNumbers = 8;

// Writes a turn of 48 bits, as docs/protocol.md describes it: w, x, y, z.
export function unpackTurn(bytes: Uint8Array, at: number, out: Float64Array, to: number): void {
    const low = bytes[at]! + 256 * bytes[at + 1]! + 65536 * bytes[at + 2]!;
    const high = bytes[at + 3]! + 256 * bytes[at + 4]! + 65536 * bytes[at + 5]!;
    const packed = low + 16777216 * high;
    // Quotients below 2^34 by doubles are never within rounding of the next whole number.
    const first = Math.floor(packed / levels);
    const second = Math.floor(first / levels);
    const third = Math.floor(second / levels);
    const c = (packed - first * levels - middle) / middle;
    const b = (first - second * levels - middle) / middle;
    const a = (second - third * levels - middle) / middle;
    const qa = a * (0.8 + 0.2 * a * a);
    const qb = b * (0.8 + 0.2 * b * b);
    const qc = c * (0.8 + 0.2 * c * c);
    const largest = 1 / Math.sqrt(1 + qa * qa + qb * qb + qc * qc);
    const place = third & 3;
    out[to] = place === 0 ? largest : qa * largest;
    out[to + 1] = place === 0 ? qa * largest : place === 1 ? largest : qb * largest;
    out[to + 2] = place <= 1 ? qb * largest : place === 2 ? largest : qc * largest;
    out[to + 3] = place === 3 ? largest : qc * largest;
}

const scratch = new Float64Array(4);

export function turnAt(bytes: Uint8Array, at: number): Quat {
    unpackTurn(bytes, at, scratch, 0);
    return { w: scratch[0]!, x: scratch[1]!, y: scratch[2]!, z: scratch[3]! };
}

// A body in the bytes of a message.
export interface PackedBody {
    index1: number;
    position: Vec3;
    bytes: Uint8Array; // its turn and its bones
}

// Throws where the bytes are none.
export function readBodies(data: Uint8Array): PackedBody[] {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
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
    while (at < data.length) {
        index1 += whole();
        const position = { x: view.getFloat64(at, true), y: view.getFloat64(at + 8, true), z: view.getFloat64(at + 16, true) };
        if (!Number.isFinite(position.x + position.y + position.z)) {
            throw new RangeError(`the place of object ${index1} is not finite`);
        }
        at += 24;
        const size = whole();
        if (size < turnBytes || at + size > data.length) {
            throw new RangeError("the bones of a body are cut off");
        }
        bodies.push({ index1, position, bytes: data.subarray(at, at + size) });
        at += size;
    }
    return bodies;
}

function countBits(bytes: Uint8Array, from: number, count: number): number {
    let sum = 0;
    for (let bone = 0; bone < count; bone++) {
        sum += (bytes[from + (bone >> 3)]! >> (bone & 7)) & 1;
    }
    return sum;
}

// Where the parts of a body's bytes begin; 0 for what is left out.
interface Cut {
    turnMask: number;
    placeMask: number;
    isWhole: boolean; // every bone is there
}

// Throws where the bytes are not those of a body of so many bones.
function cutBytes(bytes: Uint8Array, count: number): Cut {
    const mask = Math.ceil(count / 8);
    const cut = { turnMask: 0, placeMask: 0, isWhole: false };
    let at = turnBytes;
    let turns = 0;
    let places = 0;
    if (at < bytes.length && at + mask <= bytes.length) {
        cut.turnMask = at;
        turns = countBits(bytes, at, count);
        at += mask + turnBytes * turns;
    }
    if (cut.turnMask !== 0 && at < bytes.length && at + mask <= bytes.length) {
        cut.placeMask = at;
        places = countBits(bytes, at, count);
        at += mask + placeBytes * places;
    }
    if (at !== bytes.length) {
        throw new RangeError(`${bytes.length} bytes are not those of ${count} bones`);
    }
    cut.isWhole = turns === count && places === count;
    return cut;
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
    private readonly placedNow: Float64Array; // in the body's frame
    private placedVersion = -1;
    private readonly moved = new Map<Skin, Moved>();

    constructor(private readonly skin: Skin) {
        this.local = new Float64Array(boneNumbers * skin.boneCount);
        this.placedNow = new Float64Array(boneNumbers * skin.boneCount);
    }

    // The first bones of a body are all of them; null where these are not.
    static begin(skin: Skin, bytes: Uint8Array): Bones | null {
        const isWhole = cutBytes(bytes, skin.boneCount).isWhole;
        const bones = isWhole ? new Bones(skin) : null;
        bones?.take(bytes);
        return bones;
    }

    get count(): number {
        return this.skin.boneCount;
    }

    // Takes what changed: the bytes of the body. Throws where they are not of its bones.
    take(bytes: Uint8Array): void {
        const { count, local } = this;
        const { turnMask, placeMask } = cutBytes(bytes, count);
        const mask = Math.ceil(count / 8);
        if (placeMask !== 0) {
            this.takePlaces(bytes, placeMask, placeMask + mask);
        }
        if (turnMask !== 0) {
            let at = turnMask + mask;
            for (let bone = 0; bone < count; bone++) {
                if (((bytes[turnMask + (bone >> 3)]! >> (bone & 7)) & 1) !== 0) {
                    unpackTurn(bytes, at, local, boneNumbers * bone);
                    at += turnBytes;
                }
            }
            this.version++;
        }
    }

    private takePlaces(bytes: Uint8Array, mask: number, at: number): void {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let bone = 0; bone < this.count; bone++) {
            if (((bytes[mask + (bone >> 3)]! >> (bone & 7)) & 1) === 0) {
                continue;
            }
            for (let i = 0; i < 4; i++) {
                const value = view.getFloat32(at + 4 * i, true);
                if (!Number.isFinite(value) || (i === 3 && value <= 0)) {
                    throw new RangeError(`bone ${bone} has ${value} for a ${i === 3 ? "scale" : "place"}`);
                }
                this.local[boneNumbers * bone + 4 + i] = value;
            }
            at += placeBytes;
        }
    }

    // All bones in the body's frame.
    get placed(): Float64Array {
        if (this.placedVersion !== this.version) {
            this.placedVersion = this.version;
            this.place();
        }
        return this.placedNow;
    }

    private place(): void {
        const { local: l, placedNow: p } = this;
        const { order, parents } = this.skin;
        for (let i = 0; i < order.length; i++) {
            const bone = order[i]!;
            const a = boneNumbers * bone;
            const parent = parents[bone]!;
            if (parent >= order.length) {
                for (let k = 0; k < boneNumbers; k++) {
                    p[a + k] = l[a + k]!;
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

// Three rows of 4 of each bone: from where the mesh was made to where the bone takes it.
function writeLinear(skin: Skin, placed: Float64Array, out: Float32Array): void {
    const { inverseBinds: m, boneCount } = skin;
    for (let bone = 0; bone < boneCount; bone++) {
        const p = boneNumbers * bone;
        const b = 12 * bone;
        const w = placed[p]!;
        const x = placed[p + 1]!;
        const y = placed[p + 2]!;
        const z = placed[p + 3]!;
        const s = placed[p + 7]!;
        const s2 = 2 * s;
        for (let row = 0; row < 3; row++) {
            let i: number;
            let j: number;
            let k: number;
            if (row === 0) {
                i = s - s2 * (y * y + z * z);
                j = s2 * (x * y - w * z);
                k = s2 * (x * z + w * y);
            } else if (row === 1) {
                i = s2 * (x * y + w * z);
                j = s - s2 * (x * x + z * z);
                k = s2 * (y * z - w * x);
            } else {
                i = s2 * (x * z - w * y);
                j = s2 * (y * z + w * x);
                k = s - s2 * (x * x + y * y);
            }
            const to = linearNumbers * bone + 4 * row;
            out[to] = i * m[b]! + j * m[b + 4]! + k * m[b + 8]!;
            out[to + 1] = i * m[b + 1]! + j * m[b + 5]! + k * m[b + 9]!;
            out[to + 2] = i * m[b + 2]! + j * m[b + 6]! + k * m[b + 10]!;
            out[to + 3] = i * m[b + 3]! + j * m[b + 7]! + k * m[b + 11]! + placed[p + 4 + row]!;
        }
    }
}

// A dual quaternion of each bone, and the rows that stretch before it turns; each row of 3 is filled up to 4.
function writeDual(skin: Skin, placed: Float64Array, out: Float32Array): void {
    const { inverseBinds: m, turns, stretches, boneCount } = skin;
    for (let bone = 0; bone < boneCount; bone++) {
        const p = boneNumbers * bone;
        const b = 12 * bone;
        const [aw, ax, ay, az] = [placed[p]!, placed[p + 1]!, placed[p + 2]!, placed[p + 3]!];
        const s = placed[p + 7]!;
        const t = turns[bone]!;
        const w = aw * t.w - ax * t.x - ay * t.y - az * t.z;
        const x = aw * t.x + ax * t.w + ay * t.z - az * t.y;
        const y = aw * t.y - ax * t.z + ay * t.w + az * t.x;
        const z = aw * t.z + ax * t.y - ay * t.x + az * t.w;
        // Where the bone takes the mesh's origin.
        const [vx, vy, vz] = [s * m[b + 3]!, s * m[b + 7]!, s * m[b + 11]!];
        const [cx, cy, cz] = [2 * (ay * vz - az * vy), 2 * (az * vx - ax * vz), 2 * (ax * vy - ay * vx)];
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
