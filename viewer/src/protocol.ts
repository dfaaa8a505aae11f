// Made by tools/protocol_text from include/fureai/protocol_messages.h, where messages are described; not edited by hand.
import { ProtocolError, Reader, Writer } from "./wire";

export { ProtocolError };

export const PROTOCOL_VERSION = 6;
export const PROTOCOL_NAME = "fureai-6";

export const MessageNumber = {
    hello: 1,
    wants: 2,
    grab: 3,
    move: 4,
    drop: 5,
    play: 6,
    resume: 7,
    setState: 8,
    open: 9,
    ping: 10,
    undo: 11,
    near: 12,
    command: 13,
    affords: 14,
    update: 15,
    add: 16,
    keep: 19,
    pull: 20,
    posture: 21,
    stand: 22,
    people: 23,
    remove: 24,
    stock: 25,
    seek: 26,
    speed: 27,
    key: 28,
    removeState: 29,
    noteClash: 30,
    welcome: 32,
    reset: 33,
    gallery: 34,
    mesh: 35,
    meshVertices: 36,
    meshTriangles: 37,
    meshFaces: 38,
    object: 39,
    gone: 40,
    vertices: 41,
    state: 42,
    pairs: 43,
    contacts: 44,
    events: 45,
    stats: 46,
    lease: 47,
    draw: 48,
    reply: 49,
    error: 50,
    pong: 51,
    faceTouches: 52,
    sound: 53,
    meshLook: 54,
    material: 55,
    picture: 56,
    soundPlace: 57,
    meshBones: 58,
    meshWeights: 59,
    bones: 60,
    affordances: 61,
    ended: 62,
    refused: 63,
    models: 66,
    stockList: 67,
    peopleList: 68,
    postureFile: 69,
    view: 70,
    record: 71,
    recordTouches: 72,
    role: 73,
    clashes: 74,
    clashNote: 75,
    service: 76,
    aid: 77,
    moved: 78,
} as const;

export const Wants = {
    poses: 1,
    pairs: 2,
    contacts: 4,
    events: 8,
    stats: 16,
    draw: 32,
    faceTouches: 64,
    moves: 128,
} as const;

export const TouchPhase = {
    began: 1,
    ended: 2,
    point: 4,
} as const;

export const LookFlags = {
    materials: 1,
    uvs: 2,
    colors: 4,
    normals: 8,
} as const;

export const MaterialFlags = {
    unlit: 1,
} as const;

export const PictureFlags = {
    repeatsU: 1,
    repeatsV: 2,
} as const;

export const SoundFlags = {
    loop: 1,
    spatial: 2,
} as const;

export const PlayMode = {
    pause: 0,
    play: 1,
    step: 2,
    restart: 3,
} as const;

export const StateFlags = {
    paused: 1,
    partial: 2,
    complete: 4,
} as const;

export const ObjectFlags = {
    static: 1,
    sensor: 2,
    real: 4,
    self: 8,
    ghost: 16,
    proxy: 32,
} as const;

export const PairFlags = {
    near: 1,
    capped: 2,
    coplanar: 4,
    touching: 8,
    start: 16,
    sensor: 32,
    real: 64,
    self: 128,
} as const;

export const Hold = {
    free: 0,
    held: 1,
    placed: 2,
} as const;

export const EventKind = {
    added: 0,
    removed: 1,
    touchBegin: 2,
    touchEnd: 3,
    limit: 4,
    state: 5,
    held: 6,
    released: 7,
    corrected: 8,
    contact: 9,
    snap: 10,
    slide: 11,
    pull: 12,
    loose: 13,
    done: 14,
    fitted: 15,
    force: 16,
    named: 17,
} as const;

// names an object
export interface WireRef {
    index1: number; // 1 + the index of its place; 0: none
    generation: number; // how often the place was used before
}

// a point or a direction
export interface WireVec3 {
    x: number; // metres
    y: number; // metres, up
    z: number; // metres
}

// a unit quaternion
export interface WireQuat {
    w: number; // the real part
    x: number;
    y: number;
    z: number;
}

// where a thing is
export interface WirePose {
    rotation: WireQuat; // of length 0.99 .. 1.01
    position: WireVec3; // up to 2^300
    scale: number; // 2^-100 .. 2^100
}

// a colour
export interface WireColor {
    r: number; // red, sRGB
    g: number; // green
    b: number; // blue
    a: number; // alpha, straight
}

// a scene of the gallery
export interface WireDemo {
    name: string; // what it is opened by
    title: string; // for people
    about: string; // what there is to see
    hint: string; // what to try with it; may be empty
    picture: string; // address of a picture of it, relative to the page; empty: there is none
}

// a model that came from a file
export interface WireModel {
    number: number; // GET /models/NUMBER.glb, .stl or .obj gives it
    name: string; // of its object
    about: string; // how it was read
}

// a touch of a record begins or ends
export interface WireRecordTouch {
    id: number; // the same at its begin and end
    isEnd: number; // 0 it begins, 1 it ends
    at: number; // ticks of the record, with the fraction of the step
    a: string; // name of an object
    b: string; // name of the other
}

// two parts that meet, and what was decided about them
export interface WireClash {
    a: WireRef; // a part
    b: WireRef; // the other
    nameA: string; // of part a, whole: that of its object may be cut
    nameB: string; // of part b
    kind: number; // 0 touching, 1 protrusion, 2 piercing, 3 enclosed, 4 duplicate, 5 clearance
    depth: number; // metres; below 0: not known
    pairs: number; // pairs of triangles that share a point
    min: WireVec3; // low corner of the box about where the parts meet, in the world
    max: WireVec3; // high corner
    verdict: number; // 0 open, 1 accepted, 2 ignored
    note: string; // why, for people; may be empty
}

// a part of an object
export interface WirePart {
    mesh: number; // number of its mesh
    pose: WirePose; // of the part in the object
}

// where an object is
export interface WireBody {
    object: WireRef;
    hold: number; // 0 free, 1 held, 2 placed by a person and let go
    pose: WirePose; // in the world
}

// Where the fields of a pair are in an array of them: two faces that collide.
export const WirePair = {
    a: 0, // index1 of an object
    b: 1, // index1 of another, or of the same one
    triangleA: 2, // in object a, counted over its parts
    triangleB: 3, // in object b
    flags: 4, // 1 near, 4 coplanar, 8 touching, 16 start, 32 sensor, 64 real, 128 self
    size: 5,
} as const;

// where they do
export interface WireContact {
    a: number; // index1 of an object
    b: number; // index1 of another, or of the same one
    point: WireVec3; // in the world
    normalX: number; // unit, from a to b; zero where it is not defined
    normalY: number;
    normalZ: number;
    distance: number; // metres, > 0 apart, < 0 overlap; 0 where it is not known
    flags: number; // as of a pair
}

// what happened
export interface WireEvent {
    kind: number; // added, removed, touch begin, touch end, limit, state, held, released, corrected; of handling: contact, snap, slide, pull, loose, done, fitted, force; of an actor: named
    a: WireRef;
    b: WireRef; // zero where there is one object
    id: number; // of a touch: the same at its begin and end; else 0
    tick: number; // ticks taken when it was reported
    time: number; // seconds
    value: number; // of a state or limit; metres when corrected; newtons of a force; freedoms after a snap; else 0
    second: number; // the second number of a named event; of a state 1: it was removed; else 0
    name: string; // of the state or of the named event, else empty
    speed: number; // of handling: metres a second, of the approach or of sliding; as all below, else 0
    area: number; // square metres that the faces share
    pull: number; // 0 .. 1: at 1 it comes off
    count: number; // faces held after it
    point: WireVec3; // where it happened, in the world
}

// from when to when two faces are in contact
export interface WireFaceTouch {
    a: number; // index1 of an object
    b: number; // index1 of another, or of the same one
    triangleA: number; // in object a, counted over its parts
    triangleB: number; // in object b
    flags: number; // as of a pair; 0 where it is none of this tick
    phase: number; // 1 began in this tick, 2 ended in it, 4 a point is given
    id: number; // the same at its begin and end, never used again
    begin: number; // seconds; perhaps many ticks ago
    end: number; // seconds; the time of the state where it lasts
    point: WireVec3; // in the world, where they first met in this tick; else zero
}

// a further field of a motion
export interface WireParameter {
    key: string;
    value: string;
}

// what a person is to do
export interface WireMotion {
    name: string; // of the motion, one that the object affords
    object: WireRef; // with which it is done; zero: none, or the one nearest to the point that affords it
    given: number; // 1 point, 2 goal, 4 facing
    point: WireVec3; // near the object
    goal: WireVec3; // where the motion ends
    facing: number; // direction at the end: radians about +y from +z
    frames: number; // of the motion; 0: as long as is natural
    start: number; // frames after the beginning of the list
    parameters: WireParameter[]; // further fields; at most 32
}

// a field that a motion asks for
export interface WirePrompt {
    name: string; // goal, facing, frames, or the key of a parameter
    isNeeded: number; // 1: a command without it is refused
}

// something that can be done with an object
export interface WireAffordance {
    name: string; // of the motion
    about: string; // one sentence for people; may be empty
    fields: WirePrompt[]; // that it asks for
}

// where an object is to be
export interface WirePlace {
    object: WireRef;
    pose: WirePose; // in the world; its scale is not read
}

// an object that was refused
export interface WireRefusal {
    object: WireRef;
    status: number; // a number of fr_status
    message: string; // why, for people
}

// a class of which objects can be added
export interface WireStockClass {
    name: string; // what it is added by
    title: string; // for people; may be empty
    motions: string; // that it affords, with commas between
}

// a person who carries out commands
export interface WirePerson {
    name: string; // by which commands name the person
    object: WireRef; // that is shown; zero: none
    motion: string; // that is done now; empty: none
    doing: number; // request of the receiver's command that is done now; 0: none of the receiver's
    waiting: number; // commands that come after it
    head: WireVec3; // where the head is
    right: WireVec3; // where the right palm is
    left: WireVec3; // where the left palm is
}

// segments of one colour
export interface WireLines {
    color: WireColor;
    width: number; // pixels
    points: Float64Array; // two points a segment, in the world
}

// triangles of one colour
export interface WireTriangles {
    color: WireColor;
    points: Float64Array; // three points a triangle, seen from both sides
}

// dots of one colour
export interface WirePoints {
    color: WireColor;
    size: number; // pixels
    points: Float64Array; // one point a dot
}

// the edges of a box
export interface WireBox {
    color: WireColor;
    min: WireVec3; // low corner in the frame of the pose
    max: WireVec3; // high corner
    pose: WirePose; // in the world
}

// a text that faces the eye
export interface WireLabel {
    color: WireColor;
    size: number; // height of a capital letter in pixels, about
    point: WireVec3; // its lower left corner
    text: string;
}

// a picture on a parallelogram
export interface WireImage {
    id: string; // the same for an image that only changes
    width: number; // pixels
    height: number; // pixels
    rgba: Uint8Array; // width * height pixels, the top row first
    corner: WireVec3; // lower left corner in the world
    right: WireVec3; // from it to the lower right one
    up: WireVec3; // from it to the upper left one
}

// colour of some faces of an object
export interface WireFaceColors {
    object: number; // index1
    color: WireColor;
    triangles: Uint32Array; // in the object
}

// the first message of a client
export interface HelloMessage {
    type: "hello";
    version: number; // of the protocol; first in every version
    wants: number; // 1 poses (always), 2 pairs, 4 contacts, 8 events, 16 stats, 32 draw, 64 face touches, 128 moves
    name: string; // of the person, for others to read
}

// what the client wants to be sent from now on
export interface WantsMessage {
    type: "wants";
    wants: number; // as in hello
}

// asks for the lease of an object
export interface GrabMessage {
    type: "grab";
    request: number; // chosen by the client, given back in reply
    object: WireRef;
}

// moves a leased object; gets no reply
export interface MoveMessage {
    type: "move";
    object: WireRef; // whose lease the sender owns
    sequence: number; // one more each time; the newest counts
    raw: WirePose; // where the hand wants it
}

// gives a lease back
export interface DropMessage {
    type: "drop";
    request: number; // chosen by the client, given back in reply
    object: WireRef;
}

// lets time stand or go
export interface PlayMessage {
    type: "play";
    request: number;
    mode: number; // 0 pause, 1 play, 2 one step, 3 restart at time 0
}

// gives an object back to what moves it by itself
export interface ResumeMessage {
    type: "resume";
    request: number;
    object: WireRef; // to go on by itself; zero: all
}

// sets a state of an object
export interface SetStateMessage {
    type: "setState";
    request: number;
    object: WireRef;
    name: string; // of the state
    value: number;
}

// opens another scene, for every client
export interface OpenMessage {
    type: "open";
    request: number;
    name: string; // of a scene of the gallery
}

// asks for a pong
export interface PingMessage {
    type: "ping";
    token: bigint; // given back in pong
}

// takes back where an object was put, or puts it there again
export interface UndoMessage {
    type: "undo";
    request: number;
    again: number; // 0 undoes the last placement, 1 redoes what was undone last
}

// asks for fewer states of what is far; gets no reply
export interface NearMessage {
    type: "near";
    point: WireVec3; // where the client looks from, in the world
    distance: number; // metres from it within which objects come with every state; 0, the default: all do
}

// has a person do something
export interface CommandMessage {
    type: "command";
    request: number; // comes back in the reply, and in ended
    person: string; // name of the person who is to do it; empty: any
    motions: WireMotion[]; // 1 .. 16 that are done at the same time (fused)
}

// asks what can be done with an object
export interface AffordsMessage {
    type: "affords";
    request: number;
    object: WireRef;
}

// moves a body and its objects; gets a refused or no reply
export interface UpdateMessage {
    type: "update";
    sequence: number; // one more each time; comes back in refused
    body: WireRef; // that the sender moves; zero: the objects alone
    pose: WirePose; // of the body, in the world; its scale is not read
    bones: WirePose[]; // all of the body, in its frame; none: they stay. At most 1,024
    objects: WirePlace[]; // that the sender moves with the body; at most 64
}

// adds an object of a class
export interface AddMessage {
    type: "add";
    request: number;
    className: string; // of the object
    name: string; // of this one; no other object has it
    pose: WirePose; // in the world
}

// stores the models that came from files as a scene file
export interface KeepMessage {
    type: "keep";
    request: number;
    name: string; // of the scene file, without folder and ending
}

// bends a person who does nothing else: a palm or the head goes to a point
export interface PullMessage {
    type: "pull";
    request: number;
    person: string; // name of one who does nothing else
    part: number; // 0 head, 1 right palm, 2 left palm
    point: WireVec3; // where it is to be; it comes as near as the joints let it
}

// asks for the posture of a person as a file
export interface PostureMessage {
    type: "posture";
    request: number;
    person: string;
}

// adds an object of a class that stands on a point
export interface StandMessage {
    type: "stand";
    request: number;
    className: string; // of the object
    name: string; // of this one; no other object has it
    point: WireVec3; // of the floor: the lowest point of the object is at its height
    facing: number; // radians about +y: which direction its +z has
}

// asks who carries out commands, and what they do
export interface PeopleMessage {
    type: "people";
    request: number;
}

// removes an object that was added
export interface RemoveMessage {
    type: "remove";
    request: number; // chosen by the client, given back in reply
    object: WireRef;
}

// asks of which classes objects can be added
export interface StockMessage {
    type: "stock";
    request: number;
    wanted: string; // names, titles or motions that hold this text, in any case; empty: all
}

// shows another tick of a record, for every client
export interface SeekMessage {
    type: "seek";
    request: number;
    tick: number; // of the record; beyond the last: the last
}

// plays a record faster or slower, for every client
export interface SpeedMessage {
    type: "speed";
    request: number;
    speed: number; // seconds of the record a second, 0.01 .. 100
}

// shows a token, right behind hello
export interface KeyMessage {
    type: "key";
    token: string; // that people were given for this server; empty: none
}

// removes a state of an object
export interface RemoveStateMessage {
    type: "removeState";
    request: number;
    object: WireRef;
    name: string; // of the state
}

// decides about a clash, for every client
export interface NoteClashMessage {
    type: "noteClash";
    request: number;
    clash: number; // number of the clash, from 0, in the order of the list
    verdict: number; // 0 open, 1 accepted, 2 ignored
    note: string; // why; at most 2,000 bytes without control characters
}

// the reply to hello
export interface WelcomeMessage {
    type: "welcome";
    version: number; // of the protocol; first in every version
    client: number; // the receiver's number, from 1
    step: number; // seconds a tick
    server: string; // its name and version
    scene: string; // title
    maxMessageBytes: number; // that the server takes in one frame
}

// a new scene: forget meshes, objects, state and layers
export interface ResetMessage {
    type: "reset";
    step: number; // seconds a tick
    scene: string; // title of the new one
}

// the scenes to choose from
export interface GalleryMessage {
    type: "gallery";
    demos: WireDemo[];
    current: string; // name of the one that is open
}

// begins a mesh; it is whole when all its counts came
export interface MeshMessage {
    type: "mesh";
    mesh: number; // the server's number for it, from 1
    vertexCount: number;
    triangleCount: number;
    faceCount: number; // polygons of the file; 0: each triangle is its own, no mesh_faces follow
    material: number; // of triangles without one of their own; 0: the object's colour
    look: number; // what mesh_look holds for all triangles: 1 materials, 2 uvs, 4 colours, 8 normals; 0: none
    boneCount: number; // of its skin; 0: it has none, no mesh_bones and mesh_weights follow
    influenceCount: number; // bones that a vertex follows, 0 .. 8
    blend: number; // of these: 0 linear, 1 dual quaternions
}

// a piece of a mesh
export interface MeshVerticesMessage {
    type: "meshVertices";
    mesh: number;
    first: number; // vertex; no more than were sent before
    xyz: Float32Array; // three a vertex
}

// a piece of a mesh
export interface MeshTrianglesMessage {
    type: "meshTriangles";
    mesh: number;
    first: number; // triangle; no more than were sent before
    corners: Uint32Array; // three vertices a triangle
}

// a piece of a mesh
export interface MeshFacesMessage {
    type: "meshFaces";
    mesh: number;
    first: number; // triangle; no more than were sent before
    faces: Uint32Array; // the polygon of each triangle
}

// an object that was added, or was there before the client
export interface ObjectMessage {
    type: "object";
    object: WireRef;
    name: string; // empty where it has none
    color: WireColor;
    flags: number; // 1 static, 2 sensor, 4 real, 8 self, 16 ghost: never touched, 32 proxy: never shown
    isPlain: number; // 1: shown in its colour alone, whatever its meshes look like
    parts: WirePart[]; // their triangles and vertices count one after another
    pose: WirePose; // in the world
}

// an object was removed
export interface GoneMessage {
    type: "gone";
    object: WireRef;
}

// a piece of the vertices of a deformed object
export interface VerticesMessage {
    type: "vertices";
    object: WireRef;
    first: number; // vertex of the object; no more than were sent before
    xyz: Float32Array; // three a vertex, in the frame of its part
}

// where objects are
export interface StateMessage {
    type: "state";
    sequence: number; // of the snapshot; never goes back but by reset
    since: number; // the snapshot whose changes are listed; 0 when complete
    tick: number;
    time: number; // seconds
    flags: number; // 1 paused, 2 partial sensing, 4 complete: objects that are not listed are gone
    bodies: WireBody[]; // sorted by index1
}

// which faces collide
export interface PairsMessage {
    type: "pairs";
    sequence: number; // of the snapshot
    total: number; // pairs there are; more than are listed when they are too many
    pairs: Uint32Array; // pair of them: all of the snapshot, sorted; at most 65,536
}

// where they do
export interface ContactsMessage {
    type: "contacts";
    sequence: number; // of the snapshot
    total: number; // contacts there are
    contacts: WireContact[]; // at most 4,096, spread evenly over all
}

// what happened
export interface EventsMessage {
    type: "events";
    events: WireEvent[]; // in order
}

// what the tick took
export interface StatsMessage {
    type: "stats";
    sequence: number; // of the snapshot
    msMovers: number; // milliseconds of the stages of the tick
    msCorrectors: number;
    msJoints: number;
    msUpdate: number;
    msCollide: number;
    msEvents: number;
    msSnapshot: number;
    msTotal: number;
    msEncode: number; // making messages of the tick before
    clients: number; // connected
    objectPairs: number; // pairs of parts whose boxes overlap
    candidates: number; // pairs of triangles listed
    tested: number; // pairs given to the exact test
    dropped: number; // states the receiver was too slow for
}

// the client that handles an object
export interface LeaseMessage {
    type: "lease";
    object: WireRef;
    client: number; // its owner; 0: none
    name: string; // of the owner
}

// a layer drawn over the world
export interface DrawMessage {
    type: "draw";
    layer: number; // number; what it held before is replaced
    name: string; // for people; a layer without items is removed
    object: WireRef; // whose frame all places are in, so that the layer goes with it; zero: the world
    lines: WireLines[];
    triangles: WireTriangles[];
    points: WirePoints[];
    boxes: WireBox[];
    labels: WireLabel[];
    images: WireImage[];
    faceColors: WireFaceColors[];
}

// the reply to a request
export interface ReplyMessage {
    type: "reply";
    request: number; // the request that it replies to
    status: number; // 0 done, else what is wrong, a number of fr_status
    message: string; // what is wrong, for people
}

// the last message before the server closes
export interface ErrorMessage {
    type: "error";
    status: number; // a number of fr_status
    message: string; // for people; the connection is closed after it
}

// the reply to ping
export interface PongMessage {
    type: "pong";
    token: bigint; // of the ping
}

// when contacts of faces began and ended
export interface FaceTouchesMessage {
    type: "faceTouches";
    sequence: number; // of the snapshot
    total: number; // that began or ended in the tick
    faceTouches: WireFaceTouch[]; // of these at most 4,096, spread evenly over all, sorted by places
}

// something that is heard from an object
export interface SoundMessage {
    type: "sound";
    object: WireRef; // it is heard from; it ends with the object
    point: WireVec3; // where it is, in the object
    intensity: number; // 0 .. 1
    near: number; // metres: full loudness within
    far: number; // metres: silence beyond
    pitch: number; // how fast it is played; 1: as it was recorded
    start: number; // seconds of the world
    stop: number; // seconds; not above start: it is played to its end, or for ever
    flags: number; // 1 again and again, 2 from its place, else everywhere alike
    file: Uint8Array; // a sound file, such as WAV; at most 2^22 bytes
}

// a piece of how a mesh looks
export interface MeshLookMessage {
    type: "meshLook";
    mesh: number;
    first: number; // triangle; no more than were sent before
    materials: Uint32Array; // of each triangle; 0: the mesh's
    uvs: Float32Array; // u to the right and v up at each corner, 0 .. 1 over a picture
    rgba: Uint8Array; // colour of each corner, in place of the material's
    normals: Uint32Array; // at each corner, on an octahedron: u, v as 16 bits; 0x80008000: none
}

// what surfaces look like
export interface MaterialMessage {
    type: "material";
    material: number; // the server's number for it, from 1
    color: WireColor; // with how opaque it is; a picture is multiplied with it
    glow: WireColor; // light that it gives by itself; its alpha is not looked at
    flags: number; // 1 unlit: shown in its colour, without light
    picture: number; // number of its picture; 0: none
}

// a picture on surfaces
export interface PictureMessage {
    type: "picture";
    picture: number; // the server's number for it, from 1
    width: number; // pixels; 0: the bytes are a file
    height: number; // pixels
    flags: number; // beyond 0 .. 1 it repeats: 1 along u, 2 along v
    bytes: Uint8Array; // a picture file, or width * height pixels rgba, the top row first; at most 2^22
}

// where a sound of a model that moves is
export interface SoundPlaceMessage {
    type: "soundPlace";
    object: WireRef;
    sound: number; // which of the sounds of the object, from 0
    point: WireVec3; // where it is now, in the object
}

// a piece of the skeleton of a mesh
export interface MeshBonesMessage {
    type: "meshBones";
    mesh: number;
    first: number; // bone; no more than were sent before
    parents: Uint32Array; // of each bone; 2^32 - 1: none
    inverseBinds: Float32Array; // of each bone, 3 rows of 4: from the mesh's frame to the bone's
}

// a piece of the skin of a mesh
export interface MeshWeightsMessage {
    type: "meshWeights";
    mesh: number;
    first: number; // influence; no more than were sent before. A vertex has influence_count, one after another
    bones: Uint32Array; // of each influence
    weights: Float32Array; // of each; those of a vertex sum to 1
}

// where the bones of bodies are
export interface BonesMessage {
    type: "bones";
    sequence: number; // of the snapshot, whose state came before
    data: Uint8Array; // bodies in the order of index1: see below
}

// the reply to affords
export interface AffordancesMessage {
    type: "affordances";
    request: number;
    object: WireRef;
    affordances: WireAffordance[]; // what can be done with it now; at most 256
}

// a command that was accepted is over
export interface EndedMessage {
    type: "ended";
    request: number; // the command that ended
    status: number; // 0 done, else a number of fr_status
    message: string; // why it ended, for people; empty where it was done
}

// objects of an update that another has, or that cannot be moved
export interface RefusedMessage {
    type: "refused";
    sequence: number; // of the update
    refusals: WireRefusal[]; // those objects alone; the body among them: all of the update
}

// the models of the scene that came from files
export interface ModelsMessage {
    type: "models";
    may: number; // 1 files may be sent (POST /models), 2 the models may be kept as a scene file
    maxBytes: number; // of the files of one request
    models: WireModel[]; // of the scene that came from files
}

// the reply to stock
export interface StockListMessage {
    type: "stockList";
    request: number;
    total: number; // classes that were found; more than are listed when they are too many
    classes: WireStockClass[]; // by their names; at most 256
}

// the reply to people
export interface PeopleListMessage {
    type: "peopleList";
    request: number;
    total: number; // people there are; more than are listed when they are too many
    people: WirePerson[]; // at most 256
}

// the reply to posture
export interface PostureFileMessage {
    type: "postureFile";
    request: number;
    person: string;
    text: string; // a clip file (.ahmc) of one frame
}

// where the scene is looked at from
export interface ViewMessage {
    type: "view";
    given: number; // 1: eye and target are; with objects only their direction counts
    eye: WireVec3; // in the world
    target: WireVec3; // in the world
    objects: WireRef[]; // that are to be seen whole
}

// the scene is a record, which people go through
export interface RecordMessage {
    type: "record";
    name: string; // of the record
    ticks: number; // that it has; the tick of a state says which is shown
    searched: number; // ticks of it in which touches were looked for so far
    isFull: number; // 1: it has more touches than are listed
    speed: number; // seconds of it a second, while it is played
    flaw: string; // why it ends where it does, or what is wrong with it, for people; empty: nothing is
}

// when objects of a record touch
export interface RecordTouchesMessage {
    type: "recordTouches";
    touches: WireRecordTouch[]; // that were found since the message before, in the order of ticks
}

// the reply to key: what the client may do
export interface RoleMessage {
    type: "role";
    role: number; // 1 watches, 2 handles objects and people, 3 directs: time, scenes and files, too
    isLocked: number; // 1: no client directs, adds or removes, whatever its role
}

// a piece of the list of clashes of the scene
export interface ClashesMessage {
    type: "clashes";
    mayNote: number; // 1: decisions are stored (note_clash)
    first: number; // number of the first of these
    total: number; // clashes there are
    clashes: WireClash[]; // one after another; at most 256
}

// what was decided about a clash
export interface ClashNoteMessage {
    type: "clashNote";
    clash: number; // its number
    verdict: number; // 0 open, 1 accepted, 2 ignored
    note: string; // why; may be empty
}

// whether the home server of an edge is there
export interface ServiceMessage {
    type: "service";
    isReadOnly: number; // 1: nothing can be handled or changed now
    message: string; // why, for people; empty: all is well again
}

// how a hand that took something is helped; modes without the aid: nothing stops it
export interface AidMessage {
    type: "aid";
    mode: number; // fr_aid_mode, unless a state of the object says otherwise
    magnet: number; // as of fr_aid_def, with all below
    blend: number; // seconds
    edges: number; // metres: edge_reach
    axes: number; // metres: axis_reach
}

// which move of the receiver a snapshot has
export interface MovedMessage {
    type: "moved";
    object: WireRef; // whose lease the receiver owns
    move: number; // sequence of its newest move that counted
    sequence: number; // of the first snapshot in which it counted
}

export type ClientMessage =
    | HelloMessage
    | WantsMessage
    | GrabMessage
    | MoveMessage
    | DropMessage
    | PlayMessage
    | ResumeMessage
    | SetStateMessage
    | OpenMessage
    | PingMessage
    | UndoMessage
    | NearMessage
    | CommandMessage
    | AffordsMessage
    | UpdateMessage
    | AddMessage
    | KeepMessage
    | PullMessage
    | PostureMessage
    | StandMessage
    | PeopleMessage
    | RemoveMessage
    | StockMessage
    | SeekMessage
    | SpeedMessage
    | KeyMessage
    | RemoveStateMessage
    | NoteClashMessage;

export type ServerMessage =
    | WelcomeMessage
    | ResetMessage
    | GalleryMessage
    | MeshMessage
    | MeshVerticesMessage
    | MeshTrianglesMessage
    | MeshFacesMessage
    | ObjectMessage
    | GoneMessage
    | VerticesMessage
    | StateMessage
    | PairsMessage
    | ContactsMessage
    | EventsMessage
    | StatsMessage
    | LeaseMessage
    | DrawMessage
    | ReplyMessage
    | ErrorMessage
    | PongMessage
    | FaceTouchesMessage
    | SoundMessage
    | MeshLookMessage
    | MaterialMessage
    | PictureMessage
    | SoundPlaceMessage
    | MeshBonesMessage
    | MeshWeightsMessage
    | BonesMessage
    | AffordancesMessage
    | EndedMessage
    | RefusedMessage
    | ModelsMessage
    | StockListMessage
    | PeopleListMessage
    | PostureFileMessage
    | ViewMessage
    | RecordMessage
    | RecordTouchesMessage
    | RoleMessage
    | ClashesMessage
    | ClashNoteMessage
    | ServiceMessage
    | AidMessage
    | MovedMessage;

export type Message = ClientMessage | ServerMessage;

// As fr_pose_check.
function checkPose({ rotation, position, scale }: WirePose): void {
    const { w, x, y, z } = rotation;
    const squared = w * w + x * x + (y * y + z * z);
    if (!(squared >= 0.99 * 0.99 && squared <= 1.01 * 1.01)) {
        throw new ProtocolError(`a rotation's quaternion has length ${Math.sqrt(squared)} instead of 1`);
    }
    if (Math.max(Math.abs(position.x), Math.abs(position.y), Math.abs(position.z)) > 2 ** 300) {
        throw new ProtocolError("a position is farther away than 2^300");
    }
    if (!(scale >= 2 ** -100 && scale <= 2 ** 100)) {
        throw new ProtocolError(`a scale is ${scale} instead of 2^-100 .. 2^100`);
    }
}

function checkImage({ width, height, rgba }: WireImage): void {
    if (width * height * 4 !== rgba.length) {
        throw new ProtocolError("an image has not width * height pixels");
    }
}

// First in a greeting of every version; what follows may be another's.
function readVersion(reader: Reader): number {
    const version = reader.u32();
    if (version !== PROTOCOL_VERSION) {
        throw new ProtocolError(`version ${version} of the protocol instead of ${PROTOCOL_VERSION}`);
    }
    return version;
}

function readRef(reader: Reader): WireRef {
    return {
        index1: reader.u32(),
        generation: reader.u32(),
    };
}

function writeRef(writer: Writer, value: WireRef): void {
    writer.u32(value.index1);
    writer.u32(value.generation);
}

function readVec3(reader: Reader): WireVec3 {
    return {
        x: reader.f64(),
        y: reader.f64(),
        z: reader.f64(),
    };
}

function writeVec3(writer: Writer, value: WireVec3): void {
    writer.f64(value.x);
    writer.f64(value.y);
    writer.f64(value.z);
}

function readQuat(reader: Reader): WireQuat {
    return {
        w: reader.f64(),
        x: reader.f64(),
        y: reader.f64(),
        z: reader.f64(),
    };
}

function writeQuat(writer: Writer, value: WireQuat): void {
    writer.f64(value.w);
    writer.f64(value.x);
    writer.f64(value.y);
    writer.f64(value.z);
}

function readPose(reader: Reader): WirePose {
    const value = {
        rotation: readQuat(reader),
        position: readVec3(reader),
        scale: reader.f64(),
    };
    checkPose(value);
    return value;
}

function writePose(writer: Writer, value: WirePose): void {
    checkPose(value);
    writeQuat(writer, value.rotation);
    writeVec3(writer, value.position);
    writer.f64(value.scale);
}

function readColor(reader: Reader): WireColor {
    return {
        r: reader.u8(),
        g: reader.u8(),
        b: reader.u8(),
        a: reader.u8(),
    };
}

function writeColor(writer: Writer, value: WireColor): void {
    writer.u8(value.r);
    writer.u8(value.g);
    writer.u8(value.b);
    writer.u8(value.a);
}

function readDemo(reader: Reader): WireDemo {
    return {
        name: reader.text(),
        title: reader.text(),
        about: reader.text(),
        hint: reader.text(),
        picture: reader.text(),
    };
}

function writeDemo(writer: Writer, value: WireDemo): void {
    writer.text(value.name);
    writer.text(value.title);
    writer.text(value.about);
    writer.text(value.hint);
    writer.text(value.picture);
}

function readModel(reader: Reader): WireModel {
    return {
        number: reader.u32(),
        name: reader.text(),
        about: reader.text(),
    };
}

function writeModel(writer: Writer, value: WireModel): void {
    writer.u32(value.number);
    writer.text(value.name);
    writer.text(value.about);
}

function readRecordTouch(reader: Reader): WireRecordTouch {
    return {
        id: reader.u53(),
        isEnd: reader.u8(1),
        at: reader.f64(),
        a: reader.text(),
        b: reader.text(),
    };
}

function writeRecordTouch(writer: Writer, value: WireRecordTouch): void {
    writer.u53(value.id);
    writer.u8(value.isEnd, 1);
    writer.f64(value.at);
    writer.text(value.a);
    writer.text(value.b);
}

function readClash(reader: Reader): WireClash {
    return {
        a: readRef(reader),
        b: readRef(reader),
        nameA: reader.text(),
        nameB: reader.text(),
        kind: reader.u8(5),
        depth: reader.f64(),
        pairs: reader.u53(),
        min: readVec3(reader),
        max: readVec3(reader),
        verdict: reader.u8(2),
        note: reader.text(),
    };
}

function writeClash(writer: Writer, value: WireClash): void {
    writeRef(writer, value.a);
    writeRef(writer, value.b);
    writer.text(value.nameA);
    writer.text(value.nameB);
    writer.u8(value.kind, 5);
    writer.f64(value.depth);
    writer.u53(value.pairs);
    writeVec3(writer, value.min);
    writeVec3(writer, value.max);
    writer.u8(value.verdict, 2);
    writer.text(value.note);
}

function readPart(reader: Reader): WirePart {
    return {
        mesh: reader.u32(),
        pose: readPose(reader),
    };
}

function writePart(writer: Writer, value: WirePart): void {
    writer.u32(value.mesh);
    writePose(writer, value.pose);
}

function readBody(reader: Reader): WireBody {
    return {
        object: readRef(reader),
        hold: reader.u8(2),
        pose: readPose(reader),
    };
}

function writeBody(writer: Writer, value: WireBody): void {
    writeRef(writer, value.object);
    writer.u8(value.hold, 2);
    writePose(writer, value.pose);
}

function readContact(reader: Reader): WireContact {
    return {
        a: reader.u32(),
        b: reader.u32(),
        point: readVec3(reader),
        normalX: reader.f32(),
        normalY: reader.f32(),
        normalZ: reader.f32(),
        distance: reader.f32(),
        flags: reader.u32(),
    };
}

function writeContact(writer: Writer, value: WireContact): void {
    writer.u32(value.a);
    writer.u32(value.b);
    writeVec3(writer, value.point);
    writer.f32(value.normalX);
    writer.f32(value.normalY);
    writer.f32(value.normalZ);
    writer.f32(value.distance);
    writer.u32(value.flags);
}

function readEvent(reader: Reader): WireEvent {
    return {
        kind: reader.u8(17),
        a: readRef(reader),
        b: readRef(reader),
        id: reader.u53(),
        tick: reader.u53(),
        time: reader.f64(),
        value: reader.f64(),
        second: reader.f64(),
        name: reader.text(),
        speed: reader.f32(),
        area: reader.f32(),
        pull: reader.f32(),
        count: reader.u32(),
        point: readVec3(reader),
    };
}

function writeEvent(writer: Writer, value: WireEvent): void {
    writer.u8(value.kind, 17);
    writeRef(writer, value.a);
    writeRef(writer, value.b);
    writer.u53(value.id);
    writer.u53(value.tick);
    writer.f64(value.time);
    writer.f64(value.value);
    writer.f64(value.second);
    writer.text(value.name);
    writer.f32(value.speed);
    writer.f32(value.area);
    writer.f32(value.pull);
    writer.u32(value.count);
    writeVec3(writer, value.point);
}

function readFaceTouch(reader: Reader): WireFaceTouch {
    return {
        a: reader.u32(),
        b: reader.u32(),
        triangleA: reader.u32(),
        triangleB: reader.u32(),
        flags: reader.u32(),
        phase: reader.u8(7),
        id: reader.u53(),
        begin: reader.f64(),
        end: reader.f64(),
        point: readVec3(reader),
    };
}

function writeFaceTouch(writer: Writer, value: WireFaceTouch): void {
    writer.u32(value.a);
    writer.u32(value.b);
    writer.u32(value.triangleA);
    writer.u32(value.triangleB);
    writer.u32(value.flags);
    writer.u8(value.phase, 7);
    writer.u53(value.id);
    writer.f64(value.begin);
    writer.f64(value.end);
    writeVec3(writer, value.point);
}

function readParameter(reader: Reader): WireParameter {
    return {
        key: reader.text(),
        value: reader.text(),
    };
}

function writeParameter(writer: Writer, value: WireParameter): void {
    writer.text(value.key);
    writer.text(value.value);
}

function readMotion(reader: Reader): WireMotion {
    return {
        name: reader.text(),
        object: readRef(reader),
        given: reader.u8(7),
        point: readVec3(reader),
        goal: readVec3(reader),
        facing: reader.f64(),
        frames: reader.u32(),
        start: reader.u32(),
        parameters: reader.list(8, readParameter),
    };
}

function writeMotion(writer: Writer, value: WireMotion): void {
    writer.text(value.name);
    writeRef(writer, value.object);
    writer.u8(value.given, 7);
    writeVec3(writer, value.point);
    writeVec3(writer, value.goal);
    writer.f64(value.facing);
    writer.u32(value.frames);
    writer.u32(value.start);
    writer.list(value.parameters, writeParameter);
}

function readPrompt(reader: Reader): WirePrompt {
    return {
        name: reader.text(),
        isNeeded: reader.u8(1),
    };
}

function writePrompt(writer: Writer, value: WirePrompt): void {
    writer.text(value.name);
    writer.u8(value.isNeeded, 1);
}

function readAffordance(reader: Reader): WireAffordance {
    return {
        name: reader.text(),
        about: reader.text(),
        fields: reader.list(5, readPrompt),
    };
}

function writeAffordance(writer: Writer, value: WireAffordance): void {
    writer.text(value.name);
    writer.text(value.about);
    writer.list(value.fields, writePrompt);
}

function readPlace(reader: Reader): WirePlace {
    return {
        object: readRef(reader),
        pose: readPose(reader),
    };
}

function writePlace(writer: Writer, value: WirePlace): void {
    writeRef(writer, value.object);
    writePose(writer, value.pose);
}

function readRefusal(reader: Reader): WireRefusal {
    return {
        object: readRef(reader),
        status: reader.u32(255),
        message: reader.text(),
    };
}

function writeRefusal(writer: Writer, value: WireRefusal): void {
    writeRef(writer, value.object);
    writer.u32(value.status, 255);
    writer.text(value.message);
}

function readStockClass(reader: Reader): WireStockClass {
    return {
        name: reader.text(),
        title: reader.text(),
        motions: reader.text(),
    };
}

function writeStockClass(writer: Writer, value: WireStockClass): void {
    writer.text(value.name);
    writer.text(value.title);
    writer.text(value.motions);
}

function readPerson(reader: Reader): WirePerson {
    return {
        name: reader.text(),
        object: readRef(reader),
        motion: reader.text(),
        doing: reader.u32(),
        waiting: reader.u32(),
        head: readVec3(reader),
        right: readVec3(reader),
        left: readVec3(reader),
    };
}

function writePerson(writer: Writer, value: WirePerson): void {
    writer.text(value.name);
    writeRef(writer, value.object);
    writer.text(value.motion);
    writer.u32(value.doing);
    writer.u32(value.waiting);
    writeVec3(writer, value.head);
    writeVec3(writer, value.right);
    writeVec3(writer, value.left);
}

function readLines(reader: Reader): WireLines {
    return {
        color: readColor(reader),
        width: reader.f32(),
        points: reader.f64s(6),
    };
}

function writeLines(writer: Writer, value: WireLines): void {
    writeColor(writer, value.color);
    writer.f32(value.width);
    writer.f64s(value.points, 6);
}

function readTriangles(reader: Reader): WireTriangles {
    return {
        color: readColor(reader),
        points: reader.f64s(9),
    };
}

function writeTriangles(writer: Writer, value: WireTriangles): void {
    writeColor(writer, value.color);
    writer.f64s(value.points, 9);
}

function readPoints(reader: Reader): WirePoints {
    return {
        color: readColor(reader),
        size: reader.f32(),
        points: reader.f64s(3),
    };
}

function writePoints(writer: Writer, value: WirePoints): void {
    writeColor(writer, value.color);
    writer.f32(value.size);
    writer.f64s(value.points, 3);
}

function readBox(reader: Reader): WireBox {
    return {
        color: readColor(reader),
        min: readVec3(reader),
        max: readVec3(reader),
        pose: readPose(reader),
    };
}

function writeBox(writer: Writer, value: WireBox): void {
    writeColor(writer, value.color);
    writeVec3(writer, value.min);
    writeVec3(writer, value.max);
    writePose(writer, value.pose);
}

function readLabel(reader: Reader): WireLabel {
    return {
        color: readColor(reader),
        size: reader.f32(),
        point: readVec3(reader),
        text: reader.text(),
    };
}

function writeLabel(writer: Writer, value: WireLabel): void {
    writeColor(writer, value.color);
    writer.f32(value.size);
    writeVec3(writer, value.point);
    writer.text(value.text);
}

function readImage(reader: Reader): WireImage {
    const value = {
        id: reader.text(),
        width: reader.u32(),
        height: reader.u32(),
        rgba: reader.u8s(4),
        corner: readVec3(reader),
        right: readVec3(reader),
        up: readVec3(reader),
    };
    checkImage(value);
    return value;
}

function writeImage(writer: Writer, value: WireImage): void {
    checkImage(value);
    writer.text(value.id);
    writer.u32(value.width);
    writer.u32(value.height);
    writer.u8s(value.rgba, 4);
    writeVec3(writer, value.corner);
    writeVec3(writer, value.right);
    writeVec3(writer, value.up);
}

function readFaceColors(reader: Reader): WireFaceColors {
    return {
        object: reader.u32(),
        color: readColor(reader),
        triangles: reader.u32s(1),
    };
}

function writeFaceColors(writer: Writer, value: WireFaceColors): void {
    writer.u32(value.object);
    writeColor(writer, value.color);
    writer.u32s(value.triangles, 1);
}

function readHelloMessage(reader: Reader): HelloMessage {
    return {
        type: "hello",
        version: readVersion(reader),
        wants: reader.u32(255),
        name: reader.text(),
    };
}

function writeHelloMessage(writer: Writer, value: HelloMessage): void {
    writer.u32(value.version);
    writer.u32(value.wants, 255);
    writer.text(value.name);
}

function readWantsMessage(reader: Reader): WantsMessage {
    return {
        type: "wants",
        wants: reader.u32(255),
    };
}

function writeWantsMessage(writer: Writer, value: WantsMessage): void {
    writer.u32(value.wants, 255);
}

function readGrabMessage(reader: Reader): GrabMessage {
    return {
        type: "grab",
        request: reader.u32(),
        object: readRef(reader),
    };
}

function writeGrabMessage(writer: Writer, value: GrabMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
}

function readMoveMessage(reader: Reader): MoveMessage {
    return {
        type: "move",
        object: readRef(reader),
        sequence: reader.u32(),
        raw: readPose(reader),
    };
}

function writeMoveMessage(writer: Writer, value: MoveMessage): void {
    writeRef(writer, value.object);
    writer.u32(value.sequence);
    writePose(writer, value.raw);
}

function readDropMessage(reader: Reader): DropMessage {
    return {
        type: "drop",
        request: reader.u32(),
        object: readRef(reader),
    };
}

function writeDropMessage(writer: Writer, value: DropMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
}

function readPlayMessage(reader: Reader): PlayMessage {
    return {
        type: "play",
        request: reader.u32(),
        mode: reader.u8(3),
    };
}

function writePlayMessage(writer: Writer, value: PlayMessage): void {
    writer.u32(value.request);
    writer.u8(value.mode, 3);
}

function readResumeMessage(reader: Reader): ResumeMessage {
    return {
        type: "resume",
        request: reader.u32(),
        object: readRef(reader),
    };
}

function writeResumeMessage(writer: Writer, value: ResumeMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
}

function readSetStateMessage(reader: Reader): SetStateMessage {
    return {
        type: "setState",
        request: reader.u32(),
        object: readRef(reader),
        name: reader.text(),
        value: reader.f64(),
    };
}

function writeSetStateMessage(writer: Writer, value: SetStateMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
    writer.text(value.name);
    writer.f64(value.value);
}

function readOpenMessage(reader: Reader): OpenMessage {
    return {
        type: "open",
        request: reader.u32(),
        name: reader.text(),
    };
}

function writeOpenMessage(writer: Writer, value: OpenMessage): void {
    writer.u32(value.request);
    writer.text(value.name);
}

function readPingMessage(reader: Reader): PingMessage {
    return {
        type: "ping",
        token: reader.u64(),
    };
}

function writePingMessage(writer: Writer, value: PingMessage): void {
    writer.u64(value.token);
}

function readUndoMessage(reader: Reader): UndoMessage {
    return {
        type: "undo",
        request: reader.u32(),
        again: reader.u8(1),
    };
}

function writeUndoMessage(writer: Writer, value: UndoMessage): void {
    writer.u32(value.request);
    writer.u8(value.again, 1);
}

function readNearMessage(reader: Reader): NearMessage {
    return {
        type: "near",
        point: readVec3(reader),
        distance: reader.f64(),
    };
}

function writeNearMessage(writer: Writer, value: NearMessage): void {
    writeVec3(writer, value.point);
    writer.f64(value.distance);
}

function readCommandMessage(reader: Reader): CommandMessage {
    return {
        type: "command",
        request: reader.u32(),
        person: reader.text(),
        motions: reader.list(81, readMotion),
    };
}

function writeCommandMessage(writer: Writer, value: CommandMessage): void {
    writer.u32(value.request);
    writer.text(value.person);
    writer.list(value.motions, writeMotion);
}

function readAffordsMessage(reader: Reader): AffordsMessage {
    return {
        type: "affords",
        request: reader.u32(),
        object: readRef(reader),
    };
}

function writeAffordsMessage(writer: Writer, value: AffordsMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
}

function readUpdateMessage(reader: Reader): UpdateMessage {
    return {
        type: "update",
        sequence: reader.u32(),
        body: readRef(reader),
        pose: readPose(reader),
        bones: reader.list(64, readPose),
        objects: reader.list(72, readPlace),
    };
}

function writeUpdateMessage(writer: Writer, value: UpdateMessage): void {
    writer.u32(value.sequence);
    writeRef(writer, value.body);
    writePose(writer, value.pose);
    writer.list(value.bones, writePose);
    writer.list(value.objects, writePlace);
}

function readAddMessage(reader: Reader): AddMessage {
    return {
        type: "add",
        request: reader.u32(),
        className: reader.text(),
        name: reader.text(),
        pose: readPose(reader),
    };
}

function writeAddMessage(writer: Writer, value: AddMessage): void {
    writer.u32(value.request);
    writer.text(value.className);
    writer.text(value.name);
    writePose(writer, value.pose);
}

function readKeepMessage(reader: Reader): KeepMessage {
    return {
        type: "keep",
        request: reader.u32(),
        name: reader.text(),
    };
}

function writeKeepMessage(writer: Writer, value: KeepMessage): void {
    writer.u32(value.request);
    writer.text(value.name);
}

function readPullMessage(reader: Reader): PullMessage {
    return {
        type: "pull",
        request: reader.u32(),
        person: reader.text(),
        part: reader.u8(2),
        point: readVec3(reader),
    };
}

function writePullMessage(writer: Writer, value: PullMessage): void {
    writer.u32(value.request);
    writer.text(value.person);
    writer.u8(value.part, 2);
    writeVec3(writer, value.point);
}

function readPostureMessage(reader: Reader): PostureMessage {
    return {
        type: "posture",
        request: reader.u32(),
        person: reader.text(),
    };
}

function writePostureMessage(writer: Writer, value: PostureMessage): void {
    writer.u32(value.request);
    writer.text(value.person);
}

function readStandMessage(reader: Reader): StandMessage {
    return {
        type: "stand",
        request: reader.u32(),
        className: reader.text(),
        name: reader.text(),
        point: readVec3(reader),
        facing: reader.f64(),
    };
}

function writeStandMessage(writer: Writer, value: StandMessage): void {
    writer.u32(value.request);
    writer.text(value.className);
    writer.text(value.name);
    writeVec3(writer, value.point);
    writer.f64(value.facing);
}

function readPeopleMessage(reader: Reader): PeopleMessage {
    return {
        type: "people",
        request: reader.u32(),
    };
}

function writePeopleMessage(writer: Writer, value: PeopleMessage): void {
    writer.u32(value.request);
}

function readRemoveMessage(reader: Reader): RemoveMessage {
    return {
        type: "remove",
        request: reader.u32(),
        object: readRef(reader),
    };
}

function writeRemoveMessage(writer: Writer, value: RemoveMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
}

function readStockMessage(reader: Reader): StockMessage {
    return {
        type: "stock",
        request: reader.u32(),
        wanted: reader.text(),
    };
}

function writeStockMessage(writer: Writer, value: StockMessage): void {
    writer.u32(value.request);
    writer.text(value.wanted);
}

function readSeekMessage(reader: Reader): SeekMessage {
    return {
        type: "seek",
        request: reader.u32(),
        tick: reader.u53(),
    };
}

function writeSeekMessage(writer: Writer, value: SeekMessage): void {
    writer.u32(value.request);
    writer.u53(value.tick);
}

function readSpeedMessage(reader: Reader): SpeedMessage {
    return {
        type: "speed",
        request: reader.u32(),
        speed: reader.f64(),
    };
}

function writeSpeedMessage(writer: Writer, value: SpeedMessage): void {
    writer.u32(value.request);
    writer.f64(value.speed);
}

function readKeyMessage(reader: Reader): KeyMessage {
    return {
        type: "key",
        token: reader.text(),
    };
}

function writeKeyMessage(writer: Writer, value: KeyMessage): void {
    writer.text(value.token);
}

function readRemoveStateMessage(reader: Reader): RemoveStateMessage {
    return {
        type: "removeState",
        request: reader.u32(),
        object: readRef(reader),
        name: reader.text(),
    };
}

function writeRemoveStateMessage(writer: Writer, value: RemoveStateMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
    writer.text(value.name);
}

function readNoteClashMessage(reader: Reader): NoteClashMessage {
    return {
        type: "noteClash",
        request: reader.u32(),
        clash: reader.u32(),
        verdict: reader.u8(2),
        note: reader.text(),
    };
}

function writeNoteClashMessage(writer: Writer, value: NoteClashMessage): void {
    writer.u32(value.request);
    writer.u32(value.clash);
    writer.u8(value.verdict, 2);
    writer.text(value.note);
}

function readWelcomeMessage(reader: Reader): WelcomeMessage {
    return {
        type: "welcome",
        version: readVersion(reader),
        client: reader.u32(),
        step: reader.f64(),
        server: reader.text(),
        scene: reader.text(),
        maxMessageBytes: reader.u32(),
    };
}

function writeWelcomeMessage(writer: Writer, value: WelcomeMessage): void {
    writer.u32(value.version);
    writer.u32(value.client);
    writer.f64(value.step);
    writer.text(value.server);
    writer.text(value.scene);
    writer.u32(value.maxMessageBytes);
}

function readResetMessage(reader: Reader): ResetMessage {
    return {
        type: "reset",
        step: reader.f64(),
        scene: reader.text(),
    };
}

function writeResetMessage(writer: Writer, value: ResetMessage): void {
    writer.f64(value.step);
    writer.text(value.scene);
}

function readGalleryMessage(reader: Reader): GalleryMessage {
    return {
        type: "gallery",
        demos: reader.list(20, readDemo),
        current: reader.text(),
    };
}

function writeGalleryMessage(writer: Writer, value: GalleryMessage): void {
    writer.list(value.demos, writeDemo);
    writer.text(value.current);
}

function readMeshMessage(reader: Reader): MeshMessage {
    return {
        type: "mesh",
        mesh: reader.u32(),
        vertexCount: reader.u32(),
        triangleCount: reader.u32(),
        faceCount: reader.u32(),
        material: reader.u32(),
        look: reader.u8(15),
        boneCount: reader.u32(),
        influenceCount: reader.u32(),
        blend: reader.u8(1),
    };
}

function writeMeshMessage(writer: Writer, value: MeshMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.vertexCount);
    writer.u32(value.triangleCount);
    writer.u32(value.faceCount);
    writer.u32(value.material);
    writer.u8(value.look, 15);
    writer.u32(value.boneCount);
    writer.u32(value.influenceCount);
    writer.u8(value.blend, 1);
}

function readMeshVerticesMessage(reader: Reader): MeshVerticesMessage {
    return {
        type: "meshVertices",
        mesh: reader.u32(),
        first: reader.u32(),
        xyz: reader.f32s(3),
    };
}

function writeMeshVerticesMessage(writer: Writer, value: MeshVerticesMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.f32s(value.xyz, 3);
}

function readMeshTrianglesMessage(reader: Reader): MeshTrianglesMessage {
    return {
        type: "meshTriangles",
        mesh: reader.u32(),
        first: reader.u32(),
        corners: reader.u32s(3),
    };
}

function writeMeshTrianglesMessage(writer: Writer, value: MeshTrianglesMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.u32s(value.corners, 3);
}

function readMeshFacesMessage(reader: Reader): MeshFacesMessage {
    return {
        type: "meshFaces",
        mesh: reader.u32(),
        first: reader.u32(),
        faces: reader.u32s(1),
    };
}

function writeMeshFacesMessage(writer: Writer, value: MeshFacesMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.u32s(value.faces, 1);
}

function readObjectMessage(reader: Reader): ObjectMessage {
    return {
        type: "object",
        object: readRef(reader),
        name: reader.text(),
        color: readColor(reader),
        flags: reader.u32(63),
        isPlain: reader.u8(1),
        parts: reader.list(68, readPart),
        pose: readPose(reader),
    };
}

function writeObjectMessage(writer: Writer, value: ObjectMessage): void {
    writeRef(writer, value.object);
    writer.text(value.name);
    writeColor(writer, value.color);
    writer.u32(value.flags, 63);
    writer.u8(value.isPlain, 1);
    writer.list(value.parts, writePart);
    writePose(writer, value.pose);
}

function readGoneMessage(reader: Reader): GoneMessage {
    return {
        type: "gone",
        object: readRef(reader),
    };
}

function writeGoneMessage(writer: Writer, value: GoneMessage): void {
    writeRef(writer, value.object);
}

function readVerticesMessage(reader: Reader): VerticesMessage {
    return {
        type: "vertices",
        object: readRef(reader),
        first: reader.u32(),
        xyz: reader.f32s(3),
    };
}

function writeVerticesMessage(writer: Writer, value: VerticesMessage): void {
    writeRef(writer, value.object);
    writer.u32(value.first);
    writer.f32s(value.xyz, 3);
}

function readStateMessage(reader: Reader): StateMessage {
    return {
        type: "state",
        sequence: reader.u53(),
        since: reader.u53(),
        tick: reader.u53(),
        time: reader.f64(),
        flags: reader.u8(7),
        bodies: reader.list(73, readBody),
    };
}

function writeStateMessage(writer: Writer, value: StateMessage): void {
    writer.u53(value.sequence);
    writer.u53(value.since);
    writer.u53(value.tick);
    writer.f64(value.time);
    writer.u8(value.flags, 7);
    writer.list(value.bodies, writeBody);
}

function readPairsMessage(reader: Reader): PairsMessage {
    return {
        type: "pairs",
        sequence: reader.u53(),
        total: reader.u32(),
        pairs: reader.packed(5),
    };
}

function writePairsMessage(writer: Writer, value: PairsMessage): void {
    writer.u53(value.sequence);
    writer.u32(value.total);
    writer.packed(value.pairs, 5);
}

function readContactsMessage(reader: Reader): ContactsMessage {
    return {
        type: "contacts",
        sequence: reader.u53(),
        total: reader.u32(),
        contacts: reader.list(52, readContact),
    };
}

function writeContactsMessage(writer: Writer, value: ContactsMessage): void {
    writer.u53(value.sequence);
    writer.u32(value.total);
    writer.list(value.contacts, writeContact);
}

function readEventsMessage(reader: Reader): EventsMessage {
    return {
        type: "events",
        events: reader.list(101, readEvent),
    };
}

function writeEventsMessage(writer: Writer, value: EventsMessage): void {
    writer.list(value.events, writeEvent);
}

function readStatsMessage(reader: Reader): StatsMessage {
    return {
        type: "stats",
        sequence: reader.u53(),
        msMovers: reader.f32(),
        msCorrectors: reader.f32(),
        msJoints: reader.f32(),
        msUpdate: reader.f32(),
        msCollide: reader.f32(),
        msEvents: reader.f32(),
        msSnapshot: reader.f32(),
        msTotal: reader.f32(),
        msEncode: reader.f32(),
        clients: reader.u32(),
        objectPairs: reader.u53(),
        candidates: reader.u53(),
        tested: reader.u53(),
        dropped: reader.u53(),
    };
}

function writeStatsMessage(writer: Writer, value: StatsMessage): void {
    writer.u53(value.sequence);
    writer.f32(value.msMovers);
    writer.f32(value.msCorrectors);
    writer.f32(value.msJoints);
    writer.f32(value.msUpdate);
    writer.f32(value.msCollide);
    writer.f32(value.msEvents);
    writer.f32(value.msSnapshot);
    writer.f32(value.msTotal);
    writer.f32(value.msEncode);
    writer.u32(value.clients);
    writer.u53(value.objectPairs);
    writer.u53(value.candidates);
    writer.u53(value.tested);
    writer.u53(value.dropped);
}

function readLeaseMessage(reader: Reader): LeaseMessage {
    return {
        type: "lease",
        object: readRef(reader),
        client: reader.u32(),
        name: reader.text(),
    };
}

function writeLeaseMessage(writer: Writer, value: LeaseMessage): void {
    writeRef(writer, value.object);
    writer.u32(value.client);
    writer.text(value.name);
}

function readDrawMessage(reader: Reader): DrawMessage {
    return {
        type: "draw",
        layer: reader.u32(),
        name: reader.text(),
        object: readRef(reader),
        lines: reader.list(12, readLines),
        triangles: reader.list(8, readTriangles),
        points: reader.list(12, readPoints),
        boxes: reader.list(116, readBox),
        labels: reader.list(36, readLabel),
        images: reader.list(88, readImage),
        faceColors: reader.list(12, readFaceColors),
    };
}

function writeDrawMessage(writer: Writer, value: DrawMessage): void {
    writer.u32(value.layer);
    writer.text(value.name);
    writeRef(writer, value.object);
    writer.list(value.lines, writeLines);
    writer.list(value.triangles, writeTriangles);
    writer.list(value.points, writePoints);
    writer.list(value.boxes, writeBox);
    writer.list(value.labels, writeLabel);
    writer.list(value.images, writeImage);
    writer.list(value.faceColors, writeFaceColors);
}

function readReplyMessage(reader: Reader): ReplyMessage {
    return {
        type: "reply",
        request: reader.u32(),
        status: reader.u32(255),
        message: reader.text(),
    };
}

function writeReplyMessage(writer: Writer, value: ReplyMessage): void {
    writer.u32(value.request);
    writer.u32(value.status, 255);
    writer.text(value.message);
}

function readErrorMessage(reader: Reader): ErrorMessage {
    return {
        type: "error",
        status: reader.u32(255),
        message: reader.text(),
    };
}

function writeErrorMessage(writer: Writer, value: ErrorMessage): void {
    writer.u32(value.status, 255);
    writer.text(value.message);
}

function readPongMessage(reader: Reader): PongMessage {
    return {
        type: "pong",
        token: reader.u64(),
    };
}

function writePongMessage(writer: Writer, value: PongMessage): void {
    writer.u64(value.token);
}

function readFaceTouchesMessage(reader: Reader): FaceTouchesMessage {
    return {
        type: "faceTouches",
        sequence: reader.u53(),
        total: reader.u32(),
        faceTouches: reader.list(69, readFaceTouch),
    };
}

function writeFaceTouchesMessage(writer: Writer, value: FaceTouchesMessage): void {
    writer.u53(value.sequence);
    writer.u32(value.total);
    writer.list(value.faceTouches, writeFaceTouch);
}

function readSoundMessage(reader: Reader): SoundMessage {
    return {
        type: "sound",
        object: readRef(reader),
        point: readVec3(reader),
        intensity: reader.f32(),
        near: reader.f32(),
        far: reader.f32(),
        pitch: reader.f32(),
        start: reader.f64(),
        stop: reader.f64(),
        flags: reader.u8(3),
        file: reader.u8s(1),
    };
}

function writeSoundMessage(writer: Writer, value: SoundMessage): void {
    writeRef(writer, value.object);
    writeVec3(writer, value.point);
    writer.f32(value.intensity);
    writer.f32(value.near);
    writer.f32(value.far);
    writer.f32(value.pitch);
    writer.f64(value.start);
    writer.f64(value.stop);
    writer.u8(value.flags, 3);
    writer.u8s(value.file, 1);
}

function readMeshLookMessage(reader: Reader): MeshLookMessage {
    return {
        type: "meshLook",
        mesh: reader.u32(),
        first: reader.u32(),
        materials: reader.u32s(1),
        uvs: reader.f32s(6),
        rgba: reader.u8s(12),
        normals: reader.u32s(3),
    };
}

function writeMeshLookMessage(writer: Writer, value: MeshLookMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.u32s(value.materials, 1);
    writer.f32s(value.uvs, 6);
    writer.u8s(value.rgba, 12);
    writer.u32s(value.normals, 3);
}

function readMaterialMessage(reader: Reader): MaterialMessage {
    return {
        type: "material",
        material: reader.u32(),
        color: readColor(reader),
        glow: readColor(reader),
        flags: reader.u8(1),
        picture: reader.u32(),
    };
}

function writeMaterialMessage(writer: Writer, value: MaterialMessage): void {
    writer.u32(value.material);
    writeColor(writer, value.color);
    writeColor(writer, value.glow);
    writer.u8(value.flags, 1);
    writer.u32(value.picture);
}

function readPictureMessage(reader: Reader): PictureMessage {
    return {
        type: "picture",
        picture: reader.u32(),
        width: reader.u32(),
        height: reader.u32(),
        flags: reader.u8(3),
        bytes: reader.u8s(1),
    };
}

function writePictureMessage(writer: Writer, value: PictureMessage): void {
    writer.u32(value.picture);
    writer.u32(value.width);
    writer.u32(value.height);
    writer.u8(value.flags, 3);
    writer.u8s(value.bytes, 1);
}

function readSoundPlaceMessage(reader: Reader): SoundPlaceMessage {
    return {
        type: "soundPlace",
        object: readRef(reader),
        sound: reader.u32(),
        point: readVec3(reader),
    };
}

function writeSoundPlaceMessage(writer: Writer, value: SoundPlaceMessage): void {
    writeRef(writer, value.object);
    writer.u32(value.sound);
    writeVec3(writer, value.point);
}

function readMeshBonesMessage(reader: Reader): MeshBonesMessage {
    return {
        type: "meshBones",
        mesh: reader.u32(),
        first: reader.u32(),
        parents: reader.u32s(1),
        inverseBinds: reader.f32s(12),
    };
}

function writeMeshBonesMessage(writer: Writer, value: MeshBonesMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.u32s(value.parents, 1);
    writer.f32s(value.inverseBinds, 12);
}

function readMeshWeightsMessage(reader: Reader): MeshWeightsMessage {
    return {
        type: "meshWeights",
        mesh: reader.u32(),
        first: reader.u32(),
        bones: reader.u32s(1),
        weights: reader.f32s(1),
    };
}

function writeMeshWeightsMessage(writer: Writer, value: MeshWeightsMessage): void {
    writer.u32(value.mesh);
    writer.u32(value.first);
    writer.u32s(value.bones, 1);
    writer.f32s(value.weights, 1);
}

function readBonesMessage(reader: Reader): BonesMessage {
    return {
        type: "bones",
        sequence: reader.u53(),
        data: reader.u8s(1),
    };
}

function writeBonesMessage(writer: Writer, value: BonesMessage): void {
    writer.u53(value.sequence);
    writer.u8s(value.data, 1);
}

function readAffordancesMessage(reader: Reader): AffordancesMessage {
    return {
        type: "affordances",
        request: reader.u32(),
        object: readRef(reader),
        affordances: reader.list(12, readAffordance),
    };
}

function writeAffordancesMessage(writer: Writer, value: AffordancesMessage): void {
    writer.u32(value.request);
    writeRef(writer, value.object);
    writer.list(value.affordances, writeAffordance);
}

function readEndedMessage(reader: Reader): EndedMessage {
    return {
        type: "ended",
        request: reader.u32(),
        status: reader.u32(255),
        message: reader.text(),
    };
}

function writeEndedMessage(writer: Writer, value: EndedMessage): void {
    writer.u32(value.request);
    writer.u32(value.status, 255);
    writer.text(value.message);
}

function readRefusedMessage(reader: Reader): RefusedMessage {
    return {
        type: "refused",
        sequence: reader.u32(),
        refusals: reader.list(16, readRefusal),
    };
}

function writeRefusedMessage(writer: Writer, value: RefusedMessage): void {
    writer.u32(value.sequence);
    writer.list(value.refusals, writeRefusal);
}

function readModelsMessage(reader: Reader): ModelsMessage {
    return {
        type: "models",
        may: reader.u8(3),
        maxBytes: reader.u53(),
        models: reader.list(12, readModel),
    };
}

function writeModelsMessage(writer: Writer, value: ModelsMessage): void {
    writer.u8(value.may, 3);
    writer.u53(value.maxBytes);
    writer.list(value.models, writeModel);
}

function readStockListMessage(reader: Reader): StockListMessage {
    return {
        type: "stockList",
        request: reader.u32(),
        total: reader.u32(),
        classes: reader.list(12, readStockClass),
    };
}

function writeStockListMessage(writer: Writer, value: StockListMessage): void {
    writer.u32(value.request);
    writer.u32(value.total);
    writer.list(value.classes, writeStockClass);
}

function readPeopleListMessage(reader: Reader): PeopleListMessage {
    return {
        type: "peopleList",
        request: reader.u32(),
        total: reader.u32(),
        people: reader.list(96, readPerson),
    };
}

function writePeopleListMessage(writer: Writer, value: PeopleListMessage): void {
    writer.u32(value.request);
    writer.u32(value.total);
    writer.list(value.people, writePerson);
}

function readPostureFileMessage(reader: Reader): PostureFileMessage {
    return {
        type: "postureFile",
        request: reader.u32(),
        person: reader.text(),
        text: reader.text(),
    };
}

function writePostureFileMessage(writer: Writer, value: PostureFileMessage): void {
    writer.u32(value.request);
    writer.text(value.person);
    writer.text(value.text);
}

function readViewMessage(reader: Reader): ViewMessage {
    return {
        type: "view",
        given: reader.u8(1),
        eye: readVec3(reader),
        target: readVec3(reader),
        objects: reader.list(8, readRef),
    };
}

function writeViewMessage(writer: Writer, value: ViewMessage): void {
    writer.u8(value.given, 1);
    writeVec3(writer, value.eye);
    writeVec3(writer, value.target);
    writer.list(value.objects, writeRef);
}

function readRecordMessage(reader: Reader): RecordMessage {
    return {
        type: "record",
        name: reader.text(),
        ticks: reader.u53(),
        searched: reader.u53(),
        isFull: reader.u8(1),
        speed: reader.f64(),
        flaw: reader.text(),
    };
}

function writeRecordMessage(writer: Writer, value: RecordMessage): void {
    writer.text(value.name);
    writer.u53(value.ticks);
    writer.u53(value.searched);
    writer.u8(value.isFull, 1);
    writer.f64(value.speed);
    writer.text(value.flaw);
}

function readRecordTouchesMessage(reader: Reader): RecordTouchesMessage {
    return {
        type: "recordTouches",
        touches: reader.list(25, readRecordTouch),
    };
}

function writeRecordTouchesMessage(writer: Writer, value: RecordTouchesMessage): void {
    writer.list(value.touches, writeRecordTouch);
}

function readRoleMessage(reader: Reader): RoleMessage {
    return {
        type: "role",
        role: reader.u8(3),
        isLocked: reader.u8(1),
    };
}

function writeRoleMessage(writer: Writer, value: RoleMessage): void {
    writer.u8(value.role, 3);
    writer.u8(value.isLocked, 1);
}

function readClashesMessage(reader: Reader): ClashesMessage {
    return {
        type: "clashes",
        mayNote: reader.u8(1),
        first: reader.u32(),
        total: reader.u32(),
        clashes: reader.list(94, readClash),
    };
}

function writeClashesMessage(writer: Writer, value: ClashesMessage): void {
    writer.u8(value.mayNote, 1);
    writer.u32(value.first);
    writer.u32(value.total);
    writer.list(value.clashes, writeClash);
}

function readClashNoteMessage(reader: Reader): ClashNoteMessage {
    return {
        type: "clashNote",
        clash: reader.u32(),
        verdict: reader.u8(2),
        note: reader.text(),
    };
}

function writeClashNoteMessage(writer: Writer, value: ClashNoteMessage): void {
    writer.u32(value.clash);
    writer.u8(value.verdict, 2);
    writer.text(value.note);
}

function readServiceMessage(reader: Reader): ServiceMessage {
    return {
        type: "service",
        isReadOnly: reader.u8(1),
        message: reader.text(),
    };
}

function writeServiceMessage(writer: Writer, value: ServiceMessage): void {
    writer.u8(value.isReadOnly, 1);
    writer.text(value.message);
}

function readAidMessage(reader: Reader): AidMessage {
    return {
        type: "aid",
        mode: reader.u8(6),
        magnet: reader.f64(),
        blend: reader.f64(),
        edges: reader.f64(),
        axes: reader.f64(),
    };
}

function writeAidMessage(writer: Writer, value: AidMessage): void {
    writer.u8(value.mode, 6);
    writer.f64(value.magnet);
    writer.f64(value.blend);
    writer.f64(value.edges);
    writer.f64(value.axes);
}

function readMovedMessage(reader: Reader): MovedMessage {
    return {
        type: "moved",
        object: readRef(reader),
        move: reader.u32(),
        sequence: reader.u53(),
    };
}

function writeMovedMessage(writer: Writer, value: MovedMessage): void {
    writeRef(writer, value.object);
    writer.u32(value.move);
    writer.u53(value.sequence);
}

function readForServer(type: number, reader: Reader): ClientMessage {
    switch (type) {
        case 1:
            return readHelloMessage(reader);
        case 2:
            return readWantsMessage(reader);
        case 3:
            return readGrabMessage(reader);
        case 4:
            return readMoveMessage(reader);
        case 5:
            return readDropMessage(reader);
        case 6:
            return readPlayMessage(reader);
        case 7:
            return readResumeMessage(reader);
        case 8:
            return readSetStateMessage(reader);
        case 9:
            return readOpenMessage(reader);
        case 10:
            return readPingMessage(reader);
        case 11:
            return readUndoMessage(reader);
        case 12:
            return readNearMessage(reader);
        case 13:
            return readCommandMessage(reader);
        case 14:
            return readAffordsMessage(reader);
        case 15:
            return readUpdateMessage(reader);
        case 16:
            return readAddMessage(reader);
        case 19:
            return readKeepMessage(reader);
        case 20:
            return readPullMessage(reader);
        case 21:
            return readPostureMessage(reader);
        case 22:
            return readStandMessage(reader);
        case 23:
            return readPeopleMessage(reader);
        case 24:
            return readRemoveMessage(reader);
        case 25:
            return readStockMessage(reader);
        case 26:
            return readSeekMessage(reader);
        case 27:
            return readSpeedMessage(reader);
        case 28:
            return readKeyMessage(reader);
        case 29:
            return readRemoveStateMessage(reader);
        case 30:
            return readNoteClashMessage(reader);
        default:
            throw new ProtocolError(`messages of type ${type} are not for this side`);
    }
}

// The messages of a frame that the server reads. Throws a ProtocolError at the first that is wrong.
export function decodeForServer(bytes: Uint8Array): ClientMessage[] {
    return decode(bytes, readForServer);
}

function readForClient(type: number, reader: Reader): ServerMessage {
    switch (type) {
        case 32:
            return readWelcomeMessage(reader);
        case 33:
            return readResetMessage(reader);
        case 34:
            return readGalleryMessage(reader);
        case 35:
            return readMeshMessage(reader);
        case 36:
            return readMeshVerticesMessage(reader);
        case 37:
            return readMeshTrianglesMessage(reader);
        case 38:
            return readMeshFacesMessage(reader);
        case 39:
            return readObjectMessage(reader);
        case 40:
            return readGoneMessage(reader);
        case 41:
            return readVerticesMessage(reader);
        case 42:
            return readStateMessage(reader);
        case 43:
            return readPairsMessage(reader);
        case 44:
            return readContactsMessage(reader);
        case 45:
            return readEventsMessage(reader);
        case 46:
            return readStatsMessage(reader);
        case 47:
            return readLeaseMessage(reader);
        case 48:
            return readDrawMessage(reader);
        case 49:
            return readReplyMessage(reader);
        case 50:
            return readErrorMessage(reader);
        case 51:
            return readPongMessage(reader);
        case 52:
            return readFaceTouchesMessage(reader);
        case 53:
            return readSoundMessage(reader);
        case 54:
            return readMeshLookMessage(reader);
        case 55:
            return readMaterialMessage(reader);
        case 56:
            return readPictureMessage(reader);
        case 57:
            return readSoundPlaceMessage(reader);
        case 58:
            return readMeshBonesMessage(reader);
        case 59:
            return readMeshWeightsMessage(reader);
        case 60:
            return readBonesMessage(reader);
        case 61:
            return readAffordancesMessage(reader);
        case 62:
            return readEndedMessage(reader);
        case 63:
            return readRefusedMessage(reader);
        case 66:
            return readModelsMessage(reader);
        case 67:
            return readStockListMessage(reader);
        case 68:
            return readPeopleListMessage(reader);
        case 69:
            return readPostureFileMessage(reader);
        case 70:
            return readViewMessage(reader);
        case 71:
            return readRecordMessage(reader);
        case 72:
            return readRecordTouchesMessage(reader);
        case 73:
            return readRoleMessage(reader);
        case 74:
            return readClashesMessage(reader);
        case 75:
            return readClashNoteMessage(reader);
        case 76:
            return readServiceMessage(reader);
        case 77:
            return readAidMessage(reader);
        case 78:
            return readMovedMessage(reader);
        default:
            throw new ProtocolError(`messages of type ${type} are not for this side`);
    }
}

// The messages of a frame that the client reads. Throws a ProtocolError at the first that is wrong.
export function decodeForClient(bytes: Uint8Array): ServerMessage[] {
    return decode(bytes, readForClient);
}

function writePayload(writer: Writer, message: Message): void {
    switch (message.type) {
        case "hello":
            return writeHelloMessage(writer, message);
        case "wants":
            return writeWantsMessage(writer, message);
        case "grab":
            return writeGrabMessage(writer, message);
        case "move":
            return writeMoveMessage(writer, message);
        case "drop":
            return writeDropMessage(writer, message);
        case "play":
            return writePlayMessage(writer, message);
        case "resume":
            return writeResumeMessage(writer, message);
        case "setState":
            return writeSetStateMessage(writer, message);
        case "open":
            return writeOpenMessage(writer, message);
        case "ping":
            return writePingMessage(writer, message);
        case "undo":
            return writeUndoMessage(writer, message);
        case "near":
            return writeNearMessage(writer, message);
        case "command":
            return writeCommandMessage(writer, message);
        case "affords":
            return writeAffordsMessage(writer, message);
        case "update":
            return writeUpdateMessage(writer, message);
        case "add":
            return writeAddMessage(writer, message);
        case "keep":
            return writeKeepMessage(writer, message);
        case "pull":
            return writePullMessage(writer, message);
        case "posture":
            return writePostureMessage(writer, message);
        case "stand":
            return writeStandMessage(writer, message);
        case "people":
            return writePeopleMessage(writer, message);
        case "remove":
            return writeRemoveMessage(writer, message);
        case "stock":
            return writeStockMessage(writer, message);
        case "seek":
            return writeSeekMessage(writer, message);
        case "speed":
            return writeSpeedMessage(writer, message);
        case "key":
            return writeKeyMessage(writer, message);
        case "removeState":
            return writeRemoveStateMessage(writer, message);
        case "noteClash":
            return writeNoteClashMessage(writer, message);
        case "welcome":
            return writeWelcomeMessage(writer, message);
        case "reset":
            return writeResetMessage(writer, message);
        case "gallery":
            return writeGalleryMessage(writer, message);
        case "mesh":
            return writeMeshMessage(writer, message);
        case "meshVertices":
            return writeMeshVerticesMessage(writer, message);
        case "meshTriangles":
            return writeMeshTrianglesMessage(writer, message);
        case "meshFaces":
            return writeMeshFacesMessage(writer, message);
        case "object":
            return writeObjectMessage(writer, message);
        case "gone":
            return writeGoneMessage(writer, message);
        case "vertices":
            return writeVerticesMessage(writer, message);
        case "state":
            return writeStateMessage(writer, message);
        case "pairs":
            return writePairsMessage(writer, message);
        case "contacts":
            return writeContactsMessage(writer, message);
        case "events":
            return writeEventsMessage(writer, message);
        case "stats":
            return writeStatsMessage(writer, message);
        case "lease":
            return writeLeaseMessage(writer, message);
        case "draw":
            return writeDrawMessage(writer, message);
        case "reply":
            return writeReplyMessage(writer, message);
        case "error":
            return writeErrorMessage(writer, message);
        case "pong":
            return writePongMessage(writer, message);
        case "faceTouches":
            return writeFaceTouchesMessage(writer, message);
        case "sound":
            return writeSoundMessage(writer, message);
        case "meshLook":
            return writeMeshLookMessage(writer, message);
        case "material":
            return writeMaterialMessage(writer, message);
        case "picture":
            return writePictureMessage(writer, message);
        case "soundPlace":
            return writeSoundPlaceMessage(writer, message);
        case "meshBones":
            return writeMeshBonesMessage(writer, message);
        case "meshWeights":
            return writeMeshWeightsMessage(writer, message);
        case "bones":
            return writeBonesMessage(writer, message);
        case "affordances":
            return writeAffordancesMessage(writer, message);
        case "ended":
            return writeEndedMessage(writer, message);
        case "refused":
            return writeRefusedMessage(writer, message);
        case "models":
            return writeModelsMessage(writer, message);
        case "stockList":
            return writeStockListMessage(writer, message);
        case "peopleList":
            return writePeopleListMessage(writer, message);
        case "postureFile":
            return writePostureFileMessage(writer, message);
        case "view":
            return writeViewMessage(writer, message);
        case "record":
            return writeRecordMessage(writer, message);
        case "recordTouches":
            return writeRecordTouchesMessage(writer, message);
        case "role":
            return writeRoleMessage(writer, message);
        case "clashes":
            return writeClashesMessage(writer, message);
        case "clashNote":
            return writeClashNoteMessage(writer, message);
        case "service":
            return writeServiceMessage(writer, message);
        case "aid":
            return writeAidMessage(writer, message);
        case "moved":
            return writeMovedMessage(writer, message);
    }
}

function decode<T>(bytes: Uint8Array, readMessage: (type: number, reader: Reader) => T): T[] {
    const frame = new Reader(bytes);
    const messages: T[] = [];
    while (frame.left > 0) {
        const type = frame.u16();
        if (frame.u16() !== 0) {
            throw new ProtocolError("a header whose third and fourth byte are not zero");
        }
        const payload = new Reader(frame.take(frame.u32()));
        messages.push(readMessage(type, payload));
        payload.end();
    }
    return messages;
}

// One frame of the messages. Throws a ProtocolError for what no reader would take.
export function encode(...messages: Message[]): Uint8Array<ArrayBuffer> {
    const writer = new Writer();
    for (const message of messages) {
        const begun = writer.begin(MessageNumber[message.type]);
        writePayload(writer, message);
        writer.end(begun);
    }
    return writer.finish();
}
