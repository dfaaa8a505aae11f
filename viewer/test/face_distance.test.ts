import assert from "node:assert/strict";
import { test } from "node:test";
import { angleBetween, faceDistance, triangleDistance, type Triangle } from "../src/face_distance";
import { flatFace } from "../src/flat_face";
import { lengthText } from "../src/length_text";
import { distance, vec3 } from "../src/vector";
import { triangleCases, type TriangleNumbers } from "./measure_cases";

const triangleOf = (n: TriangleNumbers): Triangle => [vec3(n[0], n[1], n[2]), vec3(n[3], n[4], n[5]), vec3(n[6], n[7], n[8])];

test("triangles are as far apart as the library says, and where", () => {
    for (const { name, a, b, result } of triangleCases) {
        const found = triangleDistance(triangleOf(a), triangleOf(b));
        const size = Math.max(...a.map(Math.abs), ...b.map(Math.abs));
        assert.ok(Math.abs(found.distance - result) <= 1e-9 * size, `${name}: ${found.distance}, not ${result}`);
        assert.ok(Math.abs(distance(found.onA, found.onB) - found.distance) <= 1e-12 * size, name);
        const swapped = triangleDistance(triangleOf(b), triangleOf(a));
        assert.ok(Math.abs(swapped.distance - found.distance) <= 1e-9 * size, `${name}, swapped`);
    }
});

test("faces are as far apart as their nearest triangles", () => {
    const all = triangleCases.map(({ a }) => triangleOf(a));
    const others = triangleCases.map(({ b }) => triangleOf(b));
    const least = Math.min(...all.flatMap((a) => others.map((b) => triangleDistance(a, b).distance)));
    assert.equal(faceDistance(all, others).distance, least);
    assert.equal(faceDistance(all, all).distance, 0);
    assert.equal(faceDistance([], all).distance, Infinity);
});

// A box of 1 x 2 x 3, its corners given for each triangle apart, as STL has them.
const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, i & 2 ? 2 : 0, i & 4 ? 3 : 0]);
const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] as const;
const soup = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]).flatMap((corner) => corners[corner]!);

test("a flat face is found by places, whichever of its triangles is picked", () => {
    const positions = new Float32Array(soup);
    const triangles = Uint32Array.from({ length: soup.length / 3 }, (_, i) => i);
    for (let triangle = 0; triangle < 12; triangle++) {
        const side = triangle - (triangle % 2);
        assert.deepEqual(flatFace(positions, triangles, triangle).sort((a, b) => a - b), [side, side + 1]);
    }
});

test("what lies in the same plane elsewhere is another face, and a triangle without a plane is alone", () => {
    const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0, 2, 2, 0]);
    const triangles = new Uint32Array([0, 1, 2, 3, 4, 5, 6, 6, 6]);
    assert.deepEqual(flatFace(positions, triangles, 0), [0]);
    assert.deepEqual(flatFace(positions, triangles, 1), [1]);
    assert.deepEqual(flatFace(positions, triangles, 2), [2]);
});

test("angles between faces are 0 to 90 degrees, whichever way they point", () => {
    const flat: Triangle = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)];
    const turned: Triangle = [vec3(0, 0, 4), vec3(0, 1, 4), vec3(1, 0, 4)];
    const slanted: Triangle = [vec3(0, 0, 0), vec3(1, 0, 1), vec3(0, 1, 0)];
    assert.equal(angleBetween(flat, turned), 0);
    assert.ok(Math.abs(angleBetween(flat, slanted) - 45) < 1e-12);
});

test("lengths have a unit that suits, five digits and no exponent", () => {
    const cases: [number, string][] = [
        [0, "0 mm"],
        [1.2e-17, "0 mm"],
        [2.5e-6, "2.5 µm"],
        [0.0123456789, "12.346 mm"],
        [1, "1 m"],
        [123456.7, "123460 m"],
        [0.9999999, "1000 mm"],
        [-0.5, "-500 mm"],
    ];
    for (const [metres, text] of cases) {
        assert.equal(lengthText(metres), text);
    }
});
