// Bones from bytes, and vertices that follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mirror } from "../src/mirror";
import type { ServerMessage } from "../src/protocol";
import { readBodies, unpackTurn } from "../src/skin";

const levels = 41285;

function packTurn(largest: number, steps: readonly [number, number, number]): number {
    return steps.reduce((sum, step) => sum * levels + step, largest);
}

function turnBytes(packed: number): number[] {
    return Array.from({ length: 6 }, (_, i) => Math.floor(packed / 256 ** i) % 256);
}

const doubles = (...values: number[]): number[] => [...new Uint8Array(Float64Array.from(values).buffer)];
const floats = (...values: number[]): number[] => [...new Uint8Array(Float32Array.from(values).buffer)];

const none = packTurn(0, [20642, 20642, 20642]);
const quarterAboutZ = packTurn(0, [20642, 20642, levels - 1]); // w = z

test("turns of 48 bits come back", () => {
    assert.deepEqual(unpackTurn(none), { w: 1, x: 0, y: 0, z: 0 });
    const quarter = unpackTurn(quarterAboutZ);
    assert.ok(Math.abs(quarter.w - Math.SQRT1_2) < 1e-15 && Math.abs(quarter.z - Math.SQRT1_2) < 1e-15);
    const half = unpackTurn(packTurn(2, [20642, 20642, 20642]));
    assert.deepEqual(half, { w: 0, x: 0, y: 1, z: 0 });
    const any = unpackTurn(packTurn(3, [1234, 40000, 7]));
    assert.ok(Math.abs(Math.hypot(any.w, any.x, any.y, any.z) - 1) < 1e-15);
});

// A strip of three points along y; the upper bone hangs on the lower one at a height of 1.
function arm(isDual: boolean): ServerMessage[] {
    const inverse = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const upper = inverse.map((value, i) => (i === 7 ? -1 : value));
    return [
        { type: "mesh", mesh: 1, vertexCount: 3, triangleCount: 1, faceCount: 0, material: 0, look: 0, boneCount: 2, influenceCount: 2, blend: isDual ? 1 : 0 },
        { type: "meshVertices", mesh: 1, first: 0, xyz: Float32Array.of(0, 0, 0, 0, 1, 0, 0, 2, 0) },
        { type: "meshTriangles", mesh: 1, first: 0, corners: Uint32Array.of(0, 1, 2) },
        { type: "meshBones", mesh: 1, first: 0, parents: Uint32Array.of(0xffffffff, 0), inverseBinds: Float32Array.of(...inverse, ...upper) },
        { type: "meshWeights", mesh: 1, first: 0, bones: Uint32Array.of(0, 1, 0, 1, 1, 0), weights: Float32Array.of(1, 0, 0.5, 0.5, 1, 0) },
        {
            type: "object",
            object: { index1: 3, generation: 0 },
            name: "arm",
            color: { r: 1, g: 2, b: 3, a: 255 },
            flags: 16,
            isPlain: 0,
            parts: [{ mesh: 1, pose: { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 } }],
            pose: { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 },
        },
    ];
}

const bodyBytes = (index1: number, x: number, data: number[]): number[] => [index1, ...doubles(x, 0, 0), data.length, ...data];
const bones = (...data: number[]): ServerMessage => ({ type: "bones", sequence: 1, data: Uint8Array.from(data) });
const allBones = [...turnBytes(none), 3, ...turnBytes(none), ...turnBytes(none), 3, ...floats(0, 0, 0, 1), ...floats(0, 1, 0, 1)];

for (const isDual of [false, true]) {
    test(`vertices follow bones, ${isDual ? "dual quaternions" : "linear"}`, () => {
        const mirror = new Mirror();
        arm(isDual).forEach((message) => mirror.apply(message));
        assert.ok(mirror.meshes.get(1)?.isComplete);
        mirror.apply(bones(...bodyBytes(3, 5, allBones)));
        const body = mirror.bodies.get(3)!;
        assert.equal(body.pose.position.x, 5);
        const near = (wanted: number[]): void => {
            wanted.forEach((value, i) => assert.ok(Math.abs(body.vertices![i]! - value) < 1e-6, `${i}: ${body.vertices}`));
        };
        near([0, 0, 0, 0, 1, 0, 0, 2, 0]);
        // The upper bone alone turns: its tip goes to the left, its root stays.
        mirror.apply(bones(...bodyBytes(3, 6, [...turnBytes(none), 2, ...turnBytes(quarterAboutZ)])));
        assert.equal(body.pose.position.x, 6);
        near([0, 0, 0, 0, 1, 0, -1, 1, 0]);
        // The body alone turns: its vertices stay in its frame.
        mirror.apply(bones(...bodyBytes(3, 6, turnBytes(quarterAboutZ))));
        assert.ok(Math.abs(body.pose.rotation.z - Math.SQRT1_2) < 1e-15);
        near([0, 0, 0, 0, 1, 0, -1, 1, 0]);
        // Both bones turn.
        mirror.apply(bones(...bodyBytes(3, 6, [...turnBytes(none), 1, ...turnBytes(quarterAboutZ)])));
        near([0, 0, 0, -1, 0, 0, -1, -1, 0]);
    });
}

test("bones of what is not known are passed over, and cut ones are refused", () => {
    const mirror = new Mirror();
    mirror.apply(bones(...bodyBytes(3, 5, allBones)));
    assert.throws(() => readBodies(Uint8Array.from(bodyBytes(3, 5, allBones).slice(0, -1))));
    assert.throws(() => readBodies(Uint8Array.from([255, 255, 255, 255, 255, 255])));
    assert.deepEqual(readBodies(new Uint8Array(0)), []);
});
