// Teleporting: where an arc comes down, when a stick aims and goes, and the short way there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Aim, arcOf, Ride, type Arc } from "../src/teleport";
import { distance, unit, vec3, type Vec3 } from "../src/vector";

// The same throw in small steps.
function thrown(origin: Vec3, direction: Vec3, floor: number): Vec3 {
    const [step, gravity] = [1e-5, 9.81];
    const place = { ...origin };
    const speed = vec3(6 * direction.x, 6 * direction.y, 6 * direction.z);
    while (place.y > floor) {
        speed.y -= gravity * step;
        place.x += speed.x * step;
        place.y += speed.y * step;
        place.z += speed.z * step;
    }
    return place;
}

test("an arc comes down where what is thrown does", () => {
    for (const direction of [vec3(0, 0, -1), vec3(0.3, 0.4, -1), vec3(0, -0.8, -0.6), vec3(-1, 1, 0.2), vec3(0, -1, 0)].map(unit)) {
        const origin = vec3(0.2, 1.2, -0.3);
        const { points, target } = arcOf(origin, direction, 0.1);
        assert.ok(target !== null && target.y === 0.1);
        assert.ok(distance(target, thrown(origin, direction, 0.1)) < 1e-3);
        assert.deepEqual(points[0], origin);
        assert.ok(distance(points.at(-1)!, target) < 1e-9);
    }
});

test("an arc that does not come to the floor has no target, and an end", () => {
    for (const [origin, direction] of [
        [vec3(0, -1, 0), vec3(0, 0, -1)], // below it
        [vec3(0, 400, 0), vec3(0, 0, -1)], // too far
    ] as const) {
        const { points, target } = arcOf(origin, direction, 0);
        assert.equal(target, null);
        assert.ok(points.every(({ x, y, z }) => Number.isFinite(x + y + z)) && distance(points[0]!, points.at(-1)!) < 1000);
    }
});

test("a stick aims when it is pushed, and goes once when it is let go", () => {
    const aim = new Aim();
    const update = (forward: number): Vec3 | null => aim.update(forward, vec3(0, 1, 0), vec3(0, 0, -1), 0);
    const arc = (): Arc | null => aim.arc;
    assert.equal(update(0.5), null);
    assert.equal(arc(), null, "half is not enough");
    assert.equal(update(0.9), null);
    assert.ok(arc()?.target);
    assert.equal(update(0.5), null);
    assert.ok(arc(), "it may tremble");
    const target = update(0.1);
    assert.ok(target !== null && Math.abs(target.z + 6 * Math.sqrt(2 / 9.81)) < 1e-12);
    assert.equal(update(0), null);
    update(1);
    aim.stop();
    assert.equal(update(0), null, "a hand that is lost goes nowhere");
    aim.update(1, vec3(0, -1, 0), vec3(0, 0, -1), 0);
    assert.equal(update(0), null, "nor does one that aims at nothing");
});

test("the way there is short, and ends where it should", () => {
    const ride = new Ride(vec3(0, 0, 0), vec3(2, 0, 4));
    assert.deepEqual(ride.at(1000), vec3(0, 0, 0));
    const half = ride.at(1090);
    assert.ok(Math.abs(half.x - 1) < 1e-9 && Math.abs(half.z - 2) < 1e-9 && !ride.isOver(1090));
    assert.deepEqual(ride.at(1180), vec3(2, 0, 4));
    assert.ok(ride.isOver(1180));
});
