// Fureai in WebAssembly: exact collision among triangle meshes, in browsers and in Node.js.
//
// Everything is in the linear memory of one module. What comes in is copied there; what goes out is copied out of it,
// so that no array of a result changes or goes away by a later call. A mesh, model or space holds its memory until its
// `free()`: that of WebAssembly is not looked after by the garbage collector.

const pairBytes = 24;
const contactNumbers = 11;
const none = 0xffffffff;

const relations = ["near", "touching", "crossing", "a inside b", "b inside a"];
const wants = { pairs: 0, times: 1, contacts: 2 };

export const flags = Object.freeze({ near: 1, capped: 2, coplanar: 4, touching: 8, start: 16, sensor: 32, real: 64, self: 128 });

// What is wrong with an input or a file. `line` and `column` are 0 where a file has none.
export class FureaiError extends Error {
    constructor(message, status, path = "", line = 0, column = 0) {
        const place = [path, line > 0 ? line : "", column > 0 ? column : ""].filter((part) => part !== "").join(":");
        super(place === "" ? message : `${place}: ${message}`);
        this.name = "FureaiError";
        this.status = status;
        this.reason = message;
        this.path = path;
        this.line = line;
        this.column = column;
    }
}

// A module of nine instructions that is valid where vectors of 128 bits are known.
const simdProbe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

async function bytesOf(source) {
    if (source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
        return source;
    }
    const url = new URL(source ?? "./fureai.wasm", import.meta.url);
    const cannot = (why) => new FureaiError(`the module cannot be loaded: ${url.href} (${why})`, "system");
    try {
        if (url.protocol === "file:") {
            const { readFile } = await import("node:fs/promises");
            return await readFile(url);
        }
        const reply = await fetch(url);
        if (!reply.ok) {
            throw cannot(reply.status);
        }
        return await reply.arrayBuffer();
    } catch (error) {
        throw error instanceof FureaiError ? error : cannot(error.code ?? error.message);
    }
}

// What the C library asks of its surroundings: a clock and a place for lines that should not be there.
function surroundings(memory) {
    const view = () => new DataView(memory().buffer);
    const refused = 52; // ENOSYS
    return {
        env: { emscripten_notify_memory_growth: () => undefined },
        wasi_snapshot_preview1: {
            clock_time_get: (_clock, _precision, out) => {
                view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
                return 0;
            },
            fd_write: (_file, vectors, count, written) => {
                let total = 0;
                for (let i = 0; i < count; i++) {
                    total += view().getUint32(vectors + 8 * i + 4, true);
                }
                view().setUint32(written, total, true);
                return 0;
            },
            proc_exit: (code) => {
                throw new FureaiError(`the module has ended with ${code}`, "system");
            },
        },
        refused: () => refused,
    };
}

// Imports that this build happens to name beside those above are refused when they are called.
function importsOf(module, memory) {
    const known = surroundings(memory);
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
        imports[from] ??= {};
        imports[from][name] = known[from]?.[name] ?? (kind === "function" ? known.refused : undefined);
    }
    return imports;
}

// Loads the module: from beside this file, from an address, from bytes, or one that was compiled.
export async function load(source) {
    if (typeof WebAssembly !== "object" || !WebAssembly.validate(simdProbe)) {
        throw new FureaiError(
            "this browser has no SIMD for WebAssembly (Chrome 91, Firefox 89, Safari 16.4 and Node.js 16.4 have it)",
            "unsupported",
        );
    }
    const given = await bytesOf(source);
    let exports = null;
    try {
        const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
        const instance = await WebAssembly.instantiate(module, importsOf(module, () => exports.memory));
        exports = instance.exports;
    } catch (error) {
        throw new FureaiError(`the module is damaged, or not one of Fureai: ${error.message}`, "corrupt data");
    }
    if (typeof exports.fureai_version !== "function") {
        throw new FureaiError("the module is not one of Fureai", "corrupt data");
    }
    exports._initialize?.();
    return new Fureai(exports);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

class Memory {
    constructor(exports) {
        this.exports = exports;
        this.text = new TextDecoder();
        this.bytes = new TextEncoder();
        this.held = [];
    }

    // The memory moves when it grows: a view is made anew for each use.
    get buffer() {
        return this.exports.memory.buffer;
    }

    take(size) {
        const at = this.exports.fureai_alloc(size) >>> 0; // signed, and it may be above 2 GiB
        if (at === 0) {
            throw new FureaiError(`no memory for ${size} bytes`, "out of memory");
        }
        this.held.push(at);
        return at;
    }

    put(array) {
        const at = this.take(array.byteLength);
        new Uint8Array(this.buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
        return at;
    }

    putText(text) {
        const bytes = this.bytes.encode(text);
        if (bytes.includes(0)) {
            throw new FureaiError("a name has a zero byte", "invalid argument");
        }
        const at = this.take(bytes.length + 1);
        const room = new Uint8Array(this.buffer, at, bytes.length + 1);
        room.set(bytes);
        room[bytes.length] = 0;
        return at;
    }

    getText(at) {
        const all = new Uint8Array(this.buffer);
        return this.text.decode(all.slice(at >>> 0, all.indexOf(0, at >>> 0)));
    }

    // Copies of what stands in memory. The module gives addresses as signed numbers.
    floats(at, count) {
        return new Float32Array(this.buffer.slice(at >>> 0, (at >>> 0) + 4 * count));
    }

    doubles(at, count) {
        return new Float64Array(this.buffer.slice(at >>> 0, (at >>> 0) + 8 * count));
    }

    words(at, count) {
        return new Uint32Array(this.buffer.slice(at >>> 0, (at >>> 0) + 4 * count));
    }

    // Runs a call and frees what it put into memory.
    during(work) {
        const before = this.held;
        this.held = [];
        try {
            return work();
        } finally {
            this.held.forEach((at) => this.exports.fureai_free(at));
            this.held = before;
        }
    }

    fail() {
        const { exports } = this;
        throw new FureaiError(
            this.getText(exports.fureai_error_message()),
            this.getText(exports.fureai_status_text(exports.fureai_error_status())),
            this.getText(exports.fureai_error_path()),
            exports.fureai_error_line(),
            exports.fureai_error_column(),
        );
    }

    check(value) {
        return value === 0 ? this.fail() : value;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

function numbersOf(value, count, what) {
    const list = Array.from(value ?? [], Number);
    if (list.length !== count || list.some((number) => Number.isNaN(number))) {
        throw new FureaiError(`${what} must be ${count} numbers`, "invalid argument");
    }
    return list;
}

function textOf(value, what) {
    if (typeof value !== "string") {
        throw new FureaiError(`${what} must be a text`, "invalid argument");
    }
    return value;
}

// A pose as 8 numbers: position, rotation w x y z, scale.
function poseNumbers(pose = {}) {
    const { position = [0, 0, 0], rotation = [1, 0, 0, 0], scale = 1 } = pose;
    return new Float64Array([
        ...numbersOf(position, 3, "a position"),
        ...numbersOf(rotation, 4, "a rotation (w, x, y, z)"),
        ...numbersOf([scale], 1, "a scale"),
    ]);
}

const poseOf = (numbers) => ({ position: [...numbers.subarray(0, 3)], rotation: [...numbers.subarray(3, 7)], scale: numbers[7] });

function triangleArray(triangles) {
    if (triangles instanceof Uint32Array) {
        return triangles;
    }
    const list = Array.from(triangles, Number);
    if (!list.every((index) => Number.isInteger(index) && index >= 0 && index < none)) {
        throw new FureaiError("triangles must be whole numbers from 0", "invalid argument");
    }
    return new Uint32Array(list);
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes and models

class Handle {
    constructor(memory, at, release) {
        this.memory = memory;
        this.address = at;
        this.release = release;
    }

    get at() {
        if (this.address === 0) {
            throw new FureaiError("it was freed", "closed");
        }
        return this.address;
    }

    free() {
        if (this.address !== 0) {
            this.release(this.address);
            this.address = 0;
        }
    }

    [Symbol.dispose ?? Symbol.for("dispose")]() {
        this.free();
    }
}

export class Mesh extends Handle {
    constructor(memory, at) {
        super(memory, at, memory.exports.fureai_mesh_release);
    }

    get vertexCount() {
        return this.memory.exports.fureai_mesh_vertex_count(this.at);
    }

    get triangleCount() {
        return this.memory.exports.fureai_mesh_triangle_count(this.at);
    }

    get vertices() {
        const { exports } = this.memory;
        const count = 3 * this.vertexCount;
        const at = exports.fureai_mesh_positions(this.at);
        return exports.fureai_mesh_is_double(this.at) !== 0 ? this.memory.doubles(at, count) : this.memory.floats(at, count);
    }

    get triangles() {
        return this.memory.words(this.memory.exports.fureai_mesh_triangles(this.at), 3 * this.triangleCount);
    }

    get volume() {
        return this.memory.exports.fureai_mesh_volume(this.at);
    }

    get bounds() {
        return this.memory.during(() => {
            const out = this.memory.take(48);
            this.memory.exports.fureai_mesh_bounds(this.at, out);
            const [a, b, c, d, e, f] = this.memory.doubles(out, 6);
            return { min: [a, b, c], max: [d, e, f] };
        });
    }

    // The polygon of the file that a triangle came from.
    face(triangle) {
        return this.memory.exports.fureai_mesh_face(this.at, triangle);
    }
}

// The parts of a model file: meshes and where they stand. `free()` frees them all.
export class Model {
    constructor(format, parts, warnings) {
        this.format = format;
        this.parts = parts;
        this.warnings = warnings;
    }

    free() {
        this.parts.forEach(({ mesh }) => mesh.free());
    }
}

// Bytes that gzip packed are unpacked by the browser.
async function unpacked(bytes) {
    if (bytes.length < 2 || bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
        return bytes;
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    try {
        return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch (error) {
        throw new FureaiError(`the gzip file is damaged or cut short (${error.message})`, "corrupt data");
    }
}

// ---------------------------------------------------------------------------------------------------------------
// XML, which a parser of the page's takes apart

const xmlMark = [0x91, 0x46, 0x52, 0x58, 0x4d, 0x4c, 0x0a, 0x01];
const xmlKinds = { begin: 1, end: 2, text: 3, doctype: 4 };
const nodeTypes = { element: 1, text: 3, section: 4 };

// How the text of a file is written, by its first bytes and what it says; null: it is no XML.
function encodingOfXml(bytes) {
    const [a, b] = bytes;
    if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) {
        return "utf-16le";
    }
    if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) {
        return "utf-16be";
    }
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).replace(/^\xef\xbb\xbf/, "").trimStart();
    const said = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head);
    return head.startsWith("<") ? (said?.[1] ?? "utf-8") : null;
}

// What a parser says of text that is no XML, with the line and column where it says them.
function xmlError(found, name) {
    const text = found.textContent.trim();
    const [, line, column] = /line\s+(?:number\s+)?(\d+)\D+column\s+(\d+)/i.exec(text) ?? [];
    const reason = /column\s+\d+:\s*([^\n]+)/i.exec(text)?.[1] ?? text.split("\n")[0];
    return new FureaiError(`this is no XML: ${reason}`, "syntax error", name, Number(line ?? 0), Number(column ?? 0));
}

class XmlPack {
    constructor() {
        this.bytes = new Uint8Array(65536);
        this.size = 0;
        this.encoder = new TextEncoder();
        this.put(xmlMark);
    }

    room(count) {
        if (this.size + count > this.bytes.length) {
            const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.size + count));
            larger.set(this.bytes.subarray(0, this.size));
            this.bytes = larger;
        }
    }

    put(values) {
        this.room(values.length);
        this.bytes.set(values, this.size);
        this.size += values.length;
    }

    number(value) {
        this.put([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]);
    }

    // The bytes of a text, and how many they are.
    text(value) {
        this.room(3 * value.length);
        const { written } = this.encoder.encodeInto(value, this.bytes.subarray(this.size));
        this.size += written;
        return written;
    }

    name(value) {
        this.text(value);
        this.put([0]);
    }

    begin({ nodeName, attributes }) {
        this.put([xmlKinds.begin]);
        this.name(nodeName);
        this.number(attributes.length);
        for (const { name, value } of attributes) {
            this.name(name);
            this.name(value);
        }
    }

    characters(value) {
        this.put([xmlKinds.text]);
        const at = this.size;
        this.number(0);
        const written = this.text(value);
        new DataView(this.bytes.buffer).setUint32(at, written, true);
    }

    // An element and all that is in it. Elements may be deeper in one another than calls can be.
    tree(root) {
        let node = root;
        for (;;) {
            const { nodeType } = node;
            if (nodeType === nodeTypes.element) {
                this.begin(node);
            } else if (nodeType === nodeTypes.text || nodeType === nodeTypes.section) {
                this.characters(node.nodeValue);
            }
            if (nodeType === nodeTypes.element && node.firstChild !== null) {
                node = node.firstChild;
                continue;
            }
            if (nodeType === nodeTypes.element) {
                this.put([xmlKinds.end]);
            }
            while (node !== root && node.nextSibling === null) {
                node = node.parentNode;
                this.put([xmlKinds.end]);
            }
            if (node === root) {
                return;
            }
            node = node.nextSibling;
        }
    }
}

// The bytes of a file as the module reads them: XML as what a parser found in it, all else as it is. The module has no parser
// of its own; that of a page is `DOMParser`, which workers and Node.js do not have.
export function packXml(data, name = "", Parser = globalThis.DOMParser) {
    const bytes = asBytes(data);
    const encoding = encodingOfXml(bytes);
    if (encoding === null || Parser === undefined) {
        return bytes;
    }
    let text = "";
    try {
        text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
        throw new FureaiError(`this is no text in ${encoding}`, "syntax error", name);
    }
    if (/<!ENTITY\s/.test(text)) {
        throw new FureaiError("entities that a file declares for itself are not read", "unsupported", name);
    }
    const parsed = new Parser().parseFromString(text, "application/xml");
    const wrong = parsed.getElementsByTagName("parsererror")[0];
    if (wrong !== undefined) {
        throw xmlError(wrong, name);
    }
    const pack = new XmlPack();
    if (parsed.doctype !== null && parsed.doctype !== undefined) {
        pack.put([xmlKinds.doctype]);
    }
    pack.tree(parsed.documentElement);
    return pack.bytes.slice(0, pack.size);
}

const asBytes = (data) =>
    data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

// ---------------------------------------------------------------------------------------------------------------
// Spaces

const objectFlags = { isStatic: 1, isSensor: 2, isSelfColliding: 8 };

export class Space extends Handle {
    constructor(memory) {
        super(memory, memory.check(memory.exports.fureai_space_create()), memory.exports.fureai_space_destroy);
        this.isCurrent = false;
    }

    // Adds an object of one mesh, or of parts {mesh, pose}; its number, from 0, names it in every result.
    add(shape, options = {}) {
        const parts = shape instanceof Mesh ? [{ mesh: shape }] : (shape.parts ?? shape);
        const bits = Object.entries(objectFlags).reduce((sum, [name, bit]) => sum + (options[name] ? bit : 0), 0);
        const { memory } = this;
        return this.change(() => {
            const meshes = memory.put(new Uint32Array(parts.map(({ mesh }) => mesh.at)));
            const poses = memory.put(new Float64Array(parts.flatMap(({ pose }) => [...poseNumbers(pose)])));
            const pose = memory.put(poseNumbers(options));
            const pivot = memory.put(new Float64Array(numbersOf(options.pivot ?? [0, 0, 0], 3, "a pivot")));
            const index = memory.exports.fureai_object_add(this.at, meshes, poses, parts.length, pose, pivot, bits) >>> 0;
            return index === none ? memory.fail() : index;
        });
    }

    remove(object) {
        this.change(() => this.memory.check(this.memory.exports.fureai_object_remove(this.at, object)));
    }

    pose(object) {
        return this.memory.during(() => {
            const out = this.memory.take(64);
            this.memory.check(this.memory.exports.fureai_object_pose(this.at, object, out));
            return poseOf(this.memory.doubles(out, 8));
        });
    }

    setPose(object, pose) {
        const { memory } = this;
        this.change(() => memory.check(memory.exports.fureai_object_set_pose(this.at, object, memory.put(poseNumbers(pose)))));
    }

    // Where an object is at the end of the step; it goes there the short way.
    setNext(object, pose) {
        const { memory } = this;
        this.change(() => memory.check(memory.exports.fureai_object_set_next(this.at, object, memory.put(poseNumbers(pose)))));
    }

    // How it goes over the step: a travel, and a turn (axis times angle, in radians, any number of turns) about its pivot.
    setMotion(object, { travel = [0, 0, 0], turn = [0, 0, 0] }) {
        const { memory } = this;
        this.change(() => {
            const from = memory.put(new Float64Array(numbersOf(travel, 3, "a travel")));
            const about = memory.put(new Float64Array(numbersOf(turn, 3, "a turn")));
            memory.check(memory.exports.fureai_object_set_motion(this.at, object, from, about));
        });
    }

    // The step was taken: all objects are where their motions ended.
    commit() {
        this.change(() => this.memory.check(this.memory.exports.fureai_space_commit(this.at)));
    }

    // Colliding faces at rest.
    collide(options = {}) {
        return this.query(0, options);
    }

    // Colliding faces over the step: none is missed between its ends.
    collideStep(options = {}) {
        return this.query(1, options);
    }

    // The three corners of a triangle of an object, in the world.
    corners(object, triangle) {
        const { memory } = this;
        return memory.during(() => {
            const out = memory.take(72);
            memory.check(memory.exports.fureai_object_corners(this.at, object, triangle, out));
            const numbers = memory.doubles(out, 9);
            return [0, 3, 6].map((i) => [...numbers.subarray(i, i + 3)]);
        });
    }

    ray(origin, direction, { limit = Infinity } = {}) {
        const { exports } = this.memory;
        const found = this.ask((ids, numbers) => {
            const from = this.memory.put(new Float64Array(numbersOf(origin, 3, "an origin")));
            const along = this.memory.put(new Float64Array(numbersOf(direction, 3, "a direction")));
            return exports.fureai_ray(this.at, from, along, limit, ids, numbers);
        });
        return found === null ? null : { ...found, point: found.first, normal: found.second, first: undefined, second: undefined };
    }

    closest(point, { limit = Infinity, isSigned = false } = {}) {
        const { exports } = this.memory;
        const found = this.ask((ids, numbers) => {
            const at = this.memory.put(new Float64Array(numbersOf(point, 3, "a point")));
            return exports.fureai_closest(this.at, at, limit, isSigned ? 1 : 0, ids, numbers);
        });
        return found === null ? null : { object: found.object, triangle: found.triangle, distance: found.distance, point: found.first };
    }

    // The distance of two objects; null beyond the limit.
    distance(a, b, { limit = Infinity } = {}) {
        const found = this.ask((ids, numbers) => this.memory.exports.fureai_distance(this.at, a, b, limit, ids, numbers));
        return found === null
            ? null
            : { distance: found.distance, triangleA: found.object, triangleB: found.triangle, onA: found.first, onB: found.second };
    }

    // The aid of a hand that takes an object where it is.
    aid(object, settings = {}) {
        return new Aid(this, object, settings);
    }

    ask(call) {
        const { memory } = this;
        this.update();
        return memory.during(() => {
            const ids = memory.put(new Uint32Array(2));
            const numbers = memory.put(new Float64Array(7));
            memory.check(call(ids, numbers));
            const [object, triangle] = memory.words(ids, 2);
            const values = memory.doubles(numbers, 7);
            return object === none
                ? null
                : { object, triangle, distance: values[0], first: [...values.subarray(1, 4)], second: [...values.subarray(4, 7)] };
        });
    }

    query(isOverStep, { want = "pairs", margin = 0, tolerance = 1e-6, isFirst = false, budget = 0 }) {
        if (wants[want] === undefined) {
            throw new FureaiError(`want must be one of ${Object.keys(wants).join(", ")}`, "invalid argument");
        }
        const { memory } = this;
        const { exports } = memory;
        this.update();
        memory.check(exports.fureai_collide(this.at, isOverStep, wants[want], margin, tolerance, isFirst ? 1 : 0, budget));
        const count = exports.fureai_found_count(this.at);
        const contacts = exports.fureai_found_contacts(this.at);
        const pairs = pairsOf(memory, exports.fureai_found_pairs(this.at), count);
        return {
            count,
            ...pairs,
            contacts: contacts === 0 || count === 0 ? [] : contactsOf(memory.doubles(contacts, contactNumbers * count), count),
            objectPairs: this.objectPairs(),
            freeTime: exports.fureai_found_free_time(this.at),
            isPartial: exports.fureai_found_is_partial(this.at) !== 0,
        };
    }

    objectPairs() {
        const { memory } = this;
        const { exports } = memory;
        return memory.during(() => {
            const out = memory.take(20);
            return Array.from({ length: exports.fureai_found_object_count(this.at) }, (_none, i) => {
                exports.fureai_found_objects(this.at, i, out);
                const [a, b, relation, first, count] = memory.words(out, 5);
                return { a, b, relation: relations[relation], first, count };
            });
        });
    }

    change(work) {
        this.isCurrent = false;
        return this.memory.during(work);
    }

    update() {
        const { at } = this;
        if (!this.isCurrent) {
            this.memory.check(this.memory.exports.fureai_space_update(at));
            this.isCurrent = true;
        }
    }
}

// What a hand holds, and how it is helped: it stops at faces, goes along them and snaps to them. The others are where the
// space has them; what is held is put where it is shown.
export class Aid extends Handle {
    constructor(space, object, { magnet = 1, blend = 0, edges = 0, axes = 0 }) {
        const { memory } = space;
        const settings = new Float64Array(numbersOf([magnet, blend, edges, axes], 4, "the settings of an aid"));
        const at = memory.during(() => memory.check(memory.exports.fureai_aid_create(space.at, memory.put(settings))));
        super(memory, at, memory.exports.fureai_aid_destroy);
        this.space = space;
        this.object = object;
        try {
            this.grasp();
        } catch (error) {
            this.free();
            throw error;
        }
    }

    // Takes the object where it is now; what held it is let go.
    grasp() {
        this.space.update();
        this.memory.check(this.memory.exports.fureai_aid_grasp(this.at, this.object));
    }

    // Where the hand wants it, at a time in seconds that never goes back: where it is shown, and what holds it.
    frame(raw, time) {
        const { memory, space } = this;
        space.update();
        const [heldCount, freedom, blocked] = space.change(() => {
            const out = memory.take(12);
            memory.check(memory.exports.fureai_aid_frame(this.at, memory.put(poseNumbers(raw)), time, out));
            return memory.words(out, 3);
        });
        return { pose: space.pose(this.object), heldCount, freedom, isBlocked: blocked !== 0 };
    }
}

// Records of pairs as columns: arrays of their own, which may be given to a worker.
function pairsOf(memory, at, count) {
    const words = memory.words(at, (count * pairBytes) / 4);
    const times = new Float32Array(words.buffer);
    const column = (Type, from, i) => Type.from({ length: count }, (_none, k) => from[6 * k + i]);
    return {
        a: column(Uint32Array, words, 0),
        b: column(Uint32Array, words, 1),
        triangleA: column(Uint32Array, words, 2),
        triangleB: column(Uint32Array, words, 3),
        time: column(Float32Array, times, 4),
        flags: column(Uint32Array, words, 5),
    };
}

const contactsOf = (numbers, count) =>
    Array.from({ length: count }, (_none, i) => {
        const of = numbers.subarray(contactNumbers * i, contactNumbers * (i + 1));
        return {
            point: [...of.subarray(0, 3)],
            normal: [...of.subarray(3, 6)],
            distance: of[6],
            time: of[7],
            timeSure: Number.isNaN(of[8]) ? null : of[8],
            faceA: of[9],
            faceB: of[10],
        };
    });

// ---------------------------------------------------------------------------------------------------------------
// The module

export class Fureai {
    constructor(exports) {
        this.memory = new Memory(exports);
        this.exports = exports;
    }

    get version() {
        const number = this.exports.fureai_version();
        return [Math.floor(number / 1e6), Math.floor(number / 1000) % 1000, number % 1000].join(".");
    }

    // Bytes of linear memory that are taken.
    get memoryBytes() {
        return this.memory.buffer.byteLength;
    }

    // A mesh of x y z a vertex and three indices a triangle. Float64Array: the positions stay doubles.
    mesh(vertices, triangles, faces = null) {
        const isDouble = vertices instanceof Float64Array;
        const positions = isDouble || vertices instanceof Float32Array ? vertices : new Float32Array(vertices);
        const corners = triangleArray(triangles);
        if (positions.length % 3 !== 0 || corners.length % 3 !== 0) {
            throw new FureaiError("vertices and triangles come in threes", "invalid argument");
        }
        const polygons = faces === null ? null : triangleArray(faces);
        if (polygons !== null && polygons.length !== corners.length / 3) {
            throw new FureaiError("faces must be one number a triangle", "invalid argument");
        }
        const { memory } = this;
        return memory.during(() => {
            const at = this.exports.fureai_mesh_create(
                memory.put(positions),
                isDouble ? 1 : 0,
                positions.length / 3,
                memory.put(corners),
                corners.length / 3,
                polygons === null ? 0 : memory.put(polygons),
            );
            return new Mesh(memory, memory.check(at));
        });
    }

    // A primitive by its name: "sphere_960", "sphere:20x40", "box", "capsule", ...
    named(name) {
        const { memory } = this;
        return memory.during(() => new Mesh(memory, memory.check(this.exports.fureai_mesh_named(memory.putText(name)))));
    }

    // Reads the bytes of a model file. `files` has the files that it refers to, by their names (a Map or an object).
    async read(data, { name = "", files = {}, unit = 0, mayGuess = false } = {}) {
        const bytes = packXml(await unpacked(asBytes(data)), name);
        const beside = [];
        for (const [path, content] of files instanceof Map ? files : Object.entries(files)) {
            beside.push([path, packXml(await unpacked(asBytes(content)), path)]);
        }
        return this.memory.during(() => this.readNow(bytes, name, beside, unit, mayGuess));
    }

    readNow(bytes, name, beside, unit, mayGuess) {
        const { memory, exports } = this;
        exports.fureai_files_clear();
        for (const [path, content] of beside) {
            memory.check(exports.fureai_files_add(memory.putText(path), memory.put(content), content.length));
        }
        const text = name === "" ? 0 : memory.putText(name);
        const at = exports.fureai_model_read(memory.put(bytes), bytes.length, text, mayGuess ? 1 : 0, unit);
        exports.fureai_files_clear();
        memory.check(at);
        const pose = memory.take(64);
        const parts = Array.from({ length: exports.fureai_model_count(at) }, (_none, i) => ({
            mesh: new Mesh(memory, exports.fureai_model_part(at, i, pose)),
            pose: poseOf(memory.doubles(pose, 8)),
            name: memory.getText(exports.fureai_model_part_name(at, i)),
        }));
        const warnings = Array.from({ length: exports.fureai_model_warning_count(at) }, (_none, i) => ({
            line: exports.fureai_model_warning_line(at, i),
            message: memory.getText(exports.fureai_model_warning(at, i)),
        }));
        const format = memory.getText(exports.fureai_model_format(at));
        exports.fureai_model_destroy(at);
        return new Model(format, parts, warnings);
    }

    space() {
        return new Space(this.memory);
    }

    // Which parts {mesh, pose, name} meet, or are up to `clearance` apart: how, how deep, how far, and the lines where
    // their surfaces meet. Rules {kind, a, b, clearance} choose pairs by patterns of the names.
    clash(parts, { tolerance = 0, clearance = 0, rules = [] } = {}) {
        const { memory, exports } = this;
        const list = Array.from(parts, (part) => (part instanceof Mesh ? { mesh: part } : part));
        const hasNames = list.some(({ name }) => name !== undefined);
        const texts = (values, what) => memory.put(new Uint32Array(values.map((text) => memory.putText(textOf(text, what)))));
        const at = memory.during(() => {
            const meshes = memory.put(new Uint32Array(list.map(({ mesh }) => mesh.at)));
            const poses = memory.put(new Float64Array(list.flatMap(({ pose }) => [...poseNumbers(pose)])));
            const names = hasNames ? texts(list.map(({ name }) => name ?? ""), "a name") : 0;
            const kinds = texts(rules.map(({ kind }) => kind), "the kind of a rule");
            const patterns = texts(rules.flatMap(({ a, b }) => [a, b]), "a pattern of a rule");
            const apart = memory.put(new Float64Array(rules.map((rule) => rule.clearance ?? 0)));
            const { length } = rules;
            return memory.check(
                exports.fureai_clash(meshes, poses, names, list.length, kinds, patterns, apart, length, tolerance, clearance),
            );
        });
        try {
            return memory.during(() => this.clashes(at));
        } finally {
            exports.fureai_clash_destroy(at);
        }
    }

    clashes(at) {
        const { memory, exports } = this;
        const out = memory.take(32);
        const lengths = memory.take(16);
        const known = (number) => (Number.isNaN(number) ? null : number);
        return Array.from({ length: exports.fureai_clash_count(at) }, (_none, i) => {
            exports.fureai_clash_get(at, i, out, lengths);
            const [a, b, kind, sharedCount, first, count, lineCount, group] = memory.words(out, 8);
            const [depth, distance] = memory.doubles(lengths, 2);
            const lines = Array.from({ length: lineCount }, (_line, k) => {
                const points = exports.fureai_clash_line(at, i, k, out);
                const [size] = memory.words(out, 1);
                return memory.doubles(points, 3 * size);
            });
            const pairs = pairsOf(memory, exports.fureai_clash_pairs(at) + pairBytes * first, count);
            const name = memory.getText(exports.fureai_clash_kind_name(kind));
            return { a, b, kind: name, sharedCount, depth: known(depth), distance: known(distance), group, lines, pairs };
        });
    }
}
