// The server of a page without one, in Node.js: node test_server.mjs FOLDER CHECKOUT. FOLDER has the module, CHECKOUT the demos.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, checkout] = process.argv.slice(2);
globalThis.self = { location: { href: pathToFileURL(`${folder}/`).href } }; // it was built for workers
const { default: make } = await import(pathToFileURL(`${folder}/fureai_server.mjs`).href);
const module = await make({ wasmBinary: readFileSync(`${folder}/fureai_server.wasm`) });
const protocol = readFileSync(path.join(checkout, "viewer/src/protocol.ts"), "utf8");
const version = Number(/PROTOCOL_VERSION = (\d+)/.exec(protocol)[1]);
const welcome = Number(/welcome: (\d+)/.exec(protocol)[1]);
const state = Number(/\bstate: (\d+)/.exec(protocol)[1]);

function put(bytes) {
    const at = module._fureai_alloc(bytes.length);
    module.HEAPU8.set(bytes, at);
    return at;
}

const putText = (text) => put(new TextEncoder().encode(`${text}\0`));
const getText = (at) => Buffer.from(module.HEAPU8.slice(at, module.HEAPU8.indexOf(0, at))).toString();
const problem = () => getText(module._fureai_error_message());
const create = (first) => module._fureai_server_create(putText("/scenes"), putText("/objects"), putText(first));

// The types of the messages that are there now.
const sizePlace = module._fureai_alloc(4);
function take(server) {
    const types = [];
    for (let at = module._fureai_session_take(server, sizePlace); at !== 0; at = module._fureai_session_take(server, sizePlace)) {
        const view = new DataView(module.HEAPU8.buffer, at, new DataView(module.HEAPU8.buffer).getUint32(sizePlace, true));
        for (let offset = 0; offset < view.byteLength; offset += 8 + view.getUint32(offset + 4, true)) {
            types.push(view.getUint16(offset, true));
        }
    }
    return types;
}

// Steps until messages of a type came so often.
function follow(server, type, count) {
    for (let i = 0, found = 0; found < count; i++) {
        assert.ok(i < 200000, `${found} of ${count} messages of type ${type}`);
        assert.equal(module._fureai_server_step(server), 1, problem());
        found += take(server).filter((each) => each === type).length;
    }
}

function hello() {
    const bytes = Buffer.alloc(20);
    [1, version, 1].forEach((value, i) => bytes.writeUInt32LE(value, [0, 8, 12][i]));
    bytes.writeUInt32LE(12, 4);
    return bytes;
}

function request(server, where, bytes) {
    const at = bytes === null ? 0 : put(bytes);
    assert.equal(module._fureai_session_request(server, putText(where), at, bytes?.length ?? 0), 1, problem());
    for (let i = 0; module._fureai_reply_status(server) === 0; i++) {
        assert.ok(i < 200000, "there is no reply");
        assert.equal(module._fureai_server_step(server), 1, problem());
        take(server);
    }
    const from = module._fureai_reply_bytes(server);
    const text = Buffer.from(module.HEAPU8.slice(from, from + module._fureai_reply_size(server))).toString();
    return { status: module._fureai_reply_status(server), text, name: getText(module._fureai_reply_name(server)) };
}

function bundle(name, text) {
    const head = Buffer.alloc(20);
    [0, 1, name.length, text.length, 0].forEach((value, i) => head.writeUInt32LE(value, 4 * i));
    return Buffer.concat([head, Buffer.from(name), Buffer.from(text)]);
}

// Without scenes there is a sentence.
assert.equal(create("blocks"), 0);
assert.match(problem(), /no folder '\/scenes'/);
module.FS.mkdirTree("/scenes/models");
module.FS.mkdirTree("/objects");
for (const name of ["blocks.json", "models/table.obj"]) {
    module.FS.writeFile(`/scenes/${name}`, readFileSync(path.join(checkout, "demos", name)));
}
module.FS.writeFile("/scenes/own.json", '{"fureai":1,"step":0.02,"objects":[]}');
module.FS.writeFile("/scenes/wrong.json", '{"fureai":1,\n"step":}');
assert.equal(create("own"), 0);
assert.equal(`${getText(module._fureai_error_path())}:${module._fureai_error_line()}`, "/scenes/wrong.json:2");
module.FS.unlink("/scenes/wrong.json");
assert.equal(create("none"), 0);
assert.match(problem(), /no scene 'none'/);

// A model that a scene names and that is not there.
assert.equal(create("blocks"), 0);
assert.match(problem(), /No such file/);
console.log("ok: what is missing or wrong is a sentence");

const server = create("own");
assert.notEqual(server, 0, problem());
assert.equal(module._fureai_session_send(server, sizePlace, 4), 0);
assert.match(problem(), /no session/);
assert.equal(module._fureai_session_open(server), 1, problem());
assert.equal(module._fureai_session_send(server, put(hello()), 20), 1, problem());
follow(server, welcome, 1);
follow(server, state, 3);
console.log("ok: a session is welcomed, and states follow");

const wedge = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
assert.equal(request(server, "/models", bundle("wedge.obj", wedge)).status, 200);
const given = request(server, "/models/1.obj", null);
assert.deepEqual([given.status, given.name], [200, "wedge.obj"]);
assert.equal(given.text.match(/^f /gm).length, 4);
const wrong = request(server, "/models", bundle("wrong.obj", "v 0 0 0\nv 1 x 0\n"));
assert.notEqual(wrong.status, 200);
assert.match(wrong.text, /wrong\.obj:2:5/);
assert.equal(request(server, "/models/99.obj", null).status, 404);
console.log("ok: a file is taken and given back, a wrong one is refused at its place");

// Again and again the memory stays as it is.
const size = () => module.HEAPU8.length;
const rounds = () => {
    for (let i = 0; i < 20; i++) {
        assert.equal(module._fureai_session_open(server), 1, problem());
        assert.equal(module._fureai_session_send(server, put(hello()), 20), 1);
        follow(server, welcome, 1);
    }
    return size();
};
const before = rounds();
assert.equal(rounds(), before);
module._fureai_session_close(server);
module._fureai_server_destroy(server);
console.log("ok: sessions come and go");
