import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera } from "../src/camera";
import { add, distance, dot, length, subtract, times, vec3, type Vec3 } from "../src/vector";

function camera(width = 800, height = 600): Camera {
    const made = new Camera();
    made.width = width;
    made.height = height;
    made.target = vec3(1, 2, 3);
    return made;
}

const near = (a: number, b: number, slack: number): void => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

test("its axes are of length 1 and at right angles, right-handed", () => {
    const c = camera();
    for (const axis of [c.right(), c.up(), c.forward()]) {
        near(length(axis), 1, 1e-12);
    }
    near(dot(c.right(), c.up()), 0, 1e-12);
    near(dot(c.right(), c.forward()), 0, 1e-12);
    assert.ok(c.up().y > 0);
});

test("the target is in the middle of the picture", () => {
    const c = camera();
    const { x, y, depth } = c.project(c.target);
    near(x, 400, 1e-9);
    near(y, 300, 1e-9);
    near(depth, c.distance, 1e-9);
});

test("a ray through a pixel meets what is drawn there, wide and narrow", () => {
    for (const c of [camera(800, 600), camera(360, 740)]) {
        const ray = c.ray(123, 456);
        const { x, y, depth } = c.project(add(ray.origin, times(ray.direction, 7)));
        near(x, 123, 1e-9);
        near(y, 456, 1e-9);
        assert.ok(depth > 0);
    }
});

test("what is behind the eye has negative depth", () => {
    const c = camera();
    assert.ok(c.project(add(c.eye(), c.backward())).depth < 0);
});

test("to orbit keeps the target, to fly keeps the eye", () => {
    const c = camera();
    const { target } = c;
    c.turn(0.3, 0.2);
    assert.deepEqual(c.target, target);
    near(distance(c.eye(), c.target), 10, 1e-9);
    c.mode = "fly";
    const eye = c.eye();
    c.turn(-1.1, 0.4);
    near(distance(c.eye(), eye), 0, 1e-9);
    assert.ok(distance(c.target, target) > 1);
});

test("it never looks over its head", () => {
    const c = camera();
    c.turn(0, 10);
    assert.ok(c.pitch < Math.PI / 2 && c.up().y > 0);
    c.turn(0, -20);
    assert.ok(c.pitch > -Math.PI / 2 && c.up().y > 0);
});

test("to pan takes the target's plane along with the pointer", () => {
    const c = camera();
    const point = c.target;
    c.pan(40, -25);
    const { x, y } = c.project(point);
    near(x, 440, 1e-6);
    near(y, 275, 1e-6);
});

test("to zoom keeps what is under the pointer in the target's plane", () => {
    const c = camera();
    const ray = c.ray(600, 100);
    const along = dot(subtract(c.target, c.eye()), c.forward()) / dot(ray.direction, c.forward());
    const point = add(ray.origin, times(ray.direction, along));
    c.zoom(0.5, 600, 100);
    near(c.distance, 5, 1e-9);
    const { x, y } = c.project(point);
    near(x, 600, 1e-6);
    near(y, 100, 1e-6);
});

const cloud = (count: number): Vec3[] => {
    let seed = 7;
    const next = (): number => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 6 - 3;
    return Array.from({ length: count }, () => add(vec3(5, 5, 5), vec3(next(), next(), next())));
};

for (const isFlat of [false, true]) {
    test(`to fit shows all points in the free part of the page, and fills it${isFlat ? ", parallel" : ""}`, () => {
        for (const [c, free] of [
            [camera(1600, 400), { left: 260, top: 50, right: 1340, bottom: 300 }],
            [camera(300, 900), { left: 0, top: 60, right: 300, bottom: 780 }],
            [camera(800, 600), { left: 500, top: 0, right: 800, bottom: 600 }],
        ] as const) {
            c.isFlat = isFlat;
            const points = cloud(40);
            c.fit(points, free);
            const places = points.map((point) => c.project(point));
            const [x, y] = [places.map((place) => place.x), places.map((place) => place.y)];
            const box = { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
            assert.ok(places.every(({ depth }) => isFlat || depth > 0));
            assert.ok(box.left >= free.left - 1e-6 && box.right <= free.right + 1e-6, JSON.stringify(box));
            assert.ok(box.top >= free.top - 1e-6 && box.bottom <= free.bottom + 1e-6, JSON.stringify(box));
            // One of the two sides is filled, and the other is in the middle.
            const [across, down] = [box.right - box.left, box.bottom - box.top];
            const isFull = Math.max(across / (free.right - free.left), down / (free.bottom - free.top));
            near(isFull, 1, 1e-6);
        }
    });
}

test("a single point, and points in a line with the eye, can be looked at", () => {
    const c = camera();
    const free = { left: 0, top: 0, right: 800, bottom: 600 };
    c.fit([vec3(1, 1, 1)], free);
    near(c.project(vec3(1, 1, 1)).x, 400, 1e-6);
    c.fit([c.backward(), times(c.backward(), 5)], free);
    assert.ok(Number.isFinite(c.distance) && c.project(times(c.backward(), 5)).depth > 0);
});

test("a parallel view has rays that are parallel, through what is drawn there", () => {
    const c = camera();
    c.isFlat = true;
    const [a, b] = [c.ray(100, 100), c.ray(700, 500)];
    assert.deepEqual(a.direction, b.direction);
    const { x, y } = c.project(add(a.origin, times(a.direction, 123)));
    near(x, 100, 1e-6);
    near(y, 100, 1e-6);
});

test("it looks from a direction, straight from above too", () => {
    const c = camera();
    for (const from of [vec3(0, 0, 1), vec3(1, 0, 0), vec3(-1, 2, -3)]) {
        c.lookFrom(from);
        near(distance(c.backward(), times(from, 1 / length(from))), 0, 1e-9);
    }
    c.lookFrom(vec3(0, 1, 0));
    assert.ok(c.backward().y > 0.999 && c.right().x > 0.999);
});

test("far from zero a pixel is still a pixel", () => {
    const c = camera();
    c.target = vec3(1e6, 0, -1e6);
    const point = add(c.target, times(c.right(), 0.01));
    near(c.project(point).x - 400, 0.01 / c.metresPerPixel(c.distance), 1e-4);
});
