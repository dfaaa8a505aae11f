// The messages of test/messages, which the C codec wrote, are read to what it says they are and written to the same
// bytes. Run in the viewer's folder.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeForClient, decodeForServer, encode, type Message, MessageNumber, ProtocolError } from "../src/protocol";

const folder = "test/messages";

function bytesOf(name: string): Uint8Array {
    // At an odd place, where no array is aligned.
    const file = readFileSync(`${folder}/${name}`);
    const bytes = new Uint8Array(file.length + 1).subarray(1);
    bytes.set(file);
    return bytes;
}

const expected = JSON.parse(readFileSync(`${folder}/messages.json`, "utf8")) as Record<string, unknown[]>;

// A message as JSON has it: arrays of numbers alike, bigint as text.
function plain(value: unknown): unknown {
    if (typeof value === "bigint") {
        return value.toString();
    }
    if (ArrayBuffer.isView(value)) {
        return Array.from(value as Uint8Array);
    }
    if (Array.isArray(value)) {
        return value.map(plain);
    }
    if (value !== null && typeof value === "object") {
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
    }
    return value;
}

const sides = [
    ["to_server.bin", "toServer", decodeForServer],
    ["to_client.bin", "toClient", decodeForClient],
] as const;

test("every type of message is among them", () => {
    const types = new Set(Object.values(expected).flatMap((list) => list.map((message) => (message as Message).type)));
    assert.equal(types.size, Object.keys(MessageNumber).length);
});

for (const [file, name, decode] of sides) {
    test(`${file} is read and written again to the same bytes`, () => {
        const bytes = bytesOf(file);
        const messages: Message[] = decode(bytes);
        assert.deepEqual(messages.map(plain), expected[name]);
        assert.deepEqual(encode(...messages), new Uint8Array(bytes));
    });

    test(`${file} cut anywhere is refused or holds fewer messages`, () => {
        const bytes = bytesOf(file);
        const whole = decode(bytes).length;
        let refused = 0;
        for (let size = 0; size < bytes.length; size++) {
            try {
                assert.ok(decode(bytes.subarray(0, size)).length < whole);
            } catch (error) {
                assert.ok(error instanceof ProtocolError, String(error));
                refused++;
            }
        }
        assert.equal(refused, bytes.length - whole);
    });
}

// What is read from spoilt bytes is written to the same: each message has one encoding.
test("spoilt bytes are refused or say what they say", () => {
    let seed = 1;
    const random = (below: number): number => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 0x100000000) * below);
    };
    let taken = 0;
    for (const [file, , decode] of sides) {
        for (const message of decode(bytesOf(file)) as Message[]) {
            for (let trial = 0; trial < 100; trial++) {
                const bytes = encode(message);
                bytes[random(bytes.length)] = random(256);
                try {
                    assert.deepEqual(encode(...decode(bytes)), bytes);
                    taken++;
                } catch (error) {
                    assert.ok(error instanceof ProtocolError, String(error));
                }
            }
        }
    }
    assert.ok(taken > 500);
});

test("what no server takes is not written", () => {
    const object = { index1: 1, generation: 0 };
    assert.throws(() => encode({ type: "play", request: 1, mode: 4 }), ProtocolError);
    assert.throws(() => encode({ type: "play", request: -1, mode: 0 }), ProtocolError);
    assert.throws(() => encode({ type: "setState", request: 1, object, name: "a", value: NaN }), ProtocolError);
    assert.throws(() => encode({ type: "setState", request: 1, object, name: "a\0", value: 0 }), ProtocolError);
    assert.throws(() => encode({ type: "ping", token: -1n }), ProtocolError);
    const rotation = { w: 1.1, x: 0, y: 0, z: 0 };
    const raw = { rotation, position: { x: 0, y: 0, z: 0 }, scale: 1 };
    assert.throws(() => encode({ type: "move", object, sequence: 1, raw }), ProtocolError);
});
