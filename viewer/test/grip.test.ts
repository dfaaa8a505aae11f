// A body in a hand, and what the hand feels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feel, Grip, isTouching } from "../src/grip";
import { applyPose, samePose, turnAbout, vec3, type Pose } from "../src/vector";

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

    // Moved by the hand's way, without a turn.
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

test("a touch is a knock, then a hum ten times a second, then nothing", () => {
    const feel = new Feel();
    assert.equal(feel.update(false, 0), null);
    const knock = feel.update(true, 10)!;
    assert.equal(feel.update(true, 20), null);
    const hum = feel.update(true, 110)!;
    assert.ok(knock.strength > 3 * hum.strength && hum.strength > 0);
    assert.equal(feel.update(false, 220), null);
    assert.deepEqual(feel.update(true, 221), knock);
});

test("an object touches when it is in a pair with another", () => {
    const pairs = Uint32Array.of(1, 2, 0, 0, 0, 3, 3, 5, 6, 128);
    assert.equal(isTouching(pairs, 1), true);
    assert.equal(isTouching(pairs, 2), true);
    assert.equal(isTouching(pairs, 3), false, "with itself is no touch of a hand");
    assert.equal(isTouching(pairs, 5), false, "triangles are no objects");
});
