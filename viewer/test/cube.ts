// A cube from -1 to 1 with faces numbered by twos, for tests.
import { Mesh } from "../src/mesh";

export const cubeCorners = Float32Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> i % 3) & 1 ? 1 : -1));

// Two triangles a side, outwards.
export const cubeTriangles = Uint32Array.from([
    [0, 2, 1, 1, 2, 3],
    [4, 5, 6, 5, 7, 6],
    [0, 1, 4, 1, 5, 4],
    [2, 6, 3, 3, 6, 7],
    [0, 4, 2, 2, 4, 6],
    [1, 3, 5, 3, 7, 5],
].flat());

export function cube(id = 1): Mesh {
    const mesh = new Mesh(id, 8, 12, 6);
    mesh.addVertices(0, cubeCorners);
    mesh.addTriangles(0, cubeTriangles);
    mesh.addFaces(0, Uint32Array.from({ length: 12 }, (_, i) => Math.floor(i / 2)));
    return mesh;
}
