// How large the shown world is: for the camera, the lights and the ground.
import { boundsOf } from "./mesh";
import type { Body, Mirror } from "./mirror";
import { add, applyPose, distance, length, subtract, times, vec3, type Vec3 } from "./vector";

export interface Box {
    low: Vec3;
    high: Vec3;
}

export interface Ball {
    center: Vec3;
    radius: number;
}

// A box in the world that holds the boxes of the body's parts; null while none of its meshes is here. A rough one may be
// larger, and is found without the vertices of what follows bones.
export function bodyBox(body: Body, mirror: Mirror, isRough = false): Box | null {
    let box: Box | null = null;
    body.parts.forEach((part, index) => {
        const mesh = mirror.meshes.get(part.mesh);
        if (mesh?.isComplete !== true || mesh.vertexCount === 0) {
            return;
        }
        const isBlended = !isRough && body.bonesOf(mesh) !== null;
        const { low, high } = isBlended ? boundsOf(body.positionsOf(index, mesh)) : body.boundsOf(index, mesh);
        for (let corner = 0; corner < 8; corner++) {
            const point = vec3(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
            box = grown(box, applyPose(body.pose, applyPose(part.pose, point)));
        }
    });
    return box;
}

export function grown(box: Box | null, { x, y, z }: Vec3): Box {
    if (box === null) {
        return { low: vec3(x, y, z), high: vec3(x, y, z) };
    }
    const { low, high } = box;
    return {
        low: vec3(Math.min(low.x, x), Math.min(low.y, y), Math.min(low.z, z)),
        high: vec3(Math.max(high.x, x), Math.max(high.y, y), Math.max(high.z, z)),
    };
}

// `sizes` takes how large each body is.
export function worldBox(mirror: Mirror, isRough = false, sizes: number[] = []): Box | null {
    let all: Box | null = null;
    for (const body of mirror.bodies.values()) {
        const box = body.isShown ? bodyBox(body, mirror, isRough) : null;
        if (box !== null) {
            all = grown(grown(all, box.low), box.high);
            sizes.push(distance(box.low, box.high));
        }
    }
    return all;
}

export function ballAbout(box: Box | null): Ball {
    if (box === null) {
        return { center: vec3(0, 0, 0), radius: 1 };
    }
    return { center: times(add(box.low, box.high), 0.5), radius: distance(box.low, box.high) / 2 };
}

// The farthest that a point of the body is from its own origin.
export function bodyReach(body: Body, mirror: Mirror): number {
    const box = bodyBox(body, mirror);
    if (box === null) {
        return 1;
    }
    const { position } = body.pose;
    return Math.max(length(subtract(box.low, position)), length(subtract(box.high, position)));
}

// The corners of the boxes of bodies, to be seen; of the box about them where there are very many.
const manyBodies = 500;

export function cornersOf(bodies: readonly Body[], mirror: Mirror): Vec3[] {
    const boxes = bodies.map((body) => bodyBox(body, mirror, bodies.length > manyBodies)).filter((box) => box !== null);
    if (boxes.length <= manyBodies) {
        return boxes.flatMap(corners);
    }
    return corners(boxes.reduce((all, { low, high }) => grown(grown(all, low), high)));
}

const corners = ({ low, high }: Box): Vec3[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z));

// What a scene is about: what may move, and all there is where nothing may. Floors and walls are furniture.
export function subjects(mirror: Mirror): Body[] {
    const all = [...mirror.bodies.values()].filter(({ isShown }) => isShown);
    const moving = all.filter(({ isStatic }) => !isStatic);
    return moving.length > 0 ? moving : all;
}
