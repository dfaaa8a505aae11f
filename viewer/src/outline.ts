// The edges of a body, as of the one that is selected, or of where a person wants it. Fat lines, since thin ones are lost
// on a fine screen.
import { Group, type Object3D } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { boundsOf, featureEdges, type Mesh } from "./mesh";
import type { Body, Mirror } from "./mirror";
import { compose, writeMatrix, type Pose, type Vec3 } from "./vector";

// Finding edges of more triangles than this would be felt; such a body gets the edges of its box.
const maxTriangles = 200_000;
const edgesOf = new WeakMap<Mesh, Uint32Array>();

function segments(mesh: Mesh, positions: Float32Array): Float32Array {
    if (mesh.triangleCount > maxTriangles) {
        return boxSegments(positions);
    }
    let edges = edgesOf.get(mesh);
    if (edges === undefined) {
        edges = featureEdges(mesh.positions, mesh.triangles);
        edgesOf.set(mesh, edges);
    }
    const out = new Float32Array(3 * edges.length);
    edges.forEach((vertex, i) => {
        out[3 * i] = positions[3 * vertex]!;
        out[3 * i + 1] = positions[3 * vertex + 1]!;
        out[3 * i + 2] = positions[3 * vertex + 2]!;
    });
    return out;
}

function boxSegments(positions: Float32Array): Float32Array {
    const { low, high } = boundsOf(positions);
    return Float32Array.from(boxEdges([low.x, low.y, low.z], [high.x, high.y, high.z]));
}

// The twelve edges of a box, two points each.
export function boxEdges(low: readonly number[], high: readonly number[]): number[] {
    const out: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
        for (let corner = 0; corner < 4; corner++) {
            for (const end of [low, high]) {
                const point = [0, 0, 0];
                point[axis] = end[axis]!;
                point[(axis + 1) % 3] = (corner & 1 ? high : low)[(axis + 1) % 3]!;
                point[(axis + 2) % 3] = (corner & 2 ? high : low)[(axis + 2) % 3]!;
                out.push(...point);
            }
        }
    }
    return out;
}

export class Outline {
    readonly group: Object3D = new Group();
    private readonly material: LineMaterial;
    private body: Body | null = null;
    private version = -1;

    // A dashed one is seen through everything.
    constructor(width: number, dashed: boolean) {
        this.material = new LineMaterial({ linewidth: width, dashed, transparent: true, opacity: 0.9 });
        this.material.depthTest = !dashed;
        this.group.visible = false;
    }

    setColor(color: number): void {
        this.material.color.set(color);
    }

    setSize(width: number, height: number): void {
        this.material.resolution.set(width, height);
    }

    // Dashes of so many metres.
    setDash(metres: number): void {
        this.material.dashSize = metres;
        this.material.gapSize = metres * 0.7;
    }

    // Shows the edges of a body at a pose; null hides them.
    show(body: Body | null, pose: Pose | null, mirror: Mirror, origin: Vec3): void {
        this.group.visible = body !== null && pose !== null;
        if (body === null || pose === null) {
            return;
        }
        if (body !== this.body || body.verticesVersion !== this.version) {
            this.rebuild(body, mirror);
        }
        body.parts.forEach((part, index) => {
            const line = this.group.children[index];
            if (line !== undefined) {
                const matrix = new Float32Array(16);
                writeMatrix(compose(pose, part.pose), origin, matrix, 0);
                line.matrix.fromArray(matrix);
                line.matrixWorldNeedsUpdate = true;
            }
        });
    }

    // Forgets the body, as when its meshes were replaced.
    clear(): void {
        for (const line of [...this.group.children]) {
            (line as LineSegments2).geometry.dispose();
            this.group.remove(line);
        }
        this.body = null;
    }

    private rebuild(body: Body, mirror: Mirror): void {
        this.clear();
        body.parts.forEach((part, index) => {
            const mesh = mirror.meshes.get(part.mesh);
            const geometry = new LineSegmentsGeometry();
            const whole = mesh?.isComplete === true;
            geometry.setPositions(whole ? segments(mesh, body.positionsOf(index, mesh)) : new Float32Array(6));
            const line = new LineSegments2(geometry, this.material);
            if (this.material.dashed) {
                line.computeLineDistances();
            }
            line.matrixAutoUpdate = false;
            line.frustumCulled = false;
            this.group.add(line);
        });
        // A body whose meshes are still coming is looked at again.
        const isWhole = body.parts.every((part) => mirror.meshes.get(part.mesh)?.isComplete === true);
        this.body = isWhole ? body : null;
        this.version = body.verticesVersion;
    }
}
