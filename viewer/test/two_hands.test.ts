// The pose of one object in two hands, against numbers that do not change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { handsPose, turnBetween, type HandPair } from "../src/two_hands";
import { rotate, samePose, turnAbout, vec3, type Pose } from "../src/vector";

// A place, an axis, degrees about it, and a size.
type Place = readonly [number, number, number, number, number, number, number, number];

const pose = ([x, y, z, ax, ay, az, degrees, scale]: Place): Pose => ({
    rotation: turnAbout(vec3(ax, ay, az), (degrees * Math.PI) / 180),
    position: vec3(x, y, z),
    scale,
});

interface Case {
    object: Place;
    grasp: readonly [Place, Place];
    now: readonly [Place, Place];
    wanted: readonly number[]; // w x y z, x y z, size
}

const cases: readonly Case[] = [
    {
        object: [0.1, 1.2, -0.3, 1, 2, 3, 40, 2.5],
        grasp: [[0, 1, 0, 0, 1, 0, 30, 1], [0.4, 1.1, 0.1, 1, 0, 0, -20, 1]],
        now: [[0.3, 1.4, 0.2, 0, 1, 1, 70, 1], [0.5, 1, 0.5, 1, 1, 0, 55, 1]],
        wanted: [
            0.80059443468448843, 0.46833306921900997, -0.36601987504516065, 0.075776899514638923, 0.63178418148100357,
            1.5178644087521753, 0.36543732048676791, 2.5,
        ],
    },
    {
        object: [0, 0, 0, 0, 0, 1, 0, 1],
        grasp: [[-0.2, 0, 0, 0, 0, 1, 0, 1], [0.2, 0, 0, 0, 0, 1, 0, 1]],
        now: [[0.2, 0.01, 0, 0, 1, 0, 170, 1], [-0.2, 0, 0, 0, 1, 0, -175, 1]],
        wanted: [
            3.4227013462458554e-6, -0.012497071025793935, 0.99992187105062003, -0.00027385888478362119, 0, 0.005, 0, 1,
        ],
    },
    {
        object: [2, -1, 0.5, -1, 1, 0, 100, 0.5],
        grasp: [[2, -1, 0.4, 1, 0, 1, 150, 1], [2.3, -1.2, 0.6, 0, 1, 0, 10, 1]],
        now: [[1, 1, 1, 1, 2, 0, -160, 1], [1.1, 1.3, 0.6, 0, 0, 1, 120, 1]],
        wanted: [
            -0.18670941898011745, -0.76326419432035941, 0.28256865337615744, 0.55020207075381378, 1.0253618120309458,
            1.1262646141710244, 0.97700166991627857, 0.5,
        ],
    },
    {
        object: [0.1, 0.1, 0, 0, 0, 1, 15, 1],
        grasp: [[0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0.0005, 1, 0, 0, 0, 1]],
        now: [[0.1, 0.2, 0.3, 0, 1, 0, 90, 1], [0.5, 0.2, 0.3, 0, 1, 0, -45, 1]],
        wanted: [
            0.70105738464997791, 0.092295955641257241, 0.7010573846499778, 0.092295955641257255, 0.29975, 0.3, 0.2, 1,
        ],
    },
];

test("two hands want an object where the library says", () => {
    for (const { object, grasp, now, wanted } of cases) {
        const [w, x, y, z, px, py, pz, scale] = wanted as [number, number, number, number, number, number, number, number];
        const pair = (both: readonly [Place, Place]): HandPair => [pose(both[0]), pose(both[1])];
        const got = handsPose(pose(object), pair(grasp), pair(now));
        const expected = { rotation: { w, x, y, z }, position: vec3(px, py, pz), scale };
        assert.ok(samePose(got, expected, 1, 1e-12), `${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
        assert.equal(got.scale, scale);
    }
});

test("the shortest turn takes one direction to the other, also to its opposite", () => {
    const up = vec3(0, 1, 0);
    for (const to of [up, vec3(0, -1, 0), vec3(0.6, -0.8, 0), vec3(1e-9, -1, 0)]) {
        const { x, y, z } = rotate(turnBetween(up, to), up);
        assert.ok(Math.hypot(x - to.x, y - to.y, z - to.z) < 1e-8, JSON.stringify(to));
    }
});
