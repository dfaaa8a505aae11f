// What is in a hand, by a simulated clock: a page that draws, a server that ticks, and a line between them that delays by
// 50 ms each way and scatters by 10. The server runs a solver of its own, which knows nothing of the page's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { easySpeed, free, gap, Prediction, slack, type Solver } from "../src/prediction";
import { turnAbout, vec3, type Pose } from "../src/vector";

const delayMs = 50;
const jitterMs = 10;
const tickMs = 1000 / 60;
const size = 0.1;

function randomizer(seed: number): () => number {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

const at = (x: number, y = 0, angle = 0): Pose => ({ rotation: turnAbout(vec3(0, 1, 0), angle), position: vec3(x, y, 0), scale: 1 });

// A line that keeps its order.
class Line<M> {
    private readonly waiting: { dueMs: number; message: M }[] = [];
    private lastMs = 0;

    constructor(private readonly random: () => number) {}

    send(message: M, nowMs: number): void {
        this.lastMs = Math.max(this.lastMs, nowMs + delayMs + jitterMs * this.random());
        this.waiting.push({ dueMs: this.lastMs, message });
    }

    take(nowMs: number): M[] {
        const due = this.waiting.findIndex(({ dueMs }) => dueMs > nowMs);
        return this.waiting.splice(0, due < 0 ? this.waiting.length : due).map(({ message }) => message);
    }
}

interface Drawn {
    nowMs: number;
    raw: Pose;
    shown: Pose;
    newest: Pose; // what is shown where nothing is predicted
}

interface Play {
    hand: (ms: number) => Pose;
    page: Solver;
    server: Solver;
    hz?: number;
    untilMs?: number;
    seed?: number;
}

function play({ hand, page, server, hz = 60, untilMs = 6000, seed = 1 }: Play): { drawn: Drawn[]; prediction: Prediction } {
    const random = randomizer(seed);
    const up = new Line<{ move: number; raw: Pose }>(random);
    const down = new Line<{ move: number; pose: Pose }>(random);
    const prediction = new Prediction(hand(0), size, page);
    server.begin(hand(0));
    let heard = { move: 0, raw: hand(0) };
    let newest = hand(0);
    let [move, sentMs, tick] = [0, -Infinity, 1];
    const drawn: Drawn[] = [];
    for (let frame = 1; (frame * 1000) / hz < untilMs; frame++) {
        const nowMs = (frame * 1000) / hz;
        for (; tick * tickMs <= nowMs; tick++) {
            heard = up.take(tick * tickMs).at(-1) ?? heard;
            down.send({ move: heard.move, pose: server.solve(heard.raw, tickMs / 1000) }, tick * tickMs);
        }
        for (const { move: counted, pose } of down.take(nowMs)) {
            newest = pose;
            if (counted > 0) {
                prediction.hear(counted, pose);
            }
        }
        const raw = hand(nowMs);
        const isSent = nowMs - sentMs > 10;
        if (isSent) {
            sentMs = nowMs;
            up.send({ move: ++move, raw }, nowMs);
        }
        prediction.want(raw, isSent ? move : 0, nowMs);
        drawn.push({ nowMs, raw, shown: prediction.pose, newest });
    }
    return { drawn, prediction };
}

// The longest step, in millimetres, beside that of what is right, between two frames.
function worstJump(drawn: readonly Drawn[], look: (each: Drawn) => Pose, right: (each: Drawn) => Pose): number {
    let worst = 0;
    for (let i = 1; i < drawn.length; i++) {
        const off = (each: Drawn): [number, number] => [look(each).position.x - right(each).position.x, look(each).position.y - right(each).position.y];
        const [before, now] = [off(drawn[i - 1]!), off(drawn[i]!)];
        worst = Math.max(worst, 1000 * Math.hypot(now[0] - before[0], now[1] - before[1]));
    }
    return worst;
}

const worstError = (drawn: readonly Drawn[], right: (each: Drawn) => Pose): number => Math.max(...drawn.map((each) => 1000 * gap(each.shown, right(each), size)));

// To and fro and round, up to a metre a second.
const swing = (ms: number): Pose => at(0.25 * Math.sin(ms / 250), 0.05 * Math.sin(ms / 170), 0.5 * Math.sin(ms / 300));
const shown = ({ shown: pose }: Drawn): Pose => pose;
const newest = ({ newest: pose }: Drawn): Pose => pose;

// A wall that stops what is held at a place, as the aid does: it goes along it.
const stopped = (raw: Pose, x: number): Pose => (raw.position.x > x ? { ...raw, position: { ...raw.position, x } } : raw);
const wall = (x: number): Solver => ({ begin: () => undefined, solve: (raw) => stopped(raw, x), end: () => undefined });

// A magnet that takes what comes nearer than 2 cm and holds it until it is pulled off by 5: what is shown depends on what was.
function magnet(x: number): Solver {
    let isHeld = false;
    return {
        begin: (pose) => (isHeld = Math.abs(pose.position.x - x) < 1e-9),
        solve: (raw) => {
            isHeld = Math.abs(raw.position.x - x) < (isHeld ? 0.05 : 0.02);
            return isHeld ? { ...raw, position: { ...raw.position, x } } : raw;
        },
        end: () => undefined,
    };
}

test("what is free is shown where the hand is, and no jump is made by the line", () => {
    let worstNewest = 0;
    for (const hz of [60, 72, 90, 120]) {
        for (let seed = 1; seed <= 8; seed++) {
            const { drawn, prediction } = play({ hand: swing, page: free, server: free, hz, seed });
            const right = ({ raw }: Drawn): Pose => raw;
            assert.equal(prediction.corrections, 0);
            assert.ok(worstError(drawn, right) < 1e-6, `${worstError(drawn, right)} mm`);
            worstNewest = Math.max(worstNewest, worstJump(drawn, newest, right));
        }
    }
    // The same line without prediction.
    assert.ok(worstNewest > 5, `${worstNewest} mm`);
});

test("what a wall stops stops at once, and no jump is over 2 mm", () => {
    for (const hz of [60, 72, 90, 120]) {
        for (let seed = 1; seed <= 8; seed++) {
            const { drawn, prediction } = play({ hand: swing, page: wall(0.1), server: wall(0.1), hz, seed });
            const right = ({ raw }: Drawn): Pose => stopped(raw, 0.1);
            assert.equal(prediction.corrections, 0);
            assert.ok(worstJump(drawn, shown, right) <= 2);
        }
    }
});

// How often it went over 2 mm farther than the hand did: as a magnet takes it or lets it go.
function jumpsOf(drawn: readonly Drawn[], look: (each: Drawn) => Pose): number {
    const along = (pose: (each: Drawn) => Pose, i: number): number => Math.abs(pose(drawn[i]!).position.x - pose(drawn[i - 1]!).position.x);
    return drawn.slice(1).filter((_, i) => along(look, i + 1) > along(({ raw }) => raw, i + 1) + 0.002).length;
}

test("a magnet that the page sees at other moments than the server: no jump but those of the magnet", () => {
    let [corrections, jumps] = [0, 0];
    for (let seed = 1; seed <= 24; seed++) {
        const hand = (ms: number): Pose => at(0.06 * Math.sin(ms / 300 + seed), 0.05 * Math.sin(ms / 170));
        const { drawn, prediction } = play({ hand, page: magnet(0), server: magnet(0), hz: seed % 2 === 0 ? 60 : 90, seed });
        corrections += prediction.corrections;
        const local = magnet(0);
        local.begin(hand(0));
        const right = new Map(drawn.map((each) => [each, local.solve(each.raw, 0)]));
        const ofMagnet = jumpsOf(drawn, (each) => right.get(each)!);
        jumps += ofMagnet;
        assert.ok(prediction.isTrusted);
        assert.ok(jumpsOf(drawn, shown) <= ofMagnet, `${jumpsOf(drawn, shown)} jumps for ${ofMagnet} of the magnet, seed ${seed}`);
    }
    assert.ok(jumps > 24 && corrections < jumps, `${corrections} corrections, ${jumps} jumps`);
});

test("a wall that the page does not know: corrected by no more than is said, and believed while it stands", () => {
    const hand = (ms: number): Pose => at(Math.min(0.5, 0.0005 * ms));
    for (const hz of [60, 90]) {
        const { drawn, prediction } = play({ hand, page: free, server: wall(0.2), hz, untilMs: 5000 });
        let deepest = 0;
        for (let i = 1; i < drawn.length; i++) {
            const [before, now] = [drawn[i - 1]!, drawn[i]!];
            const seconds = (now.nowMs - before.nowMs) / 1000;
            const over = now.shown.position.x - before.shown.position.x;
            deepest = Math.max(deepest, now.shown.position.x - 0.2);
            assert.ok(Math.abs(over) <= 0.00051 * 1000 * seconds + Math.max(easySpeed, deepest / 0.5) * seconds + 1e-9, `${1000 * over} mm at ${now.nowMs}`);
        }
        // The way of 0.5 m/s in two delays, two scatters, a tick and a frame, and the words that are needed to believe it.
        assert.ok(deepest < 0.0005 * (2 * (delayMs + jitterMs) + 5 * tickMs + 1000 / hz), `${deepest} m`);
        assert.ok(!prediction.isTrusted);
        assert.ok(Math.abs(drawn.at(-1)!.shown.position.x - 0.2) <= slack);
    }
});

test("it is predicted again once what is shown agrees with what is said", () => {
    const hand = (ms: number): Pose => (ms < 3000 ? at(0.3) : swing(ms));
    const jumpy = (ms: number): Pose => (ms < 100 ? at(0) : hand(ms));
    const { drawn, prediction } = play({ hand: jumpy, page: free, server: wall(0.2), untilMs: 3400 });
    assert.ok(!prediction.isTrusted || prediction.corrections > 0);
    const low = (ms: number): Pose => (ms < 3000 ? jumpy(ms) : at(0.1 * Math.cos((ms - 3000) / 400), 0));
    const later = play({ hand: low, page: free, server: wall(0.2), untilMs: 8000 });
    assert.ok(later.prediction.isTrusted);
    const last = later.drawn.slice(-60);
    assert.ok(worstError(last, ({ raw }) => raw) < 1, `${worstError(last, ({ raw }) => raw)} mm`);
    assert.ok(drawn.length > 0);
});
