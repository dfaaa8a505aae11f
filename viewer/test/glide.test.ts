// Bodies that are far: with how many states they come, and how they go on between them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mixPoses, NearWish, periodOf } from "../src/glide";
import { Mirror } from "../src/mirror";
import type { ServerMessage } from "../src/protocol";
import { distance, turnAbout, vec3, type Pose } from "../src/vector";
import { bentBones, blendedVertex, bodyBytes, bonesMessage, meshMessages, objectMessage, person } from "./figure";

const pose = (x: number, angle = 0): Pose => ({ rotation: turnAbout(vec3(0, 1, 0), angle), position: vec3(x, 0, 0), scale: 1 });
const state = (sequence: number, bodies: { index1: number; at: Pose; hold?: number }[], flags = 0): ServerMessage => ({
    type: "state",
    sequence,
    tick: sequence,
    since: sequence - 1,
    time: sequence / 50,
    flags,
    bodies: bodies.map(({ index1, at, hold }) => ({ object: { index1, generation: 1 }, hold: hold ?? 0, pose: at })),
});

test("the farther a body is, the fewer states of it come", () => {
    const near = { point: vec3(0, 0, 0), distance: 10 };
    const places = [0, 9.9, 10.1, 20.1, 40.1, 80.1, 1000, 1e9];
    assert.deepEqual(places.map((x) => periodOf(near, vec3(x, 0, 0))), [1, 1, 2, 4, 8, 16, 16, 16]);
    assert.equal(periodOf({ point: vec3(0, 0, 0), distance: 0 }, vec3(1e9, 0, 0)), 1);
});

test("between two poses the shorter turn is taken", () => {
    const half = mixPoses(pose(0, 0), { ...pose(2, 1), rotation: { w: -Math.cos(0.5), x: 0, y: -Math.sin(0.5), z: 0 } }, 0.5);
    assert.ok(Math.abs(Math.abs(half.rotation.y) - Math.sin(0.25)) < 1e-12 && half.position.x === 1);
});

test("a far body goes on with every state, and is where it was said to be before the next is due", () => {
    const mirror = new Mirror();
    mirror.apply(objectMessage(person, 1, vec3(100, 0, 0)));
    mirror.apply(objectMessage(person, 2, vec3(1, 0, 0)));
    mirror.near = { point: vec3(0, 0, 0), distance: 40 };
    const [far, near] = [mirror.bodies.get(1)!, mirror.bodies.get(2)!];
    const seen: number[] = [];
    for (let sequence = 1; sequence <= 12; sequence++) {
        const bodies = [{ index1: 2, at: pose(sequence) }];
        mirror.apply(state(sequence, sequence % 4 === 1 ? [{ index1: 1, at: pose(100 + sequence) }, ...bodies] : bodies));
        seen.push(far.pose.position.x);
        assert.equal(near.pose.position.x, sequence);
        assert.ok(mirror.takeChanges().poses.has(far));
    }
    assert.deepEqual(seen, [100.25, 100.5, 100.75, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    // A body that rests stays, one that is held and all of a world that stands are where they are said to be.
    mirror.apply(state(13, []));
    assert.ok(!mirror.takeChanges().poses.has(far));
    mirror.apply(state(14, [{ index1: 1, at: pose(200), hold: 1 }]));
    assert.equal(far.pose.position.x, 200);
    mirror.apply(state(15, [{ index1: 1, at: pose(300) }]));
    assert.equal(far.pose.position.x, 212.5, "with every eighth");
    mirror.apply(state(16, [], 1));
    assert.equal(mirror.isPaused, true);
    assert.equal(far.pose.position.x, 300);
});

test("the bones of a far body go on too", () => {
    const mirror = new Mirror();
    meshMessages(person).forEach((message) => mirror.apply(message));
    mirror.apply(objectMessage(person, 1, vec3(100, 0, 0)));
    const [before, after] = [bentBones(person, 0), bentBones(person, 1)];
    mirror.apply(bonesMessage(1, bodyBytes(1, pose(100), before, true)));
    mirror.near = { point: vec3(0, 0, 0), distance: 60 };
    const body = mirror.bodies.get(1)!;
    const tip = (): number => {
        const [x, y, z] = body.positionsOf(0, mirror.mesh(1)).subarray(3 * 472);
        return distance(vec3(x!, y!, z!), blendedVertex(person, after, 472));
    };
    const start = tip();
    mirror.apply(state(2, []));
    mirror.apply(bonesMessage(2, bodyBytes(1, pose(104), after, false)));
    assert.equal(body.pose.position.x, 102);
    const half = tip();
    assert.ok(half < 0.7 * start && half > 0.3 * start, `${start}, ${half}`);
    mirror.apply(state(3, []));
    assert.equal(body.pose.position.x, 104);
    assert.ok(tip() < 3e-6);
    // What comes next is of what came last, not of what is shown.
    mirror.apply(bonesMessage(3, bodyBytes(1, pose(104), before, false)));
    mirror.near = { ...mirror.near, distance: 0 };
    mirror.apply(bonesMessage(4, bodyBytes(1, pose(104), after, false)));
    assert.ok(tip() < 3e-6);
});

test("the page asks where it looks from, seldom, and only where there are many bodies", () => {
    const wish = new NearWish();
    const pixel = 0.001;
    assert.equal(wish.update(0, vec3(0, 0, 0), 64, 1.7, pixel), null);
    const asked = wish.update(0, vec3(0, 0, 0), 1000, 2.4, pixel)!;
    assert.ok(Math.abs(asked.distance - 100) < 1e-9);
    assert.equal(wish.update(1000, vec3(9, 0, 0), 1000, 2.5, pixel), null, "it did not move by much");
    assert.notEqual(wish.update(1000, vec3(11, 0, 0), 1000, 2.4, pixel), null);
    assert.equal(wish.update(1400, vec3(60, 0, 0), 1000, 2.4, pixel), null, "not yet");
    assert.equal(wish.update(1501, vec3(60, 0, 0), 1000, 2.4, pixel)!.point.x, 60);
    assert.equal(wish.update(3000, vec3(60, 0, 0), 3, 2.4, pixel)!.distance, 0, "few are left");
    assert.equal(wish.update(4000, vec3(90, 0, 0), 3, 2.4, pixel), null);
    wish.update(5000, vec3(0, 0, 0), 1000, 2.4, pixel);
    wish.reset();
    assert.notEqual(wish.update(5001, vec3(0, 0, 0), 1000, 2.4, pixel), null, "a new line is asked again");
    assert.equal(wish.update(9000, vec3(0, 0, 0), 1000, 2.4, 0), null);
});
