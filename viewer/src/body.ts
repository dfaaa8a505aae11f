// Bodies on the stage. Parts that share a mesh are one instanced draw, so that thousands of objects cost as many draws as
// there are meshes. A deformed object has vertices of its own and is drawn by itself.
import {
    BackSide,
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    DynamicDrawUsage,
    Group,
    InstancedBufferAttribute,
    InstancedMesh,
    MeshLambertMaterial,
    MeshStandardMaterial,
    Sphere,
    Vector3,
    type Material,
} from "three";
import type { Mesh } from "./mesh";
import type { Body, Mirror } from "./mirror";
import { compose, writeMatrix, type Pose, type Vec3 } from "./vector";

interface Slot {
    body: Body;
    partPose: Pose;
}

class Batch {
    readonly slots: Slot[] = [];
    readonly drawn: InstancedMesh;
    private version = -1;

    constructor(
        readonly mesh: Mesh,
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

    add(body: Body, partPose: Pose, origin: Vec3): number {
        const slot = this.slots.push({ body, partPose }) - 1;
        const { r, g, b } = body.color;
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
            attribute.array.set(body.positionsOf(part, this.mesh));
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
    private batches: Batch[] = [];
    private slotsOf = new Map<Body, { batch: Batch; slot: number }[]>();
    private readonly geometries = new Map<Mesh, BufferGeometry>();
    private readonly materials = new Map<number, Material>();

    constructor(private readonly isFine: boolean) {}

    // Builds all batches anew: after objects came, went, were hidden or shown, or meshes were completed.
    rebuild(mirror: Mirror, origin: Vec3): void {
        this.clear(mirror);
        const wanted = new Map<string, { mesh: Mesh; alpha: number; body: Body; part: number; slots: Slot[] }>();
        for (const body of mirror.bodies.values()) {
            if (!body.isShown) {
                continue;
            }
            body.parts.forEach((part, index) => {
                const mesh = mirror.meshes.get(part.mesh);
                if (mesh?.isComplete !== true) {
                    return;
                }
                const own = body.vertices === null ? "" : `:${body.index1}:${index}`;
                const key = `${part.mesh}:${body.color.a}${own}`;
                let entry = wanted.get(key);
                if (entry === undefined) {
                    entry = { mesh, alpha: body.color.a, body, part: index, slots: [] };
                    wanted.set(key, entry);
                }
                entry.slots.push({ body, partPose: part.pose });
            });
        }
        for (const { mesh, alpha, body, part, slots } of wanted.values()) {
            const deformed = body.vertices === null ? null : { body, part };
            const geometry = deformed === null ? this.geometryOf(mesh) : makeGeometry(mesh, body.positionsOf(part, mesh));
            const batch = new Batch(mesh, geometry, this.materialOf(alpha), slots.length, deformed);
            for (const slot of slots) {
                const list = this.slotsOf.get(slot.body) ?? [];
                list.push({ batch, slot: batch.add(slot.body, slot.partPose, origin) });
                this.slotsOf.set(slot.body, list);
            }
            this.batches.push(batch);
            this.group.add(batch.drawn);
        }
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
        for (const [mesh, geometry] of this.geometries) {
            if (mirror.meshes.get(mesh.id) !== mesh) {
                geometry.dispose();
                this.geometries.delete(mesh);
            }
        }
    }

    private geometryOf(mesh: Mesh): BufferGeometry {
        let geometry = this.geometries.get(mesh);
        if (geometry === undefined) {
            geometry = makeGeometry(mesh, mesh.positions);
            this.geometries.set(mesh, geometry);
        }
        return geometry;
    }

    // Faces are what this is about: each is shaded flat, seen from both sides.
    private materialOf(alpha: number): Material {
        let material = this.materials.get(alpha);
        if (material === undefined) {
            // Back faces cast the shadows: a lit face then never lies in its own.
            const flat = { flatShading: true, side: DoubleSide, shadowSide: BackSide };
            material = this.isFine
                ? new MeshStandardMaterial({ ...flat, roughness: 0.62, metalness: 0.04 })
                : new MeshLambertMaterial(flat);
            material.transparent = alpha < 255;
            material.opacity = alpha / 255;
            material.depthWrite = alpha === 255;
            this.materials.set(alpha, material);
        }
        return material;
    }
}

function makeGeometry(mesh: Mesh, positions: Float32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    const { center, radius } = mesh.bounds;
    geometry.boundingSphere = new Sphere(new Vector3(center.x, center.y, center.z), radius);
    return geometry;
}
