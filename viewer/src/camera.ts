// Where the picture is taken from. One state serves both modes: to orbit is to turn about the target, to fly is
// to turn about the eye and carry the target along. Doubles throughout; the viewport rounds.
import { add, cross, dot, length, subtract, times, unit, vec3, type Vec3 } from "./vector";

export type CameraMode = "orbit" | "fly";

export interface Ray {
    origin: Vec3;
    direction: Vec3; // unit
}

export interface ScreenPoint {
    x: number; // pixels from the left
    y: number; // pixels from the top
    depth: number; // metres before the eye; negative behind it
}

// What is seen, a metre before the eye.
export interface Window {
    left: number;
    right: number;
    bottom: number;
    top: number;
}

// A part of the page, in pixels.
export interface Rectangle {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

const steepest = Math.PI / 2 - 1e-3;

// What a parallel view shows of what is behind the eye, in distances to the target.
const flatReach = 50;

export class Camera {
    mode: CameraMode = "orbit";
    isFlat = false; // parallel projection (orthographic)
    target: Vec3 = vec3(0, 0, 0);
    yaw = 0.6; // about +y; 0 looks along -z
    pitch = 0.45; // above the horizon, from the target
    distance = 10; // from the eye to the target
    width = 1;
    height = 1;
    readonly fieldOfView = (45 * Math.PI) / 180; // of the shorter side

    backward(): Vec3 {
        const level = Math.cos(this.pitch);
        return vec3(level * Math.sin(this.yaw), Math.sin(this.pitch), level * Math.cos(this.yaw));
    }

    forward(): Vec3 {
        return times(this.backward(), -1);
    }

    right(): Vec3 {
        return vec3(Math.cos(this.yaw), 0, -Math.sin(this.yaw));
    }

    up(): Vec3 {
        return cross(this.backward(), this.right());
    }

    eye(): Vec3 {
        return add(this.target, times(this.backward(), this.distance));
    }

    // Nothing nearer to the eye is drawn.
    near(): number {
        return this.distance * 2e-3;
    }

    // Whence the light comes that sets things off from what is behind them.
    behind(): Vec3 {
        return this.backward();
    }

    // Half the height of what is seen, a metre before the eye. A tall, narrow window sees the field of view across.
    tangent(): number {
        const shorter = Math.tan(this.fieldOfView / 2);
        return this.width < this.height ? (shorter * this.height) / this.width : shorter;
    }

    window(): Window {
        const top = this.tangent();
        const right = top * (this.width / this.height);
        return { left: -right, right, bottom: -top, top };
    }

    // Metres that a pixel stands for, so far before the eye.
    metresPerPixel(depth: number): number {
        const { bottom, top } = this.window();
        return ((top - bottom) * (this.isFlat ? this.distance : depth)) / this.height;
    }

    ray(x: number, y: number): Ray {
        const { left, right, bottom, top } = this.window();
        const across = left + (x / this.width) * (right - left);
        const upwards = top - (y / this.height) * (top - bottom);
        const aside = add(times(this.right(), across), times(this.up(), upwards));
        if (this.isFlat) {
            const behind = times(this.backward(), flatReach * this.distance);
            return { origin: add(add(this.eye(), behind), times(aside, this.distance)), direction: this.forward() };
        }
        return { origin: this.eye(), direction: unit(add(this.forward(), aside)) };
    }

    project(point: Vec3): ScreenPoint {
        const offset = subtract(point, this.eye());
        const depth = dot(offset, this.forward());
        const away = this.isFlat ? this.distance : Math.max(Math.abs(depth), 1e-12);
        const { left, right, bottom, top } = this.window();
        return {
            x: (this.width * (dot(offset, this.right()) / away - left)) / (right - left),
            y: (this.height * (top - dot(offset, this.up()) / away)) / (top - bottom),
            depth,
        };
    }

    // Turns by angles: about the target in orbit, about the eye in flight.
    turn(yaw: number, pitch: number): void {
        const eye = this.eye();
        this.yaw = (this.yaw + yaw) % (2 * Math.PI);
        this.pitch = Math.min(steepest, Math.max(-steepest, this.pitch + pitch));
        if (this.mode === "fly") {
            this.target = subtract(eye, times(this.backward(), this.distance));
        }
    }

    // Moves sideways so that what lies in the target's plane follows the pointer.
    pan(dx: number, dy: number): void {
        const metres = this.metresPerPixel(this.distance);
        this.target = add(this.target, add(times(this.right(), -dx * metres), times(this.up(), dy * metres)));
    }

    // Comes nearer (factor < 1) or goes farther; the point under (x, y) in the target's plane keeps its place.
    zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
        const before = this.metresPerPixel(this.distance);
        this.distance = Math.min(1e9, Math.max(1e-4, this.distance * factor));
        const metres = before - this.metresPerPixel(this.distance);
        const dx = x - this.width / 2;
        const dy = y - this.height / 2;
        this.target = add(this.target, add(times(this.right(), dx * metres), times(this.up(), -dy * metres)));
    }

    // Goes along its own axes, in metres.
    move(right: number, up: number, forward: number): void {
        const step = add(times(this.right(), right), add(vec3(0, up, 0), times(this.forward(), forward)));
        this.target = add(this.target, step);
    }

    // Looks from a direction, which need not be a unit; straight from above or below, -z is up.
    lookFrom({ x, y, z }: Vec3): void {
        const level = Math.hypot(x, z);
        this.yaw = level > 1e-9 * Math.abs(y) ? Math.atan2(x, z) : 0;
        this.pitch = Math.min(steepest, Math.max(-steepest, Math.atan2(y, level)));
    }

    // Goes where all points are just seen inside a part of the page, without turning.
    //
    // With the eye at (x, y) in its own axes and a distance d before the points, a point is right of the left edge, whose
    // slope is l, where p.x - x >= l (p.z + d). So x lies between two lines in d; they meet at the least distance.
    fit(points: readonly Vec3[], free: Rectangle): void {
        const { left, right, bottom, top } = this.window();
        const across = (pixels: number): number => left + (pixels / this.width) * (right - left);
        const upwards = (pixels: number): number => top - (pixels / this.height) * (top - bottom);
        const middle = times(points.reduce((sum, point) => add(sum, point), vec3(0, 0, 0)), 1 / Math.max(points.length, 1));
        const [toRight, toUp, ahead] = [this.right(), this.up(), this.forward()];
        const own = points.map((point) => subtract(point, middle));
        const depths = own.map((point) => (this.isFlat ? 0 : dot(point, ahead)));
        const horizontal = span(own.map((point) => dot(point, toRight)), depths, across(free.left), across(free.right));
        const vertical = span(own.map((point) => dot(point, toUp)), depths, upwards(free.bottom), upwards(free.top));
        const size = Math.max(1e-6, ...own.map((point) => length(point)));
        const nearest = this.isFlat ? 0 : Math.max(...depths.map((depth) => -depth)) + 0.2 * size;
        this.distance = Math.max(horizontal.least, vertical.least, nearest, 1e-4);
        const aside = add(times(toRight, horizontal.at(this.distance)), times(toUp, vertical.at(this.distance)));
        this.target = add(middle, aside);
    }
}

// Where the eye may be along an axis so that points are between two slopes: the least distance, and the middle of what is
// possible at a distance.
function span(along: number[], depths: number[], low: number, high: number): { least: number; at(distance: number): number } {
    const most = Math.min(...along.map((x, i) => x - low * depths[i]!));
    const fewest = Math.max(...along.map((x, i) => x - high * depths[i]!));
    return {
        least: (fewest - most) / (high - low),
        at: (distance) => 0.5 * (most - low * distance + fewest - high * distance),
    };
}
