// Fureai in WebAssembly: exact collision among triangle meshes, in browsers and in Node.js.
//
// What comes in is copied into the linear memory of the module, what goes out is copied out of it: an array of a result
// is an ordinary one, which no later call changes. Meshes, models and spaces hold memory of the module until `free()`.

export type Numbers = ArrayLike<number>;
export type Point = number[];

export interface Pose {
    position?: Numbers; // metres
    rotation?: Numbers; // unit quaternion w, x, y, z
    scale?: number; // > 0
}

export interface FullPose {
    position: Point;
    rotation: number[];
    scale: number;
}

// What is wrong with an input or a file; the message begins with the place.
export class FureaiError extends Error {
    readonly status: string; // "syntax error", "invalid argument", ...
    readonly reason: string; // the message without the place
    readonly path: string;
    readonly line: number; // from 1; 0: none
    readonly column: number;
}

export class Mesh {
    readonly vertexCount: number;
    readonly triangleCount: number;
    readonly vertices: Float32Array | Float64Array; // a copy
    readonly triangles: Uint32Array; // a copy
    readonly volume: number; // > 0 where faces look outwards; of closed meshes
    readonly bounds: { min: Point; max: Point };
    face(triangle: number): number; // the polygon of the file, from 0
    free(): void;
}

export interface Part {
    mesh: Mesh;
    pose?: Pose;
    name?: string;
}

export class Model {
    readonly format: string;
    readonly parts: (Part & { pose: FullPose; name: string })[];
    readonly warnings: { line: number; message: string }[];
    free(): void; // all parts
}

export interface ObjectOptions extends Pose {
    pivot?: Numbers; // what it turns about, in its own frame
    isStatic?: boolean; // seldom moves; two static ones are not compared
    isSensor?: boolean;
    isSelfColliding?: boolean;
}

export interface QueryOptions {
    want?: "pairs" | "times" | "contacts"; // default "pairs"
    margin?: number; // metres: also what is this near
    tolerance?: number; // metres, over a step; default 1e-6
    isFirst?: boolean; // over a step: the first contacts of each pair of objects alone
    budget?: number; // max pairs of triangles to test; 0, the default: no limit
}

// Pairs of triangles as columns, sorted by objects, then triangles.
export interface Pairs {
    a: Uint32Array; // numbers of objects, or of parts of a clash; a < b
    b: Uint32Array;
    triangleA: Uint32Array;
    triangleB: Uint32Array;
    time: Float32Array; // 0 .. 1 of the step, never late; 0 at rest
    flags: Uint32Array; // of `flags`
}

export interface Contact {
    point: Point;
    normal: Point; // unit, from a to b
    distance: number; // > 0 apart, < 0 overlap
    time: number;
    timeSure: number | null; // by when contact is proven; null: it is not
    faceA: number;
    faceB: number;
}

export interface ObjectPair {
    a: number;
    b: number;
    relation: "near" | "touching" | "crossing" | "a inside b" | "b inside a";
    first: number; // its pairs are first .. first + count
    count: number;
}

export interface Collision extends Pairs {
    count: number;
    contacts: Contact[]; // one a pair where wanted, else none
    objectPairs: ObjectPair[];
    freeTime: number; // over a step: nothing comes together before this
    isPartial: boolean; // the budget ended it
}

export interface Hit {
    object: number;
    triangle: number;
    distance: number; // in lengths of the direction
    point: Point;
    normal: Point;
}

export interface Closest {
    object: number;
    triangle: number;
    distance: number; // negative inside, in a signed query
    point: Point;
}

export interface Distance {
    distance: number;
    triangleA: number;
    triangleB: number;
    onA: Point;
    onB: Point;
}

export class Space {
    add(shape: Mesh | Model | Part[], options?: ObjectOptions): number;
    remove(object: number): void;
    pose(object: number): FullPose;
    setPose(object: number, pose: Pose): void;
    setNext(object: number, pose: Pose): void;
    setMotion(object: number, motion: { travel?: Numbers; turn?: Numbers }): void;
    commit(): void;
    collide(options?: QueryOptions): Collision;
    collideStep(options?: QueryOptions): Collision;
    corners(object: number, triangle: number): Point[];
    ray(origin: Numbers, direction: Numbers, options?: { limit?: number }): Hit | null;
    closest(point: Numbers, options?: { limit?: number; isSigned?: boolean }): Closest | null;
    distance(a: number, b: number, options?: { limit?: number }): Distance | null;
    aid(object: number, settings?: AidSettings): Aid; // of a hand that takes the object where it is
    free(): void;
}

// How a hand is helped to place what it holds.
export interface AidSettings {
    magnet?: number; // how strong all of it is; 0: nothing holds, and contact still stops; default 1
    blend?: number; // seconds in which what came off goes over to where the hand wants it; default 0: it jumps
    edges?: number; // metres: edges and corners of held faces snap this near; default 0: they do not
    axes?: number; // metres: pegs and holes snap this near; default 0: they do not
}

export interface AidFrame {
    pose: FullPose; // where it is shown; the space has it there
    heldCount: number; // faces, edges, corners and axes that hold it
    freedom: number; // degrees that are left: 6, 3, 2, 1, 0
    isBlocked: boolean; // something that does not hold it is in the way
}

// One hand and what it holds. Free it before its space.
export class Aid {
    readonly object: number;
    grasp(): void; // takes the object again where it is now
    frame(raw: Pose, time: number): AidFrame; // time in seconds, which never goes back
    free(): void;
}

export interface Clash {
    a: number;
    b: number;
    kind: "touching" | "protrusion" | "piercing" | "enclosed" | "duplicate" | "clearance";
    sharedCount: number; // pairs of triangles that share a point
    depth: number | null; // metres; null: no vertex of one is inside the other
    distance: number | null; // metres between the surfaces, 0 where they meet; null: one encloses the other
    group: number; // of like clashes
    lines: Float64Array[]; // where their surfaces meet: x y z a point
    pairs: Pairs;
}

// What is done with pairs of parts, by patterns of their two names in either order: `*` is any text, `?` one byte.
export type ClashRule =
    | { kind: "ignore" | "only"; a: string; b: string } // not compared; compared alone
    | { kind: "clearance"; a: string; b: string; clearance: number }; // metres that they shall be apart

export class Fureai {
    readonly version: string;
    readonly memoryBytes: number; // of the module's linear memory, which only grows
    mesh(vertices: Numbers, triangles: Numbers, faces?: Numbers | null): Mesh;
    named(name: string): Mesh;
    read(
        data: ArrayBuffer | ArrayBufferView,
        options?: {
            name?: string; // of the file, for its ending and for messages
            files?: Map<string, ArrayBuffer | ArrayBufferView> | Record<string, ArrayBuffer | ArrayBufferView>;
            unit?: number; // metres a unit; 0, the default: what the file says, else 1
            mayGuess?: boolean; // of files that say no unit: millimetres where they are large
        },
    ): Promise<Model>;
    space(): Space;
    clash(
        parts: Iterable<Mesh | Part>,
        options?: {
            tolerance?: number; // metres: up to so far apart, or so deep, parts touch
            clearance?: number; // metres: parts up to so far apart are reported
            rules?: ClashRule[]; // at most 64
        },
    ): Clash[];
}

export const flags: Readonly<Record<"near" | "capped" | "coplanar" | "touching" | "start" | "sensor" | "real" | "self", number>>;

// A file as the module reads it: XML as what a parser found in it, all else as it is. `read` does it by itself where there is a
// `DOMParser`, that is in pages; for a worker the page does it.
export function packXml(
    data: ArrayBuffer | ArrayBufferView,
    name?: string, // of the file, for messages
    Parser?: new () => { parseFromString(text: string, type: "application/xml"): Document },
): Uint8Array;

// Loads the module: from beside this file, from an address, from its bytes, or one that was compiled.
export function load(source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Fureai>;
