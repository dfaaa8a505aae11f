// What two triangles have in common, for drawing: the segment along which they cross, or the polygon where they lie on one
// another. The library's fr_triangle_section is exact; this rounds, and is tested against it.

// Corners nearer than this part of the triangles' size to the other plane lie in it.
const flatness = 1e-12;

export const maxPoints = 6;

// Scratch of one call: signed distances, and the points of each triangle in the plane of the other.
const distancesA = new Float64Array(3);
const distancesB = new Float64Array(3);
const normalA = new Float64Array(3);
const normalB = new Float64Array(3);
const pointsA = new Float64Array(6);
const pointsB = new Float64Array(6);

function findNormal(t: Float64Array, out: Float64Array): void {
    const [ux, uy, uz] = [t[3]! - t[0]!, t[4]! - t[1]!, t[5]! - t[2]!];
    const [vx, vy, vz] = [t[6]! - t[0]!, t[7]! - t[1]!, t[8]! - t[2]!];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.sqrt(x * x + y * y + z * z);
    out[0] = x / size;
    out[1] = y / size;
    out[2] = z / size;
}

// The distances of the corners of `t` from the plane through the first corner of `other`; true where all are on one side.
function findDistances(t: Float64Array, other: Float64Array, n: Float64Array, slack: number, out: Float64Array): boolean {
    let below = 0;
    let above = 0;
    for (let i = 0; i < 3; i++) {
        const [x, y, z] = [t[3 * i]! - other[0]!, t[3 * i + 1]! - other[1]!, t[3 * i + 2]! - other[2]!];
        const d = n[0]! * x + n[1]! * y + n[2]! * z;
        out[i] = Math.abs(d) <= slack ? 0 : d;
        below += out[i]! < 0 ? 1 : 0;
        above += out[i]! > 0 ? 1 : 0;
    }
    return below === 3 || above === 3;
}

// The points of the border of `t` in the plane that its corners have these distances from: 1 or 2 of them.
function findCuts(t: Float64Array, d: Float64Array, out: Float64Array): number {
    let count = 0;
    for (let i = 0; i < 3 && count < 2; i++) {
        if (d[i] === 0) {
            out.set(t.subarray(3 * i, 3 * i + 3), 3 * count++);
        }
    }
    for (let i = 0; i < 3 && count < 2; i++) {
        const j = (i + 1) % 3;
        if (d[i]! * d[j]! < 0) {
            const part = d[i]! / (d[i]! - d[j]!);
            for (let k = 0; k < 3; k++) {
                out[3 * count + k] = t[3 * i + k]! + part * (t[3 * j + k]! - t[3 * i + k]!);
            }
            count++;
        }
    }
    return count;
}

// Where both have a segment of one line: from the later of the begins to the earlier of the ends.
function overlap(a: Float64Array, countA: number, b: Float64Array, countB: number, line: readonly number[], out: Float64Array): number {
    const along = (p: Float64Array, i: number): number => line[0]! * p[3 * i]! + line[1]! * p[3 * i + 1]! + line[2]! * p[3 * i + 2]!;
    const ends = [
        { points: a, count: countA },
        { points: b, count: countB },
    ].map(({ points, count }) => {
        const [first, second] = [0, count - 1];
        return along(points, first) <= along(points, second) ? { points, low: first, high: second } : { points, low: second, high: first };
    });
    const [one, two] = [ends[0]!, ends[1]!];
    const low = along(one.points, one.low) >= along(two.points, two.low) ? { p: one.points, i: one.low } : { p: two.points, i: two.low };
    const high = along(one.points, one.high) <= along(two.points, two.high) ? { p: one.points, i: one.high } : { p: two.points, i: two.high };
    const length = along(high.p, high.i) - along(low.p, low.i);
    if (length < 0) {
        return 0;
    }
    out.set(low.p.subarray(3 * low.i, 3 * low.i + 3), 0);
    out.set(high.p.subarray(3 * high.i, 3 * high.i + 3), 3);
    return length > 0 ? 2 : 1;
}

// The part of a that lies in b, both in the plane of n: a is cut by the line of each edge of b.
function clip(a: Float64Array, b: Float64Array, n: Float64Array, out: Float64Array): number {
    let polygon = [0, 1, 2].map((i) => [...a.subarray(3 * i, 3 * i + 3)]);
    for (let i = 0; i < 3 && polygon.length > 0; i++) {
        const [from, to] = [3 * i, 3 * ((i + 1) % 3)];
        const [x, y, z] = [b[to]! - b[from]!, b[to + 1]! - b[from + 1]!, b[to + 2]! - b[from + 2]!];
        // Into the triangle, in its plane.
        const inward = [n[1]! * z - n[2]! * y, n[2]! * x - n[0]! * z, n[0]! * y - n[1]! * x];
        const height = (p: number[]): number =>
            inward[0]! * (p[0]! - b[from]!) + inward[1]! * (p[1]! - b[from + 1]!) + inward[2]! * (p[2]! - b[from + 2]!);
        const next: number[][] = [];
        polygon.forEach((p, k) => {
            const q = polygon[(k + 1) % polygon.length]!;
            const [hp, hq] = [height(p), height(q)];
            if (hp >= 0) {
                next.push(p);
            }
            if (hp * hq < 0) {
                next.push(p.map((value, axis) => value + (hp / (hp - hq)) * (q[axis]! - value)));
            }
        });
        polygon = next;
    }
    polygon.slice(0, maxPoints).forEach((p, i) => out.set(p, 3 * i));
    return polygon.length < 3 ? 0 : Math.min(polygon.length, maxPoints);
}

// How many points two triangles of 9 numbers each share, written to `out`, 3 numbers each: none; one; the ends of a segment;
// or the corners of a polygon, in order about the normal of b. Triangles without an area share none.
export function findSection(a: Float64Array, b: Float64Array, out: Float64Array): number {
    let size = 0;
    for (let i = 0; i < 9; i++) {
        size = Math.max(size, Math.abs(a[i]! - b[0]!), Math.abs(b[i]! - b[i % 3]!), Math.abs(a[i]! - a[i % 3]!));
    }
    findNormal(a, normalA);
    findNormal(b, normalB);
    const line = [
        normalA[1]! * normalB[2]! - normalA[2]! * normalB[1]!,
        normalA[2]! * normalB[0]! - normalA[0]! * normalB[2]!,
        normalA[0]! * normalB[1]! - normalA[1]! * normalB[0]!,
    ];
    if (!Number.isFinite(line[0]! + line[1]! + line[2]!)) {
        return 0;
    }
    const slack = flatness * size;
    if (findDistances(a, b, normalB, slack, distancesA) || findDistances(b, a, normalA, slack, distancesB)) {
        return 0;
    }
    if (distancesA.every((d) => d === 0) || distancesB.every((d) => d === 0)) {
        return clip(a, b, normalB, out);
    }
    const [countA, countB] = [findCuts(a, distancesA, pointsA), findCuts(b, distancesB, pointsB)];
    return countA === 0 || countB === 0 ? 0 : overlap(pointsA, countA, pointsB, countB, line, out);
}
