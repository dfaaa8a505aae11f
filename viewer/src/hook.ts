// window.fureai: what is drawn now, for tests and for the curious. Nothing here changes the world.
import type { Framing } from "./framing";
import type { Measured } from "./measure";
import type { SoundState } from "./sound";
import type { Pose, Quat, Vec3 } from "./vector";

export interface HookObject {
    name: string;
    index1: number;
    position: Vec3;
    rotation: Quat;
    hold: number;
}

export interface HookTouch {
    a: string;
    b: string;
    begin: number;
    end: number | null; // null: it lasts
    faces: number; // contacts of faces that are known of it
}

// What a hand at the page holds.
export interface HookHeld {
    name: string;
    raw: Vec3; // where the hand wants it
    shown: Vec3;
    predicted: boolean; // it is shown before the server has said so
    corrections: number; // how often that had to be predicted again
}

export interface Hook {
    frame: number; // frames drawn
    sequence: number; // of the state that is drawn
    shown: number; // the same, with the share of the way to the next state at which bodies are drawn
    tick: number; // of that state
    jitter: number; // milliseconds by which states came apart from an even pace lately
    period: number; // milliseconds between two states, as they come
    delay: number; // milliseconds by which states are shown behind the earliest time at which they may come
    paused: boolean;
    past: boolean; // an earlier state of the session is shown
    mode: string; // of the camera
    scene: string; // in the gallery, that was framed last
    connected: boolean;
    loaded: boolean; // every mesh is whole, a state came, and both were drawn
    pairs: number; // that collide, in the drawn state
    draws: number; // draw calls of the drawn frame, without those of shadows
    blinking: number; // triangles drawn as colliding in the drawn frame
    crossings: number; // segments drawn along which surfaces cross
    passed: number; // triangles drawn that collided between two states lately
    contacts: number; // drawn
    pictures: number; // on surfaces
    firstContacts: number; // points drawn with a ring
    immersive: boolean; // a user wears a headset
    lesson: string; // its step that is shown in the headset; "": none
    pulses: number; // that hands were given to feel
    pulse: number; // how strong the last one of a controller was, 0 .. 1
    handSounds: number; // sounds of handling that were begun
    held: HookHeld | null;
    ghost: boolean; // whether the raw pose is drawn beside the shown one
    messages: string[]; // that people were shown
    errors: string[];
    received(): number; // sequence of the newest state that came
    objects(): HookObject[];
    timeline(): HookTouch[]; // newest pair first
    layers(): { name: string; shown: boolean }[];
    aimed(): Vec3 | null; // where a stick that is let go now takes the person
    floor(): Pose; // the room of the headset, in the world
    vertices(name: string): number[] | null; // the first of an object that is deformed
    sounds(): { object: string; state: SoundState; at: Vec3 }[];
    project(name: string): { x: number; y: number } | null; // pixels of the page
    place(name: string, point: Vec3): { x: number; y: number } | null; // the same, of a point in its frame
    grip(name: string): { x: number; y: number } | null; // the same, of a place of it that nothing hides
    framing(): Framing;
    measured(): Measured | null; // between the two places that were picked
    at(x: number, y: number): string | null; // the object that a click on that pixel of the page would select
    drawn(sequence: number): Promise<void>; // a frame of that state or a later one was drawn
}

declare global {
    interface Window {
        fureai: Hook;
    }
}

// Promises of drawn(), until their frame.
export class Waiters {
    private waiting: { sequence: number; done: () => void }[] = [];

    wait(sequence: number, drawn: number): Promise<void> {
        if (drawn >= sequence) {
            return Promise.resolve();
        }
        return new Promise((done) => this.waiting.push({ sequence, done }));
    }

    resolve(drawn: number): void {
        for (const { sequence, done } of this.waiting) {
            if (drawn >= sequence) {
                done();
            }
        }
        this.waiting = this.waiting.filter(({ sequence }) => drawn < sequence);
    }
}

// Collects what went wrong on the page.
export function collectErrors(): string[] {
    const errors: string[] = [];
    window.addEventListener("error", (event) => errors.push(event.message));
    window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
    return errors;
}
