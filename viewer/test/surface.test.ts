// Meshes of several materials, and pixels of pictures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mesh } from "../src/mesh";
import { Mirror } from "../src/mirror";
import { lowestFirst } from "../src/surface";

const none = { materials: new Uint32Array(0), uvs: new Float32Array(0), rgba: new Uint8Array(0), normals: new Uint32Array(0) };

// Three triangles over four vertices.
function made(material: number, look: number): Mesh {
    const mesh = new Mesh(1, 4, 3, 0, material, look);
    mesh.addVertices(0, new Float32Array(12));
    mesh.addTriangles(0, Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 2, 3));
    return mesh;
}

test("a mesh without a look is whole without one, and one piece", () => {
    const mesh = made(0, 0);
    assert.equal(mesh.isComplete, true);
    assert.deepEqual(mesh.pieces, [{ material: 0, triangles: null }]);
    assert.deepEqual(mesh.progress, { have: 3 * 4 + 5 * 3, total: 3 * 4 + 5 * 3 });
    assert.deepEqual(made(7, 0).pieces, [{ material: 7, triangles: null }]);
});

test("a mesh with a look is whole when all of it came, and divided by material", () => {
    const mesh = made(7, 15);
    assert.equal(mesh.isComplete, false);
    mesh.addLook(0, Uint32Array.of(0, 2), new Float32Array(12).fill(0.5), new Uint8Array(24).fill(9), new Uint32Array(6).fill(5));
    assert.equal(mesh.isComplete, false);
    mesh.addLook(2, Uint32Array.of(7), Float32Array.of(1, 2, 3, 4, 5, 6), new Uint8Array(12).fill(1), Uint32Array.of(7, 8, 9));
    assert.equal(mesh.isComplete, true);
    assert.deepEqual(mesh.pieces, [
        { material: 7, triangles: Uint32Array.of(0, 2) },
        { material: 2, triangles: Uint32Array.of(1) },
    ]);
    assert.equal(mesh.uvs![17], 6);
    assert.equal(mesh.colors![35], 1);
    assert.deepEqual([...mesh.normals!], [5, 5, 5, 5, 5, 5, 7, 8, 9]);
});

test("a look of lists that do not fit one another, or the mesh, is refused", () => {
    const mesh = made(0, 3);
    assert.throws(() => mesh.addLook(0, Uint32Array.of(1, 2), new Float32Array(6), none.rgba, none.normals), /a look of 2, 1 triangles/);
    assert.throws(() => mesh.addLook(2, Uint32Array.of(1, 2), new Float32Array(12), none.rgba, none.normals), RangeError);
    // What was not announced is passed over.
    mesh.addLook(0, Uint32Array.of(4, 4, 4), new Float32Array(18), new Uint8Array(36), new Uint32Array(9));
    assert.equal(mesh.colors, null);
    assert.deepEqual(mesh.pieces, [{ material: 4, triangles: null }]);
});

test("materials and pictures are kept until the scene changes", () => {
    const mirror = new Mirror();
    const color = { r: 1, g: 2, b: 3, a: 255 };
    mirror.apply({ type: "material", material: 1, color, glow: color, flags: 0, picture: 1 });
    mirror.apply({ type: "picture", picture: 1, width: 0, height: 0, flags: 3, bytes: new Uint8Array(4) });
    assert.equal(mirror.materials.get(1)?.picture, 1);
    assert.equal(mirror.pictures.size, 1);
    mirror.apply({ type: "reset", scene: "other", step: 0.01 });
    assert.equal(mirror.materials.size + mirror.pictures.size, 0);
});

test("rows of pixels are turned upside down, as many as there should be", () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i);
    const turned = lowestFirst({ width: 1, height: 4, bytes })!;
    assert.deepEqual([...turned], [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3]);
    assert.equal(lowestFirst({ width: 2, height: 4, bytes }), null);
});
