// Vertices that follow bones, as the page needs them beside the picture: what is picked, blinks or has an outline. The
// graphics card does the same for what is drawn (bone_texture.ts).
import { boneNumbers, type Bones } from "./bones";
import { boundsOf, type Bounds } from "./mesh";
import { dualNumbers, linearNumbers, type Skin } from "./skin";
import { add, distance, subtract, times, vec3 } from "./vector";

// Writes where one vertex is.
type BlendVertex = (skin: Skin, numbers: Float32Array, positions: Float32Array, vertex: number, out: Float32Array) => void;

const blendLinear: BlendVertex = (skin, numbers, positions, vertex, out) => {
    const { influenceCount: influences, bones, weights } = skin;
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
        const m = linearNumbers * bones[i]!;
        x += weight * (numbers[m]! * px + numbers[m + 1]! * py + numbers[m + 2]! * pz + numbers[m + 3]!);
        y += weight * (numbers[m + 4]! * px + numbers[m + 5]! * py + numbers[m + 6]! * pz + numbers[m + 7]!);
        z += weight * (numbers[m + 8]! * px + numbers[m + 9]! * py + numbers[m + 10]! * pz + numbers[m + 11]!);
    }
    out[3 * vertex] = x;
    out[3 * vertex + 1] = y;
    out[3 * vertex + 2] = z;
};

const sum = new Float64Array(dualNumbers);

// Turns and places as dual quaternions, blended and made rigid; what stretches is blended first.
const blendDual: BlendVertex = (skin, numbers, positions, vertex, out) => {
    const { influenceCount: influences, bones, weights } = skin;
    const first = dualNumbers * bones[influences * vertex]!;
    sum.fill(0);
    for (let i = influences * vertex; i < influences * (vertex + 1); i++) {
        const at = dualNumbers * bones[i]!;
        let dot = 0;
        for (let k = 0; k < 4; k++) {
            dot += numbers[first + k]! * numbers[at + k]!;
        }
        const weight = weights[i]!;
        const side = dot < 0 ? -weight : weight;
        for (let k = 0; k < dualNumbers; k++) {
            sum[k] = sum[k]! + (k < 8 ? side : weight) * numbers[at + k]!;
        }
    }
    const [w, x, y, z, dw, dx, dy, dz] = sum as unknown as [number, number, number, number, number, number, number, number];
    const inverse = 2 / (w * w + x * x + y * y + z * z);
    const [px, py, pz] = [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
    const row = (at: number): number => sum[at]! * px + sum[at + 1]! * py + sum[at + 2]! * pz;
    const [vx, vy, vz] = [row(8), row(12), row(16)];
    // u x (u x v + w v), and the travel: w d + u x d - dw u.
    const [cx, cy, cz] = [y * vz - z * vy + w * vx, z * vx - x * vz + w * vy, x * vy - y * vx + w * vz];
    out[3 * vertex] = vx + inverse * (y * cz - z * cy + (w * dx + y * dz - z * dy - dw * x));
    out[3 * vertex + 1] = vy + inverse * (z * cx - x * cz + (w * dy + z * dx - x * dz - dw * y));
    out[3 * vertex + 2] = vz + inverse * (x * cy - y * cx + (w * dz + x * dy - y * dx - dw * z));
};

// The vertices of one part of a body, blended when they are wanted.
export class Blended {
    private readonly positions: Float32Array;
    private readonly stamps: Int32Array; // the version of the bones that each vertex was blended by
    private readonly blendVertex: BlendVertex;
    private wholeVersion = -1;
    private known: { version: number; bounds: Bounds } | null = null;

    constructor(
        private readonly skin: Skin,
        private readonly made: Float32Array, // where the vertices are in the mesh
    ) {
        this.positions = new Float32Array(made.length);
        this.stamps = new Int32Array(skin.vertexCount).fill(-1);
        this.blendVertex = skin.isDual ? blendDual : blendLinear;
    }

    // Where all vertices are, three numbers each; valid until the bones move.
    all(bones: Bones): Float32Array {
        if (this.wholeVersion !== bones.version) {
            this.wholeVersion = bones.version;
            for (let vertex = 0; vertex < this.skin.vertexCount; vertex++) {
                this.need(bones, vertex);
            }
        }
        return this.positions;
    }

    // The same array, in which only the corners of such triangles are looked at.
    some(bones: Bones, corners: Uint32Array, triangles: Iterable<number>): Float32Array {
        for (const triangle of triangles) {
            for (let at = 3 * triangle; at < 3 * triangle + 3; at++) {
                this.need(bones, corners[at]!);
            }
        }
        return this.positions;
    }

    private need(bones: Bones, vertex: number): void {
        if (this.stamps[vertex] !== bones.version) {
            this.stamps[vertex] = bones.version;
            this.blendVertex(this.skin, bones.numbersOf(this.skin), this.made, vertex, this.positions);
        }
    }

    // Bounds of all vertices, found from the bones alone: not the smallest.
    bounds(bones: Bones): Bounds {
        if (this.known?.version !== bones.version) {
            this.known = { version: bones.version, bounds: boundsByBones(this.skin, this.made, bones.placed) };
        }
        return this.known.bounds;
    }
}

// A vertex that is blended of two rigid motions goes along an arc between where they take it, not along the chord.
const dualSlack = Math.SQRT2;

// A vertex lies among the places that its bones take it to, and none of those is farther from its bone than in the mesh.
function boundsByBones(skin: Skin, made: Float32Array, placed: Float64Array): Bounds {
    const reaches = skin.reaches(made);
    const low = vec3(Infinity, Infinity, Infinity);
    const high = vec3(-Infinity, -Infinity, -Infinity);
    for (let bone = 0; bone < skin.boneCount; bone++) {
        const p = boneNumbers * bone;
        const reach = placed[p + 7]! * reaches[bone]!;
        if (reach < 0) {
            continue;
        }
        const x = placed[p + 4]!;
        const y = placed[p + 5]!;
        const z = placed[p + 6]!;
        low.x = Math.min(low.x, x - reach);
        low.y = Math.min(low.y, y - reach);
        low.z = Math.min(low.z, z - reach);
        high.x = Math.max(high.x, x + reach);
        high.y = Math.max(high.y, y + reach);
        high.z = Math.max(high.z, z + reach);
    }
    if (low.x > high.x) {
        return boundsOf(made); // no vertices
    }
    const center = times(add(low, high), 0.5);
    const radius = distance(low, high) / 2;
    if (!skin.isDual) {
        return { low, high, center, radius };
    }
    const around = vec3(radius * dualSlack, radius * dualSlack, radius * dualSlack);
    return { low: subtract(center, around), high: add(center, around), center, radius: around.x };
}
