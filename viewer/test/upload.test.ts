// What is sent of files, and what is not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundle, refusal } from "../src/upload";

const named = (name: string, text: string): { name: string; file: Blob } => ({ name, file: new Blob([text]) });

test("a request has flags, a count, and for each file its name and bytes", async () => {
    const bytes = new Uint8Array(await bundle([named("a.obj", "v 0"), named("ü/b", "")], 1).arrayBuffer());
    const view = new DataView(bytes.buffer);
    assert.deepEqual([view.getUint32(0, true), view.getUint32(4, true)], [1, 2]);
    assert.deepEqual([view.getUint32(8, true), view.getBigUint64(12, true)], [5, 3n]);
    assert.equal(new TextDecoder().decode(bytes.subarray(20, 28)), "a.objv 0");
    assert.deepEqual([view.getUint32(28, true), view.getBigUint64(32, true)], [4, 0n]);
    assert.equal(bytes.length, 44);
});

test("what the server would refuse is not sent", () => {
    const limits = { may: 1, maxBytes: 10 };
    assert.equal(refusal([named("a", "0123456789")], limits), null);
    assert.match(refusal([named("a", "0123456789"), named("b", "x")], limits)!, /more than/);
    assert.match(refusal([], limits)!, /no file/);
    assert.match(refusal([named("a", "")], limits)!, /empty/);
    assert.match(refusal([named("a", "x")], { ...limits, may: 2 })!, /takes no files/);
    assert.match(refusal(Array.from({ length: 1025 }, (_, i) => named(String(i), "x")), { may: 1, maxBytes: 1e9 })!, /1024/);
});
