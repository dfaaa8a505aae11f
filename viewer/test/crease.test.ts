// Where surfaces are smooth and where they are sharp, and the normals that follow, against what shapes have by their formulas.
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { creasedNormals, findCreases, findPlaces, takeNormals, unpackNormal, type Creased } from "../src/crease";
import { directionCases } from "./direction_cases";

interface Shape {
    positions: Float32Array;
    triangles: Uint32Array;
}

const cube: Shape = {
    positions: new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
    triangles: new Uint32Array([
        0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3,
    ]),
};

// A ball of so many stacks and twice as many slices, with one vertex at each pole.
function ball(stacks: number): Shape {
    const slices = 2 * stacks;
    const positions: number[] = [0, 1, 0];
    for (let i = 1; i < stacks; i++) {
        for (let j = 0; j < slices; j++) {
            const [up, about] = [(Math.PI * i) / stacks, (2 * Math.PI * j) / slices];
            positions.push(Math.sin(up) * Math.cos(about), Math.cos(up), Math.sin(up) * Math.sin(about));
        }
    }
    positions.push(0, -1, 0);
    const last = positions.length / 3 - 1;
    const at = (i: number, j: number): number => 1 + (i - 1) * slices + (j % slices);
    const triangles: number[] = [];
    for (let j = 0; j < slices; j++) {
        triangles.push(0, at(1, j + 1), at(1, j), last, at(stacks - 1, j), at(stacks - 1, j + 1));
        for (let i = 1; i < stacks - 1; i++) {
            triangles.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
        }
    }
    return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

// The same with three vertices of its own for each triangle, as an STL file has it.
function soup({ positions, triangles }: Shape): Shape {
    const out = new Float32Array(3 * triangles.length);
    triangles.forEach((vertex, i) => out.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
    return { positions: out, triangles: Uint32Array.from(triangles, (_, i) => i) };
}

function cornerNormals(shape: Shape, positions = shape.positions): { creased: Creased; at: (corner: number) => number[] } {
    const creased = findCreases(shape.positions, shape.triangles);
    const normals = creasedNormals(creased, positions, shape.triangles);
    return { creased, at: (corner) => [0, 1, 2].map((k) => normals[4 * creased.corners[corner]! + k]! / 32767) };
}

const near = (a: number[], b: readonly number[], slack: number, what: string): void =>
    assert.ok(Math.hypot(...a.map((value, i) => value - b[i]!)) < slack, `${what}: ${a.join(" ")} is not ${b.join(" ")}`);

const faceNormal = ({ positions, triangles }: Shape, triangle: number): number[] => {
    const [a, b, c] = [0, 1, 2].map((k) => [...positions.subarray(3 * triangles[3 * triangle + k]!, 3 * triangles[3 * triangle + k]! + 3)]) as [number[], number[], number[]];
    const [u, v] = [b.map((value, i) => value - a[i]!), c.map((value, i) => value - a[i]!)];
    const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    return n.map((value) => value / Math.hypot(...n));
};

test("every drawn vertex is where its corner is", () => {
    for (const shape of [cube, ball(8), soup(ball(8)), soup(cube)]) {
        const { corners, sources } = findCreases(shape.positions, shape.triangles);
        corners.forEach((drawn, corner) => assert.equal(sources[drawn], shape.triangles[corner]));
    }
});

test("the edges of a cube stay sharp: each vertex is drawn three times", () => {
    for (const shape of [cube, soup(cube)]) {
        const { at, creased } = cornerNormals(shape);
        for (let corner = 0; corner < 36; corner++) {
            near(at(corner), faceNormal(shape, Math.floor(corner / 3)), 1e-4, `corner ${corner}`);
        }
        assert.equal(creased.sources.length, shape === cube ? 24 : 36);
    }
});

test("a ball is smooth, whole or taken apart, and its normals are its own", () => {
    for (const shape of [ball(16), soup(ball(16))]) {
        const { at, creased } = cornerNormals(shape);
        assert.equal(creased.sources.length, shape.positions.length / 3, "no vertex is drawn twice");
        shape.triangles.forEach((vertex, corner) => {
            near(at(corner), [...shape.positions.subarray(3 * vertex, 3 * vertex + 3)], 0.03, `corner ${corner}`);
        });
    }
});

test("a cylinder is smooth around and sharp at its ends", () => {
    const slices = 24;
    const positions: number[] = [0, 1, 0, 0, 0, 0];
    const triangles: number[] = [];
    for (let j = 0; j < slices; j++) {
        const about = (2 * Math.PI * j) / slices;
        positions.push(Math.cos(about), 1, Math.sin(about), Math.cos(about), 0, Math.sin(about));
        const [t, b, nextT, nextB] = [2 + 2 * j, 3 + 2 * j, 2 + 2 * ((j + 1) % slices), 3 + 2 * ((j + 1) % slices)];
        triangles.push(0, nextT, t, 1, b, nextB, t, nextT, b, nextT, nextB, b);
    }
    const shape = { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
    const { at, creased } = cornerNormals(shape);
    assert.equal(creased.sources.length, positions.length / 3 + 2 * slices, "each of the rims is drawn twice");
    triangles.forEach((vertex, corner) => {
        const kind = Math.floor(corner / 3) % 4;
        const about = [positions[3 * vertex]!, 0, positions[3 * vertex + 2]!];
        near(at(corner), kind === 0 ? [0, 1, 0] : kind === 1 ? [0, -1, 0] : about, 1e-3, `corner ${corner}`);
    });
});

test("faces of a moved mesh have the normals of where they are, with the creases of where they were", () => {
    const shape = ball(12);
    const moved = shape.positions.map((value, i) => (i % 3 === 1 ? 0.5 * value : value));
    const { at } = cornerNormals(shape, moved);
    shape.triangles.forEach((vertex, corner) => {
        const [x, y, z] = shape.positions.subarray(3 * vertex, 3 * vertex + 3);
        const n = [x!, 2 * y!, z!];
        near(at(corner), n.map((value) => value / Math.hypot(...n)), 0.06, `corner ${corner}`);
    });
});

test("bad input is drawn somehow: no area, opposite sides, no triangles, both zeros", () => {
    const flat = { positions: new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]), triangles: new Uint32Array([0, 1, 2, 0, 0, 0]) };
    const { at } = cornerNormals(flat);
    for (let corner = 0; corner < 6; corner++) {
        assert.ok(at(corner).every(Number.isFinite));
        assert.ok(Math.abs(Math.hypot(...at(corner)) - 1) < 1e-3, "unit all the same");
    }
    const twoSides = { positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: new Uint32Array([0, 1, 2, 0, 2, 1]) };
    const sides = cornerNormals(twoSides);
    near(sides.at(0), [0, 0, 1], 1e-4, "front");
    near(sides.at(3), [0, 0, -1], 1e-4, "back");
    assert.equal(findCreases(new Float32Array(0), new Uint32Array(0)).corners.length, 0);
    assert.deepEqual([...findPlaces(new Float32Array([0, 0, 0, -0, 0, -0, 1, 0, 0]))], [0, 0, 2]);
});

test("a fan of very many faces is smooth", () => {
    const count = 3000;
    const positions: number[] = [0, 1, 0];
    const triangles: number[] = [];
    for (let j = 0; j < count; j++) {
        positions.push(Math.cos((2 * Math.PI * j) / count), 0, Math.sin((2 * Math.PI * j) / count));
        triangles.push(0, 1 + ((j + 1) % count), 1 + j);
    }
    const shape = { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
    const { at, creased } = cornerNormals(shape);
    assert.ok(creased.sources.length <= count + 2);
    near(at(0), [0, 1, 0], 1e-2, "the apex");
});

test("two million triangles take little time", () => {
    const shape = ball(708); // 2.0 million
    const begin = process.cpuUsage();
    const creased = findCreases(shape.positions, shape.triangles);
    creasedNormals(creased, shape.positions, shape.triangles);
    const { user } = process.cpuUsage(begin);
    console.log(`${shape.triangles.length / 3} triangles: ${(user / 1000).toFixed(0)} ms of the processor`);
    assert.ok(user < 10_000_000, `${user / 1000} ms`);
});

test("packed directions are the library's", () => {
    assert.ok(directionCases.length > 60);
    for (const { packed, unit } of directionCases) {
        const out = new Int16Array(6);
        unpackNormal(packed, out, 2);
        near([...out.subarray(2, 5)].map((value) => value / 32767), unit, 3e-5, `${packed}`);
        assert.deepEqual([out[0], out[1], out[5]], [0, 0, 0]);
    }
});

test("normals that came with a mesh are taken, and its creases where none did", () => {
    const { positions, triangles } = cube;
    const [up, none] = [directionCases.find(({ unit }) => unit[1] === 1)!.packed, 0x80008000];
    // Every corner of the first two triangles has one normal, of the next two another; the others have none.
    const other = directionCases[20]!;
    const packed = Uint32Array.from(triangles, (_, corner) => (corner < 6 ? up : corner < 12 ? other.packed : none));
    const { creased, normals } = takeNormals(positions, triangles, packed);
    const plain = cornerNormals(cube);
    for (let corner = 0; corner < triangles.length; corner++) {
        const drawn = creased.corners[corner]!;
        assert.equal(creased.sources[drawn], triangles[corner]);
        const wanted = corner < 6 ? [0, 1, 0] : corner < 12 ? other.unit : plain.at(corner);
        near([0, 1, 2].map((k) => normals[4 * drawn + k]! / 32767), wanted, 5e-5, `corner ${corner}`);
    }
    // A vertex is drawn once for each normal that it is given.
    const drawnOf = new Map<string, number>();
    for (let corner = 0; corner < 12; corner++) {
        const key = `${triangles[corner]} ${packed[corner]}`;
        assert.equal(drawnOf.get(key) ?? creased.corners[corner], creased.corners[corner]);
        drawnOf.set(key, creased.corners[corner]!);
    }
    assert.ok(drawnOf.size < 12 && new Set(creased.corners).size < triangles.length);
});
