// When states are shown, by simulated arrivals: over a line that delays, scatters, stalls and drifts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bonesBetween, jumpMs, maxDelayMs, PlayoutClock, poseBetween, turnBetween } from "../src/playout";
import { multiply, inverseTurn, turnAbout, vec3, type Pose, type Quat } from "../src/vector";

// Numbers that look random, the same in every run.
function randomizer(seed: number): () => number {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

interface Line {
    periodMs: number; // of states
    delayMs: number;
    jitterMs: number;
    stalls?: readonly (readonly [fromMs: number, toMs: number])[]; // what is sent within arrives at the end
    drift?: number; // of the server's clock
    seed?: number;
}

// When each state arrives, in order, as over TCP.
function arrivals({ periodMs, delayMs, jitterMs, stalls = [], drift = 0, seed = 1 }: Line, untilMs: number): number[] {
    const random = randomizer(seed);
    const list: number[] = [];
    let last = 0;
    for (let k = 1; k * periodMs < untilMs; k++) {
        const sentMs = k * periodMs * (1 + drift);
        let at = sentMs + delayMs + jitterMs * random();
        for (const [from, to] of stalls) {
            at = at >= from && at < to ? to : at;
        }
        last = Math.max(last, at);
        list.push(last);
    }
    return list;
}

interface Drawn {
    nowMs: number;
    shown: number; // states
    newest: number;
    delayMs: number;
}

// All frames of a page that draws so many a second.
function play(line: Line, hz: number, untilMs: number, hidden: readonly [number, number] = [Infinity, Infinity]): Drawn[] {
    const times = arrivals(line, untilMs);
    const clock = new PlayoutClock(line.periodMs);
    const drawn: Drawn[] = [];
    let next = 0;
    for (let frame = 1; (frame * 1000) / hz < untilMs; frame++) {
        const nowMs = (frame * 1000) / hz;
        while (next < times.length && times[next]! <= nowMs) {
            clock.hear(next + 1, times[next]!);
            next++;
        }
        if (next > 0 && (nowMs < hidden[0] || nowMs >= hidden[1])) {
            drawn.push({ nowMs, shown: clock.advance(nowMs), newest: clock.newest, delayMs: clock.delayMs });
        }
    }
    return drawn;
}

// The longest step, in millimetres, by which a body at 1 m/s goes farther or less far between two frames than the world.
function worstStep(drawn: readonly Drawn[], periodMs: number, fromMs: number, toMs = Infinity): number {
    let worst = 0;
    for (let i = 1; i < drawn.length; i++) {
        const [before, after] = [drawn[i - 1]!, drawn[i]!];
        if (before.nowMs >= fromMs && after.nowMs < toMs) {
            const went = (after.shown - before.shown) * periodMs;
            worst = Math.max(worst, Math.abs(went - (after.nowMs - before.nowMs)));
        }
    }
    return worst;
}

const rates = [60, 72, 90, 120];
const periods = [1000 / 30, 1000 / 60, 1000 / 90];

test("50 ms of delay and 10 of jitter: no step over 2 mm at 1 m/s that the world did not make", () => {
    for (const hz of rates) {
        for (const periodMs of periods) {
            for (let seed = 1; seed <= 8; seed++) {
                const drawn = play({ periodMs, delayMs: 50, jitterMs: 10, seed }, hz, 12_000);
                const worst = worstStep(drawn, periodMs, 200);
                assert.ok(worst <= 2, `${worst} mm at ${hz} Hz, states every ${periodMs} ms, seed ${seed}`);
            }
        }
    }
});

test("the delay is that of the jitter, and never above the limit", () => {
    const late = ({ nowMs, shown }: Drawn, periodMs: number, delayMs: number): number => nowMs - (shown * periodMs + delayMs);
    const delayAfter = (jitterMs: number, periodMs: number): number => {
        const drawn = play({ periodMs, delayMs: 50, jitterMs }, 90, 12_000);
        const last = drawn[drawn.length - 1]!;
        drawn.forEach(({ delayMs }) => assert.ok(delayMs <= maxDelayMs));
        // More than the limit is waited for, and those that come behind others are late as they are.
        const error = late(last, periodMs, 50) - last.delayMs;
        assert.ok(jitterMs > maxDelayMs || Math.abs(error) < 5, `${error} ms beside the delay of ${last.delayMs}`);
        return last.delayMs;
    };
    assert.ok(Math.abs(delayAfter(0, 1000 / 60) - 1000 / 60) < 2);
    assert.ok(Math.abs(delayAfter(10, 1000 / 60) - (10 + 1000 / 60)) < 3);
    assert.ok(Math.abs(delayAfter(30, 1000 / 60) - (30 + 1000 / 60)) < 4);
    assert.equal(delayAfter(300, 1000 / 60), maxDelayMs);
});

test("a stall of 300 ms: a pause, then not faster than twice the world, and in step again", () => {
    for (const hz of rates) {
        const periodMs = 1000 / 60;
        const drawn = play({ periodMs, delayMs: 50, jitterMs: 10, stalls: [[6000, 6300]] }, hz, 14_000);
        let pausedMs = 0;
        for (let i = 1; i < drawn.length; i++) {
            const [before, after] = [drawn[i - 1]!, drawn[i]!];
            const [went, passed] = [(after.shown - before.shown) * periodMs, after.nowMs - before.nowMs];
            assert.ok(went >= 0 && went <= 2.05 * passed, `${went} ms in ${passed} at ${after.nowMs}`);
            assert.ok(after.shown <= after.newest);
            pausedMs += went === 0 && after.nowMs > 6000 && after.nowMs < 6400 ? passed : 0;
        }
        assert.ok(pausedMs > 200 && pausedMs < 300, `${pausedMs} ms of pause`);
        const settled = drawn.find(({ nowMs }) => nowMs > 7300)!;
        assert.ok(settled.nowMs - (settled.shown * periodMs + 50) < maxDelayMs + 15, "in step within a second");
        assert.ok(worstStep(drawn, periodMs, 8000) <= 2);
    }
});

test("a frame of a time before the last one counts no time twice", () => {
    const clock = new PlayoutClock(16);
    clock.hear(1, 0);
    const last = 16 * 58;
    for (let now = 0; now <= last; now += 8) {
        clock.advance(now);
    }
    for (let k = 2; k < 60; k++) {
        clock.hear(k, last); // all that was held up comes at once: it catches up
    }
    let before = clock.shown;
    for (let now = last + 8; now < last + 400; now += 8) {
        assert.ok(clock.advance(now - 11) === before, "nothing passed");
        const shown = clock.advance(now);
        assert.ok(shown - before <= (2 * 8) / clock.periodMs + 1e-9, `${shown - before} states in 8 ms`);
        before = shown;
    }
    assert.ok(before > 20, `${before}`);
});

test("one stall after another is no reason to go back or to leap", () => {
    const stalls = Array.from({ length: 20 }, (_, i) => [3000 + 700 * i, 3300 + 700 * i] as const);
    const periodMs = 1000 / 60;
    const drawn = play({ periodMs, delayMs: 50, jitterMs: 10, stalls }, 72, 20_000);
    for (let i = 1; i < drawn.length; i++) {
        const went = (drawn[i]!.shown - drawn[i - 1]!.shown) * periodMs;
        assert.ok(went >= 0 && went <= 2.05 * (drawn[i]!.nowMs - drawn[i - 1]!.nowMs));
    }
});

test("a server whose clock drifts, or whose world goes slower than it should, is followed", () => {
    for (const drift of [-0.01, -1e-4, 1e-4, 0.01, 0.3]) {
        const periodMs = 1000 / 60;
        const drawn = play({ periodMs, delayMs: 50, jitterMs: 10, drift }, 90, 40_000);
        const worst = worstStep(drawn, periodMs * (1 + drift), 10_000, 39_000);
        assert.ok(worst <= 2, `${worst} mm at a drift of ${drift}`);
        const last = drawn.filter(({ nowMs }) => nowMs < 39_000).at(-1)!;
        assert.ok((last.newest - last.shown) * periodMs < 80, "it does not fall behind");
    }
});

test("a page that was hidden for a minute goes on from now", () => {
    const periodMs = 1000 / 60;
    const drawn = play({ periodMs, delayMs: 50, jitterMs: 10 }, 72, 75_000, [5000, 65_000]);
    const after = drawn.find(({ nowMs }) => nowMs >= 65_000)!;
    assert.ok((after.newest - after.shown) * periodMs <= maxDelayMs + 1, `${after.newest - after.shown} states behind`);
    assert.ok(worstStep(drawn, periodMs, 66_000) <= 2);
    // So does one to whom nothing came for longer than a jump.
    const stalled = play({ periodMs, delayMs: 50, jitterMs: 10, stalls: [[5000, 5100 + jumpMs]] }, 72, 12_000);
    const soon = stalled.find(({ nowMs }) => nowMs > 5300 + jumpMs)!;
    assert.ok((soon.newest - soon.shown) * periodMs <= maxDelayMs + 20);
});

test("states that are late, come again or out of order are never shown beyond the newest, and nothing goes back", () => {
    const clock = new PlayoutClock(20);
    const random = randomizer(5);
    let shown = -Infinity;
    let newest = 0;
    for (let k = 1; k <= 2000; k++) {
        const sequence = Math.max(1, k - Math.floor(6 * random() * random()));
        newest = Math.max(newest, sequence);
        clock.hear(sequence, 20 * k + 15 * random());
        const now = clock.advance(20 * k + 15);
        assert.ok(now >= shown && now <= newest && Number.isFinite(now));
        shown = now;
    }
    assert.ok(newest - shown < 8);
});

test("states that are left out, as for a slow client, are waited for", () => {
    const periodMs = 1000 / 60;
    const clock = new PlayoutClock(periodMs);
    const random = randomizer(7);
    const drawn: Drawn[] = [];
    for (let ms = 1, next = 1; ms < 12_000; ms++) {
        if (ms >= next * periodMs + 50) {
            clock.hear(next, ms);
            next += random() < 0.3 ? 2 : 1;
        }
        if (ms % 11 === 0) {
            drawn.push({ nowMs: ms, shown: clock.advance(ms), newest: clock.newest, delayMs: clock.delayMs });
        }
    }
    assert.ok(worstStep(drawn, periodMs, 1000) <= 2);
});

test("a server that stands still for a while is in step again when it goes on", () => {
    const periodMs = 1000 / 60;
    const clock = new PlayoutClock(periodMs);
    const drawn: Drawn[] = [];
    for (let ms = 0, next = 1, due = 50; ms < 16_000; ms++) {
        if (ms >= due) {
            clock.hear(next++, ms);
            due += periodMs + (ms > 5000 && ms < 5000 + periodMs ? 1500 : 0); // once
        }
        if (ms % 11 === 0) {
            drawn.push({ nowMs: ms, shown: clock.advance(ms), newest: clock.newest, delayMs: clock.delayMs });
        }
    }
    assert.ok(worstStep(drawn, periodMs, 1000, 5000) <= 2);
    assert.ok(worstStep(drawn, periodMs, 9000) <= 2);
});

const pose = (x: number, rotation: Quat, scale = 1): Pose => ({ position: vec3(x, 0, 0), rotation, scale });
const angleOf = (a: Quat, b: Quat): number => {
    const { w, x, y, z } = multiply(inverseTurn(a), b);
    return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
};

test("between two poses a body goes straight, and turns evenly the short way", () => {
    const random = randomizer(3);
    for (let i = 0; i < 1000; i++) {
        const axis = vec3(random() - 0.5, random() - 0.5, random() - 0.5);
        const angle = i % 3 === 0 ? 1e-4 * random() : 3.1 * random();
        const a = turnAbout(vec3(random(), random() - 0.5, 1), 6 * random());
        let b = multiply(a, turnAbout(axis, angle));
        b = i % 2 === 0 ? { w: -b.w, x: -b.x, y: -b.y, z: -b.z } : b;
        const share = random();
        const between = turnBetween(a, b, share);
        assert.ok(Math.abs(angleOf(a, between) - share * angle) < 1e-6, `${angleOf(a, between)} of ${share * angle}`);
        assert.ok(Math.abs(angleOf(between, b) - (1 - share) * angle) < 1e-6);
        assert.ok(Math.abs(Math.hypot(between.w, between.x, between.y, between.z) - 1) < 1e-12);
    }
    const [from, to] = [pose(1, turnAbout(vec3(0, 1, 0), 0.1), 1), pose(3, turnAbout(vec3(0, 1, 0), 0.5), 2)];
    const half = poseBetween(from, to, 0.5);
    assert.ok(half.position.x === 2 && half.scale === 1.5);
    assert.ok(Math.abs(angleOf(from.rotation, half.rotation) - 0.2) < 1e-9);
    assert.equal(poseBetween(from, to, 0), from);
    assert.equal(poseBetween(from, to, 1), to);
});

test("bones go as poses do", () => {
    const random = randomizer(9);
    const numbers = (): { poses: Pose[]; packed: Float64Array } => {
        const poses = Array.from({ length: 20 }, () => pose(random(), turnAbout(vec3(random(), random(), 1), 6 * random()), 1 + random()));
        const packed = poses.flatMap(({ rotation: { w, x, y, z }, position: p, scale }) => [w, x, y, z, p.x, p.y, p.z, scale]);
        return { poses, packed: Float64Array.from(packed) };
    };
    const [a, b] = [numbers(), numbers()];
    const out = new Float64Array(a.packed.length);
    bonesBetween(a.packed, b.packed, 0.3, out);
    a.poses.forEach((from, i) => {
        const { rotation: r, position: p, scale } = poseBetween(from, b.poses[i]!, 0.3);
        [r.w, r.x, r.y, r.z, p.x, p.y, p.z, scale].forEach((value, k) => assert.ok(Math.abs(value - out[8 * i + k]!) < 1e-12));
    });
});
