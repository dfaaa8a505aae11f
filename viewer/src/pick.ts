// What lies under the pointer: a ray against balls first, nearest first, then against the triangles of those it meets.
import type { Ray } from "./camera";
import type { Bounds, Mesh } from "./mesh";
import {
    add,
    applyPose,
    dot,
    inverseTurn,
    rotate,
    subtract,
    times,
    unapplyPose,
    type Pose,
    type Vec3,
} from "./vector";

// One drawn part of a thing.
export interface Target<T> {
    thing: T;
    objectPose: Pose;
    partPose: Pose;
    mesh: Mesh;
    bounds: Bounds; // of the positions, or larger
    positions: () => Float32Array; // the mesh's, or where they were deformed to; asked for where the ray meets the bounds
    firstTriangle: number; // of the part, in the thing
}

export interface Hit<T> {
    thing: T;
    triangle: number; // in the thing
    face: number; // polygon of the part's mesh
    distance: number; // metres from the ray's origin
    point: Vec3; // in the world
}

export function pick<T>(ray: Ray, targets: Iterable<Target<T>>): Hit<T> | null {
    const met: { target: Target<T>; near: number }[] = [];
    for (const target of targets) {
        const near = ballDistance(ray, target);
        if (near < Infinity) {
            met.push({ target, near });
        }
    }
    met.sort((a, b) => a.near - b.near);

    let best = null as Hit<T> | null;
    for (const { target, near } of met) {
        if (best !== null && near > best.distance) {
            break;
        }
        const hit: Hit<T> | null = pickPart(ray, target, best?.distance ?? Infinity);
        best = hit ?? best;
    }
    return best;
}

// Where the ray enters the ball of a part; Infinity where it misses.
function ballDistance<T>(ray: Ray, target: Target<T>): number {
    const { bounds: ball } = target;
    const center = applyPose(target.objectPose, applyPose(target.partPose, ball.center));
    const radius = ball.radius * target.objectPose.scale * target.partPose.scale;
    const offset = subtract(center, ray.origin);
    const along = dot(offset, ray.direction);
    const square = dot(offset, offset) - along * along;
    const slack = radius * radius - square;
    if (slack < 0) {
        return Infinity;
    }
    const half = Math.sqrt(slack);
    return along + half < 0 ? Infinity : Math.max(0, along - half);
}

function pickPart<T>(ray: Ray, target: Target<T>, nearest: number): Hit<T> | null {
    const { objectPose, partPose, mesh } = target;
    const origin = unapplyPose(partPose, unapplyPose(objectPose, ray.origin));
    const direction = rotate(
        inverseTurn(partPose.rotation),
        rotate(inverseTurn(objectPose.rotation), ray.direction),
    );
    const scale = objectPose.scale * partPose.scale;

    const found = pickTriangle(origin, direction, target.positions(), mesh.triangles);
    if (found === null || found.distance * scale >= nearest) {
        return null;
    }
    const distance = found.distance * scale;
    return {
        thing: target.thing,
        triangle: target.firstTriangle + found.triangle,
        face: mesh.faces[found.triangle] ?? 0,
        distance,
        point: add(ray.origin, times(ray.direction, distance)),
    };
}

// The nearest triangle that the ray meets, from either side, and how far along the unit direction.
export function pickTriangle(
    origin: Vec3,
    direction: Vec3,
    positions: Float32Array,
    triangles: Uint32Array,
): { triangle: number; distance: number } | null {
    const { x: ox, y: oy, z: oz } = origin;
    const { x: dx, y: dy, z: dz } = direction;
    let best = Infinity;
    let bestTriangle = -1;
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i]!;
        const b = 3 * triangles[i + 1]!;
        const c = 3 * triangles[i + 2]!;
        const ax = positions[a]!;
        const ay = positions[a + 1]!;
        const az = positions[a + 2]!;
        const ux = positions[b]! - ax;
        const uy = positions[b + 1]! - ay;
        const uz = positions[b + 2]! - az;
        const vx = positions[c]! - ax;
        const vy = positions[c + 1]! - ay;
        const vz = positions[c + 2]! - az;
        const px = dy * vz - dz * vy;
        const py = dz * vx - dx * vz;
        const pz = dx * vy - dy * vx;
        const volume = ux * px + uy * py + uz * pz;
        if (volume === 0) {
            continue;
        }
        const sx = ox - ax;
        const sy = oy - ay;
        const sz = oz - az;
        const first = (sx * px + sy * py + sz * pz) / volume;
        if (first < 0 || first > 1) {
            continue;
        }
        const qx = sy * uz - sz * uy;
        const qy = sz * ux - sx * uz;
        const qz = sx * uy - sy * ux;
        const second = (dx * qx + dy * qy + dz * qz) / volume;
        if (second < 0 || first + second > 1) {
            continue;
        }
        const distance = (vx * qx + vy * qy + vz * qz) / volume;
        if (distance >= 0 && distance < best) {
            best = distance;
            bestTriangle = i / 3;
        }
    }
    return bestTriangle < 0 ? null : { triangle: bestTriangle, distance: best };
}
