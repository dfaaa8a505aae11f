// Packs of scenes and bundles of dropped files, as a page without a server reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { PackedFiles, unpackBundle } from "../src/local_files";
import { bundle } from "../src/upload";

const bytesOf = (text: string | Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text as string));

function pack(files: [string, string][], first = "a"): Uint8Array<ArrayBuffer> {
    const index = Buffer.from(JSON.stringify({ files: files.map(([name, text]) => [name, text.length]), pictures: ["a"], first }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(index.length);
    return new Uint8Array(Buffer.concat([size, index, ...files.map(([, text]) => Buffer.from(text))]));
}

const read = async (files: Record<string, Buffer | string>): Promise<Record<string, string>> => {
    const blobs = Object.entries(files).map(([name, bytes]) => ({ name, file: new Blob([bytesOf(bytes as string)]) }));
    const bytes = await unpackBundle(new Uint8Array(await bundle(blobs, 1).arrayBuffer()));
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    assert.equal(view.getUint32(0, true), 1);
    const found: Record<string, string> = {};
    let at = 8;
    for (let i = 0; i < view.getUint32(4, true); i++) {
        const [name, size] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
        const begin = at + 12 + name;
        found[Buffer.from(bytes.subarray(at + 12, begin)).toString()] = Buffer.from(bytes.subarray(begin, begin + size)).toString();
        at = begin + size;
    }
    assert.equal(at, bytes.length);
    return found;
};

test("a pack gives its files back", () => {
    const packed = new PackedFiles(
        pack([
            ["scenes/a.json", "{}"],
            ["scenes/b.json", ""],
            ["objects/cup/object.json", "[1]"],
        ]),
    );
    assert.deepEqual(
        packed.entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
        [
            ["scenes/a.json", "{}"],
            ["scenes/b.json", ""],
            ["objects/cup/object.json", "[1]"],
        ],
    );
    assert.deepEqual(packed.pictures, ["a"]);
    assert.equal(packed.sceneNamed("b"), "b");
    assert.equal(packed.sceneNamed("cup"), "a");
    assert.equal(packed.sceneNamed(""), "a");
});

test("what a bundle holds is converted behind the unpacking, by its name", async () => {
    const blobs = [
        { name: "a.x3d", file: new Blob([bytesOf(gzipSync("<X3D/>"))]) },
        { name: "b.obj", file: new Blob([bytesOf("v 0 0 0")]) },
    ];
    const names: string[] = [];
    const bytes = await unpackBundle(new Uint8Array(await bundle(blobs, 1).arrayBuffer()), (content, name) => {
        names.push(`${name}: ${Buffer.from(content).toString()}`);
        return name === "a.x3d" ? bytesOf("converted") : content;
    });
    assert.deepEqual(names, ["a.x3d: <X3D/>", "b.obj: v 0 0 0"]);
    const text = Buffer.from(bytes).toString("latin1");
    assert.ok(text.includes("a.x3dconverted") && text.endsWith("b.objv 0 0 0"), text);
});

test("a pack that is cut or has more is damaged", () => {
    const whole = pack([["scenes/a.json", "{}"]]);
    for (const bytes of [new Uint8Array(0), whole.slice(0, 3), whole.slice(0, 20), whole.slice(0, -1), new Uint8Array([...whole, 0])]) {
        assert.throws(() => new PackedFiles(bytes), /damaged|JSON/);
    }
});

test("what gzip packed is unpacked in a bundle, all else stays", async () => {
    const text = "v 0 0 0\n".repeat(500);
    assert.deepEqual(await read({ "a.obj": text, "b.stl": "" }), { "a.obj": text, "b.stl": "" });
    assert.deepEqual(await read({ "über/a.obj": gzipSync(text), "b.stl": "solid", "c.obj": gzipSync("") }), {
        "über/a.obj": text,
        "b.stl": "solid",
        "c.obj": "",
    });
});

test("a damaged gzip file is named", async () => {
    await assert.rejects(read({ "a.obj": gzipSync("v 0 0 0\n".repeat(99)).subarray(0, 30) }), /a\.obj: the gzip file is damaged/);
});

test("a bundle that is cut is left to the reader", async () => {
    const whole = new Uint8Array(await bundle([{ name: "a.obj", file: new Blob([bytesOf(gzipSync("v 0 0 0\n"))]) }], 0).arrayBuffer());
    for (const size of [0, 4, 8, 15, 22, whole.length - 1]) {
        assert.deepEqual(await unpackBundle(whole.slice(0, size)), whole.slice(0, size));
    }
});
