// States that wait for their time: what is shown between them, what is in a hand, what is stored, what touches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mixPairs } from "../src/lead";
import { Mirror, type Body } from "../src/mirror";
import { Playback } from "../src/playback";
import { maxDelayMs } from "../src/playout";
import { Playout } from "../src/playout_queue";
import type { ServerMessage } from "../src/protocol";
import { Timeline } from "../src/timeline";
import { turnAbout, vec3, type Pose } from "../src/vector";
import { bentBones, blendedVertex, bodyBytes, bonesMessage, meshMessages, objectMessage, person } from "./figure";

const periodMs = 20;
const ref = (index1: number) => ({ index1, generation: 1 });
const at = (x: number, angle = 0): Pose => ({ rotation: turnAbout(vec3(0, 1, 0), angle), position: vec3(x, 0, 0), scale: 1 });
const welcome: ServerMessage = {
    type: "welcome",
    version: 5,
    client: 1,
    step: periodMs / 1000,
    server: "test",
    scene: "Scene",
    maxMessageBytes: 65536,
};

// A page that draws 100 frames a second, and a server that sends a state every 20 ms; both share one clock.
class Page {
    readonly mirror = new Mirror();
    readonly timeline = new Timeline(this.mirror);
    readonly held = new Set<Body>();
    readonly failures: unknown[] = [];
    readonly playback = new Playback(this.mirror, this.timeline, {
        take: (message) => {
            this.mirror.apply(message);
            this.timeline.apply(message);
        },
        ask: () => Promise.resolve({ type: "reply", request: 1, status: 0, message: "" }),
        say: () => undefined,
    });
    readonly playout = new Playout(this.mirror, {
        take: (message) => this.playback.hear(message),
        held: () => this.held,
        isPast: () => this.playback.isPast,
        failed: (error) => this.failures.push(error),
    });
    ms = 0;
    sequence = 0;
    onFrame: () => void = () => undefined;

    constructor() {
        this.hear(welcome);
        meshMessages(person).forEach((message) => this.hear(message));
        [1, 2, 3].forEach((index1) => this.hear(objectMessage(person, index1, vec3(0, 0, 0))));
    }

    hear(message: ServerMessage): void {
        this.playout.hear(message, this.ms);
    }

    // The next state, in which body 1 is where it is said.
    state(x: number, pairs: readonly number[] = [], more: ServerMessage[] = [], tick = this.sequence + 1): void {
        const sequence = ++this.sequence;
        const bodies = [{ object: ref(1), hold: 0, pose: at(x, x) }];
        this.hear({ type: "state", sequence, since: sequence - 1, tick, time: (tick * periodMs) / 1000, flags: 0, bodies });
        more.forEach((message) => this.hear(message));
        this.hear({ type: "pairs", sequence, total: pairs.length / 5, pairs: Uint32Array.from(pairs) });
    }

    frames(count: number): void {
        for (let i = 0; i < count; i++) {
            this.ms += 10;
            this.playout.update(this.ms);
            this.playback.update(this.ms);
            this.onFrame();
        }
    }

    // So many states, two frames each.
    run(states: number, speed = 0.01): void {
        for (let i = 0; i < states; i++) {
            this.state(speed * (this.sequence + 1));
            this.frames(2);
        }
    }

    body(index1 = 1): Body {
        return this.mirror.bodies.get(index1)!;
    }

    get x(): number {
        return this.body().pose.position.x;
    }
}

test("bodies go evenly from state to state, and what is stored are states", () => {
    const page = new Page();
    page.run(100);
    let last = page.x;
    page.onFrame = () => {
        const step = page.x - last;
        last = page.x;
        assert.ok(step > 0.0045 && step < 0.0055, `${step} m in half a state`);
        assert.ok(Math.abs(page.playout.shown * 0.01 - page.x) < 1e-9);
        assert.ok(Math.abs(2 * Math.atan2(page.body().pose.rotation.y, page.body().pose.rotation.w) - page.x) < 1e-7);
        assert.ok((page.sequence - page.playout.shown) * periodMs <= maxDelayMs);
    };
    page.run(100);
    assert.ok(page.playback.session.frames.length > 150);
    for (const { sequence, moved } of page.playback.session.frames) {
        const i = moved.bodies.indexOf(page.body());
        assert.ok(Math.abs(moved.places[3 * i]! - 0.01 * sequence) < 1e-12, "where its state has it");
    }
});

test("nothing is said to change while nothing moves", () => {
    const page = new Page();
    page.run(50);
    for (let i = 0; i < 20; i++) {
        const sequence = ++page.sequence;
        page.hear({ type: "state", sequence, since: sequence - 1, tick: sequence, time: sequence / 50, flags: 0, bodies: [] });
        page.frames(2);
    }
    page.mirror.takeChanges();
    page.frames(1);
    assert.equal(page.mirror.takeChanges().poses.size, 0);
    assert.ok(Math.abs(page.x - 0.5) < 1e-12);
});

test("where nothing comes bodies stop at the newest state, and catch up no faster than twice", () => {
    const page = new Page();
    page.run(100);
    page.frames(30);
    assert.ok(Math.abs(page.x - 1) < 1e-12, "a pause at the newest");
    for (let i = 0; i < 15; i++) {
        page.state(0.01 * (page.sequence + 1));
    }
    let last = page.x;
    page.onFrame = () => {
        assert.ok(page.x >= last && page.x - last < 0.0101, `${page.x - last}`);
        last = page.x;
    };
    page.run(100);
    assert.ok((page.sequence - page.playout.shown) * periodMs <= maxDelayMs + 1);
});

test("bones are led as poses are, and are those of a state when one is stored", () => {
    const page = new Page();
    const state = (phase: number, isFirst = false): void => {
        page.state(0, [], [bonesMessage(page.sequence + 1, bodyBytes(1, at(phase), bentBones(person, 20 * phase), isFirst))]);
    };
    const vertexIn = (phase: number): number => blendedVertex(person, bentBones(person, 20 * phase), 472).y;
    state(0, true);
    page.frames(2);
    for (let i = 1; i <= 100; i++) {
        state(0.01 * i);
        page.frames(2);
    }
    const seen: number[] = [];
    let [worst, alone] = [0, 0];
    page.onFrame = () => {
        const [, y] = page.body().positionsOf(0, page.mirror.mesh(1)).subarray(3 * 472);
        seen.push(page.x);
        worst = Math.max(worst, Math.abs(y! - vertexIn(page.x)));
        alone = Math.max(alone, Math.abs(y! - vertexIn(0.01 * Math.floor(100 * page.x))));
    };
    for (let i = 101; i <= 200; i++) {
        state(0.01 * i);
        page.frames(2);
    }
    assert.ok(worst < 0.2 * alone, `${worst} m beside the bones there, ${alone} m by those of the state before`);
    assert.ok(new Set(seen.map((x) => x.toFixed(4))).size > 190, "places between states too");
    page.onFrame = () => undefined;
    const numbers = page.body().bones!.numbers.slice();
    page.mirror.lead.settle();
    const settled = page.body().bones!.numbers;
    assert.notDeepEqual(numbers, settled);
    assert.ok(Math.abs(page.x - 0.01 * (page.mirror.sequence - 1)) < 1e-9);
});

test("what the user holds is shown as the newest state has it, with what it touches, and goes back without a leap", () => {
    const page = new Page();
    page.run(100);
    page.held.add(page.body());
    page.run(20);
    const pairs = (tick: number): number[] => [1, 2, tick, tick, 0, 2, 3, tick, tick, 0];
    for (let i = 0; i < 20; i++) {
        page.state(0.01 * (page.sequence + 1), pairs(page.sequence + 1));
        page.frames(1);
        assert.ok(Math.abs(page.x - 0.01 * page.sequence) < 1e-12, `${page.x} at ${page.sequence}`);
        const triangleOf = (a: number): number | undefined => page.mirror.pairs.find((_, i, all) => i % 5 === 2 && all[i - 2] === a);
        assert.equal(triangleOf(1), page.sequence, "its own pairs are the newest");
        assert.equal(triangleOf(2), page.mirror.sequence > 120 ? page.mirror.sequence : undefined, "the others are of what is shown");
        page.frames(1);
    }
    // What is stored of it is the state of its time.
    page.playback.session.capture();
    const last = page.playback.session.frames.at(-1)!;
    assert.ok(Math.abs(last.moved.places[0]! - 0.01 * last.sequence) < 1e-12);
    page.run(1);
    page.held.clear();
    let x = page.x;
    page.onFrame = () => {
        assert.ok(page.x >= x - 0.005 && page.x - x < 0.01, `${page.x - x} m`);
        x = page.x;
    };
    page.run(30);
    assert.ok(Math.abs(page.x - 0.01 * page.playout.shown) < 1e-9);
});

test("an earlier time is shown as it was, whatever comes, and now again without what was between", () => {
    const page = new Page();
    page.run(100);
    page.frames(1);
    page.playback.seek(0.5);
    assert.ok(page.playback.isPast);
    assert.equal(page.x, 0.25);
    page.onFrame = () => assert.equal(page.x, 0.25);
    page.run(20);
    page.onFrame = () => undefined;
    page.playback.goLive();
    page.run(1);
    assert.ok(Math.abs(page.x - 0.01 * page.playout.shown) < 1e-9);
    assert.ok(page.sequence - page.playout.shown <= maxDelayMs / periodMs + 1);
});

test("no body goes through the room when a scene begins again", () => {
    const page = new Page();
    page.run(100);
    page.onFrame = () => assert.ok(page.x > 0.85 || page.x < 0.2, `${page.x}`);
    for (let tick = 1; tick <= 15; tick++) {
        page.state(0.01 * tick, [], [], tick);
        page.frames(2);
    }
});

test("a page that draws nothing takes what comes", () => {
    const page = new Page();
    page.run(50);
    for (let i = 0; i < 3000; i++) {
        page.ms += periodMs;
        page.state(0.01 * (page.sequence + 1));
    }
    assert.ok(page.sequence - page.mirror.sequence < 60, "nothing heaps up");
    page.frames(1);
    page.run(10);
    assert.ok(Math.abs(page.x - 0.01 * page.playout.shown) < 1e-9);
    assert.ok((page.sequence - page.playout.shown) * periodMs <= maxDelayMs + 1);
});

test("sequences that go back begin again, and what cannot be taken is reported once", () => {
    const page = new Page();
    page.run(50);
    page.sequence = 3;
    page.run(50);
    assert.ok(Math.abs(page.x - 0.01 * page.playout.shown) < 1e-9 && page.playout.newest === 53);
    const sequence = page.sequence + 1;
    page.state(0, [], [{ type: "bones", sequence, data: Uint8Array.from([1, 2, 3]) }]);
    page.frames(20);
    assert.equal(page.failures.length, 1);
});

test("pairs of two states are put together by what is held", () => {
    const pair = (a: number, b: number, t: number): number[] => [a, b, t, t, 0];
    const shown = Uint32Array.from([...pair(1, 2, 1), ...pair(2, 3, 1), ...pair(3, 3, 1)]);
    const newest = Uint32Array.from([...pair(1, 4, 2), ...pair(2, 3, 2)]);
    const { pairs, pairTotal } = mixPairs({ pairs: shown, pairTotal: 3 }, newest, new Set([1]));
    assert.deepEqual([...pairs], [...pair(2, 3, 1), ...pair(3, 3, 1), ...pair(1, 4, 2)]);
    assert.equal(pairTotal, 3);
});
