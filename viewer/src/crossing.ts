// Where surfaces cross: for each reported pair of faces the segment along which they cross, drawn over everything, strongly
// where it is seen and faintly where something hides it; and the area that faces share which lie on one another. It is
// computed here, of the poses that are drawn and the pairs that the server reports, so that lines lie on what is seen.
import { Color, DynamicDrawUsage, Group, GreaterDepth, InstancedInterleavedBuffer, InterleavedBufferAttribute, type Object3D } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { FaceMesh, type FaceList } from "./face";
import type { Mesh } from "./mesh";
import type { Body, Mirror } from "./mirror";
import { faceMaterial } from "./blink";
import { PairFlags, WirePair } from "./protocol";
import { findSection, maxPoints } from "./section";
import { compose, writeMatrix, type Vec3 } from "./vector";

const lineWidth = 3.5; // pixels
const casingWidth = 6; // of a dark line below it, so that it is seen on any colour
const hiddenOpacity = 0.4;

// Pairs that lines are computed of in a frame: what comes after them is left out.
export const maxPairs = 20_000;

// Corners of triangles of bodies in the world, in doubles, seen from an origin.
class Corners {
    readonly numbers = new Float64Array(9);
    private body: Body | null = null;
    private part = -1;
    private first = 0;
    private mesh: Mesh | null = null;
    private readonly matrix: number[] = new Array<number>(16).fill(0);
    private readonly wanted = [0];

    // False where its mesh is not here.
    take(body: Body, triangle: number, mirror: Mirror, origin: Vec3): boolean {
        const { mesh } = this;
        const isNew = body !== this.body || mesh === null || triangle < this.first || triangle >= this.first + mesh.triangleCount;
        if (isNew) {
            const found = body.partOf(triangle, mirror);
            this.body = found === null ? null : body;
            if (found === null) {
                return false;
            }
            ({ part: this.part, first: this.first, mesh: this.mesh } = found);
            writeMatrix(compose(body.pose, body.parts[found.part]!.pose), origin, this.matrix, 0);
        }
        this.wanted[0] = triangle - this.first;
        const vertices = body.cornersOf(this.part, this.mesh!, this.wanted);
        const { matrix: m, numbers } = this;
        for (let k = 0; k < 3; k++) {
            const v = 3 * this.mesh!.triangles[3 * this.wanted[0] + k]!;
            const x = vertices[v]!;
            const y = vertices[v + 1]!;
            const z = vertices[v + 2]!;
            for (let axis = 0; axis < 3; axis++) {
                numbers[3 * k + axis] = m[axis]! * x + m[4 + axis]! * y + m[8 + axis]! * z + m[12 + axis]!;
            }
        }
        return true;
    }

    forget(): void {
        this.body = null;
    }
}

// Segments and triangles of what faces share.
export class Shared {
    segments = new Float32Array(6 * 64);
    segmentCount = 0;
    readonly areas: Pick<FaceList, "positions" | "count"> = { positions: new Float32Array(9 * 64), count: 0 };
    private readonly a = new Corners();
    private readonly b = new Corners();
    private readonly points = new Float64Array(3 * maxPoints);

    find(mirror: Mirror, origin: Vec3): void {
        const { pairs } = mirror;
        this.segmentCount = 0;
        this.areas.count = 0;
        this.a.forget();
        this.b.forget();
        const end = Math.min(pairs.length, maxPairs * WirePair.size);
        for (let at = 0; at < end; at += WirePair.size) {
            const a = mirror.bodies.get(pairs[at + WirePair.a]!);
            const b = mirror.bodies.get(pairs[at + WirePair.b]!);
            const isNear = (pairs[at + WirePair.flags]! & PairFlags.near) !== 0;
            if (isNear || a?.isShown !== true || b?.isShown !== true) {
                continue;
            }
            const isHere =
                this.a.take(a, pairs[at + WirePair.triangleA]!, mirror, origin) &&
                this.b.take(b, pairs[at + WirePair.triangleB]!, mirror, origin);
            if (isHere) {
                this.add(findSection(this.a.numbers, this.b.numbers, this.points));
            }
        }
    }

    private add(count: number): void {
        if (count === 2) {
            this.segments = withRoom(this.segments, 6 * (this.segmentCount + 1));
            this.segments.set(this.points.subarray(0, 6), 6 * this.segmentCount++);
        }
        const { areas, points } = this;
        for (let i = 1; i + 1 < count; i++) {
            areas.positions = withRoom(areas.positions, 9 * (areas.count + 1));
            areas.positions.set(points.subarray(0, 3), 9 * areas.count);
            areas.positions.set(points.subarray(3 * i, 3 * i + 6), 9 * areas.count + 3);
            areas.count++;
        }
    }
}

// The same array, or one of twice its size with the same numbers.
function withRoom(array: Float32Array<ArrayBuffer>, needed: number): Float32Array<ArrayBuffer> {
    if (needed <= array.length) {
        return array;
    }
    const more = new Float32Array(2 * array.length);
    more.set(array);
    return more;
}

export class Crossings {
    readonly group: Object3D = new Group();
    count = 0; // segments that are drawn
    areaCount = 0; // triangles of what faces share that lie on one another
    private readonly shared = new Shared();
    private readonly geometry = new LineSegmentsGeometry();
    private buffer: InstancedInterleavedBuffer | null = null;
    private readonly lines: LineMaterial[];
    private readonly colored: LineMaterial[];
    private readonly area = new FaceMesh(faceMaterial(0.45));

    constructor() {
        const casing = new LineMaterial({ linewidth: casingWidth, color: 0x05070c, transparent: true, opacity: 0.65 });
        const front = new LineMaterial({ linewidth: lineWidth, transparent: true });
        const hidden = new LineMaterial({ linewidth: lineWidth, transparent: true, opacity: hiddenOpacity });
        hidden.depthFunc = GreaterDepth;
        this.colored = [front, hidden];
        this.lines = [hidden, casing, front];
        this.lines.forEach((material, order) => {
            material.depthWrite = false;
            material.polygonOffset = true;
            material.polygonOffsetFactor = material.polygonOffsetUnits = material === hidden ? 0 : -4;
            const line = new LineSegments2(this.geometry, material);
            line.frustumCulled = false;
            line.renderOrder = 2 + order;
            this.group.add(line);
        });
        this.area.mesh.renderOrder = 1;
        this.group.add(this.area.mesh);
        this.show();
    }

    setColor(color: number): void {
        this.colored.forEach((material) => material.color.set(color));
        const { uniforms } = this.area.mesh.material as ReturnType<typeof faceMaterial>;
        (uniforms["dim"]!.value as Color).set(color);
        (uniforms["bright"]!.value as Color).set(color);
    }

    setSize(width: number, height: number): void {
        this.lines.forEach((material) => material.resolution.set(width, height));
    }

    update(mirror: Mirror, origin: Vec3): void {
        this.shared.find(mirror, origin);
        this.show();
    }

    private show(): void {
        const { shared, geometry } = this;
        if (this.buffer?.array !== shared.segments) {
            geometry.dispose();
            this.buffer = new InstancedInterleavedBuffer(shared.segments, 6, 1).setUsage(DynamicDrawUsage) as InstancedInterleavedBuffer;
            geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(this.buffer, 3, 0));
            geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(this.buffer, 3, 3));
        }
        const { buffer } = this;
        buffer.clearUpdateRanges();
        buffer.addUpdateRange(0, 6 * shared.segmentCount);
        buffer.needsUpdate = true;
        geometry.instanceCount = shared.segmentCount;
        this.area.show(shared.areas);
        this.count = shared.segmentCount;
        this.areaCount = shared.areas.count;
        this.group.visible = shared.segmentCount + shared.areas.count > 0;
    }
}
