// The directions in which surfaces face at the corners of their triangles. Where a mesh comes with normals these are taken; else it is shaded
// smoothly: at each place of the surface the faces that bend by less than the
// crease angle from one to the next have one normal, their mean by the angles of their corners; others have their own, and
// edges between them stay sharp. Vertices at one place count as one, whatever file or seam took them apart.

const creaseCosine = Math.cos((40 * Math.PI) / 180);

// Faces about one vertex that are compared each with each; of more, each with the next alone.
const manyCorners = 64;

// Of a normal, as the graphics card takes it: 4 numbers, of which the last is not used.
const whole = 32767;

// Vertices as they are drawn: those of the mesh, and one more for each further normal that a vertex has.
export interface Creased {
    readonly corners: Uint32Array; // 3 a triangle: drawn vertices
    readonly sources: Uint32Array; // of each drawn vertex: the mesh's
    readonly shared: Uint32Array; // of each drawn vertex: the first of those that have its normal
}

// Unit normals of triangles, 3 numbers each; zero where a triangle has no area.
function faceNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
    const normals = new Float32Array(triangles.length);
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i]!;
        const b = 3 * triangles[i + 1]!;
        const c = 3 * triangles[i + 2]!;
        const ux = positions[b]! - positions[a]!;
        const uy = positions[b + 1]! - positions[a + 1]!;
        const uz = positions[b + 2]! - positions[a + 2]!;
        const vx = positions[c]! - positions[a]!;
        const vy = positions[c + 1]! - positions[a + 1]!;
        const vz = positions[c + 2]! - positions[a + 2]!;
        const x = uy * vz - uz * vy;
        const y = uz * vx - ux * vz;
        const z = ux * vy - uy * vx;
        const size = Math.sqrt(x * x + y * y + z * z);
        if (size > 0) {
            normals[i] = x / size;
            normals[i + 1] = y / size;
            normals[i + 2] = z / size;
        }
    }
    return normals;
}

// One hash of another and of the bits of a number, of which the lower ones often are zero.
function mixed(hash: number, bits: number): number {
    const product = Math.imul(hash ^ bits ^ (bits >>> 13), 0x9e3779b1);
    return product ^ (product >>> 15);
}

// The number of each vertex's place: equal for vertices at one place.
export function findPlaces(positions: Float32Array): Uint32Array {
    const count = positions.length / 3;
    let size = 1;
    while (size < 2 * count) {
        size *= 2;
    }
    const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
    const table = new Int32Array(size).fill(-1);
    const places = new Uint32Array(count);
    for (let vertex = 0; vertex < count; vertex++) {
        const x = positions[3 * vertex]!;
        const y = positions[3 * vertex + 1]!;
        const z = positions[3 * vertex + 2]!;
        // Both zeros are one place.
        let at = mixed(0, x === 0 ? 0 : bits[3 * vertex]!);
        at = mixed(at, y === 0 ? 0 : bits[3 * vertex + 1]!);
        at = mixed(at, z === 0 ? 0 : bits[3 * vertex + 2]!) & (size - 1);
        for (;;) {
            const known = table[at]!;
            if (known < 0) {
                table[at] = vertex;
                places[vertex] = vertex;
                break;
            }
            if (positions[3 * known] === x && positions[3 * known + 1] === y && positions[3 * known + 2] === z) {
                places[vertex] = known;
                break;
            }
            at = (at + 1) & (size - 1);
        }
    }
    return places;
}

// The corners at each place: those of place p are list[first[p]] .. list[first[p + 1] - 1].
function cornersByPlace(triangles: Uint32Array, places: Uint32Array): { first: Uint32Array; list: Uint32Array } {
    const first = new Uint32Array(places.length + 1);
    for (let corner = 0; corner < triangles.length; corner++) {
        first[places[triangles[corner]!]! + 1]!++;
    }
    for (let place = 0; place < places.length; place++) {
        first[place + 1]! += first[place]!;
    }
    const next = first.slice();
    const list = new Uint32Array(triangles.length);
    for (let corner = 0; corner < triangles.length; corner++) {
        list[next[places[triangles[corner]!]!]!++] = corner;
    }
    return { first, list };
}

// Whether the faces of two corners bend by less than the crease angle. One without an area bends from nothing.
function areSmooth(normals: Float32Array, cornerA: number, cornerB: number): boolean {
    const a = cornerA - (cornerA % 3);
    const b = cornerB - (cornerB % 3);
    const product = normals[a]! * normals[b]! + normals[a + 1]! * normals[b + 1]! + normals[a + 2]! * normals[b + 2]!;
    return product >= creaseCosine;
}

// Finds where the surface is smooth: `group` gets, for each corner from `begin` to `end` of the list, the least corner of
// those that share its normal.
function groupCorners(normals: Float32Array, list: Uint32Array, begin: number, end: number, group: Uint32Array): void {
    // Most places are smooth: all faces bend little from the first, whose corner is the least.
    const least = list[begin]!;
    let smooth = begin;
    while (smooth < end && (smooth === begin || areSmooth(normals, least, list[smooth]!))) {
        group[list[smooth]!] = least;
        smooth++;
    }
    if (smooth === end) {
        return;
    }
    for (let i = begin; i < end; i++) {
        group[list[i]!] = list[i]!;
    }
    const isMany = end - begin > manyCorners;
    for (let i = begin; i < end; i++) {
        const last = isMany ? Math.min(i + 2, end) : end;
        for (let j = i + 1; j < last; j++) {
            const a = group[list[i]!]!;
            const b = group[list[j]!]!;
            if (a !== b && areSmooth(normals, list[i]!, list[j]!)) {
                const least = Math.min(a, b);
                const other = Math.max(a, b);
                for (let k = begin; k < end; k++) {
                    if (group[list[k]!] === other) {
                        group[list[k]!] = least;
                    }
                }
            }
        }
    }
}

// Decides which corners share a normal, by the mesh as it was made.
export function findCreases(positions: Float32Array, triangles: Uint32Array): Creased {
    const normals = faceNormals(positions, triangles);
    const { first, list } = cornersByPlace(triangles, findPlaces(positions));
    const vertexCount = positions.length / 3;
    const group = new Uint32Array(triangles.length);
    const corners = new Uint32Array(triangles.length);
    const groupOf = new Int32Array(vertexCount).fill(-1); // that a vertex of the mesh is drawn in
    const more: number[] = []; // vertices that are drawn once more
    const moreGroups: number[] = []; // their groups
    const firstOf: number[] = []; // and the first drawn vertex of each
    const shared = new Uint32Array(vertexCount);
    for (let place = 0; place < vertexCount; place++) {
        const begin = first[place]!;
        const end = first[place + 1]!;
        groupCorners(normals, list, begin, end, group);
        const known = more.length;
        for (let i = begin; i < end; i++) {
            const corner = list[i]!;
            const vertex = triangles[corner]!;
            const own = group[corner]!;
            if (groupOf[vertex]! < 0) {
                groupOf[vertex] = own;
                shared[vertex] = own === corner ? vertex : corners[own]!; // the least corner of a group comes first
            }
            if (groupOf[vertex] === own) {
                corners[corner] = vertex;
                continue;
            }
            let at = known;
            while (at < more.length && (more[at] !== vertex || moreGroups[at] !== own)) {
                at++;
            }
            corners[corner] = vertexCount + at;
            if (at === more.length) {
                more.push(vertex);
                moreGroups.push(own);
                firstOf.push(corners[own]!);
            }
        }
    }
    const sources = new Uint32Array(vertexCount + more.length);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        sources[vertex] = vertex;
    }
    sources.set(more, vertexCount);
    const allShared = new Uint32Array(sources.length);
    allShared.set(shared);
    allShared.set(firstOf, vertexCount);
    return { corners, sources, shared: allShared };
}

const angleAt = (dot: number, a: number, b: number): number => Math.acos(Math.min(1, Math.max(-1, dot / (a * b))));

// Adds the normal of each face, times the angle of its corner, to the first of the drawn vertices that share it.
function sumNormals({ corners, shared }: Creased, positions: Float32Array, triangles: Uint32Array, sums: Float32Array): void {
    const add = (corner: number, angle: number, x: number, y: number, z: number): void => {
        const to = 3 * shared[corners[corner]!]!;
        sums[to]! += angle * x;
        sums[to + 1]! += angle * y;
        sums[to + 2]! += angle * z;
    };
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i]!;
        const b = 3 * triangles[i + 1]!;
        const c = 3 * triangles[i + 2]!;
        const ux = positions[b]! - positions[a]!;
        const uy = positions[b + 1]! - positions[a + 1]!;
        const uz = positions[b + 2]! - positions[a + 2]!;
        const vx = positions[c]! - positions[a]!;
        const vy = positions[c + 1]! - positions[a + 1]!;
        const vz = positions[c + 2]! - positions[a + 2]!;
        const wx = vx - ux;
        const wy = vy - uy;
        const wz = vz - uz;
        const x = uy * vz - uz * vy;
        const y = uz * vx - ux * vz;
        const z = ux * vy - uy * vx;
        const size = Math.sqrt(x * x + y * y + z * z);
        const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
        const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
        const w = Math.sqrt(wx * wx + wy * wy + wz * wz);
        if (!(u > 0 && v > 0 && w > 0 && size > 0)) {
            continue;
        }
        const first = angleAt(ux * vx + uy * vy + uz * vz, u, v);
        const second = angleAt(-(ux * wx + uy * wy + uz * wz), u, w);
        const [nx, ny, nz] = [x / size, y / size, z / size];
        add(i, first, nx, ny, nz);
        add(i + 1, second, nx, ny, nz);
        add(i + 2, Math.PI - first - second, nx, ny, nz);
    }
}

// Normals of the drawn vertices, 4 numbers each, for positions of the mesh that may have moved since the creases were found.
export function creasedNormals(creased: Creased, positions: Float32Array, triangles: Uint32Array): Int16Array {
    const { sources, shared } = creased;
    const sums = new Float32Array(3 * sources.length);
    sumNormals(creased, positions, triangles, sums);
    const normals = new Int16Array(4 * sources.length);
    for (let drawn = 0; drawn < sources.length; drawn++) {
        const from = 3 * shared[drawn]!;
        const x = sums[from]!;
        const y = sums[from + 1]!;
        const z = sums[from + 2]!;
        const size = Math.sqrt(x * x + y * y + z * z);
        const scale = size > 0 ? whole / size : 0;
        normals[4 * drawn] = Math.round(x * scale);
        normals[4 * drawn + 1] = size > 0 ? Math.round(y * scale) : whole;
        normals[4 * drawn + 2] = Math.round(z * scale);
    }
    return normals;
}

// ---------------------------------------------------------------------------------------------------------------
// Normals that came with a mesh

const none = 0x80008000; // no normal is given at a corner

// A direction that was packed on an octahedron, into 3 of the 4 numbers that a normal has.
export function unpackNormal(packed: number, to: Int16Array, at: number): void {
    let x = ((packed << 16) >> 16) / whole;
    let y = (packed >> 16) / whole;
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) {
        [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
    }
    const scale = whole / Math.sqrt(x * x + y * y + z * z);
    to[at] = Math.round(x * scale);
    to[at + 1] = Math.round(y * scale);
    to[at + 2] = Math.round(z * scale);
}

// A mesh as it is drawn by its own normals: a vertex for each that it has.
export interface Given {
    readonly creased: Creased; // whose `shared` is not needed: normals do not follow from positions
    readonly normals: Int16Array; // 4 numbers of each drawn vertex
}

// Takes the normals of the corners; corners without one have that of the creases.
export function takeNormals(positions: Float32Array, triangles: Uint32Array, packed: Uint32Array): Given {
    const isWhole = !packed.includes(none);
    const smooth = isWhole ? null : findCreases(positions, triangles);
    const smoothNormals = smooth === null ? null : creasedNormals(smooth, positions, triangles);
    const vertexCount = positions.length / 3;
    const corners = new Uint32Array(triangles.length);
    const first = new Int32Array(vertexCount).fill(-1); // a corner by which the vertex is drawn; more hang on it
    const next = new Int32Array(triangles.length).fill(-1);
    const more: number[] = []; // corners whose vertices are drawn once more
    const isSame = (a: number, b: number): boolean =>
        packed[a] === packed[b] && (packed[a] !== none || smooth!.shared[smooth!.corners[a]!] === smooth!.shared[smooth!.corners[b]!]);
    for (let corner = 0; corner < triangles.length; corner++) {
        const vertex = triangles[corner]!;
        let last = -1;
        let at = first[vertex]!;
        while (at >= 0 && !isSame(at, corner)) {
            last = at;
            at = next[at]!;
        }
        if (at >= 0) {
            corners[corner] = corners[at]!;
        } else if (last < 0) {
            first[vertex] = corner;
            corners[corner] = vertex;
        } else {
            next[last] = corner;
            corners[corner] = vertexCount + more.length;
            more.push(corner);
        }
    }
    const sources = new Uint32Array(vertexCount + more.length);
    const normals = new Int16Array(4 * sources.length);
    const put = (drawn: number, corner: number): void => {
        sources[drawn] = corner < 0 ? drawn : triangles[corner]!;
        if (corner < 0) {
            normals[4 * drawn + 1] = whole;
        } else if (packed[corner] === none) {
            const from = 4 * smooth!.corners[corner]!;
            normals.set(smoothNormals!.subarray(from, from + 3), 4 * drawn);
        } else {
            unpackNormal(packed[corner]!, normals, 4 * drawn);
        }
    };
    first.forEach((corner, vertex) => put(vertex, corner));
    more.forEach((corner, i) => put(vertexCount + i, corner));
    return { creased: { corners, sources, shared: sources }, normals };
}
