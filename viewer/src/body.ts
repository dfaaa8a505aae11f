// Bodies in the viewport. Parts that share a mesh and a material are one instanced draw, so that thousands of objects cost as
// many draws as there are meshes and materials on them. Those whose vertices follow bones are too: the bones are in a texture.
// An object that is deformed vertex by vertex has vertices of its own and is drawn by itself.
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
} from "three";
import { BoneTexture, maxTexels } from "./bone_texture";
import { creasedNormals, findCreases, takeNormals, type Creased, type Given } from "./crease";
import type { Mesh, Piece } from "./mesh";
import type { Body, Mirror } from "./mirror";
import type { WireColor } from "./protocol";
import type { Skin } from "./skin";
import { Surfaces, type Paint } from "./surface";
import { compose, writeMatrix, type Pose, type Vec3 } from "./vector";

interface Slot {
    body: Body;
    partPose: Pose;
    boneSlot: number; // in the texture of its bones
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
    body: Body; // the first of them; the only one that is deformed vertex by vertex
    part: number;
    bones: BoneTexture | null; // null: they follow none
    slots: Slot[];
}

// How opaque bodies are that step back.
const dimmedAlpha = 0.13;

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
    private layout: Drawn | null = null; // of what is deformed

    constructor(
        readonly mesh: Mesh,
        readonly cut: Cut,
        readonly geometry: BufferGeometry,
        paint: Paint,
        slots: readonly Slot[],
        readonly bones: BoneTexture | null,
        readonly deformed: { body: Body; part: number } | null,
    ) {
        const own = bones === null ? geometry : withSlots(geometry, slots);
        this.drawn = new InstancedMesh(own, paint.drawn, slots.length);
        this.drawn.instanceMatrix.setUsage(DynamicDrawUsage);
        this.drawn.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * slots.length), 3);
        this.drawn.frustumCulled = false;
        this.drawn.castShadow = true;
        this.drawn.receiveShadow = true;
        this.drawn.userData["bones"] = bones;
        if (paint.depth !== null) {
            this.drawn.customDepthMaterial = paint.depth;
        }
    }

    add(each: Slot, { r, g, b }: WireColor, origin: Vec3): number {
        const slot = this.slots.push(each) - 1;
        new Color().setRGB(r / 255, g / 255, b / 255, "srgb").toArray(this.drawn.instanceColor!.array, 3 * slot);
        this.place(slot, origin);
        return slot;
    }

    place(slot: number, origin: Vec3): void {
        const { body, partPose, boneSlot } = this.slots[slot]!;
        const pose = isHere(partPose) ? body.pose : compose(body.pose, partPose);
        writeMatrix(pose, origin, this.drawn.instanceMatrix.array as Float32Array, 16 * slot);
        this.drawn.instanceMatrix.needsUpdate = true;
        this.bones?.write(boneSlot);
    }

    // Takes the newest vertices of a deformed body.
    deform(): void {
        if (this.deformed !== null && this.deformed.body.verticesVersion !== this.version) {
            const { body, part } = this.deformed;
            this.version = body.verticesVersion;
            const positions = body.positionsOf(part, this.mesh);
            this.layout ??= drawnOf(this.mesh, this.cut, true);
            const { position, normal } = this.geometry.attributes as Record<"position" | "normal", BufferAttribute>;
            position.array.set(positionsOf(this.mesh, this.layout, positions));
            normal.array.set(normalsOf(this.mesh, this.layout, positions));
            position.needsUpdate = normal.needsUpdate = true;
        }
    }

    dispose(): void {
        this.drawn.dispose();
        if (this.deformed !== null) {
            this.geometry.dispose();
        }
        if (this.bones !== null) {
            withoutShared(this.drawn.geometry, this.geometry).dispose();
        }
    }
}

export interface BodyEvents {
    changed(): void; // what is drawn looks otherwise than before
    say(text: string): void; // to the user
}

export class Bodies {
    readonly group = new Group();
    readonly surfaces: Surfaces;
    private batches: Batch[] = [];
    private slotsOf = new Map<Body, { batch: Batch; slot: number }[]>();
    private readonly geometries = new Map<Mesh, Map<string, BufferGeometry>>();
    private readonly boneTextures = new Map<Mesh, BoneTexture[]>();
    private boneTexels = 0;
    private hasSaidFull = false;

    constructor(
        isFine: boolean,
        private readonly maxTextureSize: number,
        private readonly events: BodyEvents,
    ) {
        this.surfaces = new Surfaces(isFine, () => events.changed());
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
        this.boneTextures.forEach((textures) => textures.forEach((texture) => texture.fit()));
        wanted.forEach((each) => this.addBatch(each, mirror, origin));
    }

    // A place for the bones of a body in a texture of its mesh; null where it follows none, or no room is left.
    private wantBones(body: Body, mesh: Mesh): { texture: BoneTexture; slot: number } | null {
        if (body.bonesOf(mesh) === null) {
            return null;
        }
        const textures = this.boneTextures.get(mesh) ?? [];
        this.boneTextures.set(mesh, textures);
        let texture = textures.find((each) => !each.isFull);
        if (texture === undefined) {
            texture = new BoneTexture(mesh, this.maxTextureSize);
            textures.push(texture);
        }
        if (this.boneTexels + texture.bodyTexels > maxTexels) {
            if (!this.hasSaidFull) {
                this.hasSaidFull = true;
                this.events.say("There are more bones than this page can draw: some bodies are shown as they were made");
            }
            return null;
        }
        this.boneTexels += texture.bodyTexels;
        return { texture, slot: texture.add(body) };
    }

    private want(body: Body, part: number, mirror: Mirror, wanted: Map<string, Wanted>): void {
        const { mesh: id, pose: partPose } = body.parts[part]!;
        const mesh = mirror.meshes.get(id);
        if (mesh?.isComplete !== true) {
            return;
        }
        const bones = this.wantBones(body, mesh);
        const own = isDeformed(body, mesh) ? `:${body.index1}:${part}` : `:${bones?.texture.id}`;
        for (const cut of cutsOf(body, mesh)) {
            const opaque = mirror.materials.get(cut.material)?.color.a ?? 255;
            const alpha = Math.round(((body.color.a * opaque) / 255) * (body.isDimmed ? dimmedAlpha : 1));
            const key = `${id}:${cut.material}:${cut.isPlain}:${alpha}${own}`;
            let entry = wanted.get(key);
            if (entry === undefined) {
                entry = { mesh, cut, alpha, body, part, bones: bones?.texture ?? null, slots: [] };
                wanted.set(key, entry);
            }
            entry.slots.push({ body, partPose, boneSlot: bones?.slot ?? 0 });
        }
    }

    private addBatch({ mesh, cut, alpha, body, part, bones, slots }: Wanted, mirror: Mirror, origin: Vec3): void {
        const deformed = isDeformed(body, mesh) ? { body, part } : null;
        const geometry =
            deformed === null ? this.geometryOf(mesh, cut) : makeGeometry(mesh, cut, body.positionsOf(part, mesh), true);
        const hasUvs = !cut.isPlain && mesh.uvs !== null;
        const hasColors = !cut.isPlain && mesh.colors !== null;
        const paint = this.surfaces.of({ material: cut.material, alpha, hasUvs, hasColors, bones }, mirror);
        const color = hasColors ? white : mirror.materials.get(cut.material)?.color;
        const batch = new Batch(mesh, cut, geometry, paint, slots, bones, deformed);
        for (const each of slots) {
            const list = this.slotsOf.get(each.body) ?? [];
            list.push({ batch, slot: batch.add(each, color ?? each.body.color, origin) });
            this.slotsOf.set(each.body, list);
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

    // What was placed goes to the graphics card with the next frame.
    flush(): void {
        this.boneTextures.forEach((textures) => textures.forEach((texture) => texture.flush()));
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
        this.boneTexels = 0;
        for (const [mesh, textures] of this.boneTextures) {
            textures.forEach((texture) => texture.clear());
            if (mirror.meshes.get(mesh.id) !== mesh) {
                textures.forEach((texture) => texture.dispose());
                this.boneTextures.delete(mesh);
            }
        }
    }

    private geometryOf(mesh: Mesh, cut: Cut): BufferGeometry {
        const geometries = this.geometries.get(mesh) ?? new Map<string, BufferGeometry>();
        this.geometries.set(mesh, geometries);
        const key = `${cut.triangles === null ? "all" : cut.material}:${cut.isPlain}`;
        let geometry = geometries.get(key);
        if (geometry === undefined) {
            geometry = makeGeometry(mesh, cut, mesh.positions, false);
            geometries.set(key, geometry);
        }
        return geometry;
    }
}

// Whether a part is in its body's own frame, as most are.
const isHere = ({ rotation, position, scale }: Pose): boolean =>
    rotation.w === 1 && position.x === 0 && position.y === 0 && position.z === 0 && scale === 1;

// Whether its vertices came one by one; bones take them along where they came too.
const isDeformed = (body: Body, mesh: Mesh): boolean => body.vertices !== null && body.bonesOf(mesh) === null;

// The same geometry, and for each instance the slot of its bones.
function withSlots(geometry: BufferGeometry, slots: readonly Slot[]): BufferGeometry {
    const own = new BufferGeometry();
    own.setIndex(geometry.index);
    for (const [name, attribute] of Object.entries(geometry.attributes)) {
        own.setAttribute(name, attribute);
    }
    const numbers = Float32Array.from(slots, ({ boneSlot }) => boneSlot);
    own.setAttribute("boneSlot", new InstancedBufferAttribute(numbers, 1));
    return own;
}

// What is left when it is thrown away: the attributes of the geometry that it was made from stay on the graphics card.
function withoutShared(own: BufferGeometry, geometry: BufferGeometry): BufferGeometry {
    own.setIndex(null);
    Object.keys(geometry.attributes).forEach((name) => own.deleteAttribute(name));
    return own;
}

// Four numbers of each influence from `first` on, zero where there are fewer.
function influences<T extends Float32Array | Uint16Array>(skin: Skin, first: number, values: T, out: T): T {
    for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
        for (let i = first; i < Math.min(first + 4, skin.influenceCount); i++) {
            out[4 * vertex + i - first] = values[skin.influenceCount * vertex + i]!;
        }
    }
    return out;
}

function addInfluences(geometry: BufferGeometry, { vertices }: Drawn, skin: Skin): void {
    for (const [first, suffix] of [[0, ""], [4, "2"]] as const) {
        if (first >= skin.influenceCount) {
            break;
        }
        const bones = influences(skin, first, skin.bones, new Uint16Array(4 * skin.vertexCount));
        const weights = influences(skin, first, skin.weights, new Float32Array(4 * skin.vertexCount));
        geometry.setAttribute(`boneIndices${suffix}`, new BufferAttribute(pick(vertices, 4, bones, new Uint16Array(4 * vertices.length)), 4));
        geometry.setAttribute(`boneWeights${suffix}`, new BufferAttribute(pick(vertices, 4, weights, new Float32Array(4 * vertices.length)), 4));
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

// What is drawn of a cut: vertices of the mesh, one for each normal that they have, with an index; or one for each corner,
// where corners differ in more.
interface Drawn {
    creased: Creased;
    vertices: Uint32Array; // of the mesh
    normals: Uint32Array | null; // which of the creased ones each has; null: each its own
    index: Uint32Array | null;
    given: Int16Array | null; // normals of the creased ones, that came with the mesh; null: they follow from its faces
}

const creases = new WeakMap<Mesh, Creased>();

function creasesOf(mesh: Mesh): Creased {
    const creased = creases.get(mesh) ?? findCreases(mesh.positions, mesh.triangles);
    creases.set(mesh, creased);
    return creased;
}

const givens = new WeakMap<Mesh, Given>();

// The normals that came with a mesh; null where none did. They are of the mesh as it was made: where vertices come one by
// one, normals follow from the faces.
function givenOf(mesh: Mesh): Given | null {
    if (mesh.normals === null) {
        return null;
    }
    const given = givens.get(mesh) ?? takeNormals(mesh.positions, mesh.triangles, mesh.normals);
    givens.set(mesh, given);
    return given;
}

function drawnOf(mesh: Mesh, cut: Cut, isDeformed: boolean): Drawn {
    const given = isDeformed ? null : givenOf(mesh);
    const creased = given?.creased ?? creasesOf(mesh);
    const corners =
        cut.triangles === null
            ? creased.corners
            : Uint32Array.from({ length: 3 * cut.triangles.length }, (_, i) => {
                  return creased.corners[3 * cut.triangles![Math.floor(i / 3)]! + (i % 3)]!;
              });
    return cut.isPlain
        ? { creased, vertices: creased.sources, normals: null, index: corners, given: given?.normals ?? null }
        : {
              creased,
              vertices: corners.map((corner) => creased.sources[corner]!),
              normals: corners,
              index: null,
              given: given?.normals ?? null,
          };
}

// The positions as they are drawn: the mesh's own where none is drawn twice.
function positionsOf(mesh: Mesh, { vertices, normals }: Drawn, positions: Float32Array): Float32Array {
    const isSame = normals === null && vertices.length === mesh.vertexCount;
    return isSame ? positions : pick(vertices, 3, positions, new Float32Array(3 * vertices.length));
}

function normalsOf(mesh: Mesh, { creased, normals, given }: Drawn, positions: Float32Array): Int16Array {
    const all = given ?? creasedNormals(creased, positions, mesh.triangles);
    return normals === null ? all : pick(normals, 4, all, new Int16Array(4 * normals.length));
}

// `width` numbers of each of the numbered ones.
function pick<T extends Float32Array | Uint16Array | Int16Array>(numbers: Uint32Array, width: number, values: T, out: T): T {
    for (let i = 0; i < numbers.length; i++) {
        const at = width * numbers[i]!;
        for (let k = 0; k < width; k++) {
            out[width * i + k] = values[at + k]!;
        }
    }
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

function makeGeometry(mesh: Mesh, cut: Cut, positions: Float32Array, isDeformed: boolean): BufferGeometry {
    const geometry = new BufferGeometry();
    const drawn = drawnOf(mesh, cut, isDeformed);
    geometry.setAttribute("position", new BufferAttribute(positionsOf(mesh, drawn, positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(normalsOf(mesh, drawn, positions), 4, true));
    const count = cut.triangles?.length ?? mesh.triangleCount;
    if (drawn.index !== null) {
        geometry.setIndex(new BufferAttribute(drawn.index, 1));
    }
    if (!cut.isPlain && mesh.uvs !== null) {
        geometry.setAttribute("uv", new BufferAttribute(gather(cut, count, 2, mesh.uvs, new Float32Array(6 * count)), 2));
    }
    if (!cut.isPlain && mesh.colors !== null) {
        const light = lightOf(gather(cut, count, 4, mesh.colors, new Uint8Array(12 * count)));
        geometry.setAttribute("color", new BufferAttribute(light, 3));
    }
    if (mesh.skin !== null) {
        addInfluences(geometry, drawn, mesh.skin);
    }
    const { center, radius } = mesh.bounds;
    geometry.boundingSphere = new Sphere(new Vector3(center.x, center.y, center.z), radius);
    return geometry;
}
