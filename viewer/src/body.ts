// Bodies in the viewport. Parts that share a mesh and a material are one instanced draw, so that thousands of objects cost as
// many draws as there are meshes and materials on them. A deformed object has vertices of its own and is drawn by itself.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Group,
    InstancedBufferAttribute,
    InstancedMesh,
    Sphere,
    SRGBColorSpace,
    Vector3,
    type Material,
} from "three";
import type { Mesh, Piece } from "./mesh";
import type { Body, Mirror } from "./mirror";
import type { WireColor } from "./protocol";
import { Surfaces } from "./surface";
import { compose, writeMatrix, type Pose, type Vec3 } from "./vector";

interface Slot {
    body: Body;
    partPose: Pose;
}

// The triangles of a mesh that are drawn with one material.
interface Cut extends Piece {
    isPlain: boolean; // without pictures and colours of corners
}

// What is drawn at once.
interface Wanted {
    mesh: Mesh;
    cut: Cut;
    alpha: number;
    body: Body; // the first of them; the only one that is deformed
    part: number;
    slots: Slot[];
}

const whole: Cut = { material: 0, triangles: null, isPlain: true };
const white: WireColor = { r: 255, g: 255, b: 255, a: 255 };

function cutsOf(body: Body, mesh: Mesh): readonly Cut[] {
    if (body.isPlain) {
        return [whole];
    }
    const isPlain = mesh.uvs === null && mesh.colors === null;
    return mesh.pieces.map((piece) => ({ ...piece, isPlain }));
}

class Batch {
    readonly slots: Slot[] = [];
    readonly drawn: InstancedMesh;
    private version = -1;

    constructor(
        readonly mesh: Mesh,
        readonly cut: Cut,
        readonly geometry: BufferGeometry,
        material: Material,
        capacity: number,
        readonly deformed: { body: Body; part: number } | null,
    ) {
        this.drawn = new InstancedMesh(geometry, material, capacity);
        this.drawn.instanceMatrix.setUsage(DynamicDrawUsage);
        this.drawn.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
        this.drawn.frustumCulled = false;
        this.drawn.castShadow = true;
        this.drawn.receiveShadow = true;
    }

    add(body: Body, partPose: Pose, { r, g, b }: WireColor, origin: Vec3): number {
        const slot = this.slots.push({ body, partPose }) - 1;
        new Color().setRGB(r / 255, g / 255, b / 255, "srgb").toArray(this.drawn.instanceColor!.array, 3 * slot);
        this.place(slot, origin);
        return slot;
    }

    place(slot: number, origin: Vec3): void {
        const { body, partPose } = this.slots[slot]!;
        writeMatrix(compose(body.pose, partPose), origin, this.drawn.instanceMatrix.array as Float32Array, 16 * slot);
        this.drawn.instanceMatrix.needsUpdate = true;
    }

    // Takes the newest vertices of a deformed body.
    deform(): void {
        if (this.deformed !== null && this.deformed.body.verticesVersion !== this.version) {
            const { body, part } = this.deformed;
            this.version = body.verticesVersion;
            const attribute = this.geometry.getAttribute("position") as BufferAttribute;
            attribute.array.set(positionsOf(this.mesh, this.cut, body.positionsOf(part, this.mesh)));
            attribute.needsUpdate = true;
        }
    }

    dispose(): void {
        this.drawn.dispose();
        if (this.deformed !== null) {
            this.geometry.dispose();
        }
    }
}

export class Bodies {
    readonly group = new Group();
    readonly surfaces: Surfaces;
    private batches: Batch[] = [];
    private slotsOf = new Map<Body, { batch: Batch; slot: number }[]>();
    private readonly geometries = new Map<Mesh, Map<string, BufferGeometry>>();

    // `changed` is called when what is drawn looks otherwise than before.
    constructor(isFine: boolean, changed: () => void) {
        this.surfaces = new Surfaces(isFine, changed);
    }

    // Builds all batches from scratch: after objects were added, removed, were hidden or shown, or meshes were completed.
    rebuild(mirror: Mirror, origin: Vec3): void {
        this.clear(mirror);
        this.surfaces.follow(mirror);
        const wanted = new Map<string, Wanted>();
        for (const body of mirror.bodies.values()) {
            if (body.isShown) {
                body.parts.forEach((_, part) => this.want(body, part, mirror, wanted));
            }
        }
        wanted.forEach((each) => this.addBatch(each, mirror, origin));
    }

    private want(body: Body, part: number, mirror: Mirror, wanted: Map<string, Wanted>): void {
        const { mesh: id, pose: partPose } = body.parts[part]!;
        const mesh = mirror.meshes.get(id);
        if (mesh?.isComplete !== true) {
            return;
        }
        const own = body.vertices === null ? "" : `:${body.index1}:${part}`;
        for (const cut of cutsOf(body, mesh)) {
            const opaque = mirror.materials.get(cut.material)?.color.a ?? 255;
            const alpha = Math.round((body.color.a * opaque) / 255);
            const key = `${id}:${cut.material}:${cut.isPlain}:${alpha}${own}`;
            let entry = wanted.get(key);
            if (entry === undefined) {
                entry = { mesh, cut, alpha, body, part, slots: [] };
                wanted.set(key, entry);
            }
            entry.slots.push({ body, partPose });
        }
    }

    private addBatch({ mesh, cut, alpha, body, part, slots }: Wanted, mirror: Mirror, origin: Vec3): void {
        const deformed = body.vertices === null ? null : { body, part };
        const geometry =
            deformed === null ? this.geometryOf(mesh, cut) : makeGeometry(mesh, cut, body.positionsOf(part, mesh));
        const hasUvs = !cut.isPlain && mesh.uvs !== null;
        const hasColors = !cut.isPlain && mesh.colors !== null;
        const material = this.surfaces.of({ material: cut.material, alpha, hasUvs, hasColors }, mirror);
        const color = hasColors ? white : mirror.materials.get(cut.material)?.color;
        const batch = new Batch(mesh, cut, geometry, material, slots.length, deformed);
        for (const { body: each, partPose } of slots) {
            const list = this.slotsOf.get(each) ?? [];
            list.push({ batch, slot: batch.add(each, partPose, color ?? each.color, origin) });
            this.slotsOf.set(each, list);
        }
        this.batches.push(batch);
        this.group.add(batch.drawn);
    }

    // Puts a body where it is now.
    place(body: Body, origin: Vec3): void {
        for (const { batch, slot } of this.slotsOf.get(body) ?? []) {
            batch.place(slot, origin);
            batch.deform();
        }
    }

    placeAll(origin: Vec3): void {
        for (const body of this.slotsOf.keys()) {
            this.place(body, origin);
        }
    }

    private clear(mirror: Mirror): void {
        for (const batch of this.batches) {
            this.group.remove(batch.drawn);
            batch.dispose();
        }
        this.batches = [];
        this.slotsOf = new Map();
        for (const [mesh, geometries] of this.geometries) {
            if (mirror.meshes.get(mesh.id) !== mesh) {
                geometries.forEach((geometry) => geometry.dispose());
                this.geometries.delete(mesh);
            }
        }
    }

    private geometryOf(mesh: Mesh, cut: Cut): BufferGeometry {
        const geometries = this.geometries.get(mesh) ?? new Map<string, BufferGeometry>();
        this.geometries.set(mesh, geometries);
        const key = `${cut.triangles === null ? "all" : cut.material}:${cut.isPlain}`;
        let geometry = geometries.get(key);
        if (geometry === undefined) {
            geometry = makeGeometry(mesh, cut, mesh.positions);
            geometries.set(key, geometry);
        }
        return geometry;
    }
}

// What stands at the corners of triangles of a cut: `width` numbers of `values` each.
function gather<T extends Float32Array | Uint8Array>(cut: Cut, count: number, width: number, values: T, out: T): T {
    for (let i = 0; i < count; i++) {
        const at = 3 * width * (cut.triangles?.[i] ?? i);
        out.set(values.subarray(at, at + 3 * width) as never, 3 * width * i);
    }
    return out;
}

function cornersOf(mesh: Mesh, cut: Cut): Uint32Array {
    return cut.triangles === null
        ? mesh.triangles
        : Uint32Array.from({ length: 3 * cut.triangles.length }, (_, i) => {
              return mesh.triangles[3 * cut.triangles![Math.floor(i / 3)]! + (i % 3)]!;
          });
}

// The vertices as a cut is drawn: the mesh's, or one for each corner where corners differ.
function positionsOf(mesh: Mesh, cut: Cut, positions: Float32Array): Float32Array {
    if (cut.isPlain) {
        return positions;
    }
    const corners = cornersOf(mesh, cut);
    const out = new Float32Array(3 * corners.length);
    corners.forEach((vertex, i) => {
        out[3 * i] = positions[3 * vertex]!;
        out[3 * i + 1] = positions[3 * vertex + 1]!;
        out[3 * i + 2] = positions[3 * vertex + 2]!;
    });
    return out;
}

// Colours of corners as light, red, green and blue.
function lightOf(rgba: Uint8Array): Float32Array {
    const out = new Float32Array((3 * rgba.length) / 4);
    const color = new Color();
    for (let i = 0; i < rgba.length / 4; i++) {
        const [r, g, b] = [rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!];
        color.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace).toArray(out, 3 * i);
    }
    return out;
}

function makeGeometry(mesh: Mesh, cut: Cut, positions: Float32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positionsOf(mesh, cut, positions), 3));
    const count = cut.triangles?.length ?? mesh.triangleCount;
    if (cut.isPlain) {
        geometry.setIndex(new BufferAttribute(cornersOf(mesh, cut), 1));
    }
    if (!cut.isPlain && mesh.uvs !== null) {
        geometry.setAttribute("uv", new BufferAttribute(gather(cut, count, 2, mesh.uvs, new Float32Array(6 * count)), 2));
    }
    if (!cut.isPlain && mesh.colors !== null) {
        const light = lightOf(gather(cut, count, 4, mesh.colors, new Uint8Array(12 * count)));
        geometry.setAttribute("color", new BufferAttribute(light, 3));
    }
    const { center, radius } = mesh.bounds;
    geometry.boundingSphere = new Sphere(new Vector3(center.x, center.y, center.z), radius);
    return geometry;
}
