// Triangles of bodies drawn over them: those that collide, and those a layer colours.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, type Material } from "three";
import type { Mesh as Shape } from "./mesh";
import type { Body, Mirror } from "./mirror";
import { compose, writeMatrix, type Vec3 } from "./vector";

// Corners of triangles in the world, seen from an origin; grows as needed and is never freed.
export class FaceList {
    positions = new Float32Array(9 * 64);
    count = 0; // triangles

    clear(): void {
        this.count = 0;
    }

    // Adds triangles of a body, numbered over its parts. Those whose mesh is not here are left out.
    add(body: Body, triangles: Iterable<number>, mirror: Mirror, origin: Vec3): void {
        const matrix = new Float32Array(16);
        let part = 0;
        let first = 0;
        let end = 0;
        let mesh: Shape | null = null;
        const wanted = [0];
        for (const triangle of triangles) {
            if (triangle < first || triangle >= end || mesh === null) {
                const found = body.partOf(triangle, mirror);
                if (found === null) {
                    continue;
                }
                part = found.part;
                first = found.first;
                end = first + found.mesh.triangleCount;
                mesh = found.mesh;
                writeMatrix(compose(body.pose, body.parts[part]!.pose), origin, matrix, 0);
            }
            wanted[0] = triangle - first;
            this.addTriangle(mesh.triangles, 3 * (triangle - first), body.cornersOf(part, mesh, wanted), matrix);
        }
    }

    private addTriangle(corners: Uint32Array, at: number, vertices: Float32Array, m: Float32Array): void {
        if (9 * (this.count + 1) > this.positions.length) {
            const more = new Float32Array(2 * this.positions.length);
            more.set(this.positions);
            this.positions = more;
        }
        const out = this.positions;
        let to = 9 * this.count;
        for (let k = 0; k < 3; k++) {
            const v = 3 * corners[at + k]!;
            const x = vertices[v]!;
            const y = vertices[v + 1]!;
            const z = vertices[v + 2]!;
            out[to++] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!;
            out[to++] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!;
            out[to++] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!;
        }
        this.count++;
    }
}

// A mesh without indices whose vertices change often.
export class FaceMesh {
    readonly mesh: Mesh<BufferGeometry, Material>;

    constructor(material: Material) {
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.frustumCulled = false;
        this.mesh.visible = false;
    }

    show(list: Pick<FaceList, "positions" | "count">): void {
        const { geometry } = this.mesh;
        let attribute = geometry.getAttribute("position") as BufferAttribute | undefined;
        if (attribute === undefined || attribute.array !== list.positions) {
            geometry.dispose();
            attribute = new BufferAttribute(list.positions, 3).setUsage(DynamicDrawUsage);
            geometry.setAttribute("position", attribute);
        }
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, 9 * list.count);
        attribute.needsUpdate = true;
        geometry.setDrawRange(0, 3 * list.count);
        this.mesh.visible = list.count > 0;
    }
}
