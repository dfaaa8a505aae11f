// What holds a body, and the words for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freedomsLeft, Handling } from "../src/handling";
import { forceText, holdingText } from "../src/holding";
import { Mirror } from "../src/mirror";
import { handlingText, namedText } from "../src/panel_events";
import { EventKind } from "../src/protocol";
import { handEvent, handEvents, hello } from "./hand_event";

const body = { index1: 3, generation: 1 };

test("faces leave six, three, one and no degrees of freedom", () => {
    assert.deepEqual([0, 1, 2, 3, 4].map(freedomsLeft), [6, 3, 1, 0, 0]);
});

test("what holds a body is known from its events, until it is put down", () => {
    const handling = new Handling();
    handling.apply(hello);
    assert.equal(handling.isKnown, false);
    handling.apply(handEvents(handEvent(EventKind.held)));
    assert.equal(handling.isKnown, false, "that a user took it is no handling by itself");
    handling.apply(handEvents(handEvent(EventKind.snap, { count: 1, value: 2 }), handEvent(EventKind.force, { value: 2.5 })));
    assert.deepEqual(handling.of(body), { count: 1, freedom: 2, pull: 0, force: 2.5 });
    handling.apply(handEvents(handEvent(EventKind.snap, { count: 2, value: 1 }), handEvent(EventKind.pull, { count: 2, pull: 0.7 })));
    assert.deepEqual(handling.of(body), { count: 2, freedom: 1, pull: 0.7, force: 2.5 });
    assert.deepEqual(handling.of({ index1: 9, generation: 1 }), { count: 0, freedom: 6, pull: 0, force: 0 });
    const { version } = handling;
    handling.apply(handEvents(handEvent(EventKind.loose, { count: 1, value: 2 })));
    assert.deepEqual(handling.of(body), { count: 1, freedom: 3, pull: 0, force: 2.5 });
    assert.ok(handling.version > version);
    handling.apply(handEvents(handEvent(EventKind.done)));
    assert.deepEqual(handling.of(body), { count: 0, freedom: 6, pull: 0, force: 0 });
    assert.equal(handling.isKnown, true);
    handling.apply({ type: "reset", step: 0.01, scene: "Other" });
    assert.equal(handling.isKnown, false);
});

test("the line says what is left in words", () => {
    assert.equal(holdingText("cube", 0, 6), "cube: moves freely");
    assert.equal(holdingText("cube", 1, 3), "cube: held by one contact, 3 of 6 degrees of freedom left");
    assert.equal(holdingText("cube", 2, 1), "cube: held by two contacts, 1 of 6 degrees of freedom left");
    assert.equal(holdingText("cube", 3, 0), "cube: held by three contacts, it is fixed");
    assert.equal(holdingText("pin", 1, 2), "pin: held by one contact, 2 of 6 degrees of freedom left");
    assert.equal(forceText(0, 0), "");
    assert.equal(forceText(1.26, 0.8), " · 1.3 N · about to come off");
});

test("every kind of event of handling has words of its own", () => {
    const kinds = Object.entries(EventKind).filter(([, kind]) => kind >= EventKind.contact && kind <= EventKind.force);
    const texts = kinds.map(([name, kind]) => {
        const text = handlingText(handEvent(kind, { value: 1, count: 1, speed: 0.1, area: 0.0049, pull: 0.6 }), "cube", "wall");
        assert.ok(text !== null && text.startsWith("cube "), `${name}: ${text}`);
        return text;
    });
    assert.equal(new Set(texts).size, kinds.length);
    assert.ok(texts.includes("cube snaps to wall (49 cm²): 1 held, 1 of 6 degrees of freedom left"), texts.join("\n"));
    assert.equal(handlingText(handEvent(EventKind.touchBegin), "cube", "wall"), null);
    const pulled = handlingText(handEvent(EventKind.loose, { value: 2 }), "cube", "wall");
    assert.equal(pulled, "cube comes off wall: pulled off; 6 of 6 degrees of freedom");
});

test("what goes on for many ticks is one line of the list, at its last time", () => {
    const mirror = new Mirror();
    mirror.apply(hello);
    for (let tick = 1; tick <= 200; tick++) {
        const force = handEvent(EventKind.force, { time: tick, value: tick });
        mirror.apply(handEvents(handEvent(EventKind.slide, { time: tick }), force));
    }
    assert.deepEqual(mirror.events.map(({ kind, time }) => [kind, time]), [[EventKind.slide, 200], [EventKind.force, 200]]);
    mirror.apply(handEvents(handEvent(EventKind.snap), handEvent(EventKind.slide, { time: 201 })));
    assert.equal(mirror.events.length, 4, "after something else it is an event of its own");

    const contact = (speed: number, other = 4) => handEvent(EventKind.contact, { speed, b: { index1: other, generation: 1 } });
    mirror.apply(handEvents(contact(0.2), contact(0), contact(0.1, 5)));
    const speeds = mirror.events.slice(4).map(({ speed }) => speed);
    assert.deepEqual(speeds, [0.2, 0.1], "faces that meet in a moment are one line for each pair of objects, the fastest");
});

test("a named event is written with its objects and numbers", () => {
    const event = handEvent(EventKind.named, { name: "will_hit", value: 0.123456, second: 2 });
    assert.equal(namedText(event, "door", "cup"), "door: will hit cup (0.1235, 2)");
    assert.equal(namedText(event, "door", null), "door: will hit (0.1235, 2)");
});
