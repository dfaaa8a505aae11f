// How a scene is put into the part of the page that panels leave free: what it is about, from which side that fills enough
// of the place, and how much it takes. Nothing else corrects the camera for narrow pages.
import { cornersOf, subjects } from "./bounds";
import type { Camera, Rectangle } from "./camera";
import { aboveSheet, freePlace, inset } from "./free_place";
import type { Body, Mirror } from "./mirror";
import { add, length, subtract, times, vec3, type Vec3 } from "./vector";

// The part of the page that is free, how much of it the box about the subjects takes, and how much of a side at most.
export interface Framing {
    free: Rectangle;
    covered: number;
    filled: number;
}

// Whence scenes are looked at that say nothing of it: right of the front, and above.
export const slanted: Vec3 = vec3(0.51, 0.43, 0.74);

// How much of the free place a scene should take, from how many sides it is tried, and how steeply then.
const wanted = 1 / 3;
const turns = 8;
const tilts = [0, 0.3, 0.6]; // radians above the first look

// Frames after the first look in which panels take their sizes for a new scene.
const settlingFrames = 30;

// Where the camera was put, and for which free place: as text, to be compared.
interface FirstLook {
    camera: string;
    free: string;
    frames: number; // in which it may still be corrected
}

export class Framer {
    private first: FirstLook | null = null;

    constructor(
        private readonly camera: Camera,
        private readonly mirror: Mirror,
        private readonly free: () => Rectangle = () => freePlace(camera.width, camera.height),
    ) {}

    // What the scene is about: what its view names, else what may move.
    subjects(): Body[] {
        const { mirror } = this;
        const named = (mirror.view?.objects ?? []).map((ref) => mirror.find(ref)).filter((body) => body !== undefined);
        return named.length > 0 ? named : subjects(mirror);
    }

    // All that is within a radius of a point is just seen between the panels and above a sheet, from where the camera looks.
    fitBall(center: Vec3, radius: number): void {
        const points = [0, 1, 2, 3, 4, 5].map((i) => {
            const offset = i % 2 === 0 ? radius : -radius;
            return add(center, vec3(i < 2 ? offset : 0, i === 2 || i === 3 ? offset : 0, i > 3 ? offset : 0));
        });
        this.camera.fit(points, inset(aboveSheet(this.free(), this.camera.height)));
    }

    // Bodies, in a box so many times as large, are just seen between the panels, from where the camera looks.
    fit(bodies: readonly Body[], size = 1): void {
        const points = cornersOf(bodies, this.mirror);
        if (points.length === 0) {
            return;
        }
        const middle = times(points.reduce((sum, point) => add(sum, point), vec3(0, 0, 0)), 1 / points.length);
        this.camera.fit(
            points.map((point) => add(middle, times(subtract(point, middle), size))),
            inset(this.free()),
        );
    }

    // The first look at a scene: as it says, else at its subjects.
    lookFirst(frames = settlingFrames): void {
        this.look();
        this.first = { camera: this.pose(), free: JSON.stringify(this.free()), frames };
    }

    // Looks again where panels left another place free than at the first look, unless the user has moved the camera since.
    // Called in every frame after the panels were brought up to date; true where the camera moved.
    settle(): boolean {
        const { first } = this;
        if (first === null) {
            return false;
        }
        if (first.frames === 0 || first.camera !== this.pose()) {
            this.first = null;
            return false;
        }
        first.frames--;
        if (first.free === JSON.stringify(this.free())) {
            return false;
        }
        this.lookFirst(first.frames);
        return true;
    }

    // The user does something: the camera stays where it is.
    rest(): void {
        this.first = null;
    }

    private pose(): string {
        const { yaw, pitch, distance, target } = this.camera;
        return JSON.stringify([yaw, pitch, distance, target]);
    }

    private look(): void {
        const { camera } = this;
        const { view } = this.mirror;
        const isGiven = view?.given === 1;
        if (isGiven) {
            camera.lookFrom(subtract(view.eye, view.target));
            camera.target = view.target;
            camera.distance = length(subtract(view.eye, view.target));
        }
        if (!isGiven) {
            camera.lookFrom(slanted);
        }
        if (!isGiven || view.objects.length > 0) {
            this.fit(this.subjects());
        }
        if (!isGiven) {
            this.lookWhereEnoughIsSeen();
        }
    }

    // Where the subjects fill little of the free place, as a row of things on a phone, it turns, then looks from higher, to where
    // they fill enough; not to behind them: half a turn fills as much, shows the backs of figures, and has +x on the left.
    private lookWhereEnoughIsSeen(): void {
        const { camera } = this;
        const all = this.subjects();
        const first = { yaw: camera.yaw, pitch: camera.pitch };
        let best = { ...first, covered: this.measure().covered };
        for (let i = 1; i < turns * tilts.length && best.covered < wanted; i++) {
            const yaw = first.yaw + ((i % turns) * Math.PI) / turns;
            camera.yaw = yaw - Math.PI * Math.round(yaw / Math.PI);
            camera.pitch = first.pitch + tilts[Math.floor(i / turns)]!;
            this.fit(all);
            const { covered } = this.measure();
            if (covered > best.covered) {
                best = { yaw: camera.yaw, pitch: camera.pitch, covered };
            }
        }
        [camera.yaw, camera.pitch] = [best.yaw, best.pitch];
        this.fit(all);
    }

    // How much of the free place the subjects take, as tests see it: the rectangle about them, cut to the place.
    measure(): Framing {
        const free = this.free();
        const places = cornersOf(this.subjects(), this.mirror).map((point) => this.camera.project(point));
        const within = (low: number, high: number, of: number[]): number =>
            Math.max(0, Math.min(high, Math.max(...of)) - Math.max(low, Math.min(...of)));
        const width = within(free.left, free.right, places.map(({ x }) => x));
        const height = within(free.top, free.bottom, places.map(({ y }) => y));
        const [across, down] = [width / (free.right - free.left), height / (free.bottom - free.top)];
        return { free, covered: across * down, filled: Math.max(across, down) };
    }
}
