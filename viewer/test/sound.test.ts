import assert from "node:assert/strict";
import { test } from "node:test";
import { Mirror } from "../src/mirror";
import { SoundFlags, StateFlags, type ServerMessage, type SoundMessage } from "../src/protocol";
import { Sounds, type Clip, type Speakers } from "../src/sound";
import { vec3, type Vec3 } from "../src/vector";

const object = { index1: 3, generation: 1 };
const pose = { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: vec3(10, 0, 0), scale: 2 };

const welcome: ServerMessage = {
    type: "welcome",
    version: 2,
    client: 1,
    step: 0.01,
    server: "test",
    scene: "Scene",
    maxMessageBytes: 65536,
};

const sound = (more: Partial<SoundMessage> = {}): SoundMessage => ({
    type: "sound",
    object,
    point: vec3(1, 0, 0),
    intensity: 1,
    near: 1,
    far: 10,
    pitch: 1,
    start: 1,
    stop: 0,
    flags: SoundFlags.spatial,
    file: new Uint8Array([1, 2, 3]),
    ...more,
});

// Speakers that record what they are given. A file that begins with 0 cannot be played.
class NotedSpeakers implements Speakers {
    readonly played: { offset: number; scale: number; at: Vec3 | null; isStopped: boolean }[] = [];
    heardFrom: Vec3 | null = null;
    resumed = 0;

    decode(file: Uint8Array): Promise<Clip> {
        return file[0] === 0 ? Promise.reject(new Error("no sound")) : Promise.resolve({ duration: 4 });
    }

    play(_clip: Clip, _sound: SoundMessage, offset: number, scale: number) {
        const voice = { offset, scale, at: null as Vec3 | null, isStopped: false };
        this.played.push(voice);
        return { place: (at: Vec3) => void (voice.at = at), stop: () => void (voice.isStopped = true) };
    }

    resume(): void {
        this.resumed++;
    }

    listen(eye: Vec3): void {
        this.heardFrom = eye;
    }
}

class Room {
    readonly mirror = new Mirror();
    readonly speakers = new NotedSpeakers();
    opened = 0;
    readonly sounds = new Sounds(this.mirror, () => {
        this.opened++;
        return this.speakers;
    });
    private sequence = 0;

    constructor(...sounds: SoundMessage[]) {
        this.say(welcome);
        const color = { r: 0, g: 0, b: 0, a: 255 };
        this.say({ type: "object", object, name: "bell", color, flags: 0, isPlain: 0, parts: [], pose });
        sounds.forEach((each) => this.say(each));
    }

    say(message: ServerMessage): void {
        this.mirror.apply(message);
        this.sounds.apply(message);
    }

    // The state at a time, and a frame.
    at(time: number, isPaused = false, isOn = true): void {
        const sequence = ++this.sequence;
        const flags = isPaused ? StateFlags.paused : 0;
        this.say({ type: "state", sequence, since: sequence - 1, tick: sequence, time, flags, bodies: [] });
        this.sounds.update(vec3(0, 1, 0), vec3(0, 0, -1), vec3(0, 1, 0), isOn);
    }

    get state(): string | undefined {
        return this.sounds.states()[0]?.state;
    }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test("nothing sounds before the user touched the page", async () => {
    const room = new Room(sound());
    room.at(2);
    assert.equal(room.state, "muted");
    assert.equal(room.opened, 0);
    room.sounds.wake();
    await settled();
    room.at(2);
    assert.equal(room.state, "playing");
    room.sounds.wake();
    assert.equal(room.opened, 1);
    assert.equal(room.speakers.resumed, 1, "a browser that opened them closed is opened again");
});

test("it begins at its time, from where it would be, at its place in the object", async () => {
    const room = new Room(sound());
    room.sounds.wake();
    await settled();
    room.at(0.5);
    assert.equal(room.state, "waiting");
    room.at(2.5);
    assert.deepEqual(room.speakers.played, [{ offset: 1.5, scale: 2, at: vec3(12, 0, 0), isStopped: false }]);
    assert.deepEqual(room.speakers.heardFrom, vec3(0, 1, 0));
    room.at(3);
    assert.equal(room.speakers.played.length, 1, "what plays goes on");
    room.at(5);
    assert.equal(room.speakers.played[0]!.isStopped, true, "it is over after 4 seconds");
    assert.equal(room.state, "waiting");
});

test("a loop goes on, a stop ends it, a pause and the switch silence it", async () => {
    const room = new Room(sound({ flags: SoundFlags.loop, stop: 20 }));
    room.sounds.wake();
    await settled();
    room.at(10);
    assert.equal(room.speakers.played[0]!.offset, 1);
    room.at(10, true);
    assert.equal(room.state, "waiting");
    room.at(11);
    assert.equal(room.speakers.played[1]!.offset, 2);
    room.at(11, false, false);
    assert.equal(room.state, "waiting");
    room.at(12);
    room.at(20);
    assert.equal(room.state, "waiting");
    assert.ok(room.speakers.played.every(({ isStopped }) => isStopped));
});

test("it ends with its object and with the scene", async () => {
    const room = new Room(sound({ flags: SoundFlags.loop }));
    room.sounds.wake();
    await settled();
    room.at(2);
    room.say({ type: "gone", object });
    room.at(3);
    assert.deepEqual(room.sounds.states(), []);
    const other = new Room(sound({ flags: SoundFlags.loop }));
    other.sounds.wake();
    await settled();
    other.at(2);
    other.say({ type: "reset", step: 0.01, scene: "Other" });
    assert.ok(room.speakers.played[0]!.isStopped && other.speakers.played[0]!.isStopped);
});

test("what no browser can play is silent, and said so", async () => {
    const room = new Room(sound({ file: new Uint8Array([0]) }));
    room.sounds.wake();
    await settled();
    room.at(2);
    assert.equal(room.state, "broken");
});

test("a sound goes with the part that it belongs to", () => {
    const room = new Room(sound(), sound());
    room.say({ type: "soundPlace", object, sound: 1, point: vec3(7, 8, 9) });
    room.say({ type: "soundPlace", object, sound: 2, point: vec3(1, 1, 1) });
    room.say({ type: "soundPlace", object: { index1: 4, generation: 1 }, sound: 0, point: vec3(1, 1, 1) });
    const places = room.sounds.states().map((state) => state.at);
    assert.deepEqual(places, [vec3(12, 0, 0), vec3(24, 16, 18)]);
});

test("a page without sounds opens no speakers", () => {
    const room = new Room();
    room.sounds.wake();
    room.at(1);
    assert.equal(room.opened, 0);
});
