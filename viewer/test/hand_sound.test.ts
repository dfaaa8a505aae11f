// The sound of handling, with a sound system that only records what is made, and against the results of the library.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HandSound, isHeardIn, pullRate, slideFrequency, snapFrequency, soundLevel } from "../src/hand_sound";
import { EventKind, type WireEvent } from "../src/protocol";
import { vec3 } from "../src/vector";
import { heardCases, levelCases, pullCases, slideCases, snapCases } from "./hand_cases";
import { handEvent, handEvents, hello } from "./hand_event";

type Step = readonly [what: string, value: number, at: number, constant?: number];

class NotedParam {
    value = 0;
    readonly steps: Step[] = [];
    setValueAtTime(value: number, at: number): void {
        this.steps.push(["set", value, at]);
    }
    linearRampToValueAtTime(value: number, at: number): void {
        this.steps.push(["ramp", value, at]);
    }
    setTargetAtTime(value: number, at: number, constant: number): void {
        this.steps.push(["to", value, at, constant]);
    }
    cancelScheduledValues(at: number): void {
        this.steps.push(["cancel", 0, at]);
    }
}

class NotedNode {
    readonly frequency = new NotedParam();
    readonly gain = new NotedParam();
    readonly pan = new NotedParam();
    readonly Q = new NotedParam();
    readonly into: NotedNode[] = [];
    type = "";
    loop = false;
    buffer: unknown = null;
    started: number | null = null;
    stopped: number | null = null;
    isConnected = true;
    onended: (() => void) | null = null;
    constructor(readonly kind: string) {}
    connect(node: NotedNode): NotedNode {
        this.into.push(node);
        return node;
    }
    disconnect(): void {
        this.isConnected = false;
    }
    start(at = 0): void {
        this.started = at;
    }
    stop(at: number): void {
        this.stopped = at;
    }
}

class NotedContext {
    currentTime = 10;
    readonly sampleRate = 48000;
    state = "running";
    resumed = 0;
    readonly nodes: NotedNode[] = [];
    readonly destination = new NotedNode("speakers");
    private make(kind: string): NotedNode {
        const node = new NotedNode(kind);
        this.nodes.push(node);
        return node;
    }
    createOscillator = (): NotedNode => this.make("tone");
    createGain = (): NotedNode => this.make("gain");
    createStereoPanner = (): NotedNode => this.make("panner");
    createBufferSource = (): NotedNode => this.make("noise");
    createBiquadFilter = (): NotedNode => this.make("band");
    createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
    resume(): void {
        this.resumed++;
    }
    of(kind: string): NotedNode[] {
        return this.nodes.filter((node) => node.kind === kind);
    }
}

class Room {
    readonly context = new NotedContext();
    opened = 0;
    nowMs = 0;
    readonly sound = new HandSound(
        () => {
            this.opened++;
            return this.context as unknown as AudioContext;
        },
        ({ x }) => x,
        () => this.mode,
    );
    mode: number | undefined = undefined;
    constructor(isTouched = true) {
        this.sound.apply(hello, 0);
        if (isTouched) {
            this.sound.wake();
        }
    }
    add(...events: WireEvent[]): void {
        this.sound.apply(handEvents(...events), this.nowMs);
    }
    // Frequency, loudness and time constant of each tone.
    tones(): (readonly [number, number, number, number])[] {
        return this.context.of("tone").map((tone) => {
            const [set, to] = tone.into[0]!.gain.steps;
            assert.equal(tone.started, set![2]);
            return [tone.frequency.value, set![1], to![3]!, tone.started! - this.context.currentTime] as const;
        });
    }
}

const close = (got: readonly number[], wanted: readonly number[]): void =>
    got.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]!) < 1e-9 * Math.max(1, Math.abs(value)), `${got} is not ${wanted}`));

test("nothing is opened before the user touched the page, nor where it is turned off", () => {
    const room = new Room(false);
    room.add(handEvent(EventKind.done));
    assert.equal(room.opened, 0);
    assert.equal(room.sound.state, "muted");
    room.sound.wake();
    assert.equal(room.sound.state, "waiting");
    room.sound.isOn = false;
    room.add(handEvent(EventKind.done));
    assert.equal(room.opened, 0);
    room.sound.isOn = true;
    room.add(handEvent(EventKind.touchBegin), handEvent(EventKind.force, { value: 3 }));
    assert.equal(room.opened, 0, "what is no sound opens nothing");
    room.add(handEvent(EventKind.done));
    assert.equal(room.opened, 1);
    assert.equal(room.sound.state, "open");
});

test("a snap is three damped sines, by area, speed and count, at once", () => {
    const room = new Room();
    room.add(handEvent(EventKind.snap, { area: 0.0049, speed: 0.3, count: 1 }));
    const tones = room.tones();
    assert.equal(tones.length, 3);
    close(tones[0]!, [400, (0.5 * 4) / 7, 0.06, 0]);
    close(tones[1]!, [920, (0.5 * 2) / 7, 0.06, 0]);
    close(tones[2]!, [1560, 0.5 / 7, 0.06, 0]);
    assert.ok(room.context.of("tone").every((tone) => Math.abs(tone.stopped! - 10 - 0.72) < 1e-9));

    const faint = new Room();
    faint.add(handEvent(EventKind.snap, { area: 0.0049, speed: 0.001, count: 1 }));
    close(faint.tones()[0]!, [400, (0.5 * 0.0625 * 4) / 7, 0.06, 0]);
});

test("level, frequency and rate of every event are those of the library", () => {
    const same = (got: number, expected: number): void =>
        assert.ok(Math.abs(got - expected) <= 1e-12 * Math.abs(expected), `${got}, not ${expected}`);
    levelCases.forEach(([speed, expected]) => same(soundLevel(speed), expected));
    slideCases.forEach(([speed, expected]) => same(slideFrequency(speed), expected));
    pullCases.forEach(([pull, expected]) => same(pullRate(pull), expected));
    snapCases.forEach(([area, count, expected]) => same(snapFrequency(area, count), expected));
    for (const [mode, kind, expected] of heardCases) {
        assert.equal(isHeardIn(mode, EventKind[kind]), expected, `mode ${mode}, ${kind}`);
    }
});

test("a large face sounds low, the second and third three and seven semitones higher", () => {
    close([snapFrequency(0.0049, 1), snapFrequency(0.0049, 2), snapFrequency(0.0049, 3)], [400, 400 * 2 ** 0.25, 400 * 2 ** (7 / 12)]);
    close([snapFrequency(1, 1), snapFrequency(1e-9, 1), snapFrequency(0, 1), snapFrequency(0.0196, 1)], [200, 2000, 2000, 200]);
});

test("left and right are those of the picture, equally loud from side to side", () => {
    const sides = [-1, -0.5, 0, 0.5, 1, 7];
    for (const side of sides) {
        const room = new Room();
        room.add(handEvent(EventKind.loose, { point: vec3(side, 0, 0) }));
        const { value } = room.context.of("panner")[0]!.pan;
        // As a panner has it for one channel.
        const angle = ((value + 1) / 2) * (Math.PI / 2);
        const clamped = Math.min(1, side);
        close([Math.cos(angle), Math.sin(angle)], [Math.sqrt(0.5 * (1 - clamped)), Math.sqrt(0.5 * (1 + clamped))]);
    }
});

test("sliding is a band of noise that follows its speed and ends by itself", () => {
    const room = new Room();
    room.add(handEvent(EventKind.slide, { speed: 0.15, point: vec3(1, 0, 0) }));
    const [band, gain] = [room.context.of("band")[0]!, room.context.of("gain")[0]!];
    assert.equal(band.type, "bandpass");
    assert.equal(band.Q.value, 2);
    assert.deepEqual(band.frequency.steps, [["set", 900, 10]]);
    const [cancel, to, end] = gain.gain.steps;
    assert.deepEqual(cancel, ["cancel", 0, 10]);
    // Root of the mean square 0.1, of which half the speed is half: 0.1 * 0.5 * 0.5 over that of the band of noise.
    const ofBand = Math.sqrt(((1 / 3) * ((Math.PI / 2) * (900 / 2))) / 24000);
    close(to!.slice(1) as number[], [0.025 / ofBand, 10, 0.005]);
    close(end!.slice(1) as number[], [0, 10.1, 0.005]);
    assert.ok(room.context.of("noise")[0]!.loop);

    room.context.currentTime = 11;
    room.add(handEvent(EventKind.slide, { speed: 5 }));
    assert.deepEqual(band.frequency.steps.at(-1), ["set", 8000, 11], "one noise for all, and not too high");
    room.add(handEvent(EventKind.slide, { speed: 0.001 }));
    assert.deepEqual(gain.gain.steps.at(-1), ["to", 0, 11, 0.005], "slower than 2 mm/s is not heard");
    assert.equal(room.context.of("noise").length, 1);
});

test("pulling clicks 2 to 15 times a second as it nears the end, and stops with it", () => {
    const clicks = (pull: number): number => {
        const room = new Room();
        // A second of ticks and frames of 10 ms.
        for (let i = 0; i < 100; i++) {
            room.context.currentTime = 10 + i / 100;
            room.add(handEvent(EventKind.pull, { pull, count: 1 }));
            room.sound.update();
        }
        assert.ok(room.context.of("tone").every((tone) => tone.frequency.value === 1500));
        return room.context.of("tone").length;
    };
    assert.equal(clicks(0.4), 0);
    assert.ok(Math.abs(clicks(0.5) - 2) <= 1);
    assert.ok(Math.abs(clicks(0.75) - 8.5) <= 1);
    assert.ok(Math.abs(clicks(1) - 15) <= 1);

    const room = new Room();
    room.add(handEvent(EventKind.pull, { pull: 1, count: 1 }), handEvent(EventKind.loose, { count: 0 }));
    room.context.currentTime = 10.09;
    room.sound.update();
    assert.equal(room.context.of("tone").length, 2, "a click and the chirp");
});

test("coming off is a falling chirp, putting down two tones, a fit a bell", () => {
    const room = new Room();
    room.add(handEvent(EventKind.loose, { count: 1 }));
    const [tone] = room.context.of("tone");
    assert.deepEqual(tone!.frequency.steps, [["set", 600, 10], ["ramp", 200, 10.08]]);
    assert.deepEqual(tone!.into[0]!.gain.steps, [["set", 0.25, 10], ["ramp", 0, 10.08]]);
    assert.equal(tone!.stopped, 10.08);
    tone!.onended!();
    assert.equal(room.context.of("panner")[0]!.isConnected, false, "what has sounded is let go");

    const done = new Room();
    done.add(handEvent(EventKind.done));
    const [low, high] = done.tones();
    close(low!, [600, 0.2, 0.1, 0]);
    close(high!, [800, 0.2, 0.1, 0.15]);

    const fitted = new Room();
    fitted.add(handEvent(EventKind.fitted));
    const bell = fitted.tones();
    assert.equal(bell.length, 8);
    close(bell[0]!, [880, 0.15, 0.5, 0]);
    close(bell[2]!, [2112, 0.06, 0.25, 0]);
    close(bell[4]!, [1320, 0.15, 0.5, 0.12]);
});

test("contacts are heard once a moment, and not where the aid snaps", () => {
    const room = new Room();
    room.add(handEvent(EventKind.contact, { speed: 0.3 }), handEvent(EventKind.contact, { speed: 0.3 }));
    assert.equal(room.tones().length, 1);
    close(room.tones()[0]!, [500, 0.25, 0.015, 0]);
    room.context.currentTime = 10.02;
    room.add(handEvent(EventKind.contact), handEvent(EventKind.snap, { count: 1 }));
    room.context.currentTime = 11;
    room.add(handEvent(EventKind.contact));
    assert.equal(room.context.of("tone").length, 4, "the one before, and the snap's three");
    room.sound.apply({ type: "reset", step: 0.01, scene: "Other" }, 0);
    room.add(handEvent(EventKind.contact));
    assert.equal(room.context.of("tone").length, 5, "another scene may have no aid");
});

test("the mode of an object says what of it is heard", () => {
    const heard = (mode: number, kind: number): boolean => {
        const room = new Room();
        room.mode = mode;
        room.add(handEvent(kind, { count: 1 }));
        return room.context.of("tone").length > 0;
    };
    const modes = [1, 2, 3, 4, 5, 6];
    assert.deepEqual(modes.map((mode) => heard(mode, EventKind.snap)), [false, false, false, true, true, true]);
    assert.deepEqual(modes.map((mode) => heard(mode, EventKind.contact)), [false, false, false, false, false, true]);
});

test("what a browser does not let sound is not kept for later, and asked for again", () => {
    const room = new Room();
    room.context.state = "suspended";
    room.add(handEvent(EventKind.done));
    assert.equal(room.context.of("tone").length, 2, "it may just be opening");
    room.nowMs = 2000;
    room.add(handEvent(EventKind.done));
    assert.equal(room.context.of("tone").length, 2);
    room.sound.wake();
    assert.equal(room.context.resumed, 1);
});
