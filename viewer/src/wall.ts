// A screen in a room as a window into the world: what an eye in the room sees through it, at true size. Six of them make a
// cube. No three.js, no DOM.
import { Camera, type Window } from "./camera";
import { add, cross, dot, length, subtract, times, unit, vec3, type Vec3 } from "./vector";

// Corners of a screen as an eye before it sees them.
export interface Wall {
    lowerLeft: Vec3;
    lowerRight: Vec3;
    upperLeft: Vec3;
}

// Where the eye is: a place in the room, or the object of a name, such as a head that is tracked.
export type Eye = Vec3 | string;

export const defaultEye = vec3(0, 1.6, 0); // the middle of the room, 1.6 m high

// The eye is never nearer to the wall than this.
const nearestEye = 0.01; // metres

// What is in the room, before the wall, is drawn too.
const nearestDrawn = 0.03; // metres

// Light and grid are those of an eye that looks so far: the same on all walls, whatever their windows' sizes.
const lookDistance = 12; // metres

function numbers(text: string, count: number): number[] | null {
    const parts = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
    return parts.length === count && parts.every((part) => Number.isFinite(part)) ? parts : null;
}

// What stands after ?wall=; a text says what is wrong with it.
export function parseWall(text: string): Wall | string {
    const parts = numbers(text, 9);
    if (parts === null) {
        return "wall needs nine numbers: the lower left, lower right and upper left corner, x,y,z each";
    }
    const at = (i: number): Vec3 => vec3(parts[i]!, parts[i + 1]!, parts[i + 2]!);
    const wall = { lowerLeft: at(0), lowerRight: at(3), upperLeft: at(6) };
    const [right, up] = [subtract(wall.lowerRight, wall.lowerLeft), subtract(wall.upperLeft, wall.lowerLeft)];
    const slant = dot(unit(right), unit(up));
    if (!(length(right) > 0 && length(up) > 0) || Math.abs(slant) > 1e-3) {
        return "the corners of a wall must be those of a rectangle";
    }
    return wall;
}

export function parseEye(text: string | null): Eye {
    const parts = text === null ? null : numbers(text, 3);
    return parts !== null ? vec3(parts[0]!, parts[1]!, parts[2]!) : text === null || text === "" ? defaultEye : text;
}

export class WallCamera extends Camera {
    private place: Vec3 = defaultEye;
    private readonly across: Vec3;
    private readonly upwards: Vec3;
    private readonly towards: Vec3; // from the wall to the eye
    private readonly size: { width: number; height: number };

    constructor(readonly wall: Wall) {
        super();
        const [right, up] = [subtract(wall.lowerRight, wall.lowerLeft), subtract(wall.upperLeft, wall.lowerLeft)];
        this.across = unit(right);
        this.upwards = unit(up);
        this.towards = unit(cross(right, up));
        this.size = { width: length(right), height: length(up) };
        this.distance = lookDistance;
        this.setEye(defaultEye);
    }

    // An eye behind the wall, or in it, is taken to be just before it. True when it moved.
    setEye(eye: Vec3): boolean {
        const before = dot(subtract(eye, this.wall.lowerLeft), this.towards);
        const place = before >= nearestEye ? eye : add(eye, times(this.towards, nearestEye - before));
        const { x, y, z } = this.place;
        const hasMoved = place.x !== x || place.y !== y || place.z !== z;
        this.place = place;
        // Light, shadows and the grid are about here: the same for all walls of a room.
        this.target = place;
        return hasMoved;
    }

    override backward(): Vec3 {
        return this.towards;
    }

    override right(): Vec3 {
        return this.across;
    }

    override up(): Vec3 {
        return this.upwards;
    }

    override eye(): Vec3 {
        return this.place;
    }

    override near(): number {
        return nearestDrawn;
    }

    override behind(): Vec3 {
        return vec3(0, 0, 1);
    }

    override window(): Window {
        const corner = subtract(this.wall.lowerLeft, this.place);
        const away = -dot(corner, this.towards);
        const [left, bottom] = [dot(corner, this.across), dot(corner, this.upwards)];
        return {
            left: left / away,
            right: (left + this.size.width) / away,
            bottom: bottom / away,
            top: (bottom + this.size.height) / away,
        };
    }

    // Where it is and how it looks the wall and the eye say.
    override fit(): void {}
}

interface PagePoints {
    pose: { position: Vec3 };
    isShown: boolean;
}

// A page that is a wall.
export class WallView {
    constructor(
        readonly camera: WallCamera,
        private readonly eyeAt: Eye,
    ) {
        if (typeof eyeAt !== "string") {
            camera.setEye(eyeAt);
        }
    }

    // The object that the eye is; undefined: it is none, or not there.
    headOf<B>(bodies: { findByName(name: string): B | undefined }): B | undefined {
        return typeof this.eyeAt === "string" ? bodies.findByName(this.eyeAt) : undefined;
    }

    // Goes where the eye's object is, which is not seen by itself. True when it moved.
    follow<B extends PagePoints>(bodies: { findByName(name: string): B | undefined; show(body: B, isShown: boolean): void }): boolean {
        const body = this.headOf(bodies);
        if (body?.isShown === true) {
            bodies.show(body, false);
        }
        return body !== undefined && this.camera.setEye(body.pose.position);
    }
}

// What an address asks for; null: no wall. Throws where it is wrong.
export function viewOf(search: URLSearchParams): WallView | null {
    const text = search.get("wall");
    if (text === null) {
        return null;
    }
    const wall = parseWall(text);
    if (typeof wall === "string") {
        throw new Error(wall);
    }
    return new WallView(new WallCamera(wall), parseEye(search.get("eye")));
}

// The walls of a cube that stands on the ground about the origin, named for an eye in it that looks along -z.
export function cubeWalls(edge: number): readonly (readonly [string, Wall])[] {
    const h = edge / 2;
    const wall = (...n: [number, number, number, number, number, number, number, number, number]): Wall => ({
        lowerLeft: vec3(n[0], n[1], n[2]),
        lowerRight: vec3(n[3], n[4], n[5]),
        upperLeft: vec3(n[6], n[7], n[8]),
    });
    return [
        ["front", wall(-h, 0, -h, h, 0, -h, -h, edge, -h)],
        ["right", wall(h, 0, -h, h, 0, h, h, edge, -h)],
        ["back", wall(h, 0, h, -h, 0, h, h, edge, h)],
        ["left", wall(-h, 0, h, -h, 0, -h, -h, edge, h)],
        ["floor", wall(-h, 0, h, h, 0, h, -h, 0, -h)],
        ["ceiling", wall(-h, edge, -h, h, edge, -h, -h, edge, h)],
    ];
}

export function wallText({ lowerLeft, lowerRight, upperLeft }: Wall): string {
    return [lowerLeft, lowerRight, upperLeft].map(({ x, y, z }) => `${x},${y},${z}`).join(",");
}
