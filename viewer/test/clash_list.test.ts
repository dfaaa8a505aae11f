// The list of clashes: what comes in pieces is one list, decisions reach it, and it is searched, chosen from and sorted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clashReach, clashText, ClashList, type Wanted } from "../src/clash_list";
import type { ServerMessage, WireClash } from "../src/protocol";

const zero = { x: 0, y: 0, z: 0 };
const ref = { index1: 1, generation: 1 };

const clash = (nameA: string, nameB: string, part: Partial<WireClash> = {}): WireClash => ({
    ...{ a: ref, b: ref, nameA, nameB, kind: 1, depth: -1, pairs: 1, min: zero, max: zero, verdict: 0, note: "" },
    ...part,
});

const piece = (first: number, total: number, clashes: WireClash[], mayNote = 1): ServerMessage => ({ type: "clashes", mayNote, first, total, clashes });
const role = (number: number, isLocked = 0): ServerMessage => ({ type: "role", role: number, isLocked });
const reset: ServerMessage = { type: "reset", step: 1, scene: "" };

function listOf(...messages: ServerMessage[]): ClashList {
    const list = new ClashList();
    messages.forEach((message) => list.apply(message));
    return list;
}

const named = (list: ClashList, wanted: Partial<Wanted> = {}): string[] =>
    list.wanted({ text: "", verdict: "all", order: "depth", ...wanted }).map(({ nameA, nameB }) => `${nameA}-${nameB}`);

const four = [
    clash("case 10", "lid", { depth: 0.02, pairs: 8 }),
    clash("case 2", "Pin", { kind: 2, depth: 0.3, pairs: 0, verdict: 2, note: "by design" }),
    clash("case 2", "foot", { kind: 0, pairs: 12 }),
    clash("bolt", "nut", { pairs: 90, verdict: 1 }),
];

test("pieces are one list, with what was decided; a new scene has none", () => {
    const list = listOf(piece(0, 4, four.slice(0, 3)), piece(3, 4, four.slice(3)));
    assert.deepEqual(list.all.map(({ number, verdict }) => [number, verdict]), [[0, "open"], [1, "ignored"], [2, "open"], [3, "accepted"]]);
    assert.deepEqual([list.count("open"), list.count("accepted"), list.count("ignored")], [2, 1, 1]);
    list.apply({ type: "clashNote", clash: 2, verdict: 1, note: "stands on it" });
    assert.deepEqual([list.all[2]!.verdict, list.all[2]!.note], ["accepted", "stands on it"]);
    const { version } = list;
    list.apply({ type: "clashNote", clash: 77, verdict: 1, note: "" });
    list.apply({ type: "pong", token: 0n });
    assert.equal(list.version, version + 1);
    list.apply(reset);
    assert.deepEqual([list.all.length, list.isListed], [0, false]);
    list.apply(piece(0, 0, []));
    assert.deepEqual([list.all.length, list.isListed], [0, true]);
});

test("they are sorted by depth, faces or name, and found by names and notes in any case", () => {
    const list = listOf(piece(0, 4, four));
    assert.deepEqual(named(list), ["case 2-Pin", "case 10-lid", "bolt-nut", "case 2-foot"]);
    assert.deepEqual(named(list, { order: "faces" }), ["bolt-nut", "case 2-foot", "case 10-lid", "case 2-Pin"]);
    assert.deepEqual(named(list, { order: "name" }), ["bolt-nut", "case 2-foot", "case 2-Pin", "case 10-lid"]);
    assert.deepEqual(named(list, { text: " pIn" }), ["case 2-Pin"]);
    assert.deepEqual(named(list, { text: "design" }), ["case 2-Pin"]);
    assert.deepEqual(named(list, { verdict: "open" }), ["case 10-lid", "case 2-foot"]);
    assert.deepEqual(named(list, { text: "case 2", verdict: "accepted" }), []);
});

test("who may not decide reads why", () => {
    assert.match(listOf(piece(0, 0, [], 0), role(3)).refusal, /without --notes/);
    assert.match(listOf(role(1), reset, piece(0, 0, [])).refusal, /You watch/);
    assert.match(listOf(role(3, 1), piece(0, 0, [])).refusal, /locked/);
    assert.equal(listOf(role(2), reset, piece(0, 0, [])).refusal, "");
});

test("a clash in words, and how much about it is looked at", () => {
    assert.equal(clashText({ kind: 1, depth: 0.025, pairs: 1224 }), "25 mm deep, protrusion, 1,224 face pairs");
    assert.equal(clashText({ kind: 0, depth: -1, pairs: 1 }), "touching, 1 face pair");
    assert.equal(clashText({ kind: 3, depth: 1.5, pairs: 0 }), "1.5 m deep, enclosed");
    assert.equal(clashReach(0.1, [5, 1]), 0.9);
    assert.ok(Math.abs(clashReach(2, [5, 1]) - 4) < 1e-12);
    assert.ok(clashReach(0, []) > 0);
});

test("ten thousand clashes are sorted and searched at once", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => clash(`part ${(i * 7919) % 10_000}`, `part ${i}`, { depth: (i * 31) % 977, pairs: i }));
    const list = listOf(...Array.from({ length: 40 }, (_, i) => piece(256 * i, 10_000, many.slice(256 * i, 256 * (i + 1)))));
    assert.equal(list.all.length, 10_000);
    const begin = performance.now();
    const sorted = list.wanted({ text: "part", verdict: "open", order: "depth" });
    assert.ok(performance.now() - begin < 1000);
    assert.ok(sorted.every(({ depth }, i) => i === 0 || depth <= sorted[i - 1]!.depth));
    assert.equal(sorted.length, 10_000);
});
