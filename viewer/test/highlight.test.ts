// The colour of what collides is away from the colours of what is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Color } from "three";
import { chooseHighlight, highlights } from "../src/highlight";

const hueOf = (color: number): number => new Color(color).getHSL({ h: 0, s: 0, l: 0 }).h;
const between = (a: number, b: number): number => Math.min(Math.abs(a - b), 1 - Math.abs(a - b));

test("where nothing has a hue it is the usual one", () => {
    assert.equal(chooseHighlight([]), highlights[0]);
});

test("it is never the hue of an object, whatever hue that is, and is at least 70 degrees away from one alone", () => {
    for (let degrees = 0; degrees < 360; degrees += 5) {
        const chosen = chooseHighlight([degrees / 360]);
        assert.ok(between(hueOf(chosen), degrees / 360) * 360 >= 70, `${degrees} degrees: ${chosen.toString(16)}`);
    }
});

test("of two objects it is away from both", () => {
    for (let a = 0; a < 360; a += 15) {
        for (let b = 0; b < 360; b += 15) {
            const hue = hueOf(chooseHighlight([a / 360, b / 360]));
            assert.ok(Math.min(between(hue, a / 360), between(hue, b / 360)) * 360 >= 25, `${a} and ${b} degrees`);
        }
    }
});

test("a scene of all hues has one all the same", () => {
    assert.ok(highlights.includes(chooseHighlight(Array.from({ length: 72 }, (_, i) => i / 72)) as never));
});
