// What a hand feels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HapticPulses, isTouching } from "../src/haptic_pulse";
import { EventKind } from "../src/protocol";
import { handEvent } from "./hand_event";

test("a touch is a knock, then a hum ten times a second, then nothing", () => {
    const haptics = new HapticPulses();
    assert.equal(haptics.update(false, 0), null);
    const knock = haptics.update(true, 10)!;
    assert.equal(haptics.update(true, 20), null);
    const hum = haptics.update(true, 110)!;
    assert.ok(knock.strength > 3 * hum.strength && hum.strength > 0);
    assert.equal(haptics.update(false, 220), null);
    assert.deepEqual(haptics.update(true, 221), knock);
});

test("a force is felt as strongly as a part of 8 N, without a gap, until it ends", () => {
    const haptics = new HapticPulses();
    haptics.apply(handEvent(EventKind.force, { value: 2 }));
    assert.deepEqual(haptics.update(true, 0), { strength: 0.25, ms: 50 });
    assert.equal(haptics.update(true, 30), null);
    assert.deepEqual(haptics.update(true, 50), { strength: 0.25, ms: 50 });
    haptics.apply(handEvent(EventKind.force, { value: 20 }));
    assert.equal(haptics.update(true, 100)!.strength, 1);
    haptics.apply(handEvent(EventKind.force, { value: 0 }));
    assert.equal(haptics.update(true, 1000), null, "a touch is not felt beside a force, nor after it");
    haptics.clear();
    assert.notEqual(haptics.update(true, 1100), null, "another body has touches again");
});

test("what snaps and what comes off are pulses at once", () => {
    const haptics = new HapticPulses();
    haptics.apply(handEvent(EventKind.force, { value: 4 }));
    assert.equal(haptics.update(true, 0)!.strength, 0.5);
    haptics.apply(handEvent(EventKind.loose));
    const loose = haptics.update(true, 1)!;
    haptics.apply(handEvent(EventKind.loose));
    haptics.apply(handEvent(EventKind.snap, { count: 1 }));
    const snap = haptics.update(true, 2)!;
    assert.ok(snap.strength > loose.strength && snap.ms > loose.ms, "a snap goes before what comes off with it");
    haptics.apply(handEvent(EventKind.slide));
    assert.equal(haptics.update(true, 3), null);
});

test("an object touches when it is in a pair with another", () => {
    const pairs = Uint32Array.of(1, 2, 0, 0, 0, 3, 3, 5, 6, 128);
    assert.equal(isTouching(pairs, 1), true);
    assert.equal(isTouching(pairs, 2), true);
    assert.equal(isTouching(pairs, 3), false, "with itself is no touch of a hand");
    assert.equal(isTouching(pairs, 5), false, "triangles are no objects");
});
