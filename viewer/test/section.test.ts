// What triangles share, against the library's exact function.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findSection, maxPoints } from "../src/section";
import { sectionCases } from "./section_cases";

const apart = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number =>
    Math.hypot(a[3 * i]! - b[3 * j]!, a[3 * i + 1]! - b[3 * j + 1]!, a[3 * i + 2]! - b[3 * j + 2]!);

function area(points: ArrayLike<number>, count: number): number {
    let [x, y, z] = [0, 0, 0];
    for (let i = 1; i + 1 < count; i++) {
        const u = [0, 1, 2].map((k) => points[3 * i + k]! - points[k]!);
        const v = [0, 1, 2].map((k) => points[3 * i + 3 + k]! - points[k]!);
        x += u[1]! * v[2]! - u[2]! * v[1]!;
        y += u[2]! * v[0]! - u[0]! * v[2]!;
        z += u[0]! * v[1]! - u[1]! * v[0]!;
    }
    return Math.hypot(x, y, z) / 2;
}

const find = (a: readonly number[], b: readonly number[]): { count: number; points: Float64Array } => {
    const points = new Float64Array(3 * maxPoints);
    return { count: findSection(Float64Array.from(a), Float64Array.from(b), points), points };
};

test("triangles that cross share the library's segment, whichever comes first", () => {
    const crossing = sectionCases.filter(({ isCrossing }) => isCrossing);
    assert.ok(crossing.length > 20);
    for (const { a, b, points } of crossing) {
        const size = Math.max(...[...a, ...b].map(Math.abs));
        for (const [one, other] of [[a, b], [b, a]] as const) {
            const found = find(one, other);
            assert.equal(found.count, 2);
            const straight = apart(found.points, 0, points, 0) + apart(found.points, 1, points, 1);
            const turned = apart(found.points, 0, points, 1) + apart(found.points, 1, points, 0);
            assert.ok(Math.min(straight, turned) < 1e-9 * size + 1e-9, `${straight} or ${turned}`);
        }
    }
});

test("triangles in one plane share the library's polygon", () => {
    const flat = sectionCases.filter(({ points }) => points.length > 6);
    assert.ok(flat.length >= 3);
    for (const { a, b, points } of flat) {
        const found = find(a, b);
        assert.ok(Math.abs(area(found.points, found.count) - area(points, points.length / 3)) < 1e-9);
    }
});

test("triangles that are apart share nothing", () => {
    for (const { a, b } of sectionCases.filter(({ points }) => points.length === 0)) {
        assert.equal(find(a, b).count, 0);
    }
});

test("of triangles that touch nothing but a point or an edge of both is found", () => {
    const touching = sectionCases.filter(({ isCrossing, points }) => !isCrossing && points.length > 0 && points.length <= 6);
    assert.ok(touching.length > 3);
    for (const { a, b, points } of touching) {
        const found = find(a, b);
        assert.ok(found.count <= 2 || area(found.points, found.count) < 1e-9, `${found.count} points`);
        for (let i = 0; i < Math.min(found.count, 2); i++) {
            const off = Math.min(...Array.from({ length: points.length / 3 }, (_, k) => apart(found.points, i, points, k)));
            assert.ok(off < 1e-6 || points.length > 3, `${off}`);
        }
    }
});

test("triangles without an area, and numbers that are none, share nothing", () => {
    const line = [0, 0, 0, 1, 0, 0, 2, 0, 0];
    const face = [-1, -1, 0, 1, -1, 0, 0, 1, 0];
    assert.equal(find(line, face).count, 0);
    assert.equal(find(face, line).count, 0);
    assert.equal(find(face, face.map(() => 0)).count, 0);
    assert.equal(find(face, face.map(() => NaN)).count, 0);
});
