// The sound of handling: every event of a hand is heard as it comes, synthesised with the numbers of the library's own
// voice (hand_table.ts). Left and right are those of the picture. The page is silent until its user touched it.
import {
    contactPartials,
    contactSound,
    donePartials,
    doneSound,
    fittedPartials,
    fittedSound,
    handSound,
    modeAidBoth,
    modesWithAid,
    modesWithSound,
    pullPartials,
    pullSound,
    releaseSound,
    slideSound,
    snapPartials,
    snapSound,
    type TonePartial,
} from "./hand_table";
import { EventKind, type ServerMessage, type WireEvent, type WireRef } from "./protocol";
import type { Vec3 } from "./vector";

const noiseSeconds = 2;
const ahead = 0.03; // seconds: clicks are planned for the next frame
const opensWithinMs = 500; // a browser's sound that is allowed runs after so long

type Notes = { readonly [key in "first" | "second" | "later" | "level"]: number };

// The level of an event by its speed, metres a second.
export const soundLevel = (speed: number): number => Math.min(Math.max(speed / handSound.fullSpeed, handSound.faintest), 1);

// A large face sounds low, a second and a third one 3 and 7 semitones higher.
export function snapFrequency(area: number, count: number): number {
    const { frequency, lowest, highest, second, third } = snapSound;
    const exact = area > 0 ? frequency * Math.sqrt(snapSound.area / area) : highest;
    const step = count >= 3 ? third : count === 2 ? second : 1;
    return Math.min(Math.max(exact, lowest), highest) * step;
}

// The centre of the band of noise; 0: too slow to be heard.
export function slideFrequency(speed: number): number {
    const { frequency, rise, highest } = slideSound;
    return speed >= slideSound.speed ? Math.min(frequency + rise * speed, highest) : 0;
}

// Clicks a second, more and more of them until the face comes off; 0: none yet.
export function pullRate(pull: number): number {
    const { from, rate, rise } = pullSound;
    return pull >= from ? rate + rise * (Math.min(pull, 1) - from) : 0;
}

// Contacts are heard where there is sound without the aid.
export function isHeardIn(mode: number, kind: number): boolean {
    return modesWithSound.includes(mode) && !(kind === EventKind.contact && modesWithAid.includes(mode));
}

// Equally loud from left to right: the library computes the gain of a side by a root, a panner by an angle.
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
        this.band.Q.value = 1 / slideSound.width;
        this.gain = context.createGain();
        this.gain.gain.value = 0;
        this.panner = context.createStereoPanner();
        this.source.connect(this.band).connect(this.gain).connect(this.panner).connect(context.destination);
        this.source.start();
    }

    // Heard from now on, until no event came for a while.
    begin(speed: number, side: number, now: number): void {
        const center = slideFrequency(speed);
        if (center === 0) {
            this.end(now);
            return;
        }
        // White noise of 1/3 in a band of pi/2 times its width, of the rate/2 that it fills.
        const even = Math.sqrt((3 * this.context.sampleRate) / (Math.PI * slideSound.width * center));
        const { gain } = this.gain;
        this.band.frequency.setValueAtTime(center, now);
        this.panner.pan.setValueAtTime(panOf(side), now);
        gain.cancelScheduledValues(now);
        gain.setTargetAtTime(slideSound.level * soundLevel(speed) * handSound.volume * even, now, slideSound.smooth);
        gain.setTargetAtTime(0, now + handSound.hold, slideSound.smooth);
    }

    end(now: number): void {
        this.gain.gain.cancelScheduledValues(now);
        this.gain.gain.setTargetAtTime(0, now, slideSound.smooth);
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
    private isTouched = false; // the user touched the page
    private hasAid = false; // something snapped in this scene: then contacts alone are not heard
    private slide: Slide | null = null;
    private contactAt = -Infinity;
    private clickAt = -Infinity;
    private clickEvery = 0;
    private clickSide = 0;
    private pullUntil = -Infinity;

    // `side` says where a point of the world is heard, from -1 on the left to 1 on the right; `mode` is the fr_aid_mode of
    // the hands that hold an object, undefined where it is not known.
    constructor(
        private readonly open: () => AudioContext,
        private readonly side: (point: Vec3) => number,
        private readonly mode: (object: WireRef) => number | undefined = () => undefined,
    ) {}

    // The user touched the page; a phone lets it sound only from then on.
    wake(): void {
        this.isTouched = true;
        if (this.context?.state === "suspended") {
            void this.context.resume();
        }
    }

    // Whether sounds can be heard.
    get state(): "muted" | "waiting" | "open" {
        return !this.isTouched ? "muted" : this.context === null ? "waiting" : "open";
    }

    apply(message: ServerMessage, nowMs: number): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.hasAid = false;
            this.quiet();
        } else if (message.type === "events") {
            this.hasAid ||= message.events.some(({ kind }) => kind === EventKind.snap);
            message.events.forEach((event) => this.hear(event, nowMs));
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
            this.ring(pullSound.frequency, pullPartials, pullSound.level, this.clickSide, at);
        }
    }

    private hear(event: WireEvent, nowMs: number): void {
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
        // Sounds that are not allowed yet must not all be heard at once later.
        if (this.context.state !== "running" && nowMs - this.openedMs > opensWithinMs) {
            return;
        }
        this.sound(event, this.side(event.point), this.context.currentTime);
    }

    // By the mode; everything where it is not known.
    private isHeard({ kind, a }: WireEvent): boolean {
        const mode = this.mode(a) ?? (this.hasAid ? modeAidBoth : null);
        return mode === null || isHeardIn(mode, kind);
    }

    private sound(event: WireEvent, side: number, now: number): void {
        const { kind, speed, area, count, pull } = event;
        switch (kind) {
            case EventKind.contact:
                if (now - this.contactAt >= contactSound.pause) {
                    this.contactAt = now;
                    this.ring(contactSound.frequency, contactPartials, contactSound.level * soundLevel(speed), side, now);
                }
                break;
            case EventKind.snap:
                this.ring(snapFrequency(area, count), snapPartials, soundLevel(speed), side, now);
                break;
            case EventKind.slide:
                this.slide ??= new Slide(this.context!);
                this.slide.begin(speed, side, now);
                break;
            case EventKind.pull:
                this.pulls(pull, side, now);
                break;
            case EventKind.loose:
                this.chirp(side, now);
                break;
            case EventKind.done:
                this.notes(doneSound, donePartials, side, now);
                break;
            case EventKind.fitted:
                this.notes(fittedSound, fittedPartials, side, now);
                break;
        }
        // An object that nothing holds any more neither slides nor is about to come off.
        if (kind === EventKind.done || (kind === EventKind.loose && count === 0)) {
            this.quiet();
        }
    }

    private pulls(pull: number, side: number, now: number): void {
        const rate = pullRate(pull);
        this.pullUntil = rate > 0 ? now + handSound.hold : now;
        this.clickEvery = rate > 0 ? 1 / rate : this.clickEvery;
        this.clickSide = side;
        this.update();
    }

    private quiet(): void {
        this.pullUntil = -Infinity;
        if (this.context !== null) {
            this.slide?.end(this.context.currentTime);
        }
    }

    // Two notes, the second one later.
    private notes(sound: Notes, partials: readonly TonePartial[], side: number, now: number): void {
        this.ring(sound.first, partials, sound.level, side, now);
        this.ring(sound.second, partials, sound.level, side, now + sound.later);
    }

    // A tone that dies away by itself.
    private ring(frequency: number, partials: readonly TonePartial[], loudness: number, side: number, at: number): void {
        const context = this.context!;
        const panner = this.panner(side);
        let longest = 0;
        let last: OscillatorNode | null = null;
        for (const [ratio, part, decay] of partials) {
            const [tone, gain] = [context.createOscillator(), context.createGain()];
            tone.frequency.value = frequency * ratio;
            gain.gain.setValueAtTime(part * loudness * handSound.volume, at);
            gain.gain.setTargetAtTime(0, at, decay);
            tone.connect(gain).connect(panner);
            tone.start(at);
            tone.stop(at + handSound.deadAfter * decay);
            last = decay > longest ? tone : last;
            longest = Math.max(longest, decay);
        }
        last!.onended = (): void => panner.disconnect();
        this.played++;
    }

    // The frequency goes straight from the first to the last, and so does the loudness to nothing.
    private chirp(side: number, at: number): void {
        const { first, last, seconds, level: loudness } = releaseSound;
        const context = this.context!;
        const panner = this.panner(side);
        const [tone, gain] = [context.createOscillator(), context.createGain()];
        tone.frequency.setValueAtTime(first, at);
        tone.frequency.linearRampToValueAtTime(last, at + seconds);
        gain.gain.setValueAtTime(loudness * handSound.volume, at);
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
