// The lesson in the headset: each step ends when it was done, and all of it when it is skipped; it is over once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lesson } from "../src/lesson";
import { turnAbout, vec3 } from "../src/vector";

const looking = (degrees: number) => turnAbout(vec3(0, 1, 0), (degrees * Math.PI) / 180);
const input = (degrees = 0, isHolding = false, isSkipped = false) => ({ head: looking(degrees), isHolding, isSkipped });

function begin(isOver = false): { lesson: Lesson; ends: () => number } {
    let ends = 0;
    return { lesson: new Lesson(isOver, () => ends++), ends: () => ends };
}

test("look, grab, place, and it is over", () => {
    const { lesson, ends } = begin();
    assert.equal(lesson.update(input(100), 0), false, "where the head looks first counts as ahead");
    assert.equal(lesson.update(input(120), 10), false);
    assert.equal(lesson.step, "look");
    assert.equal(lesson.update(input(65), 20), true);
    assert.equal(lesson.step, "grab");
    assert.equal(lesson.update(input(65), 30), false);
    assert.equal(lesson.update(input(65, true), 40), true);
    assert.equal(lesson.step, "place");
    assert.equal(lesson.update(input(65, true), 50), false);
    assert.equal(ends(), 0);
    assert.equal(lesson.update(input(65), 60), true);
    assert.deepEqual([lesson.step, ends()], ["end", 1]);
    assert.ok(lesson.text!.lines.some((line) => line.includes("stick")));
    assert.equal(lesson.update(input(), 4000), false);
    assert.equal(lesson.update(input(), 4061), true);
    assert.deepEqual([lesson.step, lesson.text, ends()], [null, null, 1]);
    assert.equal(lesson.update(input(0, true), 9000), false);
});

test("it is skipped at every step, and was over once", () => {
    for (const done of [0, 1, 2, 3]) {
        const { lesson, ends } = begin();
        lesson.update(input(0), 0);
        [input(40), input(0, true), input(0)].slice(0, done).forEach((each, i) => lesson.update(each, i));
        assert.equal(lesson.step, ["look", "grab", "place", "end"][done]);
        assert.equal(lesson.update(input(0, false, true), 10), true);
        assert.deepEqual([lesson.step, ends()], [null, 1]);
    }
});

test("who saw it before is shown nothing", () => {
    const { lesson, ends } = begin(true);
    assert.equal(lesson.text, null);
    assert.equal(lesson.update(input(90, true), 0), false);
    assert.equal(ends(), 0);
});

test("every step says something short", () => {
    const { lesson } = begin();
    for (const each of [input(0), input(40), input(0, true), input(0)]) {
        lesson.update(each, 0);
        const { title, lines } = lesson.text!;
        assert.ok(title.length < 24 && lines.length === 2 && lines.every((line) => line.length < 50));
    }
});
