// The pose of one object in two hands, against the results of the library.
import assert from "node:assert/strict";
import { test } from "node:test";
import { handsPose, turnBetween, type HandPair } from "../src/two_hands";
import { rotate, samePose, vec3, type Pose } from "../src/vector";
import { twoHandCases, type PoseNumbers } from "./hand_cases";

const pose = ([w, x, y, z, px, py, pz, scale]: PoseNumbers): Pose => ({
    rotation: { w, x, y, z },
    position: vec3(px, py, pz),
    scale,
});
const pair = ([a, b]: readonly [PoseNumbers, PoseNumbers]): HandPair => [pose(a), pose(b)];

test("two hands want an object where the library says", () => {
    assert.ok(twoHandCases.length >= 8);
    for (const { name, object, grasp, now, result } of twoHandCases) {
        const got = handsPose(pose(object), pair(grasp), pair(now));
        const expected = pose(result);
        // Far from the origin the doubles themselves are that far apart.
        const size = Math.max(1, ...[object, ...grasp, ...now].flatMap((p) => p.map(Math.abs)));
        assert.ok(
            samePose(got, expected, 1, 1e-12 * size),
            `${name}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`,
        );
        assert.equal(got.scale, expected.scale);
    }
});

test("the shortest turn takes one direction to the other, also to its opposite", () => {
    const up = vec3(0, 1, 0);
    for (const to of [up, vec3(0, -1, 0), vec3(0.6, -0.8, 0), vec3(1e-9, -1, 0)]) {
        const { x, y, z } = rotate(turnBetween(up, to), up);
        assert.ok(Math.hypot(x - to.x, y - to.y, z - to.z) < 1e-8, JSON.stringify(to));
    }
});
