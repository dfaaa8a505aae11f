// A body in a hand, and in two.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Grip } from "../src/grip";
import { applyPose, multiply, samePose, turnAbout, vec3, type Pose } from "../src/vector";

const still = turnAbout(vec3(0, 1, 0), 0);
const at = (x: number, y: number, z: number, rotation = still, scale = 1): Pose => ({
    rotation,
    position: vec3(x, y, z),
    scale,
});

test("a body stays where it was in the hand that took it", () => {
    const quarter = turnAbout(vec3(0, 1, 0), Math.PI / 2);
    const hand = at(1, 1, 1, quarter);
    const body = at(1, 1, 0, turnAbout(vec3(1, 0, 0), 0.3), 2.5);
    const grip = new Grip(hand, body);
    assert.ok(samePose(grip.follow(hand), body, 1, 1e-12), "it does not jump when it is taken");

    // Moved by the hand's travel, without a turn.
    assert.ok(samePose(grip.follow(at(3, 1, 1, quarter)), { ...body, position: vec3(3, 1, 0) }, 1, 1e-12));

    // Turned back by a quarter about the hand: what lay behind it along z lies beside it.
    const { position, scale } = grip.follow(at(1, 1, 1));
    assert.ok(Math.hypot(position.x - 2, position.y - 1, position.z - 1) < 1e-12, JSON.stringify(position));
    assert.equal(scale, 2.5);
});

test("a point of the body is carried as a part of the hand", () => {
    const hand = at(0.2, 1.3, -0.4, turnAbout(vec3(1, 2, 3), 1.1));
    const body = at(-1, 0.4, 2, turnAbout(vec3(-2, 1, 0), 2.2), 0.5);
    const grip = new Grip(hand, body);
    const later = at(5, -2, 1, turnAbout(vec3(0, 0, 1), -0.7));
    const raw = grip.follow(later);
    const distance = (a: Pose, b: Pose): number => {
        const [p, q] = [applyPose(a, vec3(1, 2, 3)), b.position];
        return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
    };
    assert.ok(Math.abs(distance(body, hand) - distance(raw, later)) < 1e-12);
    const { w, x, y, z } = raw.rotation;
    assert.ok(Math.abs(Math.hypot(w, x, y, z) - 1) < 1e-12);
});

test("a second hand takes over without a jump, both lead it, and each can be left alone with it", () => {
    const first = at(0, 1, 0);
    const second = at(0.4, 1, 0, turnAbout(vec3(0, 1, 0), 0.3));
    const body = at(0.2, 1.2, 0.1, turnAbout(vec3(1, 0, 0), 0.5), 2);
    const grip = new Grip(first, body);
    grip.join(first, second);
    assert.ok(grip.isInBoth);
    assert.ok(samePose(grip.followBoth(first, second), body, 1, 1e-12));

    // Both go up, and the second goes about the first by a quarter turn: so does the body about their middle.
    const quarter = turnAbout(vec3(0, 1, 0), Math.PI / 2);
    const lifted = { ...first, position: vec3(0, 1.5, 0) };
    const moved = { ...second, position: vec3(0, 1.5, -0.4), rotation: multiply(quarter, second.rotation) };
    const raw = grip.followBoth({ ...lifted, rotation: quarter }, moved);
    const expected = at(0.1, 1.7, -0.2, multiply(quarter, body.rotation), 2);
    assert.ok(samePose(raw, expected, 1, 1e-12), JSON.stringify(raw));

    grip.leave(moved);
    assert.ok(!grip.isInBoth);
    assert.ok(samePose(grip.follow(moved), raw, 1, 1e-12), "it stays where it was");
    assert.ok(samePose(grip.follow({ ...moved, position: vec3(5, 5, 5) }), { ...raw, position: vec3(5.1, 5.2, 5.2) }, 1, 1e-12));
});
