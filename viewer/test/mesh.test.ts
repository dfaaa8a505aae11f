import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, featureEdges, Mesh } from "../src/mesh";
import { boxEdges } from "../src/outline";
import { cube, cubeCorners, cubeTriangles } from "./cube";

test("a mesh is whole when all its pieces came", () => {
    const mesh = new Mesh(7, 8, 12, 6);
    assert.equal(mesh.isComplete, false);
    mesh.addVertices(0, cubeCorners.slice(0, 12));
    mesh.addTriangles(0, cubeTriangles);
    assert.deepEqual(mesh.progress, { have: 12 + 36 + 12, total: 24 + 60 });
    mesh.addFaces(0, new Uint32Array(12));
    assert.equal(mesh.isComplete, false);
    mesh.addVertices(4, cubeCorners.slice(12));
    assert.equal(mesh.isComplete, true);
    assert.deepEqual([...mesh.positions], [...cubeCorners]);
});

test("without faces each triangle is its own", () => {
    const mesh = new Mesh(1, 8, 12, 0);
    mesh.addVertices(0, cubeCorners);
    mesh.addTriangles(0, cubeTriangles);
    assert.equal(mesh.isComplete, true);
    assert.equal(mesh.faces[11], 11);
});

test("vertices that are not there, and sizes beyond reason, are refused", () => {
    const mesh = new Mesh(1, 3, 1, 1);
    assert.throws(() => mesh.addTriangles(0, Uint32Array.of(0, 1, 3)), /vertex 3 of 3/);
    assert.throws(() => mesh.addVertices(2, new Float32Array(6)), RangeError);
    assert.throws(() => new Mesh(1, 2 ** 30, 1, 1), /too large/);
});

test("bounds hold all points, and are taken again when more come", () => {
    const { low, high, center, radius } = boundsOf(Float32Array.of(-1, 0, 0, 3, 4, 0, 0, 0, -2));
    assert.deepEqual([low, high], [{ x: -1, y: 0, z: -2 }, { x: 3, y: 4, z: 0 }]);
    assert.deepEqual(center, { x: 1, y: 2, z: -1 });
    assert.equal(radius, 3);
    assert.equal(boundsOf(new Float32Array(0)).radius, 0);
});

test("a cube has twelve edges worth drawing, an open triangle three", () => {
    assert.equal(featureEdges(cube().positions, cube().triangles).length, 24);
    assert.equal(featureEdges(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2)).length, 6);
});

test("a flat square has four, its diagonal none", () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0);
    assert.equal(featureEdges(positions, Uint32Array.of(0, 1, 2, 0, 2, 3)).length, 8);
});

test("a box has twelve edges, each along one axis", () => {
    const edges = boxEdges([1, 2, 3], [2, 4, 7]);
    assert.equal(edges.length, 72);
    for (let i = 0; i < 72; i += 6) {
        const sizes = [0, 1, 2].map((k) => Math.abs(edges[i + k]! - edges[i + 3 + k]!));
        assert.equal(sizes.filter((size) => size > 0).length, 1);
    }
});
