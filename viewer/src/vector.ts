// Vectors, turns and poses in double precision, as the protocol speaks them. What is drawn is made from these relative
// to the viewport's origin and only then rounded to single precision.

export interface Vec3 {
    x: number;
    y: number;
    z: number;
}

export interface Quat {
    w: number;
    x: number;
    y: number;
    z: number;
}

// A turn, a place and a uniform size: v goes to rotation(scale * v) + position.
export interface Pose {
    rotation: Quat;
    position: Vec3;
    scale: number;
}

export const vec3 = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
export const add = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z });
export const subtract = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
export const times = (a: Vec3, s: number): Vec3 => ({ x: a.x * s, y: a.y * s, z: a.z * s });
export const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
export const length = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
export const distance = (a: Vec3, b: Vec3): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

export function cross(a: Vec3, b: Vec3): Vec3 {
    return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

// Zero stays zero.
export function unit(a: Vec3): Vec3 {
    const size = length(a);
    return size > 0 ? times(a, 1 / size) : a;
}

// First b, then a.
export function multiply(a: Quat, b: Quat): Quat {
    return {
        w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

export function unitTurn(q: Quat): Quat {
    const size = Math.hypot(q.w, q.x, q.y, q.z);
    return { w: q.w / size, x: q.x / size, y: q.y / size, z: q.z / size };
}

export const inverseTurn = (q: Quat): Quat => ({ w: q.w, x: -q.x, y: -q.y, z: -q.z });

export function turnAbout(axis: Vec3, angle: number): Quat {
    const a = unit(axis);
    const s = Math.sin(angle / 2);
    return { w: Math.cos(angle / 2), x: a.x * s, y: a.y * s, z: a.z * s };
}

export function rotate(q: Quat, v: Vec3): Vec3 {
    const tx = 2 * (q.y * v.z - q.z * v.y);
    const ty = 2 * (q.z * v.x - q.x * v.z);
    const tz = 2 * (q.x * v.y - q.y * v.x);
    return {
        x: v.x + q.w * tx + q.y * tz - q.z * ty,
        y: v.y + q.w * ty + q.z * tx - q.x * tz,
        z: v.z + q.w * tz + q.x * ty - q.y * tx,
    };
}

export function applyPose(pose: Pose, v: Vec3): Vec3 {
    return add(rotate(pose.rotation, times(v, pose.scale)), pose.position);
}

export function unapplyPose(pose: Pose, v: Vec3): Vec3 {
    return times(rotate(inverseTurn(pose.rotation), subtract(v, pose.position)), 1 / pose.scale);
}

export const shiftPose = (pose: Pose, by: Vec3): Pose => ({ ...pose, position: add(pose.position, by) });

// The pose that first places by `inner`, then by `outer`.
export function compose(outer: Pose, inner: Pose): Pose {
    return {
        rotation: multiply(outer.rotation, inner.rotation),
        position: applyPose(outer, inner.position),
        scale: outer.scale * inner.scale,
    };
}

// Whether two poses put everything that they put within `size` metres of their places there alike, but for `slack`.
export function samePose(a: Pose, b: Pose, size: number, slack: number): boolean {
    const between = multiply(inverseTurn(a.rotation), b.rotation);
    const turned = 2 * Math.hypot(between.x, between.y, between.z) * size;
    return (
        distance(a.position, b.position) <= slack && turned <= slack && Math.abs(a.scale / b.scale - 1) * size <= slack
    );
}

// Writes a column-major matrix at `offset`: the pose seen from `origin`.
export function writeMatrix(pose: Pose, origin: Vec3, out: Float32Array | number[], offset: number): void {
    const { w, x, y, z } = pose.rotation;
    const s = pose.scale;
    out[offset] = s * (1 - 2 * (y * y + z * z));
    out[offset + 1] = s * 2 * (x * y + w * z);
    out[offset + 2] = s * 2 * (x * z - w * y);
    out[offset + 3] = 0;
    out[offset + 4] = s * 2 * (x * y - w * z);
    out[offset + 5] = s * (1 - 2 * (x * x + z * z));
    out[offset + 6] = s * 2 * (y * z + w * x);
    out[offset + 7] = 0;
    out[offset + 8] = s * 2 * (x * z + w * y);
    out[offset + 9] = s * 2 * (y * z - w * x);
    out[offset + 10] = s * (1 - 2 * (x * x + y * y));
    out[offset + 11] = 0;
    out[offset + 12] = pose.position.x - origin.x;
    out[offset + 13] = pose.position.y - origin.y;
    out[offset + 14] = pose.position.z - origin.z;
    out[offset + 15] = 1;
}
