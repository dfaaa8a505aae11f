// The flat face that a person sees about a triangle: the triangles in one plane with it that are joined to it, corner by
// corner. Files of triangles say nothing of faces, so that it is found by places alone.

const slack = 1e-5; // of the mesh's size: how far a corner may be off the plane
const most = 4096; // triangles; a larger face is cut there

// Triangles in one plane with `triangle`, connected with it through corners at the same places.
export function flatFace(positions: Float32Array, triangles: Uint32Array, triangle: number): number[] {
    const plane = planeOf(positions, triangles, triangle);
    if (plane === null) {
        return [triangle];
    }
    const [nx, ny, nz, offset] = plane;
    let size = 0;
    for (const value of positions) {
        size = Math.max(size, Math.abs(value));
    }
    const limit = slack * size;
    const isOn = (corner: number): boolean =>
        Math.abs(nx * positions[3 * corner]! + ny * positions[3 * corner + 1]! + nz * positions[3 * corner + 2]! - offset) <= limit;
    const placeOf = (corner: number): string => `${positions[3 * corner]} ${positions[3 * corner + 1]} ${positions[3 * corner + 2]}`;

    // Stage 1: what lies in the plane, by the places of its corners.
    const at = new Map<string, number[]>();
    for (let i = 0; i < triangles.length; i += 3) {
        const corners = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
        if (!corners.every(isOn)) {
            continue;
        }
        for (const corner of corners) {
            const place = placeOf(corner);
            const list = at.get(place);
            if (list === undefined) {
                at.set(place, [i / 3]);
            } else {
                list.push(i / 3);
            }
        }
    }

    // Stage 2: what is joined.
    const found = new Set([triangle]);
    for (const each of found) {
        for (let k = 0; k < 3 && found.size < most; k++) {
            at.get(placeOf(triangles[3 * each + k]!))?.forEach((next) => found.add(next));
        }
    }
    return [...found];
}

// The unit normal and its offset; null where the triangle has no plane.
function planeOf(p: Float32Array, triangles: Uint32Array, triangle: number): [number, number, number, number] | null {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * triangle + k]!) as [number, number, number];
    const u = [0, 1, 2].map((k) => p[b + k]! - p[a + k]!) as [number, number, number];
    const v = [0, 1, 2].map((k) => p[c + k]! - p[a + k]!) as [number, number, number];
    const [x, y, z] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(x, y, z);
    return size === 0 ? null : [x / size, y / size, z / size, (x * p[a]! + y * p[a + 1]! + z * p[a + 2]!) / size];
}
