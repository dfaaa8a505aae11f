// What handling sounds like: every event of a hand is heard as it comes, synthesised by the rules of the library's own
// voice (src/touch/sound.c): the same frequencies, decays, steps of pitch and levels. Left and right are those of the
// picture. Nothing sounds before somebody touched the page.
import { EventKind, type ServerMessage, type WireEvent, type WireRef } from "./protocol";
import type { Vec3 } from "./vector";

const volume = 0.5; // of all, as in the library
const deadAfter = 12; // time constants until a sound is below half a step of 16 bits
const fullSpeed = 0.3; // metres a second: 0 dB
const faintest = 0.0625; // -24 dB: slower is as loud as this
const slideSpeed = 0.002; // metres a second: slower is not heard
const slideLevel = 0.1; // root of the mean square at 0 dB
const slideQuality = 2; // centre of the band over its width
const slideSmooth = 0.005; // seconds, time constant of its loudness
const slideHighest = 8000;
const noiseSeconds = 2;

// Of fr_aid_mode.
const modeAidSound = 4;
const modeAidBoth = 5;
const modeSound = 6;

const contactPause = 0.01; // seconds: contacts of one moment are one click
const hold = 0.1; // seconds that sliding and pulling go on after they were told
const ahead = 0.03; // seconds: clicks are planned for the next frame
const opensWithinMs = 500; // a browser's sound that is allowed runs after so long

// Frequency over that of the tone, part of its loudness, and seconds until 1 / e is left.
type Overtone = readonly [ratio: number, part: number, decay: number];

const snapPartials: readonly Overtone[] = [[1, 4 / 7, 0.06], [2.3, 2 / 7, 0.06], [3.9, 1 / 7, 0.06]];
const contactPartials: readonly Overtone[] = [[1, 1, 0.015]];
const clickPartials: readonly Overtone[] = [[1, 1, 0.008]];
const donePartials: readonly Overtone[] = [[1, 1, 0.1]];
const bellPartials: readonly Overtone[] = [[1, 0.5, 0.5], [2, 0.2, 0.35], [2.4, 0.2, 0.25], [3.8, 0.1, 0.12]];

const level = (speed: number): number => Math.min(Math.max(speed / fullSpeed, faintest), 1);

// A large face sounds low, a second and a third one 3 and 7 semitones higher.
export function snapFrequency(area: number, count: number): number {
    const frequency = area > 0 ? Math.min(Math.max(400 * Math.sqrt(0.0049 / area), 200), 2000) : 2000;
    return frequency * 2 ** ((count >= 3 ? 7 : count === 2 ? 3 : 0) / 12);
}

// Equally loud all the way: what the library gives a side by a root a panner gives by an angle.
const panOf = (side: number): number => (2 / Math.PI) * Math.asin(Math.min(Math.max(side, -1), 1));

// The noise that slides, going on until it is stopped.
class Slide {
    private readonly source: AudioBufferSourceNode;
    private readonly band: BiquadFilterNode;
    private readonly gain: GainNode;
    private readonly panner: StereoPannerNode;

    constructor(private readonly context: BaseAudioContext) {
        this.source = context.createBufferSource();
        this.source.buffer = noise(context);
        this.source.loop = true;
        this.band = context.createBiquadFilter();
        this.band.type = "bandpass";
        this.band.Q.value = slideQuality;
        this.gain = context.createGain();
        this.gain.gain.value = 0;
        this.panner = context.createStereoPanner();
        this.source.connect(this.band).connect(this.gain).connect(this.panner).connect(context.destination);
        this.source.start();
    }

    // Heard from now on, until it was not told for a while.
    tell(speed: number, side: number, now: number): void {
        if (!(speed >= slideSpeed)) {
            this.end(now);
            return;
        }
        const center = Math.min(300 + 4000 * speed, slideHighest);
        // White noise of 1/3 in a band of pi/2 times its width, of the rate/2 that it fills.
        const even = Math.sqrt((3 * this.context.sampleRate * slideQuality) / (Math.PI * center));
        const { gain } = this.gain;
        this.band.frequency.setValueAtTime(center, now);
        this.panner.pan.setValueAtTime(panOf(side), now);
        gain.cancelScheduledValues(now);
        gain.setTargetAtTime(slideLevel * level(speed) * volume * even, now, slideSmooth);
        gain.setTargetAtTime(0, now + hold, slideSmooth);
    }

    end(now: number): void {
        this.gain.gain.cancelScheduledValues(now);
        this.gain.gain.setTargetAtTime(0, now, slideSmooth);
    }
}

function noise(context: BaseAudioContext): AudioBuffer {
    const length = Math.round(noiseSeconds * context.sampleRate);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) {
        samples[i] = 2 * Math.random() - 1;
    }
    return buffer;
}

export class HandSound {
    isOn = true;
    played = 0; // sounds begun
    private context: AudioContext | null = null;
    private openedMs = 0;
    private isTouched = false; // somebody touched the page
    private hasAid = false; // something snapped in this scene: then contacts alone are not heard
    private slide: Slide | null = null;
    private contactAt = -Infinity;
    private clickAt = -Infinity;
    private clickEvery = 0;
    private clickSide = 0;
    private pullUntil = -Infinity;

    // `side` tells where a point of the world is heard, from -1 on the left to 1 on the right; `mode` what hands are given
    // that hold an object, of fr_aid_mode, undefined where that was not told.
    constructor(
        private readonly open: () => AudioContext,
        private readonly side: (point: Vec3) => number,
        private readonly mode: (object: WireRef) => number | undefined = () => undefined,
    ) {}

    // Somebody touched the page; a phone lets it sound only from then on.
    wake(): void {
        this.isTouched = true;
        if (this.context?.state === "suspended") {
            void this.context.resume();
        }
    }

    // Where what can be heard goes on.
    get state(): "muted" | "waiting" | "open" {
        return !this.isTouched ? "muted" : this.context === null ? "waiting" : "open";
    }

    apply(message: ServerMessage, nowMs: number): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.hasAid = false;
            this.quiet();
        } else if (message.type === "events") {
            this.hasAid ||= message.events.some(({ kind }) => kind === EventKind.snap);
            message.events.forEach((event) => this.tell(event, nowMs));
        }
    }

    // Plans the clicks of pulling; to be called in every frame.
    update(): void {
        const { context } = this;
        if (context === null) {
            return;
        }
        const now = context.currentTime;
        for (;;) {
            const at = Math.max(this.clickAt + this.clickEvery, now);
            if (at >= this.pullUntil || at > now + ahead) {
                return;
            }
            this.clickAt = at;
            this.ring(1500, clickPartials, 0.25, this.clickSide, at);
        }
    }

    private tell(event: WireEvent, nowMs: number): void {
        if (event.kind < EventKind.contact || event.kind > EventKind.fitted || !this.isOn || !this.isTouched) {
            return;
        }
        if (!this.isHeard(event)) {
            return;
        }
        if (this.context === null) {
            this.context = this.open();
            this.openedMs = nowMs;
        }
        // What is not allowed to sound yet must not all be heard at once later.
        if (this.context.state !== "running" && nowMs - this.openedMs > opensWithinMs) {
            return;
        }
        this.sound(event, this.side(event.point), this.context.currentTime);
    }

    // By the mode: contacts are heard where there is sound without the aid.
    private isHeard({ kind, a }: WireEvent): boolean {
        const mode = this.mode(a) ?? (this.hasAid ? modeAidBoth : null);
        const isContact = kind === EventKind.contact;
        return mode === null || (isContact ? mode === modeSound : mode >= modeAidSound && mode <= modeSound);
    }

    private sound(event: WireEvent, side: number, now: number): void {
        const { kind, speed, area, count, pull } = event;
        switch (kind) {
            case EventKind.contact:
                if (now - this.contactAt >= contactPause) {
                    this.contactAt = now;
                    this.ring(500, contactPartials, 0.5 * level(speed), side, now);
                }
                break;
            case EventKind.snap:
                this.ring(snapFrequency(area, count), snapPartials, level(speed), side, now);
                break;
            case EventKind.slide:
                this.slide ??= new Slide(this.context!);
                this.slide.tell(speed, side, now);
                break;
            case EventKind.pull:
                this.pulls(pull, side, now);
                break;
            case EventKind.loose:
                this.chirp(600, 200, 0.08, 0.5, side, now);
                break;
            case EventKind.done:
                this.ring(600, donePartials, 0.4, side, now);
                this.ring(800, donePartials, 0.4, side, now + 0.15);
                break;
            case EventKind.fitted:
                this.ring(880, bellPartials, 0.6, side, now);
                this.ring(1320, bellPartials, 0.6, side, now + 0.12);
                break;
        }
        // What nothing holds any more neither slides nor is about to come off.
        if (kind === EventKind.done || (kind === EventKind.loose && count === 0)) {
            this.quiet();
        }
    }

    // From 2 clicks a second at one half to 15 where it comes off.
    private pulls(pull: number, side: number, now: number): void {
        this.pullUntil = pull >= 0.5 ? now + hold : now;
        this.clickEvery = 1 / (2 + 26 * (Math.min(Math.max(pull, 0.5), 1) - 0.5));
        this.clickSide = side;
        this.update();
    }

    private quiet(): void {
        this.pullUntil = -Infinity;
        if (this.context !== null) {
            this.slide?.end(this.context.currentTime);
        }
    }

    // A tone that dies away by itself.
    private ring(frequency: number, partials: readonly Overtone[], loudness: number, side: number, at: number): void {
        const context = this.context!;
        const panner = this.panner(side);
        let longest = 0;
        let last: OscillatorNode | null = null;
        for (const [ratio, part, decay] of partials) {
            const [tone, gain] = [context.createOscillator(), context.createGain()];
            tone.frequency.value = frequency * ratio;
            gain.gain.setValueAtTime(part * loudness * volume, at);
            gain.gain.setTargetAtTime(0, at, decay);
            tone.connect(gain).connect(panner);
            tone.start(at);
            tone.stop(at + deadAfter * decay);
            last = decay > longest ? tone : last;
            longest = Math.max(longest, decay);
        }
        last!.onended = (): void => panner.disconnect();
        this.played++;
    }

    // The frequency goes straight from the first to the last, and so does the loudness to nothing.
    private chirp(first: number, last: number, seconds: number, loudness: number, side: number, at: number): void {
        const context = this.context!;
        const panner = this.panner(side);
        const [tone, gain] = [context.createOscillator(), context.createGain()];
        tone.frequency.setValueAtTime(first, at);
        tone.frequency.linearRampToValueAtTime(last, at + seconds);
        gain.gain.setValueAtTime(loudness * volume, at);
        gain.gain.linearRampToValueAtTime(0, at + seconds);
        tone.connect(gain).connect(panner);
        tone.start(at);
        tone.stop(at + seconds);
        tone.onended = (): void => panner.disconnect();
        this.played++;
    }

    private panner(side: number): StereoPannerNode {
        const panner = this.context!.createStereoPanner();
        panner.pan.value = panOf(side);
        panner.connect(this.context!.destination);
        return panner;
    }
}
