import assert from "node:assert/strict";
import { test } from "node:test";
import { Mirror } from "../src/mirror";
import type { DrawMessage, ServerMessage, WirePose } from "../src/protocol";
import { Hold, ObjectFlags, StateFlags } from "../src/protocol";
import { cubeCorners, cubeTriangles } from "./cube";

const at = (x: number): WirePose => ({ rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x, y: 0, z: 0 }, scale: 1 });
const ref = (index1: number, generation = 0) => ({ index1, generation });

const object = (index1: number, name: string, meshes: number[], flags = 0, generation = 0): ServerMessage => ({
    type: "object",
    object: ref(index1, generation),
    name,
    color: { r: 1, g: 2, b: 3, a: 255 },
    flags,
    isPlain: 0,
    parts: meshes.map((mesh) => ({ mesh, pose: at(0) })),
    pose: at(index1),
});

const state = (sequence: number, bodies: [number, number, number][], flags = 0): ServerMessage => ({
    type: "state",
    sequence,
    since: sequence - 1,
    tick: sequence,
    time: sequence / 100,
    flags,
    bodies: bodies.map(([index1, x, hold]) => ({ object: ref(index1), hold, pose: at(x) })),
});

const drawing = (layer: number, name: string, isEmpty = false): DrawMessage => ({
    type: "draw",
    layer,
    name,
    object: { index1: 0, generation: 0 },
    lines: isEmpty ? [] : [{ color: { r: 0, g: 0, b: 0, a: 255 }, width: 1, points: new Float64Array(6) }],
    triangles: [],
    points: [],
    boxes: [],
    labels: [],
    images: [],
    faceColors: [],
});

const skinless = { boneCount: 0, influenceCount: 0, blend: 0 };

function cubeMessages(mesh: number): ServerMessage[] {
    return [
        { type: "mesh", mesh, vertexCount: 8, triangleCount: 12, faceCount: 0, material: 0, look: 0, ...skinless },
        { type: "meshVertices", mesh, first: 0, xyz: cubeCorners },
        { type: "meshTriangles", mesh, first: 0, corners: cubeTriangles },
    ];
}

function made(...messages: ServerMessage[]): Mirror {
    const mirror = new Mirror();
    const welcome: ServerMessage = {
        type: "welcome",
        version: 1,
        client: 4,
        step: 0.01,
        server: "test",
        scene: "Scene",
        maxMessageBytes: 65536,
    };
    [welcome, ...cubeMessages(1), ...cubeMessages(2), object(1, "a", [1]), object(2, "b", [1, 2])].forEach((message) =>
        mirror.apply(message),
    );
    messages.forEach((message) => mirror.apply(message));
    return mirror;
}

test("a scene is whole with its first state, and not after a reset", () => {
    const mirror = made();
    assert.ok(mirror.progress === 1 && !mirror.isWhole);
    mirror.takeChanges();
    mirror.apply(state(1, []));
    assert.ok(mirror.isWhole && mirror.takeChanges().bodies);
    mirror.apply(state(2, []));
    assert.ok(mirror.isWhole && !mirror.takeChanges().bodies);
    mirror.apply({ type: "reset", step: 0.01, scene: "Another" });
    assert.ok(!mirror.isWhole);
});

test("bodies are found by name and reference, and not by an old one", () => {
    const mirror = made();
    assert.equal(mirror.findByName("b")?.index1, 2);
    assert.equal(mirror.find(ref(2))?.name, "b");
    assert.equal(mirror.find(ref(2, 1)), undefined);
    assert.equal(mirror.findByName("c"), undefined);
});

test("a place used again is another body", () => {
    const mirror = made({ type: "gone", object: ref(1) }, object(1, "c", [2], 0, 1));
    assert.equal(mirror.find(ref(1)), undefined);
    mirror.apply({ type: "gone", object: ref(1) });
    assert.equal(mirror.find(ref(1, 1))?.name, "c");
});

test("a state moves what it lists and leaves the rest", () => {
    const mirror = made(state(5, [[2, 7.5, Hold.held]]));
    assert.equal(mirror.findByName("b")?.pose.position.x, 7.5);
    assert.equal(mirror.findByName("b")?.hold, Hold.held);
    assert.equal(mirror.findByName("a")?.pose.position.x, 1);
    assert.equal(mirror.sequence, 5);
    assert.equal(mirror.isPaused, false);
});

test("those that a complete state leaves out are gone", () => {
    const mirror = made(state(6, [[1, 0, 0]], StateFlags.complete | StateFlags.paused));
    assert.deepEqual([...mirror.bodies.values()].map((body) => body.name), ["a"]);
    assert.equal(mirror.isPaused, true);
});

test("changes are reported once", () => {
    const mirror = made();
    assert.equal(mirror.takeChanges().bodies, true);
    assert.equal(mirror.takeChanges().bodies, false);
    mirror.apply(state(1, [[1, 0, Hold.held]]));
    const changes = mirror.takeChanges();
    assert.deepEqual([...changes.poses].map((body) => body.name), ["a"]);
    assert.deepEqual([...changes.holds].map((body) => body.name), ["a"]);
    assert.equal(changes.state, true);
    assert.equal(mirror.takeChanges().poses.size, 0);
});

test("a reset forgets all", () => {
    const mirror = made(state(9, []), { type: "reset", step: 0.02, scene: "Other" });
    assert.equal(mirror.bodies.size + mirror.meshes.size + mirror.layers.size, 0);
    assert.equal(mirror.scene, "Other");
    assert.equal(mirror.sequence, 0);
});

test("triangles are counted over the parts", () => {
    const mirror = made();
    const body = mirror.findByName("b")!;
    assert.deepEqual(pick(body.partOf(11, mirror)), { part: 0, first: 0 });
    assert.deepEqual(pick(body.partOf(12, mirror)), { part: 1, first: 12 });
    assert.equal(body.partOf(24, mirror), null);
});

const pick = (found: { part: number; first: number } | null) => found && { part: found.part, first: found.first };

test("a part whose mesh is still coming has no triangles yet", () => {
    const mirror = made(
        { type: "mesh", mesh: 3, vertexCount: 8, triangleCount: 12, faceCount: 0, material: 0, look: 0, ...skinless },
        object(3, "late", [3]),
    );
    assert.equal(mirror.findByName("late")!.partOf(0, mirror), null);
    assert.ok(mirror.progress < 1);
    assert.throws(() => mirror.apply({ type: "meshFaces", mesh: 9, first: 0, faces: new Uint32Array(1) }), /announced/);
});

test("deformed vertices are the object's own, part after part", () => {
    const mirror = made({ type: "vertices", object: ref(2), first: 8, xyz: Float32Array.of(9, 9, 9) });
    const body = mirror.findByName("b")!;
    const meshes = [mirror.mesh(1), mirror.mesh(2)] as const;
    assert.deepEqual([...body.positionsOf(0, meshes[0])], [...cubeCorners]);
    assert.deepEqual([...body.positionsOf(1, meshes[1]).slice(0, 3)], [9, 9, 9]);
    assert.equal(meshes[1].positions[0], cubeCorners[0]);
    const xyz = new Float32Array(6);
    assert.throws(() => mirror.apply({ type: "vertices", object: ref(2), first: 15, xyz }), /beyond/);
});

test("static and real bodies are not moved", () => {
    const mirror = made(object(3, "wall", [1], ObjectFlags.static), object(4, "desk", [1], ObjectFlags.real));
    assert.equal(mirror.findByName("wall")?.isMovable, false);
    assert.equal(mirror.findByName("desk")?.isMovable, false);
    assert.equal(mirror.findByName("a")?.isMovable, true);
});

test("leases come and go", () => {
    const mirror = made({ type: "lease", object: ref(1), client: 3, name: "Ann" });
    assert.deepEqual(mirror.findByName("a")?.lease, { client: 3, name: "Ann" });
    mirror.apply({ type: "lease", object: ref(1), client: 0, name: "" });
    assert.equal(mirror.findByName("a")?.lease, null);
});

test("a layer is replaced, hidden layers stay hidden by name, an empty one is removed", () => {
    const mirror = made(drawing(1, "path"));
    const layer = mirror.layers.get(1)!;
    mirror.showLayer(layer, false);
    mirror.apply(drawing(1, "path"));
    assert.equal(mirror.layers.get(1), layer);
    mirror.apply(drawing(1, "", true));
    assert.equal(mirror.layers.size, 0);
    mirror.apply(drawing(2, "path"));
    assert.equal(mirror.layers.get(2)?.isShown, false);
    mirror.apply(drawing(3, "cells"));
    assert.equal(mirror.layers.get(3)?.isShown, true);
});

test("a proxy is not shown until someone wants to see it", () => {
    const mirror = made(object(7, "proxy", [], 32), object(8, "ghost", [], 16));
    assert.equal(mirror.bodies.get(7)?.isShown, false);
    assert.equal(mirror.bodies.get(8)?.isShown, true);
});

test("states of objects are known from events, and events do not pile up", () => {
    const still = { speed: 0, area: 0, pull: 0, count: 0, point: { x: 0, y: 0, z: 0 } };
    const event = { kind: 5, a: ref(1), b: ref(0), id: 0, tick: 1, time: 0.01, value: 0.5, second: 0, name: "open", ...still };
    const mirror = made({ type: "events", events: Array.from({ length: 500 }, () => event) });
    assert.equal(mirror.findByName("a")?.states.get("open"), 0.5);
    assert.ok(mirror.events.length <= 100);
});

test("a world may move unless all of it is static", () => {
    const mirror = new Mirror();
    assert.equal(mirror.mayMove, false, "there is nothing");
    mirror.apply(object(1, "wall", [], ObjectFlags.static));
    assert.equal(mirror.mayMove, false);
    mirror.apply(object(2, "box", []));
    assert.equal(mirror.mayMove, true);
});
