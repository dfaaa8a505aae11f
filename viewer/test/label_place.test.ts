// Labels beside their points: none covers another, all are within the free part of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeLabels, type Label, type Place } from "../src/label_place";

const free = { left: 0, top: 0, right: 800, bottom: 600 };
const size = { width: 150, height: 20 };

function check(labels: readonly Label[], places: readonly (Place | null)[]): void {
    const boxes = places.flatMap((place, i) => (place === null ? [] : [{ ...place, ...labels[i]! , left: place.x, top: place.y }]));
    boxes.forEach((a, i) => {
        assert.ok(a.left >= free.left && a.left + a.width <= free.right && a.top >= free.top && a.top + a.height <= free.bottom);
        for (const b of boxes.slice(i + 1)) {
            const isBeside = a.left + a.width < b.left || b.left + b.width < a.left;
            const isAbove = a.top + a.height < b.top || b.top + b.height < a.top;
            assert.ok(isBeside || isAbove, "two labels cover one another");
        }
    });
}

test("a label alone is right above its point", () => {
    assert.deepEqual(placeLabels([{ x: 100, y: 100, ...size }], free), [{ x: 112, y: 68 }]);
});

test("five labels of one point are spread, and stay near it", () => {
    const labels = Array.from({ length: 5 }, () => ({ x: 400, y: 300, ...size }));
    const places = placeLabels(labels, free);
    check(labels, places);
    for (const place of places) {
        assert.ok(place !== null && Math.abs(place.x + 75 - 400) < 200 && Math.abs(place.y + 10 - 300) < 120);
    }
});

test("labels at the edges of the page are turned inwards", () => {
    for (const [x, y] of [[0, 0], [799, 0], [0, 599], [799, 599], [400, 0], [799, 300]] as const) {
        const labels = [{ x, y, ...size }];
        const places = placeLabels(labels, free);
        assert.ok(places[0] !== null, `${x}, ${y}`);
        check(labels, places);
    }
});

test("random labels never cover one another; what has no place is left out, the first never", () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 200; round++) {
        const labels = Array.from({ length: 12 }, () => ({ x: 300 + 80 * random(), y: 250 + 60 * random(), ...size }));
        const places = placeLabels(labels, free);
        check(labels, places);
        assert.ok(places[0] !== null);
    }
});

test("a page without a place has no labels", () => {
    assert.deepEqual(placeLabels([{ x: 5, y: 5, ...size }], { left: 0, top: 0, right: 60, bottom: 60 }), [null]);
    assert.deepEqual(placeLabels([{ x: 5000, y: 5, ...size }], free), [null]);
    assert.deepEqual(placeLabels([], free), []);
});
