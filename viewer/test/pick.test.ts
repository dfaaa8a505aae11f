import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ray } from "../src/camera";
import { pick, type Target } from "../src/pick";
import { distance, turnAbout, unit, vec3, type Pose } from "../src/vector";
import { cube } from "./cube";

const mesh = cube();
const here = (x: number, y: number, z: number, scale = 1): Pose => ({
    rotation: { w: 1, x: 0, y: 0, z: 0 },
    position: vec3(x, y, z),
    scale,
});
const target = (thing: string, objectPose: Pose, partPose = here(0, 0, 0), firstTriangle = 0): Target<string> => ({
    thing,
    objectPose,
    partPose,
    mesh,
    bounds: mesh.bounds,
    positions: () => mesh.positions,
    firstTriangle,
});
const down = (x: number, z: number): Ray => ({ origin: vec3(x, 10, z), direction: vec3(0, -1, 0) });

test("the nearest of two is met, whatever their order", () => {
    const near = target("near", here(0, 5, 0));
    const far = target("far", here(0, 0, 0));
    for (const targets of [[near, far], [far, near]]) {
        const hit = pick(down(0.3, 0.2), targets);
        assert.equal(hit?.thing, "near");
        assert.equal(hit?.distance, 4);
        assert.ok(distance(hit!.point, vec3(0.3, 6, 0.2)) < 1e-12);
    }
});

test("a ball that is met is not yet a body", () => {
    assert.equal(pick(down(1.2, 1.2), [target("cube", here(0, 0, 0))]), null);
    assert.equal(pick(down(5, 5), [target("cube", here(0, 0, 0))]), null);
});

test("what lies behind the origin of the ray is not met", () => {
    assert.equal(pick({ origin: vec3(0, -3, 0), direction: vec3(0, -1, 0) }, [target("cube", here(0, 0, 0))]), null);
});

test("from inside the wall before the eye is met", () => {
    const hit = pick({ origin: vec3(0.2, 0, 0.1), direction: vec3(0, -1, 0) }, [target("cube", here(0, 0, 0))]);
    assert.equal(hit?.distance, 1);
});

test("turned, scaled and moved as object and part", () => {
    const objectPose: Pose = { rotation: turnAbout(vec3(0, 0, 1), Math.PI / 2), position: vec3(100, 0, 0), scale: 2 };
    const partPose = here(3, 0, 0, 0.5); // in the world: 6 above, half edge 1
    const ray: Ray = { origin: vec3(100.1, 50, 0.2), direction: vec3(0, -1, 0) };
    const hit = pick(ray, [target("part", objectPose, partPose, 40)]);
    assert.ok(Math.abs(hit!.distance - 43) < 1e-12);
    assert.ok(hit!.triangle >= 40 && hit!.triangle < 52);
    assert.equal(hit!.face, Math.floor((hit!.triangle - 40) / 2));
});

test("a million metres away it meets as well", () => {
    const origin = vec3(1e6 + 3, 4, -1e6 + 5);
    const direction = unit(vec3(-3, -4, -5));
    const hit = pick({ origin, direction }, [target("far", here(1e6, 0, -1e6))]);
    assert.equal(hit?.thing, "far");
});

test("against every triangle one by one", () => {
    let met = 0;
    let seed = 1;
    const random = (): number => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return seed / 2 ** 31 - 1;
    };
    for (let i = 0; i < 400; i++) {
        const origin = vec3(2 * random(), 2 * random(), 6);
        const direction = unit(vec3(0.3 * random(), 0.3 * random(), -1));
        const hit = pick({ origin, direction }, [target("cube", here(0, 0, 0))]);
        // A cube is met exactly where the three slabs are.
        let enter = -Infinity;
        let leave = Infinity;
        for (const axis of ["x", "y", "z"] as const) {
            const a = (-1 - origin[axis]) / direction[axis];
            const b = (1 - origin[axis]) / direction[axis];
            enter = Math.max(enter, Math.min(a, b));
            leave = Math.min(leave, Math.max(a, b));
        }
        assert.equal(hit !== null, enter <= leave);
        if (hit !== null) {
            met++;
            assert.ok(Math.abs(hit.distance - enter) < 1e-6);
        }
    }
    assert.ok(met > 50 && met < 350, `${met} of 400`);
});
