import assert from "node:assert/strict";
import { test } from "node:test";
import {
    applyPose,
    compose,
    distance,
    inverseTurn,
    multiply,
    rotate,
    samePose,
    shiftPose,
    turnAbout,
    unapplyPose,
    unitTurn,
    vec3,
    writeMatrix,
    type Pose,
} from "../src/vector";

const near = (a: number, b: number, slack = 1e-12): void => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);
const pose: Pose = { rotation: turnAbout(vec3(1, 2, 3), 0.7), position: vec3(4, -5, 6), scale: 2.5 };

test("a quarter turn about y takes z to x", () => {
    const turned = rotate(turnAbout(vec3(0, 5, 0), Math.PI / 2), vec3(0, 0, 1));
    near(distance(turned, vec3(1, 0, 0)), 0);
});

test("a turn and its inverse undo one another", () => {
    const q = turnAbout(vec3(-1, 0.5, 2), 2.1);
    const { w, x, y, z } = multiply(q, inverseTurn(q));
    near(w, 1);
    near(Math.hypot(x, y, z), 0);
});

test("unapplyPose undoes applyPose", () => {
    const v = vec3(0.3, -7, 11);
    near(distance(unapplyPose(pose, applyPose(pose, v)), v), 0, 1e-12);
});

test("compose is one pose after the other", () => {
    const inner: Pose = { rotation: turnAbout(vec3(0, 1, 1), -1.3), position: vec3(1, 1, 2), scale: 0.5 };
    const v = vec3(3, 2, 1);
    near(distance(applyPose(compose(pose, inner), v), applyPose(pose, applyPose(inner, v))), 0, 1e-12);
});

test("the matrix says what the pose says, seen from the origin", () => {
    const origin = vec3(1, 2, 3);
    const m = new Float32Array(20);
    writeMatrix(pose, origin, m, 4);
    const v = vec3(1, -2, 0.5);
    const expected = applyPose(pose, v);
    const at = (row: number): number => m[4 + row]! * v.x + m[8 + row]! * v.y + m[12 + row]! * v.z + m[16 + row]!;
    near(at(0), expected.x - origin.x, 1e-5);
    near(at(1), expected.y - origin.y, 1e-5);
    near(at(2), expected.z - origin.z, 1e-5);
    assert.equal(m[0], 0);
});

test("a million metres away the matrix keeps a tenth of a millimetre", () => {
    const far = shiftPose(pose, vec3(1e6, 0, -1e6));
    const m = new Float32Array(16);
    writeMatrix(shiftPose(far, vec3(1e-4, 0, 0)), vec3(1e6, 0, -1e6), m, 0);
    near(m[12]!, 4.0001, 1e-6);
});

test("samePose sees shifts, turns and scales beyond the slack, and not the sign of a quaternion", () => {
    const { w, x, y, z } = pose.rotation;
    assert.ok(samePose(pose, { ...pose, rotation: { w: -w, x: -x, y: -y, z: -z } }, 1, 1e-6));
    assert.ok(samePose(pose, shiftPose(pose, vec3(5e-7, 0, 0)), 1, 1e-6));
    assert.ok(!samePose(pose, shiftPose(pose, vec3(2e-6, 0, 0)), 1, 1e-6));
    const turned = { ...pose, rotation: unitTurn(multiply(turnAbout(vec3(0, 1, 0), 1e-5), pose.rotation)) };
    assert.ok(!samePose(pose, turned, 1, 1e-6));
    assert.ok(samePose(pose, turned, 0.01, 1e-6));
    assert.ok(!samePose(pose, { ...pose, scale: 2.51 }, 1, 1e-6));
});
