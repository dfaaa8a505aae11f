import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera } from "../src/camera";
import { Drag, RawTrail } from "../src/drag";
import { applyPose, distance, shiftPose, subtract, turnAbout, vec3, type Pose } from "../src/vector";

const pose: Pose = { rotation: turnAbout(vec3(0, 1, 0), 0.4), position: vec3(1, 2, 3), scale: 1 };
const point = vec3(1.2, 2.1, 3.1);

function begin(mode: "view" | "ground" | "lift" | "turn"): { camera: Camera; drag: Drag; x: number; y: number } {
    const camera = new Camera();
    camera.width = 800;
    camera.height = 600;
    camera.target = vec3(1, 2, 3);
    const { x, y } = camera.project(point);
    return { camera, drag: new Drag(camera, pose, point, vec3(0.1, 0, 0), x, y, mode), x, y };
}

const near = (a: number, b: number, slack = 1e-9): void => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

test("a pointer that rests moves nothing", () => {
    for (const mode of ["view", "ground", "lift", "turn"] as const) {
        const { drag, x, y } = begin(mode);
        near(distance(drag.moveTo(x, y, mode).position, pose.position), 0);
    }
});

test("in the view's plane the point stays under the pointer, at its depth", () => {
    const { camera, drag, x, y } = begin("view");
    const raw = drag.moveTo(x + 70, y - 40, "view");
    const moved = vec3(...tuple(point, subtract(raw.position, pose.position)));
    const seen = camera.project(moved);
    near(seen.x, x + 70, 1e-6);
    near(seen.y, y - 40, 1e-6);
    near(seen.depth, camera.project(point).depth);
    assert.deepEqual(raw.rotation, pose.rotation);
});

test("along the ground the height stays, and the point under the pointer", () => {
    const { camera, drag, x, y } = begin("ground");
    const raw = drag.moveTo(x + 50, y + 30, "ground");
    assert.equal(raw.position.y, pose.position.y);
    const seen = camera.project(vec3(...tuple(point, subtract(raw.position, pose.position))));
    near(seen.x, x + 50, 1e-6);
    near(seen.y, y + 30, 1e-6);
});

test("above the horizon the ground is not met, and the body stays", () => {
    const { drag, x, y } = begin("ground");
    const last = drag.moveTo(x + 10, y, "ground");
    const raw = drag.moveTo(x, -4000, "ground");
    near(distance(raw.position, last.position), 0);
});

test("lifting changes the height alone, upwards with the pointer", () => {
    const { drag, x, y } = begin("lift");
    const raw = drag.moveTo(x + 99, y - 50, "lift");
    assert.equal(raw.position.x, pose.position.x);
    assert.equal(raw.position.z, pose.position.z);
    assert.ok(raw.position.y > pose.position.y);
});

test("turning keeps the pivot where it is and the quaternion of length 1", () => {
    const { drag, x, y } = begin("turn");
    const raw = drag.moveTo(x + 120, y + 45, "turn");
    const { w, x: i, y: j, z: k } = raw.rotation;
    near(Math.hypot(w, i, j, k), 1);
    near(distance(applyPose(raw, vec3(0.1, 0, 0)), applyPose(pose, vec3(0.1, 0, 0))), 0);
    assert.ok(Math.abs(w * pose.rotation.w + j * pose.rotation.y) < 0.99);
});

test("a change of mode goes on from where the body is", () => {
    const { drag, x, y } = begin("view");
    const before = drag.moveTo(x + 30, y + 10, "view");
    const same = drag.moveTo(x + 30, y + 10, "lift");
    near(distance(before.position, same.position), 0);
    const lifted = drag.moveTo(x + 30, y - 20, "lift");
    assert.equal(lifted.position.x, before.position.x);
    assert.ok(lifted.position.y > before.position.y);
});

test("pushing goes away from the eye and stays", () => {
    const { camera, drag, x, y } = begin("view");
    const pushed = drag.push(0.25);
    near(distance(pushed.position, pose.position), 0.25 * distance(camera.eye(), point));
    near(distance(drag.moveTo(x, y, "view").position, pushed.position), 0);
});

test("steps go along the view's right, up, and level away", () => {
    const { camera, drag } = begin("view");
    const raw = drag.step(0, 0.5, 0);
    near(raw.position.y, 2.5);
    const away = subtract(drag.step(0, 0, 1).position, raw.position);
    assert.equal(away.y, 0);
    near(Math.hypot(away.x, away.z), 1);
    assert.ok(away.x * camera.forward().x + away.z * camera.forward().z > 0);
});

test("what lags is not corrected, what is elsewhere is", () => {
    const trail = new RawTrail(100);
    trail.add(pose, 0);
    trail.add(shiftPose(pose, vec3(1, 0, 0)), 50);
    assert.ok(!trail.isCorrected(pose, 1, 60), "one frame behind");
    assert.ok(!trail.isCorrected(shiftPose(pose, vec3(1, 0, 0)), 1, 60));
    assert.ok(trail.isCorrected(shiftPose(pose, vec3(0.5, 0, 0)), 1, 60));
    assert.ok(trail.isCorrected(pose, 1, 140), "the old wish no longer counts");
    assert.ok(!trail.isCorrected(shiftPose(pose, vec3(1, 0, 0)), 1, 9999), "the newest always does");
    assert.ok(!new RawTrail().isCorrected(pose, 1, 0));
});

function tuple(a: { x: number; y: number; z: number }, b: typeof a): [number, number, number] {
    return [a.x + b.x, a.y + b.y, a.z + b.z];
}
