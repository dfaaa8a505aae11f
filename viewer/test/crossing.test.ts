// Lines where surfaces cross, of pairs that the server reports and poses that are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shared } from "../src/crossing";
import { Mirror } from "../src/mirror";
import { PairFlags, type ServerMessage } from "../src/protocol";
import { turnAbout, vec3 } from "../src/vector";
import { cubeCorners, cubeTriangles } from "./cube";

const still = { w: 1, x: 0, y: 0, z: 0 };

// Two cubes of edge 2, the second at a place, and all pairs of their triangles.
function world(position: { x: number; y: number; z: number }, flags = 0, rotation = still, scale = 1): Mirror {
    const mirror = new Mirror();
    const object = (index1: number, pose: unknown): ServerMessage =>
        ({
            type: "object",
            object: { index1, generation: 0 },
            name: `cube ${index1}`,
            color: { r: 1, g: 2, b: 3, a: 255 },
            flags: 0,
            isPlain: 0,
            parts: [{ mesh: 1, pose: { rotation: still, position: vec3(0, 0, 0), scale: 1 } }],
            pose,
        }) as ServerMessage;
    const messages = [
        { type: "mesh", mesh: 1, vertexCount: 8, triangleCount: 12, faceCount: 0, material: 0, look: 0, boneCount: 0, influenceCount: 0, blend: 0 },
        { type: "meshVertices", mesh: 1, first: 0, xyz: cubeCorners },
        { type: "meshTriangles", mesh: 1, first: 0, corners: cubeTriangles },
    ] as never as ServerMessage[];
    messages.forEach((message) => mirror.apply(message));
    mirror.apply(object(1, { rotation: still, position: vec3(0, 0, 0), scale: 1 }));
    mirror.apply(object(2, { rotation, position, scale }));
    const pairs = Array.from({ length: 144 }, (_, i) => [1, 2, Math.floor(i / 12), i % 12, flags]).flat();
    mirror.apply({ type: "pairs", sequence: 1, pairs: Uint32Array.from(pairs), total: 144 } as never);
    return mirror;
}

function find(mirror: Mirror, origin = vec3(0, 0, 0)): { total: number; areas: number; segments: number[][] } {
    const shared = new Shared();
    shared.find(mirror, origin);
    const segments = Array.from({ length: shared.segmentCount }, (_, i) => [...shared.segments.subarray(6 * i, 6 * i + 6)]);
    const total = segments.reduce((sum, [a, b, c, d, e, f]) => sum + Math.hypot(a! - d!, b! - e!, c! - f!), 0);
    return { total, areas: shared.areas.count, segments };
}

test("two cubes that overlap at a corner cross along six edges of the common box", () => {
    // The common box is 0.5 x 0.75 x 1; its border on both surfaces is a closed line of six of its edges.
    const { total, segments } = find(world(vec3(1.5, 1.25, 1)));
    assert.ok(Math.abs(total - 2 * (0.5 + 0.75 + 1)) < 1e-5, `${total}`);
    for (const [a, b, c, d, e, f] of segments) {
        const onOwn = [a, b, c, d, e, f].every((value) => Math.abs(value!) <= 1 + 1e-6);
        assert.ok(onOwn, "on the first cube");
    }
});

test("a cube that was turned and made smaller crosses a face along a square", () => {
    // Edge 1, turned by 45 degrees about y, stuck halfway into the upper face.
    const { total } = find(world(vec3(0, 1, 0), 0, turnAbout(vec3(0, 1, 0), Math.PI / 4), 0.5));
    assert.ok(Math.abs(total - 4) < 1e-5, `${total}`);
});

test("lines are as right far from zero, seen from an origin there", () => {
    const mirror = world(vec3(1.5, 1.25, 1));
    const near = find(mirror);
    for (const body of mirror.bodies.values()) {
        body.pose = { ...body.pose, position: vec3(body.pose.position.x + 1e6, body.pose.position.y, body.pose.position.z) };
    }
    const far = find(mirror, vec3(1e6, 0, 0));
    assert.equal(far.segments.length, near.segments.length);
    assert.ok(Math.abs(far.total - near.total) < 1e-5);
});

test("cubes that lie on one another share an area and no line inside it", () => {
    const { areas, total } = find(world(vec3(0.5, 2, 0)));
    assert.ok(areas > 0);
    assert.ok(total < 40);
});

test("what is near, hidden, apart or not here has no line", () => {
    assert.equal(find(world(vec3(1.5, 1.25, 1), PairFlags.near)).segments.length, 0);
    assert.equal(find(world(vec3(5, 0, 0))).segments.length, 0);
    const mirror = world(vec3(1.5, 1.25, 1));
    mirror.bodies.get(2)!.isShown = false;
    assert.equal(find(mirror).segments.length, 0);
    const beyond = world(vec3(1.5, 1.25, 1));
    beyond.apply({ type: "pairs", sequence: 2, pairs: Uint32Array.from([1, 2, 99, 0, 0, 1, 7, 0, 0, 0]), total: 2 } as never);
    assert.equal(find(beyond).segments.length, 0);
});
