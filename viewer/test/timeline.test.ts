import assert from "node:assert/strict";
import { test } from "node:test";
import { Mirror } from "../src/mirror";
import { EventKind, StateFlags, TouchPhase, type ServerMessage, type WirePose } from "../src/protocol";
import { maxBars, maxMarks, maxPassed, maxPoints, maxRows, maxSpans } from "../src/timeline";
import { secondsMarked, secondsShown, Timeline } from "../src/timeline";

const ref = (index1: number) => ({ index1, generation: 0 });
const unmoved: WirePose = { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 };
const objects = 100;
const step = 0.01;

const welcome: ServerMessage = {
    type: "welcome",
    version: 2,
    client: 4,
    step,
    server: "test",
    scene: "Scene",
    maxMessageBytes: 65536,
};

const object = (index1: number, name = `o${index1}`): ServerMessage => ({
    type: "object",
    object: ref(index1),
    name,
    color: { r: 1, g: 2, b: 3, a: 255 },
    flags: 0,
    isPlain: 0,
    parts: [],
    pose: unmoved,
});

// A timeline and what a server may report to it.
class Reports {
    readonly mirror = new Mirror();
    readonly timeline = new Timeline(this.mirror);
    private sequence = 0;

    constructor() {
        this.say(welcome);
        for (let index1 = 1; index1 <= objects; index1++) {
            this.say(object(index1));
        }
        this.state(0, true).pairs();
    }

    say(message: ServerMessage): this {
        this.mirror.apply(message);
        this.timeline.apply(message);
        return this;
    }

    state(time: number, isComplete = false): this {
        const sequence = ++this.sequence;
        const flags = isComplete ? StateFlags.complete : 0;
        const all = Array.from({ length: objects }, (_, i) => ({ object: ref(i + 1), hold: 0, pose: unmoved }));
        const bodies = isComplete ? all : [];
        return this.say({ type: "state", sequence, since: sequence - 1, tick: sequence, time, flags, bodies });
    }

    pairs(...touching: [a: number, b: number, flags?: number][]): this {
        const pairs = Uint32Array.from(touching.flatMap(([a, b, flags]) => [a, b, 0, 0, flags ?? 0]));
        return this.say({ type: "pairs", sequence: this.sequence, total: touching.length, pairs });
    }

    contacts(...points: [a: number, b: number, x: number][]): this {
        const normal = { normalX: 0, normalY: 1, normalZ: 0, distance: 0, flags: 0 };
        const contacts = points.map(([a, b, x]) => ({ a, b, point: { x, y: 0, z: 0 }, ...normal }));
        return this.say({ type: "contacts", sequence: this.sequence, total: points.length, contacts });
    }

    // Contacts of faces of two objects, with a point where the x of one is given.
    faces(...touches: { a: number; b: number; id: number; begin: number; end?: number; x?: number; old?: boolean }[]): this {
        const faceTouches = touches.map(({ a, b, id, begin, end, x, old }) => {
            const began = old === true ? 0 : TouchPhase.began;
            const phase = began | (end === undefined ? 0 : TouchPhase.ended) | (x === undefined ? 0 : TouchPhase.point);
            const point = { x: x ?? 0, y: 0, z: 0 };
            return { a, b, triangleA: 0, triangleB: 0, flags: 0, phase, id, begin, end: end ?? begin, point };
        });
        return this.say({ type: "faceTouches", sequence: this.sequence, total: touches.length, faceTouches });
    }

    get spans(): [number, number, number | null][] {
        return [...this.timeline.spans].map(([id, { begin, end }]) => [id, begin, end]);
    }

    private event(kind: number, a: number, b: number, id: number, time: number): this {
        const still = { speed: 0, area: 0, pull: 0, count: 0, point: { x: 0, y: 0, z: 0 } };
        const event = { kind, a: ref(a), b: ref(b), id, tick: this.sequence, time, value: 0, second: 0, name: "", ...still };
        return this.say({ type: "events", events: [event] });
    }

    begin(a: number, b: number, id: number, time: number): this {
        return this.event(EventKind.touchBegin, a, b, id, time);
    }

    end(a: number, b: number, id: number, time: number): this {
        return this.event(EventKind.touchEnd, a, b, id, time);
    }

    get bars(): [string, string, number, number | null][] {
        return this.timeline.rows.flatMap(({ titleA, titleB, bars }) =>
            bars.map(({ begin, end }) => [titleA, titleB, begin, end] as [string, string, number, number | null]),
        );
    }
}

test("a touch lasts from its begin to its end, within a tick too", () => {
    const reports = new Reports().state(1).begin(1, 2, 7, 0.993);
    assert.deepEqual(reports.bars, [["o1", "o2", 0.993, null]]);
    reports.state(1.01).end(1, 2, 7, 1.0042);
    assert.deepEqual(reports.bars, [["o1", "o2", 0.993, 1.0042]]);
    reports.begin(1, 2, 8, 1.006).end(1, 2, 8, 1.007);
    assert.deepEqual(reports.bars.slice(1), [["o1", "o2", 1.006, 1.007]]);
    assert.equal(reports.timeline.rows.length, 1);
});

test("each pair has its row, newest first, whichever of the two is named first", () => {
    const reports = new Reports().state(1).begin(1, 2, 1, 1).begin(3, 1, 2, 1).end(1, 3, 2, 1);
    assert.deepEqual(reports.bars, [
        ["o3", "o1", 1, 1],
        ["o1", "o2", 1, null],
    ]);
});

test("what is reported twice is one, and an end without a begin is none", () => {
    const reports = new Reports().state(1).begin(1, 2, 1, 1).begin(1, 2, 1, 1).end(3, 4, 9, 1);
    assert.deepEqual(reports.bars, [["o1", "o2", 1, null]]);
});

test("bars that ended long ago are forgotten, those that last are not", () => {
    const reports = new Reports().state(1).begin(1, 2, 1, 1).begin(3, 4, 2, 1).state(2).end(1, 2, 1, 2);
    reports.state(2 + secondsShown);
    assert.equal(reports.timeline.rows.length, 2);
    const { version } = reports.timeline;
    reports.state(2.01 + secondsShown);
    assert.deepEqual(reports.bars, [["o3", "o4", 1, null]]);
    assert.notEqual(reports.timeline.version, version);
});

test("time that goes back, a reset and another server clear it", () => {
    const again: ServerMessage[] = [{ type: "reset", step, scene: "Other" }, welcome];
    for (const message of again) {
        const reports = new Reports().state(1).contacts([1, 2, 5]).begin(1, 2, 1, 1).say(message);
        assert.equal(reports.timeline.rows.length + reports.timeline.marks.length + reports.timeline.now, 0);
    }
    const reports = new Reports().state(1).contacts([1, 2, 5]).begin(1, 2, 1, 1).state(0.5);
    assert.equal(reports.timeline.rows.length + reports.timeline.marks.length, 0);
    assert.equal(reports.timeline.now, 0.5);
    // Time that stands does not.
    assert.equal(reports.begin(1, 2, 2, 0.5).state(0.5).bars.length, 1);
});

test("who comes late sees what touches from then on", () => {
    const reports = new Reports().state(3, true).pairs([1, 2], [1, 2], [3, 4, 1], [5, 5]);
    assert.deepEqual(reports.bars, [["o1", "o2", 3, null]]);
    assert.deepEqual(reports.state(4).end(1, 2, 12, 3.5).bars, [["o1", "o2", 3, 3.5]]);
    assert.equal(reports.timeline.marks.length, 0, "its place was not reported");
});

test("a begin that comes with the first pairs is the bar's own", () => {
    const reports = new Reports().state(3, true).pairs([1, 2]).begin(1, 2, 12, 2.995);
    assert.deepEqual(reports.bars, [["o1", "o2", 2.995, null]]);
    assert.equal(reports.timeline.marks.length, 1);
});

test("a touch whose end was missed ends where it was last heard of", () => {
    const reports = new Reports().state(1).begin(1, 2, 1, 1).begin(3, 4, 2, 1).state(2).state(5, true).pairs([3, 4]);
    assert.deepEqual(reports.bars, [
        ["o3", "o4", 1, null],
        ["o1", "o2", 1, 2],
    ]);
    // One may be inside the other without a colliding face: its end shows that it went on.
    assert.deepEqual(reports.state(6).end(1, 2, 1, 5.5).bars[1], ["o1", "o2", 1, 5.5]);
});

test("rows are bounded: the newest stay", () => {
    const reports = new Reports().state(1);
    for (let i = 0; i < objects - 1; i++) {
        reports.begin(1 + i, 2 + i, 1 + i, 1 + i * step);
    }
    const { rows } = reports.timeline;
    assert.equal(rows.length, maxRows);
    assert.equal(rows[0]!.titleA, `o${objects - 1}`);
    assert.equal(rows[maxRows - 1]!.titleA, `o${objects - maxRows}`);
});

test("bars are bounded: the newest stay", () => {
    const reports = new Reports().state(1);
    for (let i = 0; i < 2 * maxBars; i++) {
        const time = 1 + i * 1e-4;
        reports.begin(1 + (i % 3), 5, 1 + i, time).end(1 + (i % 3), 5, 1 + i, time);
    }
    assert.equal(reports.bars.length, maxBars);
    assert.ok(reports.bars.every(([, , begin]) => begin >= 1 + (maxBars - 1) * 1e-4));
});

test("a first contact is marked where the pair's contacts are, for a while", () => {
    const reports = new Reports().state(1).contacts([3, 4, 9], [2, 1, 5], [1, 2, 6]).begin(1, 2, 1, 0.995);
    const [mark] = reports.timeline.marks;
    assert.deepEqual([mark!.time, mark!.points.map(({ x }) => x)], [0.995, [5, 6]]);
    reports.state(0.99 + secondsMarked);
    assert.equal(reports.timeline.marks.length, 1);
    reports.state(1 + secondsMarked);
    assert.equal(reports.timeline.marks.length, 0);
});

test("contacts of the tick that follows mark it too, older and much later ones do not", () => {
    const reports = new Reports().state(1).contacts([1, 2, 5]).state(1.01).begin(1, 2, 1, 1.01);
    assert.equal(reports.timeline.marks[0]!.points.length, 0);
    reports.state(1.02).contacts([1, 2, 6]);
    assert.deepEqual(reports.timeline.marks[0]!.points.map(({ x }) => x), [6]);
    reports.begin(3, 4, 2, 1.02).state(1.5).contacts([3, 4, 7]);
    assert.equal(reports.timeline.marks[1]!.points.length, 0);
});

test("marks and their points are bounded", () => {
    const reports = new Reports().state(1);
    reports.contacts(...Array.from({ length: 100 }, (_, i): [number, number, number] => [1, 2, i])).begin(1, 2, 1, 1);
    assert.equal(reports.timeline.marks[0]!.points.length, maxPoints);
    assert.equal(new Set(reports.timeline.marks[0]!.points).size, maxPoints);
    for (let i = 0; i < 2 * maxMarks; i++) {
        reports.begin(3, 4, 2 + i, 1);
    }
    assert.equal(reports.timeline.marks.length, maxMarks);
});

test("contacts of faces last from their begin to their end, whichever of these was missed", () => {
    const reports = new Reports().state(1).faces({ a: 1, b: 2, id: 5, begin: 0.993 }, { a: 1, b: 2, id: 6, begin: 0.994, end: 0.996 });
    assert.deepEqual(reports.spans, [
        [5, 0.993, null],
        [6, 0.994, 0.996],
    ]);
    const { version } = reports.timeline;
    reports.state(1.01).faces({ a: 1, b: 2, id: 5, begin: 0.993, end: 1.005, old: true });
    reports.faces({ a: 1, b: 2, id: 2, begin: 0.1, end: 1.006, old: true });
    assert.deepEqual(reports.spans, [
        [5, 0.993, 1.005],
        [6, 0.994, 0.996],
        [2, 0.1, 1.006],
    ]);
    assert.notEqual(reports.timeline.version, version);
    reports.begin(1, 2, 1, 0.993);
    const [row] = reports.timeline.rows;
    assert.equal(reports.timeline.countSpans(row!, row!.bars[0]!), 3);
    assert.equal(reports.timeline.countSpans(row!, { id: 9, begin: 1.0055, end: null }), 1);
});

test("contacts of faces that lasted when something was missed, or ended long ago, are forgotten", () => {
    const reports = new Reports().state(1).faces({ a: 1, b: 2, id: 5, begin: 1 }, { a: 1, b: 2, id: 6, begin: 1, end: 1 });
    reports.state(2, true).pairs();
    assert.deepEqual(reports.spans, [[6, 1, 1]]);
    reports.state(1.01 + secondsShown);
    assert.deepEqual(reports.spans, []);
    const many = Array.from({ length: maxSpans + 7 }, (_, i) => ({ a: 1, b: 2, id: i + 1, begin: 12, end: 12 }));
    reports.state(12).faces(...many);
    assert.equal(reports.timeline.spans.size, maxSpans);
    assert.ok(reports.timeline.spans.has(maxSpans + 7), "the newest stay");
});

test("a first contact is marked where faces met first in the step, although they are apart after it", () => {
    const reports = new Reports().state(1);
    reports.contacts([1, 2, 50]).faces(
        { a: 1, b: 2, id: 1, begin: 0.9951, x: 7 },
        { a: 1, b: 2, id: 2, begin: 0.995, end: 0.996, x: 5 },
        { a: 1, b: 2, id: 3, begin: 0.995001, end: 0.996, x: 6 },
        { a: 1, b: 2, id: 4, begin: 0.5, end: 0.996, x: 8, old: true },
        { a: 3, b: 4, id: 5, begin: 0.99, x: 9 },
    );
    reports.begin(1, 2, 1, 0.995);
    assert.deepEqual(reports.timeline.marks[0]!.points.map(({ x }) => x), [5, 6]);
    assert.equal(reports.timeline.marks[0]!.passed.length, 0);
    reports.state(1.01).contacts([1, 3, 60]).begin(1, 3, 2, 1.01);
    assert.deepEqual(reports.timeline.marks[1]!.points.map(({ x }) => x), [60]);
});

test("faces of what passed through in one step are kept with the mark, those of what lasts are not", () => {
    const reports = new Reports().state(1).faces({ a: 1, b: 2, id: 1, begin: 0.995, end: 0.996 }, { a: 3, b: 4, id: 2, begin: 0.995 });
    const { passedVersion } = reports.timeline;
    reports.begin(1, 2, 1, 0.995).end(1, 2, 1, 0.996).begin(3, 4, 2, 0.995);
    assert.deepEqual(reports.timeline.marks.map(({ passed }) => passed.map(({ index1 }) => index1)), [[1, 2], []]);
    reports.state(1.01).faces({ a: 3, b: 4, id: 2, begin: 0.995, end: 1.005, old: true }).end(3, 4, 2, 1.005);
    assert.equal(reports.timeline.marks[1]!.passed.length, 0);
    assert.equal(reports.timeline.passedVersion, passedVersion + 1);
    reports.state(1 + secondsMarked);
    assert.equal(reports.timeline.passedVersion, passedVersion + 2);
    const many = Array.from({ length: maxPassed }, (_, i) => ({ a: 1, b: 2, id: i + 9, begin: 3, end: 3 }));
    reports.state(3).faces(...many).begin(1, 2, 9, 3).end(1, 2, 9, 3);
    assert.equal(reports.timeline.marks[0]!.passed.length, maxPassed);
});

test("rows of another scene are other rows, though its objects have the same numbers", () => {
    const reports = new Reports();
    reports.state(1).begin(1, 2, 1, 1);
    const before = reports.timeline.rows[0]!;
    reports.say(welcome);
    reports.say(object(1, "hammer")).say(object(2, "anvil"));
    reports.state(0, true).pairs().state(1).begin(1, 2, 2, 1);
    const after = reports.timeline.rows[0]!;
    assert.deepEqual([before.titleA, before.titleB, after.titleA, after.titleB], ["o1", "o2", "hammer", "anvil"]);
    assert.notEqual(before.key, after.key);
});
