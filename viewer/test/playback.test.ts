// The past of a session, as it was and bounded; from contact to contact; records, which the server goes through.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mirror } from "../src/mirror";
import { packPairs, unpackPairs } from "../src/pair_pack";
import { Playback } from "../src/playback";
import { EventKind, type ServerMessage, type WirePose } from "../src/protocol";
import { Session } from "../src/session";
import { Timeline } from "../src/timeline";

const step = 0.01;
const ref = (index1: number) => ({ index1, generation: 0 });
const at = (x: number): WirePose => ({ rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x, y: 0, z: 0 }, scale: 1 });

const welcome: ServerMessage = {
    type: "welcome",
    version: 5,
    client: 1,
    step,
    server: "test",
    scene: "Scene",
    maxMessageBytes: 65536,
};

const object = (index1: number): ServerMessage => ({
    type: "object",
    object: ref(index1),
    name: `o${index1}`,
    color: { r: 1, g: 2, b: 3, a: 255 },
    flags: 0,
    isPlain: 0,
    parts: [],
    pose: at(0),
});

// A page and what a server may send to it.
class Page {
    readonly mirror = new Mirror();
    readonly timeline = new Timeline(this.mirror);
    readonly said: string[] = [];
    readonly asked: { type: string; tick?: number; speed?: number }[] = [];
    readonly playback = new Playback(this.mirror, this.timeline, {
        take: (message) => {
            this.mirror.apply(message);
            this.timeline.apply(message);
        },
        ask: (message) => {
            this.asked.push(message as never);
            return Promise.resolve({ type: "reply", request: 1, status: 0, message: "" });
        },
        say: (text) => this.said.push(text),
    });
    private sequence = 0;
    private ms = 0;

    constructor(bodies = 2) {
        this.hear(welcome);
        for (let i = 1; i <= bodies; i++) {
            this.hear(object(i));
        }
    }

    hear(message: ServerMessage): this {
        this.playback.hear(message);
        return this;
    }

    // A state in which body 1 is at x, and so many pairs of triangles collide.
    state(x: number, pairs = 0, events: { isEnd: boolean; time: number; id: number }[] = [], tick = ++this.sequence): this {
        const sequence = tick === this.sequence ? tick : ++this.sequence;
        const time = tick * step;
        this.hear({ type: "state", sequence, since: sequence - 1, tick, time, flags: 0, bodies: [{ object: ref(1), hold: 0, pose: at(x) }] });
        const list = Uint32Array.from(Array.from({ length: pairs }, (_, i) => [1, 2, i, i, 0]).flat());
        this.hear({ type: "pairs", sequence, total: pairs, pairs: list });
        const none = { value: 0, second: 0, name: "", speed: 0, area: 0, pull: 0, count: 0, point: { x: 0, y: 0, z: 0 } };
        const happened = events.map(({ isEnd, time: when, id }) => ({
            kind: isEnd ? EventKind.touchEnd : EventKind.touchBegin,
            a: ref(1),
            b: ref(2),
            id,
            tick,
            time: when,
            ...none,
        }));
        return this.hear({ type: "events", events: happened });
    }

    frame(ms = 16): this {
        this.ms += ms;
        this.playback.update(this.ms);
        return this;
    }

    get x(): number {
        return this.mirror.bodies.get(1)!.pose.position.x;
    }

    get pairs(): number {
        return this.mirror.pairs.length / 5;
    }
}

// A body goes on by one each tick, and touches in ticks 40 to 50 and 70 to 80.
function played(ticks = 100): Page {
    const page = new Page();
    for (let i = 1; i <= ticks; i++) {
        const isTouch = (i >= 40 && i < 50) || (i >= 70 && i < 80);
        const begins = i === 40 || i === 70 ? [{ isEnd: false, time: (i - 0.5) * step, id: i }] : [];
        const ends = i === 50 || i === 80 ? [{ isEnd: true, time: (i - 0.5) * step, id: i - 10 }] : [];
        page.state(i, isTouch ? 3 : 0, [...begins, ...ends]);
    }
    return page.frame();
}

test("pairs are packed without loss", () => {
    let seed = 1;
    const random = (below: number): number => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return seed % below;
    };
    for (const [count, reach] of [[0, 1], [1, 2 ** 32 - 1], [500, 300], [3000, 2 ** 31]] as const) {
        const pairs = Uint32Array.from(Array.from({ length: count }, () => [random(3), random(4), random(reach), random(reach), random(2)]).flat());
        assert.deepEqual(unpackPairs(packPairs(pairs), count), pairs);
    }
    const sorted = Uint32Array.from(Array.from({ length: 1000 }, (_, i) => [1, 2, i >> 2, i, 0]).flat());
    assert.ok(packPairs(sorted).length < 2100, "two bytes a pair where they are sorted");
});

test("a time that was is shown as it was, and now is what it is", () => {
    const page = played();
    page.playback.seek(0.455);
    assert.deepEqual([page.x, page.pairs, page.mirror.tick, page.playback.isPast], [45, 3, 45, true]);
    page.playback.seek(0.1);
    assert.deepEqual([page.x, page.pairs], [10, 0]);
    page.playback.goLive();
    assert.deepEqual([page.x, page.pairs, page.mirror.tick, page.playback.isPast], [100, 0, 100, false]);
});

test("what comes meanwhile is kept, and does not disturb what is shown", () => {
    const page = played();
    page.playback.seek(0.2);
    page.hear(object(3));
    for (let i = 101; i <= 200; i++) {
        page.state(i);
    }
    page.frame();
    assert.deepEqual([page.x, page.mirror.bodies.has(3)], [20, false]);
    page.playback.seek(1.5);
    assert.deepEqual([page.x, page.mirror.bodies.has(3)], [150, true]);
    page.playback.goLive();
    page.state(201);
    assert.deepEqual([page.x, page.mirror.bodies.has(3)], [201, true]);
});

test("an object that went is there again in its time", () => {
    const page = played(20);
    const body = page.mirror.bodies.get(2)!;
    page.hear({ type: "gone", object: ref(2) });
    for (let i = 21; i <= 40; i++) {
        page.state(i);
    }
    page.playback.seek(0.1);
    assert.equal(page.mirror.bodies.get(2), body);
    page.playback.goLive();
    assert.equal(page.mirror.bodies.has(2), false);
});

test("left and right go to the contacts, and say where there is none", () => {
    const page = played();
    page.playback.toContact(-1);
    assert.deepEqual([page.x, page.pairs], [70, 3]);
    page.playback.toContact(-1);
    assert.deepEqual([page.x, page.pairs], [40, 3]);
    page.playback.toContact(-1);
    assert.deepEqual([page.x, page.said], [40, ["there is no contact before this"]]);
    page.playback.toContact(1);
    assert.equal(page.x, 70);
});

test("the past is played at other speeds, up to now", () => {
    const page = played();
    page.playback.seek(0.2);
    page.playback.setSpeed(0.5);
    assert.equal(page.playback.togglePlay(), true);
    assert.equal(page.mirror.isPaused, false);
    for (let i = 0; i < 10; i++) {
        page.frame(20);
    }
    assert.ok(Math.abs(page.x - 30) <= 1, `half a second of a second: ${page.x}`);
    page.playback.setSpeed(8);
    for (let i = 0; i < 10; i++) {
        page.frame(20);
    }
    assert.deepEqual([page.playback.isPast, page.x], [false, 100]);
    assert.equal(page.playback.togglePlay(), false, "what lives is let go by the server");
});

test("one state back and on", () => {
    const page = played();
    page.playback.step(-1);
    assert.equal(page.x, 99);
    page.playback.step(-1);
    assert.equal(page.x, 98);
    page.playback.step(1);
    page.playback.step(1);
    assert.deepEqual([page.x, page.playback.isPast], [100, true]);
    page.playback.step(1);
    assert.equal(page.playback.isPast, false);
});

test("a session is bounded in bytes; its oldest goes first", () => {
    const page = new Page(50);
    const session = new Session(page.mirror, 100_000);
    for (let i = 1; i <= 2000; i++) {
        page.state(i, 20);
        session.capture();
    }
    assert.ok(session.bytes <= 100_000 && session.bytes > 50_000, `${session.bytes} bytes`);
    assert.equal(session.bytes, session.frames.reduce((sum, { bytes }) => sum + bytes, 0));
    assert.ok(session.frames[0]!.isKey && session.start > 10 * step);
    session.show(session.indexAt(session.start));
    assert.ok(Math.abs(page.x - session.start / step) < 1e-9);
    session.showNow();
    assert.equal(page.x, 2000);
});

test("a world that stands costs nothing", () => {
    const page = new Page();
    page.state(1);
    page.playback.session.capture();
    const { bytes } = page.playback.session;
    for (let i = 0; i < 100; i++) {
        page.hear({ type: "state", sequence: 2 + i, since: 1 + i, tick: 1, time: step, flags: 1, bodies: [] });
    }
    assert.equal(page.playback.session.bytes, bytes);
});

test("another scene is live", () => {
    const page = played();
    page.playback.seek(0.2);
    page.hear({ type: "reset", step, scene: "Other" });
    assert.deepEqual([page.playback.isPast, page.playback.session.frames.length], [false, 0]);
});

const record = (searched: number, flaw = ""): ServerMessage => ({
    type: "record",
    name: "a record",
    ticks: 1000,
    searched,
    isFull: 0,
    speed: 1,
    flaw,
});

test("in a record the server goes where it is asked to, one request at a time", async () => {
    const page = new Page().hear(record(100));
    page.state(1, 0, [], 0);
    assert.deepEqual([page.playback.start, page.playback.end], [0, 10]);
    for (const time of [1, 2, 3, 4, 5]) {
        page.playback.seek(time);
    }
    assert.equal(page.playback.at, 5);
    await new Promise((done) => setTimeout(done, 5));
    assert.deepEqual(page.asked.map(({ tick }) => tick), [100, 500]);
    page.playback.setSpeed(4);
    assert.deepEqual(page.asked[2], { type: "speed", speed: 4 });
});

test("touches of a record are those that the server found, not those of a jump", async () => {
    const page = new Page().hear(record(100));
    page.state(1, 3, [{ isEnd: false, time: 5, id: 1 }], 500);
    assert.equal(page.timeline.rows.length, 0);
    const touch = { id: 1, isEnd: 0, at: 50.25, a: "o1", b: "o2" };
    page.hear({ type: "recordTouches", touches: [touch, { ...touch, isEnd: 1, at: 60.5 }] });
    page.hear({ type: "recordTouches", touches: [{ ...touch, id: 2, at: 700.5 }] });
    assert.deepEqual(page.timeline.rows.map(({ bars }) => bars.map(({ begin, end }) => [begin, end])), [
        [[50.25 * step, 60.5 * step], [700.5 * step, null]],
    ]);
    page.playback.toContact(-1);
    await new Promise((done) => setTimeout(done, 5));
    page.state(1, 3, [], 51);
    page.playback.toContact(1);
    await new Promise((done) => setTimeout(done, 5));
    assert.deepEqual(page.asked.map(({ tick }) => tick), [51, 701]);
    page.state(1, 3, [], 701);
    page.playback.toContact(1);
    assert.match(page.said[0]!, /10 % are searched/);
});

test("who comes late receives touches first", () => {
    const page = new Page().hear({ type: "recordTouches", touches: [{ id: 1, isEnd: 0, at: 50, a: "o1", b: "o2" }] });
    page.hear(record(100)).state(1, 0, [], 0);
    assert.equal(page.timeline.rows.length, 1);
});

test("what is wrong with a record is said once", () => {
    const page = new Page().hear(record(100, "record, byte 7: the record ends too soon"));
    page.hear(record(200, "record, byte 7: the record ends too soon"));
    assert.deepEqual(page.said, ["a record: record, byte 7: the record ends too soon"]);
});
