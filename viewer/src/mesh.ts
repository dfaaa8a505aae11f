// A mesh as it arrives, piece by piece, into arrays of its final size.
import { LookFlags } from "./protocol";
import { Skin } from "./skin";
import { add, times, vec3, type Vec3 } from "./vector";

// What a page can hold; a server that asks for more is refused before memory is.
const maxVertices = 1 << 26;
const maxTriangles = 1 << 27;

export class Mesh {
    readonly positions: Float32Array;
    readonly triangles: Uint32Array;
    readonly faces: Uint32Array;
    readonly materials: Uint32Array | null; // of each triangle, 0 for the mesh's; null: none has its own
    readonly uvs: Float32Array | null; // 6 a triangle
    readonly colors: Uint8Array | null; // red, green, blue, alpha at each corner
    readonly normals: Uint32Array | null; // at each corner, packed on an octahedron
    private vertexPieces = 0;
    private trianglePieces = 0;
    private facePieces = 0;
    private lookPieces = 0;
    readonly skin: Skin | null; // null: it has none
    private known: Bounds | null = null;
    private knownPieces: Piece[] | null = null;

    constructor(
        readonly id: number,
        readonly vertexCount: number,
        readonly triangleCount: number,
        readonly faceCount: number,
        readonly material = 0, // of triangles without one of their own; 0: the object's colour
        look = 0, // of LookFlags: what comes of all triangles
        skin: { boneCount: number; influenceCount: number; blend: number } | null = null,
    ) {
        if (vertexCount > maxVertices || triangleCount > maxTriangles) {
            throw new Error(`mesh ${id} is too large for a page: ${vertexCount} vertices, ${triangleCount} triangles`);
        }
        this.skin =
            skin === null || skin.boneCount === 0
                ? null
                : new Skin(vertexCount, skin.boneCount, skin.influenceCount, skin.blend === 1);
        this.positions = new Float32Array(3 * vertexCount);
        this.triangles = new Uint32Array(3 * triangleCount);
        this.faces = new Uint32Array(triangleCount);
        this.materials = (look & LookFlags.materials) !== 0 ? new Uint32Array(triangleCount) : null;
        this.uvs = (look & LookFlags.uvs) !== 0 ? new Float32Array(6 * triangleCount) : null;
        this.colors = (look & LookFlags.colors) !== 0 ? new Uint8Array(12 * triangleCount) : null;
        this.normals = (look & LookFlags.normals) !== 0 ? new Uint32Array(3 * triangleCount) : null;
        if (look === 0) {
            this.lookPieces = triangleCount;
        }
        if (faceCount === 0) {
            // Each triangle is its own face, and none are sent.
            this.faces.forEach((_, triangle, faces) => (faces[triangle] = triangle));
            this.facePieces = triangleCount;
        }
    }

    // Each takes the items from `first` on, counted in vertices or triangles.
    addVertices(first: number, xyz: Float32Array): void {
        this.positions.set(xyz, 3 * first);
        this.vertexPieces += xyz.length / 3;
        this.known = null;
    }

    addTriangles(first: number, abc: Uint32Array): void {
        for (const corner of abc) {
            if (corner >= this.vertexCount) {
                throw new Error(`mesh ${this.id}: vertex ${corner} of ${this.vertexCount}`);
            }
        }
        this.triangles.set(abc, 3 * first);
        this.trianglePieces += abc.length / 3;
    }

    addFaces(first: number, faces: Uint32Array): void {
        this.faces.set(faces, first);
        this.facePieces += faces.length;
    }

    // Each list has as many triangles, or none where it was not announced.
    addLook(first: number, materials: Uint32Array, uvs: Float32Array, rgba: Uint8Array, normals: Uint32Array): void {
        const counts = [
            this.materials === null ? null : materials.length,
            this.uvs === null ? null : uvs.length / 6,
            this.colors === null ? null : rgba.length / 12,
            this.normals === null ? null : normals.length / 3,
        ].filter((count) => count !== null);
        const count = counts[0] ?? 0;
        if (counts.some((each) => each !== count)) {
            throw new Error(`mesh ${this.id}: a look of ${counts.join(", ")} triangles`);
        }
        this.materials?.set(materials, first);
        this.uvs?.set(uvs, 6 * first);
        this.colors?.set(rgba, 12 * first);
        this.normals?.set(normals, 3 * first);
        this.lookPieces += count;
        this.knownPieces = null;
    }

    get isComplete(): boolean {
        return (
            this.vertexPieces >= this.vertexCount &&
            this.trianglePieces >= this.triangleCount &&
            this.facePieces >= this.triangleCount &&
            this.lookPieces >= this.triangleCount &&
            (this.skin?.isComplete ?? true)
        );
    }

    // The triangles of each material.
    get pieces(): readonly Piece[] {
        this.knownPieces ??= piecesOf(this.material, this.materials);
        return this.knownPieces;
    }

    // How much of it is here, and of how much.
    get progress(): { have: number; total: number } {
        return {
            have: 3 * this.vertexPieces + 3 * this.trianglePieces + this.facePieces + this.lookPieces,
            total: 3 * this.vertexCount + 5 * this.triangleCount,
        };
    }

    get bounds(): Bounds {
        this.known ??= boundsOf(this.positions);
        return this.known;
    }
}

// Triangles of a mesh that have one material.
export interface Piece {
    material: number; // 0: the object's colour
    triangles: Uint32Array | null; // null: all
}

function piecesOf(material: number, materials: Uint32Array | null): Piece[] {
    if (materials === null) {
        return [{ material, triangles: null }];
    }
    const lists = new Map<number, number[]>();
    materials.forEach((own, triangle) => {
        const number = own === 0 ? material : own;
        const list = lists.get(number);
        if (list === undefined) {
            lists.set(number, [triangle]);
        } else {
            list.push(triangle);
        }
    });
    if (lists.size <= 1) {
        return [{ material: [...lists.keys()][0] ?? material, triangles: null }];
    }
    return [...lists].map(([number, list]) => ({ material: number, triangles: Uint32Array.from(list) }));
}

// A box about points, its centre, and the radius of a ball about the centre that holds them all.
export interface Bounds {
    low: Vec3;
    high: Vec3;
    center: Vec3;
    radius: number;
}

export function boundsOf(positions: Float32Array): Bounds {
    const zero = vec3(0, 0, 0);
    if (positions.length === 0) {
        return { low: zero, high: zero, center: zero, radius: 0 };
    }
    const low = vec3(Infinity, Infinity, Infinity);
    const high = vec3(-Infinity, -Infinity, -Infinity);
    for (let i = 0; i < positions.length; i += 3) {
        const x = positions[i]!;
        const y = positions[i + 1]!;
        const z = positions[i + 2]!;
        if (x < low.x) low.x = x;
        if (y < low.y) low.y = y;
        if (z < low.z) low.z = z;
        if (x > high.x) high.x = x;
        if (y > high.y) high.y = y;
        if (z > high.z) high.z = z;
    }
    const center = times(add(low, high), 0.5);
    let square = 0;
    for (let i = 0; i < positions.length; i += 3) {
        const dx = positions[i]! - center.x;
        const dy = positions[i + 1]! - center.y;
        const dz = positions[i + 2]! - center.z;
        square = Math.max(square, dx * dx + dy * dy + dz * dz);
    }
    return { low, high, center, radius: Math.sqrt(square) };
}

// The edges worth drawing, as pairs of vertices: open ones and those where the surface bends by more than 20 degrees.
export function featureEdges(positions: Float32Array, triangles: Uint32Array): Uint32Array {
    const count = triangles.length;
    const keys = new Float64Array(count);
    const vertexCount = positions.length / 3;
    for (let i = 0; i < count; i++) {
        const a = triangles[i]!;
        const b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
        keys[i] = Math.min(a, b) * vertexCount + Math.max(a, b);
    }
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => keys[a]! - keys[b]!);

    const edges: number[] = [];
    for (let first = 0; first < count; ) {
        const key = keys[order[first]!]!;
        let end = first + 1;
        while (end < count && keys[order[end]!] === key) {
            end++;
        }
        const bends = end - first !== 2 || bend(positions, triangles, order[first]!, order[first + 1]!);
        if (bends) {
            edges.push(Math.floor(key / vertexCount), key % vertexCount);
        }
        first = end;
    }
    return Uint32Array.from(edges);
}

const bendCosine = Math.cos((20 * Math.PI) / 180);

function bend(positions: Float32Array, triangles: Uint32Array, edgeA: number, edgeB: number): boolean {
    const a = triangleNormal(positions, triangles, Math.floor(edgeA / 3));
    const b = triangleNormal(positions, triangles, Math.floor(edgeB / 3));
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < bendCosine;
}

function triangleNormal(positions: Float32Array, triangles: Uint32Array, triangle: number): [number, number, number] {
    const a = 3 * triangles[3 * triangle]!;
    const b = 3 * triangles[3 * triangle + 1]!;
    const c = 3 * triangles[3 * triangle + 2]!;
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const size = Math.hypot(x, y, z) || 1;
    return [x / size, y / size, z / size];
}
