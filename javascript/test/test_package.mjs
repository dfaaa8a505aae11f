// The package under Node.js: node test_package.mjs FOLDER CORPUS, that of the package and that of fuzzing. Answers are compared with what is known
// or with brute force in JavaScript.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { DomParser } from "./dom_parser.mjs";
import { gzipSync } from "node:zlib";

const [folder, corpus] = process.argv.slice(2);
const { load, FureaiError, flags, packXml } = await import(pathToFileURL(`${folder}/fureai.mjs`).href);
const fureai = await load();
const text = (string) => new TextEncoder().encode(string);
const wedge = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

const tests = {
    async "a mesh of arrays gives them back"() {
        const vertices = new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 / 3]);
        const triangles = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
        const mesh = fureai.mesh(vertices, triangles);
        assert.deepEqual(mesh.vertices, vertices);
        assert.deepEqual([...mesh.triangles], triangles);
        assert.ok(Math.abs(mesh.volume - 1 / 18) < 1e-12);
        assert.deepEqual(mesh.bounds, { min: [0, 0, 0], max: [1, 1, 1 / 3] });
        assert.ok(fureai.mesh(new Float32Array(vertices), triangles).vertices instanceof Float32Array);
        mesh.free();
        assert.throws(() => mesh.triangleCount, /freed/);
        mesh.free();
    },

    async "wrong arrays are refused with their reason"() {
        assert.throws(() => fureai.mesh([0, 0, 0], [0, 1, 2]), /triangle 0/);
        assert.throws(() => fureai.mesh([0, 0], [0, 1, 2]), /threes/);
        assert.throws(() => fureai.mesh([0, 0, Number.NaN], [0, 0, 0]), FureaiError);
        assert.throws(() => fureai.mesh([0, 0, 0], [0, 0, -1]), /whole numbers/);
        assert.throws(() => fureai.named("dodecahedron_of_doom"), FureaiError);
        const space = fureai.space();
        assert.throws(() => space.add([]), FureaiError);
        assert.throws(() => space.add(fureai.named("box"), { position: [0, 0] }), /3 numbers/);
        assert.throws(() => space.add(fureai.named("box"), { rotation: [0, 0, 0, 0] }), FureaiError);
        assert.throws(() => space.setPose(7, {}), FureaiError);
        assert.throws(() => space.collide({ want: "all" }), /want/);
    },

    async "what a hand holds stops at faces, and goes along them"() {
        const space = fureai.space();
        space.add(fureai.named("box"), { position: [0, -2, 0], scale: 4, isStatic: true });
        const held = space.add(fureai.named("box"), { position: [0, 1, 0] });
        const aid = space.aid(held, { magnet: 0 });
        let lowest = 1;
        for (let i = 1; i <= 60; i++) {
            const raw = [0.01 * i, 1 - 0.02 * i, 0];
            const { pose, isBlocked, heldCount } = aid.frame({ position: raw }, i / 60);
            assert.equal(heldCount, 0);
            assert.ok(Math.abs(pose.position[0] - raw[0]) < 1e-9, "along the face");
            assert.ok(Math.abs(pose.position[1] - Math.max(raw[1], 0.5)) < 1e-4, `${pose.position[1]} where ${raw[1]} is wanted`);
            assert.ok(isBlocked === raw[1] < 0.5 || Math.abs(raw[1] - 0.5) < 1e-3);
            assert.deepEqual(space.pose(held), pose);
            lowest = Math.min(lowest, pose.position[1]);
        }
        assert.ok(lowest >= 0.5);
        assert.throws(() => aid.frame({}, 0), FureaiError); // time goes back
        assert.throws(() => space.aid(99), FureaiError);
        assert.throws(() => space.aid(held, { blend: -1 }), FureaiError);
        assert.throws(() => space.aid(held, { blend: "long" }), /numbers/);

        // With magnets it holds a face, and comes off when it is pulled.
        space.setPose(held, { position: [0, 0.6, 0] });
        const strong = space.aid(held);
        for (let i = 1; i <= 30; i++) {
            strong.frame({ position: [0, 0.6 - 0.01 * i, 0] }, i / 60);
        }
        const onFace = strong.frame({ position: [0, 0.52, 0] }, 1);
        assert.deepEqual([onFace.heldCount, onFace.freedom], [1, 3]);
        assert.ok(Math.abs(onFace.pose.position[1] - 0.5) < 1e-4);
        assert.deepEqual([strong.frame({ position: [0, 3, 0] }, 1.1).heldCount], [0]);
        strong.grasp();
        aid.free();
        strong.free();
        assert.throws(() => strong.frame({}, 2), /freed/);
        const orphan = space.aid(held);
        space.free();
        assert.throws(() => orphan.frame({}, 3), /freed/);
        orphan.free();
    },

    async "files are read, and errors say where"() {
        const model = await fureai.read(text(wedge), { name: "wedge.obj" });
        assert.equal(model.parts.length, 1);
        assert.equal(model.parts[0].mesh.triangleCount, 4);
        const packed = await fureai.read(gzipSync(wedge), { name: "wedge.obj" });
        assert.deepEqual(packed.parts[0].mesh.vertices, model.parts[0].mesh.vertices);
        const wrong = await fureai.read(text("v 0 0 0\nv 1 x 0\nf 1 2 2\n"), { name: "bad.obj" }).catch((error) => error);
        assert.ok(wrong instanceof FureaiError);
        assert.equal(wrong.path, "bad.obj");
        assert.equal(wrong.line, 2);
        assert.ok(wrong.column > 0 && wrong.message.startsWith("bad.obj:2:"));
        await assert.rejects(fureai.read(text("<COLLADA/>"), { name: "a.dae" }), /no XML/);
        await assert.rejects(fureai.read(text("<X3D/>"), { name: "a.x3d" }), /no XML/);
        await assert.rejects(fureai.read(gzipSync(wedge).subarray(0, 40), { name: "a.obj" }), /damaged or cut/);
        assert.equal((await fureai.read(new Uint8Array(0), { name: "a.obj" })).parts.length, 0);
        model.free();
    },

    async "X3D and Collada by a parser of the page: the meshes of the library"() {
        const table = await readFile(new URL("xml_meshes.txt", import.meta.url), "utf8");
        const rows = table.trim().split("\n");
        assert.ok(rows.length >= 9);
        globalThis.DOMParser = DomParser;
        try {
            for (const row of rows) {
                const [name, parts, triangles, hash] = row.split(" ");
                const bytes = await readFile(`${corpus}/${name}`);
                for (const given of [bytes, gzipSync(bytes)]) {
                    const model = await fureai.read(given, { name });
                    let sum = 2166136261;
                    const add = (array) => {
                        new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((byte) => (sum = Math.imul(sum ^ byte, 16777619)));
                    };
                    for (const { mesh, pose } of model.parts) {
                        add(new Float64Array([...pose.position, ...pose.rotation, pose.scale]));
                        add(mesh.vertices);
                        add(mesh.triangles);
                    }
                    const count = model.parts.reduce((all, { mesh }) => all + mesh.triangleCount, 0);
                    assert.deepEqual([model.parts.length, count, (sum >>> 0).toString(16).padStart(8, "0")], [Number(parts), Number(triangles), hash], name);
                    model.free();
                }
            }
            const wrong = await fureai.read(text("<X3D>\n<Scene"), { name: "bad.x3d" }).catch((error) => error);
            assert.ok(wrong instanceof FureaiError && wrong.path === "bad.x3d" && wrong.line === 2, wrong.message);
            await assert.rejects(fureai.read(text("<!DOCTYPE a [<!ENTITY b 'c'>]><X3D/>"), { name: "a.x3d" }), /entities/);
            await assert.rejects(fureai.read(text("<!DOCTYPE a><COLLADA/>"), { name: "a.dae" }), /declarations/);
            await assert.rejects(fureai.read(new Uint8Array([0x3c, 0xff, 0x3e]), { name: "a.dae" }), /no text in utf-8/);
            await assert.rejects(fureai.read(text("<svg></svg>"), { name: "a.dae" }), FureaiError);
            const deep = "<Group>".repeat(30_000) + "</Group>".repeat(30_000);
            await assert.rejects(fureai.read(text(`<X3D><Scene>${deep}</Scene></X3D>`), { name: "deep.x3d" }), FureaiError);
        } finally {
            delete globalThis.DOMParser;
        }
        assert.equal(packXml(text(wedge)).length, wedge.length); // what is no XML stays
    },

    async "seven formats are read"() {
        const files = {
            "a.stl": "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
            "a.ply":
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n" +
                "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "a.off": "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "a.dxf":
                "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n1\n32\n0\n13\n0\n23\n1\n33\n0\n" +
                "0\nENDSEC\n0\nEOF\n",
            "a.wrl":
                "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 2 -1] } }\n",
        };
        for (const [name, content] of Object.entries(files)) {
            const model = await fureai.read(text(content), { name });
            assert.equal(model.parts[0].mesh.triangleCount, 1, name);
        }
        const bin = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
        const gltf = {
            asset: { version: "2.0" },
            scene: 0,
            scenes: [{ nodes: [0] }],
            nodes: [{ mesh: 0 }],
            meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
            accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
            bufferViews: [{ buffer: 0, byteLength: 36 }],
            buffers: [{ uri: "a.bin", byteLength: 36 }],
        };
        const bytes = text(JSON.stringify(gltf));
        const model = await fureai.read(bytes, { name: "a.gltf", files: { "a.bin": bin } });
        assert.equal(model.parts[0].mesh.triangleCount, 1);
        await assert.rejects(fureai.read(bytes, { name: "a.gltf" }), /a\.bin/);
    },

    async "colliding faces at rest are those of brute force"() {
        const space = fureai.space();
        const ball = fureai.named("sphere_24");
        const [a, b] = [space.add(ball), space.add(ball, { position: [1.25, 0.5, 0] })];
        const result = space.collide({ want: "contacts" });
        const expected = [];
        for (let i = 0; i < ball.triangleCount; i++) {
            for (let k = 0; k < ball.triangleCount; k++) {
                if (doMeet(space.corners(a, i), space.corners(b, k))) {
                    expected.push(`${i} ${k}`);
                }
            }
        }
        assert.ok(expected.length > 10);
        assert.deepEqual(Array.from(result.triangleA, (i, at) => `${i} ${result.triangleB[at]}`), expected);
        assert.equal(result.contacts.length, result.count);
        assert.equal(result.objectPairs[0].relation, "crossing");
        // Arrays of a result are its own.
        const before = [...result.triangleA];
        space.setPose(b, { position: [9, 0, 0] });
        assert.equal(space.collide().count, 0);
        assert.deepEqual([...result.triangleA], before);
    },

    async "a turn within a step is not missed"() {
        const space = fureai.space();
        const box = fureai.named("box");
        const rod = space.add(box, { position: [3, 0, 0], pivot: [-3, 0, 0] });
        space.add(box, { position: [-3, 0, 0], isStatic: true });
        space.setMotion(rod, { turn: [0, 2 * Math.PI, 0] });
        assert.equal(space.collide().count, 0);
        const step = space.collideStep({ want: "times" });
        assert.ok(step.count > 0 && step.freeTime > 0.3 && step.freeTime < 0.5);
        const first = space.collideStep({ isFirst: true });
        assert.ok(first.count > 0 && first.count < step.count);
        assert.ok(step.time.every((time) => time >= 0 && time <= 1));
        space.setNext(rod, { position: [3, 0, 0] });
        assert.equal(space.collideStep().count, 0);
        space.commit();
        assert.deepEqual(space.pose(rod).position, [3, 0, 0]);
        assert.equal(flags.near, 1);
    },

    async "rays, closest points and distances"() {
        const space = fureai.space();
        const box = fureai.named("box");
        const a = space.add(box);
        const b = space.add(box, { position: [4, 0, 0] });
        const hit = space.ray([-9, 0.1, 0.2], [1, 0, 0]);
        assert.equal(hit.object, a);
        assert.ok(Math.abs(hit.point[0] - box.bounds.min[0]) < 1e-9 && hit.normal[0] === -1);
        assert.equal(space.ray([-9, 5, 0], [1, 0, 0]), null);
        assert.throws(() => space.ray([0, 0, 0], [0, 0, 0]), FureaiError);
        const closest = space.closest([9, 0, 0]);
        assert.equal(closest.object, b);
        assert.ok(space.closest([0, 0, 0], { isSigned: true }).distance < 0);
        assert.equal(space.closest([99, 0, 0], { limit: 1 }), null);
        const gap = 4 - (box.bounds.max[0] - box.bounds.min[0]);
        assert.ok(Math.abs(space.distance(a, b).distance - gap) < 1e-9);
    },

    async "clashes have their kind, depth, distance, group and lines"() {
        const box = fureai.named("box");
        const at = (x) => ({ mesh: box, pose: { position: [x, 0.25, 0.125] } });
        const size = box.bounds.max[0] - box.bounds.min[0];
        const clashes = fureai.clash([{ mesh: box }, at(size / 2), at(8 * size), { mesh: box, pose: { scale: 0.25 } }, box]);
        assert.deepEqual(
            clashes.map(({ a, b, kind }) => [a, b, kind]).filter(([a]) => a === 0),
            [
                [0, 1, "protrusion"],
                [0, 3, "enclosed"],
                [0, 4, "duplicate"],
            ],
        );
        const [deep, inside, same] = clashes;
        assert.ok(deep.depth > 0 && deep.lines.length > 0 && deep.lines[0].length % 3 === 0);
        assert.equal(deep.distance, 0);
        assert.deepEqual([inside.depth === null, inside.distance], [false, null]);
        assert.deepEqual([same.distance, same.sharedCount], [0, box.triangleCount]);
        assert.ok(deep.group !== inside.group && inside.group !== same.group);
        assert.equal(deep.pairs.a.length >= deep.sharedCount, true);
        assert.deepEqual(fureai.clash([]), []);
    },

    async "every kind of clash has the name that the types have"() {
        const types = await readFile(`${folder}/fureai.d.ts`, "utf8");
        const typed = /kind: ((?:"\w+" \| ){5}"\w+");/.exec(types)[1];
        const names = [];
        for (let kind = 0; kind < 6; kind++) {
            names.push(`"${fureai.memory.getText(fureai.exports.fureai_clash_kind_name(kind))}"`);
        }
        assert.equal(names.join(" | "), typed);
    },

    async "parts that are apart are found by clearance, and chosen by rules"() {
        const box = fureai.named("box");
        const size = box.bounds.max[0] - box.bounds.min[0];
        const row = ["bolt.1", "bolt.2", "nut"].map((name, i) => ({ mesh: box, name, pose: { position: [1.25 * size * i, 0, 0] } }));
        const pairs = (options) => fureai.clash(row, options).map(({ a, b }) => [a, b]);
        assert.deepEqual(pairs(), []);
        const apart = fureai.clash(row, { clearance: 0.26 * size });
        assert.deepEqual(apart.map(({ a, b, kind }) => [a, b, kind]), [
            [0, 1, "clearance"],
            [1, 2, "clearance"],
        ]);
        assert.ok(apart.every(({ distance, depth }) => Math.abs(distance - 0.25 * size) < 1e-9 && depth === null));
        const clearance = 0.26 * size;
        assert.deepEqual(pairs({ clearance, rules: [{ kind: "ignore", a: "bolt*", b: "bolt*" }] }), [[1, 2]]);
        assert.deepEqual(pairs({ clearance, rules: [{ kind: "only", a: "bolt.?", b: "bolt.?" }] }), [[0, 1]]);
        assert.deepEqual(pairs({ rules: [{ kind: "clearance", a: "nut", b: "*", clearance }] }), [[1, 2]]);
        assert.throws(() => pairs({ rules: [{ kind: "onyl", a: "*", b: "*" }] }), /'ignore', 'only' or 'clearance', not 'onyl'/);
        assert.throws(() => pairs({ rules: [{ kind: "only", a: "*" }] }), /pattern of a rule must be a text/);
        assert.throws(() => pairs({ clearance: -1 }), FureaiError);
        assert.throws(() => pairs({ rules: Array(65).fill({ kind: "only", a: "*", b: "*" }) }), /more than 64/);
    },

    async "memory is given back, and grows when it must"() {
        const rounds = () => {
            for (let i = 0; i < 40; i++) {
                const mesh = fureai.named("sphere_3968");
                const space = fureai.space();
                space.add(mesh);
                space.add(mesh, { position: [0.5, 0, 0] });
                space.collide({ want: "contacts" });
                space.free();
                mesh.free();
            }
            return fureai.memoryBytes;
        };
        const first = rounds();
        assert.equal(rounds(), first);
        const before = fureai.memoryBytes;
        const large = fureai.mesh(new Float32Array(3 * 1e6), Uint32Array.of(0, 1, 2));
        assert.ok(fureai.memoryBytes > before);
        assert.equal(large.vertices.length, 3e6);
    },

    async "the end of 4 GB is an error with a sentence, and what was made before stays"() {
        const full = await load();
        const space = full.space();
        const box = full.named("box");
        space.add(box);
        space.add(box, { position: [0.5, 0, 0] });
        const before = space.collide().count;
        const taken = [];
        for (let size = 2 ** 30; size >= 1024; size /= 2) {
            for (let at = full.exports.fureai_alloc(size) >>> 0; at !== 0; at = full.exports.fureai_alloc(size) >>> 0) {
                taken.push(at);
            }
        }
        assert.ok(full.memoryBytes > 3.9 * 2 ** 30, `${full.memoryBytes}`);
        assert.ok(Math.max(...taken) > 2 ** 31, "addresses are above 2 GiB");
        assert.throws(() => full.named("sphere_3968"), (error) => error instanceof FureaiError && error.status === "out of memory");
        assert.throws(() => full.mesh(new Float32Array(3e5), Uint32Array.of(0, 1, 2)), /no memory/);
        assert.equal(space.collide().count, before);
        taken.forEach((at) => full.exports.fureai_free(at));
        const ball = full.named("sphere_3968"); // there is room again
        space.add(ball, { position: [1, 0, 0] });
        assert.ok(space.collide().count > before);
    },

    async "a module may come from bytes, or be compiled once for several"() {
        const bytes = await readFile(`${folder}/fureai.wasm`);
        const module = await WebAssembly.compile(bytes);
        const [one, two] = [await load(bytes), await load(module)];
        assert.equal(one.version, two.version);
        assert.match(one.version, /^\d+\.\d+\.\d+$/);
        const isSaid = (pattern) => (error) => error instanceof FureaiError && pattern.test(error.message);
        await assert.rejects(load(`file://${folder}/none.wasm`), isSaid(/cannot be loaded.*none.wasm.*ENOENT/));
        await assert.rejects(load("http://127.0.0.1:1/none.wasm"), isSaid(/cannot be loaded/));
        await assert.rejects(load(new Uint8Array([0, 97, 115, 109])), isSaid(/damaged/));
        await assert.rejects(load(bytes.subarray(0, bytes.length / 2)), isSaid(/damaged/));
        await assert.rejects(load(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), isSaid(/not one of Fureai/));
    },

    async "without SIMD there is a sentence"() {
        const { validate } = WebAssembly;
        WebAssembly.validate = () => false;
        try {
            await assert.rejects(load(), /no SIMD/);
        } finally {
            WebAssembly.validate = validate;
        }
    },
};

// Whether two triangles share a point: some edge of one goes through the other. Not for coplanar ones.
function doMeet(p, q) {
    const edges = (t) => t.map((corner, i) => [corner, t[(i + 1) % 3]]);
    return edges(p).some((edge) => pierces(edge, q)) || edges(q).some((edge) => pierces(edge, p));
}

function pierces([from, to], [a, b, c]) {
    const minus = (u, v) => u.map((x, i) => x - v[i]);
    const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const side = (u, v, w, x) => Math.sign(dot(cross(minus(v, u), minus(w, u)), minus(x, u)));
    if (side(a, b, c, from) * side(a, b, c, to) > 0) {
        return false;
    }
    const signs = [side(from, to, a, b), side(from, to, b, c), side(from, to, c, a)];
    return signs.every((sign) => sign >= 0) || signs.every((sign) => sign <= 0);
}

for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`ok: ${name}`);
}
