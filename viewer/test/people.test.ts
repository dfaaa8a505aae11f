import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands, type CommandLine } from "../src/commands";
import { meetGround } from "../src/floor_pick";
import { fieldsOf, makeMotion, noObject, readNumbers, writePlace } from "../src/motion_field";
import { freeName } from "../src/panel_add";
import { atDepthOf } from "../src/pose_handles";
import type { ServerMessage, WireMotion, WirePerson } from "../src/protocol";
import { vec3 } from "../src/vector";

const prompt = (name: string, isNeeded = 1) => ({ name, isNeeded });
const walk = fieldsOf([prompt("goal"), prompt("facing"), prompt("frames", 0), prompt("start", 0)]);
const draft = (values: Record<string, string>, hand = "") => ({
    name: "walk",
    object: noObject,
    hand,
    values: new Map(Object.entries(values)),
});

test("fields become inputs of their kind; one that is not known is a text", () => {
    const kinds = fieldsOf([..."goal facing frames start value point text".split(" "), "tune"].map((name) => prompt(name)));
    assert.deepEqual(
        kinds.map(({ kind }) => kind),
        ["place", "angle", "frames", "frames", "number", "pair", "text", "text"],
    );
});

test("a motion has what was entered, angles in radians, the rest as parameters", () => {
    const made = makeMotion(draft({ goal: "1, 0 ,2.5", facing: "90", frames: "120" }, "left"), walk) as WireMotion;
    assert.deepEqual(made.goal, vec3(1, 0, 2.5));
    assert.ok(Math.abs(made.facing - Math.PI / 2) < 1e-12);
    assert.deepEqual([made.given, made.frames, made.start], [6, 120, 0]);
    assert.deepEqual(made.parameters, [{ key: "hand", value: "left" }]);
    const typed = makeMotion(draft({ text: "hello", point: "0.25 1" }), fieldsOf([prompt("text"), prompt("point")]));
    assert.deepEqual((typed as WireMotion).parameters, [
        { key: "text", value: "hello" },
        { key: "point", value: "0.25,1" },
    ]);
});

test("what is missing or wrong is a sentence", () => {
    assert.equal(makeMotion(draft({ facing: "0" }), walk), "walk needs a goal");
    assert.equal(makeMotion(draft({ goal: "1 2 3" }), walk), "walk needs 'facing'");
    for (const [values, part] of [
        [{ goal: "1, 2", facing: "0" }, "Goal is three numbers"],
        [{ goal: "1, x, 2", facing: "0" }, "Goal is three numbers"],
        [{ goal: "1, 0, 2e9", facing: "0" }, "Goal is three numbers"],
        [{ goal: "1, 0, 2", facing: "361" }, "Facing is an angle"],
        [{ goal: "1, 0, 2", facing: "0", frames: "1.5" }, "Frames is a whole number"],
        [{ goal: "1, 0, 2", facing: "0", start: "-1" }, "Start is a whole number"],
    ] as const) {
        const sentence = makeMotion(draft(values), walk);
        assert.ok(typeof sentence === "string" && sentence.startsWith(part), `${JSON.stringify(values)}: ${String(sentence)}`);
    }
    assert.equal(readNumbers("", 1), null);
    assert.equal(readNumbers("Infinity", 1), null);
    assert.equal(writePlace(vec3(1.23456, -0.0001, 2)), "1.235, 0, 2");
});

test("a ray meets the ground before the eye, never behind it", () => {
    assert.deepEqual(meetGround(vec3(0, 2, 0), vec3(1, -1, 0), 0), vec3(2, 0, 0));
    assert.equal(meetGround(vec3(0, 2, 0), vec3(1, 1, 0), 0), null);
    assert.equal(meetGround(vec3(0, 2, 0), vec3(1, 0, 0), 0), null);
    assert.deepEqual(atDepthOf(vec3(0, 1, 5), vec3(0, 0, 0), vec3(0.1, 0, 1), vec3(0, 0, 1)), vec3(0.5, 0, 5));
});

test("a name of an added object is no other's", () => {
    const taken = new Set(["cup 1", "cup 2"]);
    assert.equal(freeName("cup", (name) => taken.has(name)), "cup 3");
});

// A line whose replies are given by hand.
function line(): { commands: Commands; say: (message: ServerMessage) => void; asked: { type: string; request: number }[] } {
    const asked: { type: string; request: number }[] = [];
    const pending = new Map<number, (message: never) => void>();
    const ask = (message: { type: string }): Promise<never> => {
        const request = asked.length + 1;
        asked.push({ ...message, request });
        return new Promise((resolve) => pending.set(request, resolve));
    };
    const commands = new Commands({ ask, askFor: ask, isOpen: true } as CommandLine, () => undefined);
    const say = (message: ServerMessage): void => {
        if ("request" in message && message.type !== "ended") {
            pending.get(message.request)?.(message as never);
        }
        commands.apply(message);
    };
    return { commands, say, asked };
}

const mai = (doing: number, motion = "walk"): WirePerson => {
    const at = vec3(0, 0, 0);
    return { name: "Mai", object: noObject, motion, doing, waiting: 0, head: at, right: at, left: at };
};
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a command waits, is done, ends with its reason, or is refused with a sentence", async () => {
    const { commands, say, asked } = line();
    const given = commands.give("Mai", [], "walk");
    say({ type: "reply", request: 1, status: 0, message: "" });
    assert.equal(await given, "");
    assert.equal(commands.given[0]!.state, "waiting");
    assert.deepEqual(asked.at(-1), { type: "people", request: 2 });
    say({ type: "peopleList", request: 2, total: 1, people: [mai(1)] });
    await settle();
    assert.equal(commands.given[0]!.state, "doing");
    say({ type: "ended", request: 1, status: 4, message: "a person took it away" });
    assert.deepEqual([commands.given[0]!.state, commands.given[0]!.reason], ["ended", "a person took it away"]);
    const refused = commands.give("Hana", [], "walk");
    say({ type: "reply", request: 3, status: 1, message: "there is no person 'Hana'" });
    assert.equal(await refused, "there is no person 'Hana'");
    assert.equal(commands.given.length, 1);
});

test("an end that comes in one frame with its reply is not lost", async () => {
    const { commands, say } = line();
    const given = commands.give("Mai", [], "look");
    say({ type: "reply", request: 1, status: 0, message: "" });
    say({ type: "ended", request: 1, status: 0, message: "" });
    await given;
    assert.equal(commands.given[0]!.state, "done");
    say({ type: "reset", step: 0.01, scene: "another" });
    assert.deepEqual([commands.given.length, commands.people.length], [0, 0]);
});
