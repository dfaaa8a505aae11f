// The sounds of objects. The page is silent until its user touched it, as browsers require.
import type { Mirror } from "./mirror";
import { SoundFlags, type ServerMessage, type SoundMessage } from "./protocol";
import { applyPose, type Vec3 } from "./vector";

export interface Clip {
    duration: number; // seconds
}

// Something that is being played.
export interface Voice {
    place(at: Vec3): void;
    stop(): void;
}

// Where it is played.
export interface Speakers {
    decode(file: Uint8Array): Promise<Clip>;
    play(clip: Clip, sound: SoundMessage, offset: number, scale: number): Voice; // from so many seconds of the clip
    listen(eye: Vec3, forward: Vec3, up: Vec3): void;
    resume(): void; // the user touched the page
}

// muted: the user has not touched the page yet; waiting: for its time, or to be decoded; broken: no browser can play it
export type SoundState = "muted" | "waiting" | "playing" | "broken";

class Heard {
    clip: Clip | null = null;
    voice: Voice | null = null;
    isBroken = false;

    constructor(readonly message: SoundMessage) {}

    // Seconds of the clip that are over at a time of the world; null where it is silent then.
    offset(time: number): number | null {
        const { start, stop, pitch, flags } = this.message;
        if (this.clip === null || time < start || (stop > start && time >= stop) || pitch <= 0) {
            return null;
        }
        const over = (time - start) * pitch;
        if ((flags & SoundFlags.loop) !== 0) {
            return this.clip.duration > 0 ? over % this.clip.duration : 0;
        }
        return over < this.clip.duration ? over : null;
    }

    silence(): void {
        this.voice?.stop();
        this.voice = null;
    }
}

export class Sounds {
    private heard: Heard[] = [];
    private speakers: Speakers | null = null;

    constructor(
        private readonly mirror: Mirror,
        private readonly open: () => Speakers,
    ) {}

    apply(message: ServerMessage): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.heard.forEach((sound) => sound.silence());
            this.heard = [];
        } else if (message.type === "sound") {
            const sound = new Heard(message);
            this.heard.push(sound);
            this.decode(sound);
        } else if (message.type === "soundPlace") {
            const { index1, generation } = message.object;
            const isSame = ({ message: { object } }: Heard): boolean =>
                object.index1 === index1 && object.generation === generation;
            const sound = this.heard.filter(isSame)[message.sound];
            if (sound !== undefined) {
                sound.message.point = message.point;
            }
        }
    }

    // The user touched the page.
    wake(): void {
        this.speakers?.resume();
        if (this.speakers === null && this.heard.length > 0) {
            this.speakers = this.open();
            this.heard.forEach((sound) => this.decode(sound));
        }
    }

    // Brings what is played to what the world says; to be called in every frame.
    update(eye: Vec3, forward: Vec3, up: Vec3, isOn: boolean): void {
        this.heard = this.heard.filter((sound) => {
            const isThere = this.mirror.find(sound.message.object) !== undefined;
            if (!isThere) {
                sound.silence();
            }
            return isThere;
        });
        if (this.heard.length === 0) {
            return;
        }
        this.speakers?.listen(eye, forward, up);
        for (const sound of this.heard) {
            this.follow(sound, isOn);
        }
    }

    states(): { object: string; state: SoundState; at: Vec3 }[] {
        return this.heard.flatMap((sound) => {
            const body = this.mirror.find(sound.message.object);
            const at = body === undefined ? null : applyPose(body.pose, sound.message.point);
            return body === undefined || at === null ? [] : [{ object: body.name, state: this.stateOf(sound), at }];
        });
    }

    private stateOf(sound: Heard): SoundState {
        if (sound.isBroken) {
            return "broken";
        }
        return this.speakers === null ? "muted" : sound.voice === null ? "waiting" : "playing";
    }

    private follow(sound: Heard, isOn: boolean): void {
        const { speakers, mirror } = this;
        const body = mirror.find(sound.message.object)!;
        const offset = isOn && !mirror.isPaused ? sound.offset(mirror.time) : null;
        if (offset === null || speakers === null) {
            sound.silence();
            return;
        }
        sound.voice ??= speakers.play(sound.clip!, sound.message, offset, body.pose.scale);
        sound.voice.place(applyPose(body.pose, sound.message.point));
    }

    private decode(sound: Heard): void {
        void this.speakers?.decode(sound.message.file).then(
            (clip) => (sound.clip = clip),
            () => (sound.isBroken = true),
        );
    }
}

let audio: AudioContext | null = null;

// The one audio context, whatever is played.
export function openAudio(): AudioContext {
    audio ??= new AudioContext({ latencyHint: "interactive" });
    return audio;
}

// The speakers of a browser.
export class BrowserSpeakers implements Speakers {
    private readonly context = openAudio();
    private readonly buffers = new WeakMap<Clip, AudioBuffer>();

    async decode(file: Uint8Array): Promise<Clip> {
        const copy = new ArrayBuffer(file.byteLength);
        new Uint8Array(copy).set(file);
        const buffer = await this.context.decodeAudioData(copy);
        const clip = { duration: buffer.duration };
        this.buffers.set(clip, buffer);
        return clip;
    }

    play(clip: Clip, sound: SoundMessage, offset: number, scale: number): Voice {
        const { context } = this;
        const source = new AudioBufferSourceNode(context, {
            buffer: this.buffers.get(clip)!,
            loop: (sound.flags & SoundFlags.loop) !== 0,
            playbackRate: sound.pitch,
        });
        const gain = new GainNode(context, { gain: Math.min(Math.max(sound.intensity, 0), 1) });
        const panner = new PannerNode(context, {
            panningModel: "HRTF",
            distanceModel: "linear",
            refDistance: Math.max(sound.near * scale, 1e-3),
            maxDistance: Math.max(sound.far * scale, sound.near * scale + 1e-3),
        });
        const isSpatial = (sound.flags & SoundFlags.spatial) !== 0;
        source.connect(gain);
        (isSpatial ? gain.connect(panner) : gain).connect(context.destination);
        source.start(0, offset);
        return {
            place: ({ x, y, z }) => {
                panner.positionX.value = x;
                panner.positionY.value = y;
                panner.positionZ.value = z;
            },
            stop: () => {
                source.stop();
                source.disconnect();
                gain.disconnect();
                panner.disconnect();
            },
        };
    }

    resume(): void {
        if (this.context.state === "suspended") {
            void this.context.resume();
        }
    }

    listen(eye: Vec3, forward: Vec3, up: Vec3): void {
        const { listener } = this.context;
        const set = (parameter: AudioParam, value: number): void => void (parameter.value = value);
        set(listener.positionX, eye.x);
        set(listener.positionY, eye.y);
        set(listener.positionZ, eye.z);
        set(listener.forwardX, forward.x);
        set(listener.forwardY, forward.y);
        set(listener.forwardZ, forward.z);
        set(listener.upX, up.x);
        set(listener.upY, up.y);
        set(listener.upZ, up.z);
    }
}
