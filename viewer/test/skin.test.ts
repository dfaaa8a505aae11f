// Bones from bytes, and vertices that follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBodies, turnAt, viewOf } from "../src/bones";
import { FaceList } from "../src/face";
import { Mirror } from "../src/mirror";
import type { ServerMessage } from "../src/protocol";
import { distance, vec3, type Pose, type Quat } from "../src/vector";
import { bentBones, blendedVertex, bodyBytes as figureBytes, bonesMessage, chance, meshMessages, objectMessage, person, type Figure } from "./figure";

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

const unpackTurn = (packed: number): Quat => turnAt(viewOf(Uint8Array.from(turnBytes(packed))), 0);

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
            const vertices = body.positionsOf(0, mirror.mesh(1));
            wanted.forEach((value, i) => assert.ok(Math.abs(vertices[i]! - value) < 1e-6, `${i}: ${vertices}`));
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
    assert.throws(() => readBodies(viewOf(Uint8Array.from(bodyBytes(3, 5, allBones).slice(0, -1)))));
    assert.throws(() => readBodies(viewOf(Uint8Array.from([255, 255, 255, 255, 255, 255]))));
    assert.deepEqual(readBodies(viewOf(new Uint8Array(0))), []);
});

// A mirror with one figure whose bones came.
function withFigure(figure: Figure, local: readonly Pose[]): Mirror {
    const mirror = new Mirror();
    meshMessages(figure).forEach((message) => mirror.apply(message));
    mirror.apply(objectMessage(figure, 7, vec3(0, 0, 0)));
    mirror.apply(bonesMessage(1, figureBytes(7, here, local, true)));
    return mirror;
}

const here: Pose = { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: vec3(0, 0, 0), scale: 1 };

for (const influenceCount of [1, 2, 3, 4, 5, 8]) {
    for (const isDual of [false, true]) {
        test(`a figure of ${influenceCount} bones a vertex is where the plain way puts it, ${isDual ? "dual" : "linear"}`, () => {
            const figure = { ...person, influenceCount, isDual };
            const random = chance(influenceCount);
            for (let round = 0; round < 4; round++) {
                const scale = 0.97 + 0.06 * random();
                const local = bentBones(figure, 6 * random(), 0.4 * random()).map((pose) => ({ ...pose, scale: Math.fround(scale) }));
                const mirror = withFigure(figure, local);
                const body = mirror.bodies.get(7)!;
                const mesh = mirror.mesh(1);
                const found = body.positionsOf(0, mesh);
                const { low, high, center, radius } = body.boundsOf(0, mesh);
                for (let vertex = 0; vertex < mesh.vertexCount; vertex++) {
                    const [x, y, z] = found.subarray(3 * vertex, 3 * vertex + 3);
                    const at = vec3(x!, y!, z!);
                    const wanted = blendedVertex(figure, local, vertex);
                    // Of floats: inverse binds, weights, what moves a bone.
                    assert.ok(distance(at, wanted) < 3e-6, `vertex ${vertex}: ${JSON.stringify(at)}, ${JSON.stringify(wanted)}`);
                    assert.ok(distance(at, center) <= radius + 1e-6, "the ball holds all");
                    for (const axis of ["x", "y", "z"] as const) {
                        assert.ok(at[axis] >= low[axis] - 1e-6 && at[axis] <= high[axis] + 1e-6, "the box holds all");
                    }
                }
            }
        });
    }
}

test("a few corners are where all vertices are, and follow the bones again and again", () => {
    const mirror = withFigure(person, bentBones(person, 0));
    const [body, mesh] = [mirror.bodies.get(7)!, mirror.mesh(1)];
    for (let round = 1; round < 4; round++) {
        mirror.apply(bonesMessage(1 + round, figureBytes(7, here, bentBones(person, round), false)));
        const triangle = 100 + round;
        const some = body.cornersOf(0, mesh, [triangle]).slice();
        const all = body.positionsOf(0, mesh);
        for (const vertex of mesh.triangles.subarray(3 * triangle, 3 * triangle + 3)) {
            assert.deepEqual(some.subarray(3 * vertex, 3 * vertex + 3), all.subarray(3 * vertex, 3 * vertex + 3));
        }
    }
});

test("colliding faces are drawn where bones took them", () => {
    const local = bentBones(person, 2, 0.3);
    const mirror = withFigure(person, local);
    mirror.apply(bonesMessage(2, figureBytes(7, { ...here, position: vec3(1e6, 0, 5) }, local, false)));
    const list = new FaceList();
    const triangles = [3, 500, 943];
    list.add(mirror.bodies.get(7)!, triangles, mirror, vec3(1e6 - 1, 0, 0));
    assert.equal(list.count, 3);
    triangles.forEach((triangle, i) => {
        mirror.mesh(1).triangles.subarray(3 * triangle, 3 * triangle + 3).forEach((vertex, corner) => {
            const { x, y, z } = blendedVertex(person, local, vertex);
            const [px, py, pz] = list.positions.subarray(9 * i + 3 * corner);
            assert.ok(distance(vec3(px!, py!, pz!), vec3(x + 1, y, z + 5)) < 3e-6);
        });
    });
});

test("bones that do not fit, places that are none and scales of 0 are refused with a sentence", () => {
    const whole = figureBytes(7, here, bentBones(person, 0), true);
    const refused = (bytes: number[], why: RegExp): void => {
        const mirror = withFigure(person, bentBones(person, 0));
        assert.throws(() => mirror.apply(bonesMessage(2, bytes)), why);
    };
    refused(figureBytes(7, here, bentBones({ ...person, boneCount: 44 }, 0), true), /are not those of 43 bones/);
    refused(figureBytes(7, here, bentBones({ ...person, boneCount: 9 }, 0), true), /are not those of 43 bones/);
    refused(figureBytes(7, { ...here, position: vec3(NaN, 0, 0) }, bentBones(person, 0), true), /object 7 is not finite/);
    for (const [offset, bits] of [[0, NaN], [8, Infinity], [12, 0], [12, -1]] as const) {
        const last = [...new Uint8Array(Float32Array.of(bits).buffer)];
        const at = whole.length - 16 + offset;
        refused([...whole.slice(0, at), ...last, ...whole.slice(at + 4)], /bone 42 has/);
    }
    // A body's first bones must be all of them: what comes before is passed over.
    const mirror = new Mirror();
    meshMessages(person).forEach((message) => mirror.apply(message));
    mirror.apply(objectMessage(person, 7, vec3(0, 0, 0)));
    mirror.apply(bonesMessage(1, figureBytes(7, here, bentBones(person, 0), false)));
    assert.equal(mirror.bodies.get(7)!.bones, null);
});

test("a skin whose numbers are wrong is refused with a sentence", () => {
    const change = (type: string, edit: (message: never) => void): void => {
        const mirror = new Mirror();
        meshMessages({ ...person, isDual: true }).forEach((message) => {
            if (message.type === type) {
                edit(message as never);
            }
            mirror.apply(message);
        });
    };
    type Weights = { first: number; bones: Uint32Array; weights: Float32Array };
    type Binds = { first: number; parents: Uint32Array; inverseBinds: Float32Array };
    assert.throws(() => change("meshWeights", ({ weights }: Weights) => (weights[5] = -0.5)), /vertex 1 are below 0/);
    assert.throws(() => change("meshWeights", ({ weights }: Weights) => (weights[9] = 0.9)), /vertex 2 are below 0, or do not sum/);
    assert.throws(() => change("meshWeights", ({ weights }: Weights) => (weights[0] = NaN)), /vertex 0 are below 0/);
    assert.throws(() => change("meshWeights", ({ bones }: Weights) => (bones[3] = 43)), /a skin of 43 does not have/);
    assert.throws(() => change("meshWeights", (message: Weights) => (message.first = 1)), /weights 1 to 1921/);
    assert.throws(() => change("meshBones", ({ parents }: Binds) => (parents[4] = 43)), /bone 4 has the parent 43 of only 43/);
    assert.throws(() => change("meshBones", (message: Binds) => (message.first = 1)), /bones 1 to 44 of a skin of 43/);
    assert.throws(() => change("meshBones", ({ inverseBinds }: Binds) => inverseBinds.fill(0, 24, 36)), /bone 2 is singular/);
    // A bone that is its own ancestor counts as one without a parent.
    change("meshBones", ({ parents }: Binds) => (parents[0] = 5));
    const announce = (boneCount: number, influenceCount: number, vertexCount = 3): void =>
        new Mirror().apply({ ...(meshMessages(person)[0] as object), boneCount, influenceCount, vertexCount } as ServerMessage);
    announce(65535, 8);
    for (const [boneCount, influenceCount, vertexCount] of [[65536, 4, 3], [2, 9, 3], [2, 0, 3], [2, 8, 2 ** 26]] as const) {
        assert.throws(() => announce(boneCount, influenceCount, vertexCount), /a skin of/);
    }
});
