// Skins: vertices that follow bones. The bytes of BONES are read here, bones are put together, and vertices are blended.
import { compose, multiply, type Pose, type Quat, type Vec3 } from "./vector";

// The steps of a packed turn, and what a quotient of 0 is.
const levels = 41285;
const middle = (levels - 1) / 2;

// A turn of 48 bits, as docs/protocol.md describes it.
export function unpackTurn(packed: number): Quat {
    const quotients = [0, 0, 0];
    let square = 1;
    for (let i = 2; i >= 0; i--) {
        const t = ((packed % levels) - middle) / middle;
        quotients[i] = t * (0.8 + 0.2 * t * t);
        square += quotients[i]! * quotients[i]!;
        packed = Math.floor(packed / levels);
    }
    const scale = 1 / Math.sqrt(square);
    const numbers = quotients.map((quotient) => quotient * scale);
    numbers.splice(packed % 4, 0, scale);
    return { w: numbers[0]!, x: numbers[1]!, y: numbers[2]!, z: numbers[3]! };
}

// The skin of a mesh, as it arrives, piece by piece.
export class Skin {
    readonly parents: Uint32Array;
    readonly inverseBinds: Float32Array; // 12 a bone
    readonly bones: Uint32Array; // influenceCount a vertex
    readonly weights: Float32Array;
    private bonePieces = 0;
    private weightPieces = 0;

    constructor(
        readonly vertexCount: number,
        readonly boneCount: number,
        readonly influenceCount: number,
        readonly isDual: boolean,
    ) {
        if (boneCount > 65535 || influenceCount < 1 || influenceCount > 8) {
            throw new Error(`a skin of ${boneCount} bones with ${influenceCount} a vertex`);
        }
        this.parents = new Uint32Array(boneCount);
        this.inverseBinds = new Float32Array(12 * boneCount);
        this.bones = new Uint32Array(influenceCount * vertexCount);
        this.weights = new Float32Array(influenceCount * vertexCount);
    }

    addBones(first: number, parents: Uint32Array, inverseBinds: Float32Array): void {
        this.parents.set(parents, first);
        this.inverseBinds.set(inverseBinds, 12 * first);
        this.bonePieces += parents.length;
    }

    addWeights(first: number, bones: Uint32Array, weights: Float32Array): void {
        if (bones.length !== weights.length || bones.some((bone) => bone >= this.boneCount)) {
            throw new Error(`weights of bones that a skin of ${this.boneCount} does not have`);
        }
        this.bones.set(bones, first);
        this.weights.set(weights, first);
        this.weightPieces += bones.length;
    }

    get isComplete(): boolean {
        return this.bonePieces >= this.boneCount && this.weightPieces >= this.bones.length;
    }
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
        at += 24;
        const size = whole();
        if (size < 6 || at + size > data.length) {
            throw new RangeError("the bones of a body are cut off");
        }
        bodies.push({ index1, position, bytes: data.subarray(at, at + size) });
        at += size;
    }
    return bodies;
}

export const turnAt = (bytes: Uint8Array, at: number): Quat => {
    let packed = 0;
    for (let i = 5; i >= 0; i--) {
        packed = 256 * packed + bytes[at + i]!;
    }
    return unpackTurn(packed);
};

const identity = (): Pose => ({ rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 });

// The bones of one body.
export class Bones {
    readonly placed: Pose[]; // in the body's frame
    private readonly local: Pose[]; // in the frames of their parents

    constructor(private readonly skin: Skin) {
        this.local = Array.from({ length: skin.boneCount }, identity);
        this.placed = Array.from({ length: skin.boneCount }, identity);
    }

    // Takes what changed: the bytes after the body's turn.
    take(bytes: Uint8Array): void {
        const count = this.skin.boneCount;
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const mask = Math.ceil(count / 8);
        const listed = (from: number): number[] =>
            Array.from({ length: count }, (_, bone) => bone).filter((bone) => (bytes[from + (bone >> 3)]! >> (bone & 7)) & 1);
        if (bytes.length < mask) {
            return;
        }
        let at = mask;
        for (const bone of listed(0)) {
            this.local[bone]!.rotation = turnAt(bytes, at);
            at += 6;
        }
        if (bytes.length > at) {
            const places = listed(at);
            at += mask;
            for (const bone of places) {
                const [x, y, z, scale] = [0, 4, 8, 12].map((offset) => view.getFloat32(at + offset, true));
                this.local[bone]!.position = { x: x!, y: y!, z: z! };
                this.local[bone]!.scale = scale!;
                at += 16;
            }
        }
        this.place();
    }

    // A parent that is not placed yet is placed first; one that is none, or its own child, counts as none.
    private place(): void {
        const { parents } = this.skin;
        const state = new Uint8Array(parents.length); // 1 on the way, 2 done
        for (let bone = 0; bone < parents.length; bone++) {
            const way: number[] = [];
            let at = bone;
            while (at < parents.length && state[at] === 0) {
                state[at] = 1;
                way.push(at);
                at = parents[at]!;
            }
            let parent = at < parents.length && state[at] === 2 ? this.placed[at]! : null;
            for (const next of way.reverse()) {
                const local = this.local[next]!;
                parent = this.placed[next] = parent === null ? local : compose(parent, local);
                state[next] = 2;
            }
        }
    }
}

// Rows of 4 of each bone: from where the mesh was made to where the bone takes it.
function matricesOf(skin: Skin, bones: Bones): Float64Array {
    const out = new Float64Array(12 * skin.boneCount);
    bones.placed.forEach(({ rotation: { w, x, y, z }, position, scale: s }, bone) => {
        const rows = [
            [s * (1 - 2 * (y * y + z * z)), s * 2 * (x * y - w * z), s * 2 * (x * z + w * y), position.x],
            [s * 2 * (x * y + w * z), s * (1 - 2 * (x * x + z * z)), s * 2 * (y * z - w * x), position.y],
            [s * 2 * (x * z - w * y), s * 2 * (y * z + w * x), s * (1 - 2 * (x * x + y * y)), position.z],
        ] as const;
        const inverse = skin.inverseBinds.subarray(12 * bone, 12 * bone + 12);
        rows.forEach(([a, b, c, d], row) => {
            for (let column = 0; column < 4; column++) {
                const product = a * inverse[column]! + b * inverse[4 + column]! + c * inverse[8 + column]!;
                out[12 * bone + 4 * row + column] = product + (column === 3 ? d : 0);
            }
        });
    });
    return out;
}

function blendLinear(skin: Skin, matrices: Float64Array, positions: Float32Array, out: Float32Array): void {
    const { influenceCount: influences, bones, weights } = skin;
    for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
        const px = positions[3 * vertex]!;
        const py = positions[3 * vertex + 1]!;
        const pz = positions[3 * vertex + 2]!;
        let x = 0;
        let y = 0;
        let z = 0;
        for (let i = influences * vertex; i < influences * (vertex + 1); i++) {
            const weight = weights[i]!;
            if (weight === 0) {
                continue;
            }
            const m = 12 * bones[i]!;
            x += weight * (matrices[m]! * px + matrices[m + 1]! * py + matrices[m + 2]! * pz + matrices[m + 3]!);
            y += weight * (matrices[m + 4]! * px + matrices[m + 5]! * py + matrices[m + 6]! * pz + matrices[m + 7]!);
            z += weight * (matrices[m + 8]! * px + matrices[m + 9]! * py + matrices[m + 10]! * pz + matrices[m + 11]!);
        }
        out[3 * vertex] = x;
        out[3 * vertex + 1] = y;
        out[3 * vertex + 2] = z;
    }
}

// The turn of a matrix whose rows are near to orthogonal, and what is left when it is taken off.
function turnOf(m: Float64Array, at: number): Quat {
    const e = (row: number, column: number): number => m[at + 4 * row + column]!;
    const size = Math.cbrt(
        e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1)) -
            e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0)) +
            e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0)),
    );
    const q = [
        size + e(0, 0) + e(1, 1) + e(2, 2),
        size + e(0, 0) - e(1, 1) - e(2, 2),
        size - e(0, 0) + e(1, 1) - e(2, 2),
        size - e(0, 0) - e(1, 1) + e(2, 2),
    ].map((value) => Math.sqrt(Math.max(value / size, 0)) / 2);
    const sign = (value: number): number => (value < 0 ? -1 : 1);
    const largest = q.indexOf(Math.max(...q));
    const [yz, zx, xy] = [e(2, 1) - e(1, 2), e(0, 2) - e(2, 0), e(1, 0) - e(0, 1)];
    const [sx, sy, sz] = [e(0, 1) + e(1, 0), e(0, 2) + e(2, 0), e(1, 2) + e(2, 1)];
    const signs = [
        [1, sign(yz), sign(zx), sign(xy)],
        [sign(yz), 1, sign(sx), sign(sy)],
        [sign(zx), sign(sx), 1, sign(sz)],
        [sign(xy), sign(sy), sign(sz), 1],
    ][largest]!;
    return { w: q[0]! * signs[0]!, x: q[1]! * signs[1]!, y: q[2]! * signs[2]!, z: q[3]! * signs[3]! };
}

// Turns and places as dual quaternions, blended and made rigid; scales are blended first.
function blendDual(skin: Skin, matrices: Float64Array, positions: Float32Array, out: Float32Array): void {
    const { influenceCount: influences, bones, weights } = skin;
    const turns = Array.from({ length: skin.boneCount }, (_, bone) => turnOf(matrices, 12 * bone));
    const duals = turns.map((turn, bone) => {
        const [x, y, z] = [3, 7, 11].map((i) => matrices[12 * bone + i]!);
        const dual = multiply({ w: 0, x: x!, y: y!, z: z! }, turn);
        return { w: dual.w / 2, x: dual.x / 2, y: dual.y / 2, z: dual.z / 2 };
    });
    const sizes = Float64Array.from(turns, (_, bone) => {
        const m = matrices.subarray(12 * bone, 12 * bone + 12);
        return Math.hypot(m[0]!, m[4]!, m[8]!);
    });
    for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
        const first = turns[bones[influences * vertex]!]!;
        const real = { w: 0, x: 0, y: 0, z: 0 };
        const dual = { w: 0, x: 0, y: 0, z: 0 };
        let size = 0;
        for (let i = influences * vertex; i < influences * (vertex + 1); i++) {
            const bone = bones[i]!;
            const [r, d] = [turns[bone]!, duals[bone]!];
            const side = r.w * first.w + r.x * first.x + r.y * first.y + r.z * first.z < 0 ? -weights[i]! : weights[i]!;
            for (const key of ["w", "x", "y", "z"] as const) {
                real[key] += side * r[key];
                dual[key] += side * d[key];
            }
            size += weights[i]! * sizes[bone]!;
        }
        const norm = Math.hypot(real.w, real.x, real.y, real.z);
        for (const key of ["w", "x", "y", "z"] as const) {
            real[key] /= norm;
            dual[key] /= norm;
        }
        const place = multiply(dual, { w: real.w, x: -real.x, y: -real.y, z: -real.z });
        const p = { w: 0, x: 0, y: 0, z: 0 };
        p.x = size * positions[3 * vertex]!;
        p.y = size * positions[3 * vertex + 1]!;
        p.z = size * positions[3 * vertex + 2]!;
        const turned = multiply(multiply(real, p), { w: real.w, x: -real.x, y: -real.y, z: -real.z });
        out[3 * vertex] = turned.x + 2 * place.x;
        out[3 * vertex + 1] = turned.y + 2 * place.y;
        out[3 * vertex + 2] = turned.z + 2 * place.z;
    }
}

// Where the vertices of a mesh are, three numbers each.
export function blend(skin: Skin, bones: Bones, positions: Float32Array, out: Float32Array): void {
    const matrices = matricesOf(skin, bones);
    (skin.isDual ? blendDual : blendLinear)(skin, matrices, positions, out);
}
