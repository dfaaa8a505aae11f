// How far two faces are apart, each a list of triangles in the world: the least distance of any two of their points, and
// where it is reached. Doubles throughout; compared with the library's fr_triangle_distance by a test.
import { add, cross, distance, dot, subtract, times, vec3, type Vec3 } from "./vector";

export type Triangle = readonly [Vec3, Vec3, Vec3];

export interface Closest {
    distance: number; // 0: they touch or cross
    onA: Vec3;
    onB: Vec3;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

// The nearest points of two segments; either may be a point.
export function closestOfSegments(a: readonly [Vec3, Vec3], b: readonly [Vec3, Vec3]): Closest {
    const [u, v, w] = [subtract(a[1], a[0]), subtract(b[1], b[0]), subtract(a[0], b[0])];
    const [uu, vv, uv, uw, vw] = [dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)];
    const volume = uu * vv - uv * uv;
    let s = volume > 1e-14 * uu * vv ? clamp((uv * vw - vv * uw) / volume) : 0;
    let t = vv > 0 ? (uv * s + vw) / vv : 0;
    if (t < 0 || t > 1 || vv === 0) {
        t = clamp(t);
        s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    }
    const [onA, onB] = [add(a[0], times(u, s)), add(b[0], times(v, t))];
    return { distance: distance(onA, onB), onA, onB };
}

// The foot of a point on the plane of a triangle, where that lies in the triangle; edges are for segments.
function footInside(point: Vec3, [a, b, c]: Triangle): Vec3 | null {
    const normal = cross(subtract(b, a), subtract(c, a));
    const square = dot(normal, normal);
    if (square === 0) {
        return null;
    }
    const isLeft = (from: Vec3, to: Vec3): boolean => dot(cross(subtract(to, from), subtract(point, from)), normal) >= 0;
    if (!isLeft(a, b) || !isLeft(b, c) || !isLeft(c, a)) {
        return null;
    }
    return add(point, times(normal, dot(subtract(a, point), normal) / square));
}

// Where a segment goes through a triangle.
function crossing([p, q]: readonly [Vec3, Vec3], triangle: Triangle): Vec3 | null {
    const [a, b, c] = triangle;
    const normal = cross(subtract(b, a), subtract(c, a));
    const [before, behind] = [dot(subtract(p, a), normal), dot(subtract(q, a), normal)];
    if (before * behind > 0 || before === behind) {
        return null;
    }
    const point = add(p, times(subtract(q, p), before / (before - behind)));
    return footInside(point, triangle) === null ? null : point;
}

const edgesOf = ([a, b, c]: Triangle): [Vec3, Vec3][] => [
    [a, b],
    [b, c],
    [c, a],
];

// Two triangles are nearest at two edges or at a corner and a face, unless an edge goes through a face.
export function triangleDistance(a: Triangle, b: Triangle): Closest {
    let best: Closest = { distance: Infinity, onA: a[0], onB: b[0] };
    const take = (onA: Vec3, onB: Vec3, apart = distance(onA, onB)): void => {
        if (apart < best.distance) {
            best = { distance: apart, onA, onB };
        }
    };
    const [edgesA, edgesB] = [edgesOf(a), edgesOf(b)];
    for (const [edges, face] of [[edgesA, b], [edgesB, a]] as const) {
        for (const edge of edges) {
            const point = crossing(edge, face);
            if (point !== null) {
                return { distance: 0, onA: point, onB: point };
            }
        }
    }
    for (const edge of edgesA) {
        for (const other of edgesB) {
            const { onA, onB } = closestOfSegments(edge, other);
            take(onA, onB);
        }
    }
    for (const corner of a) {
        const foot = footInside(corner, b);
        if (foot !== null) {
            take(corner, foot);
        }
    }
    for (const corner of b) {
        const foot = footInside(corner, a);
        if (foot !== null) {
            take(foot, corner);
        }
    }
    return best;
}

interface Ball {
    center: Vec3;
    radius: number;
}

function ballOf([a, b, c]: Triangle): Ball {
    const center = times(add(add(a, b), c), 1 / 3);
    return { center, radius: Math.max(distance(center, a), distance(center, b), distance(center, c)) };
}

// The least distance of two lists: pairs whose balls are farther apart than what was found are left out.
export function faceDistance(a: readonly Triangle[], b: readonly Triangle[]): Closest {
    let best: Closest = { distance: Infinity, onA: a[0]?.[0] ?? vec3(0, 0, 0), onB: b[0]?.[0] ?? vec3(0, 0, 0) };
    const ballsB = b.map(ballOf);
    for (const triangle of a) {
        const ball = ballOf(triangle);
        b.forEach((other, i) => {
            const { center, radius } = ballsB[i]!;
            if (distance(ball.center, center) - ball.radius - radius >= best.distance) {
                return;
            }
            const found = triangleDistance(triangle, other);
            if (found.distance < best.distance) {
                best = found;
            }
        });
    }
    return best;
}

// The angle between two planes, 0 .. 90 degrees.
export function angleBetween(a: Triangle, b: Triangle): number {
    const [m, n] = [a, b].map(([p, q, r]) => cross(subtract(q, p), subtract(r, p)));
    const sine = Math.hypot(...Object.values(cross(m!, n!)) as number[]);
    return (Math.atan2(sine, Math.abs(dot(m!, n!))) * 180) / Math.PI;
}
