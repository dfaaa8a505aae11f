// The bones of all bodies that share a mesh, in one texture of floats, and the shader that lets vertices follow them. A body
// has a slot: two texels for each bone, in order, its turn and its place with its scale. Bones are in the body's frame, so
// that they are as sharp a million metres from zero as at zero. Where the bones were when the mesh was made is in a second
// texture, which stays.
import { DataTexture, FloatType, MeshDepthMaterial, RGBAFormat, type IUniform, type Material } from "three";
import { boneNumbers } from "./bones";
import type { Body } from "./mirror";
import type { Mesh } from "./mesh";
import type { Skin } from "./skin";

// Rows that are sent one by one; above this the whole texture is sent in one go.
const fewRows = 16;

// A row is not much wider than this, so that few bodies that move are few texels to send.
const wideRow = 2048;

// Texels that a page gives to bones, of 16 bytes each.
export const maxTexels = 1 << 24;

const boneTexels = boneNumbers / 4;

let nextId = 1;

export class BoneTexture {
    readonly id = nextId++;
    readonly capacity: number; // bodies that it can hold
    readonly bodyTexels: number;
    readonly uniforms: {
        boneTexture: IUniform<DataTexture | null>;
        bindTexture: IUniform<DataTexture | null>;
        boneCount: IUniform<number>;
    };
    private readonly skin: Skin;
    private readonly rowTexels: number;
    private bodies: Body[] = [];
    private versions = new Int32Array(0); // of the bones that each slot has
    private data = new Float32Array(0);
    private dirty = new Set<number>(); // rows that the graphics card does not have
    private rows = 0;

    // `maxSize` is how wide and high a texture may be.
    constructor(
        readonly mesh: Mesh,
        maxSize: number,
    ) {
        this.skin = mesh.skin!;
        this.bodyTexels = boneTexels * this.skin.boneCount;
        // Bones never go over the end of a row; bodies do only where one is wider than any row.
        const bodiesInRow = Math.floor(Math.min(maxSize, wideRow) / this.bodyTexels);
        this.rowTexels =
            this.bodyTexels <= maxSize ? this.bodyTexels * Math.max(bodiesInRow, 1) : boneTexels * Math.floor(maxSize / boneTexels);
        this.capacity = Math.floor((this.rowTexels * maxSize) / this.bodyTexels);
        this.uniforms = {
            boneTexture: { value: null },
            bindTexture: { value: textureOf(this.skin.bindNumbers, Math.min(maxSize, wideRow)) },
            boneCount: { value: this.skin.boneCount },
        };
    }

    get isFull(): boolean {
        return this.bodies.length >= this.capacity;
    }

    // All slots are free again.
    clear(): void {
        this.bodies = [];
    }

    add(body: Body): number {
        return this.bodies.push(body) - 1;
    }

    // Makes the texture as large as its bodies need it.
    fit(): void {
        const rows = Math.max(1, Math.ceil((this.bodies.length * this.bodyTexels) / this.rowTexels));
        if (rows !== this.rows) {
            this.rows = rows;
            this.uniforms.boneTexture.value?.dispose();
            this.data = new Float32Array(4 * this.rowTexels * rows);
            const texture = new DataTexture(this.data, this.rowTexels, rows, RGBAFormat, FloatType);
            texture.onUpdate = (): void => this.dirty.clear();
            this.uniforms.boneTexture.value = texture;
        }
        this.versions = new Int32Array(this.bodies.length).fill(-1);
        this.bodies.forEach((_, slot) => this.write(slot));
    }

    // Takes where the bones of a body are now.
    write(slot: number): void {
        const bones = this.bodies[slot]!.bonesOf(this.mesh);
        if (bones === null || this.versions[slot] === bones.version) {
            return;
        }
        this.versions[slot] = bones.version;
        const first = slot * this.bodyTexels;
        bones.writePlaced(this.data, 4 * first);
        const last = Math.floor((first + this.bodyTexels - 1) / this.rowTexels);
        for (let row = Math.floor(first / this.rowTexels); row <= last; row++) {
            this.dirty.add(row);
        }
    }

    // What changed goes to the graphics card with the next frame.
    flush(): void {
        const texture = this.uniforms.boneTexture.value;
        if (texture === null || this.dirty.size === 0) {
            return;
        }
        texture.clearUpdateRanges();
        if (this.dirty.size <= fewRows) {
            this.dirty.forEach((row) => texture.addUpdateRange(4 * this.rowTexels * row, 4 * this.rowTexels));
        }
        texture.needsUpdate = true;
    }

    dispose(): void {
        this.uniforms.boneTexture.value?.dispose();
        this.uniforms.bindTexture.value?.dispose();
        this.uniforms.boneTexture.value = this.uniforms.bindTexture.value = null;
    }

    // Lets a material draw vertices where their bones take them.
    prepare(material: Material): void {
        const defines = boneDefines(this.skin);
        material.customProgramCacheKey = () => defines;
        material.onBeforeCompile = (shader): void => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>\n${defines}${boneShader}`)
                .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = turnByBones(objectNormal);")
                .replace("#include <begin_vertex>", "#include <begin_vertex>\ntransformed = followBones(transformed);");
        };
    }

    // What casts shadows by the same vertices.
    depthMaterial(): MeshDepthMaterial {
        const material = new MeshDepthMaterial();
        this.prepare(material);
        return material;
    }
}

export function boneDefines({ influenceCount, isDual }: Skin): string {
    return `${influenceCount > 4 ? "#define MANY_BONES\n" : ""}${isDual ? "#define DUAL_BONES\n" : ""}`;
}

// Numbers in fours, in rows up to so wide.
function textureOf(numbers: Float32Array, maxWidth: number): DataTexture {
    const texels = numbers.length / 4;
    const width = Math.min(texels, maxWidth);
    const height = Math.ceil(texels / width);
    const data = new Float32Array(4 * width * height);
    data.set(numbers);
    const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    return texture;
}

// As blend.ts: the places that the bones take a vertex to are blended; or dual quaternions, and what stretches before they turn.
// Turns are w, x, y, z. Normals are turned as their vertices are; that bones may stretch does not count for them.
export const boneShader = `
attribute vec4 boneIndices, boneWeights;
#ifdef MANY_BONES
attribute vec4 boneIndices2, boneWeights2;
#endif
attribute float boneSlot;
uniform highp sampler2D boneTexture, bindTexture;
uniform int boneCount;

vec4 boneTexel(int at) {
    int width = textureSize(boneTexture, 0).x;
    return texelFetch(boneTexture, ivec2(at % width, at / width), 0);
}

vec4 bindTexel(int at) {
    int width = textureSize(bindTexture, 0).x;
    return texelFetch(bindTexture, ivec2(at % width, at / width), 0);
}

int boneAt(int bone) {
    return 2 * (int(boneSlot) * boneCount + bone);
}

vec3 turnedBy(vec4 turn, vec3 v) {
    return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v);
}

vec3 bonePoint;
#ifdef DUAL_BONES
vec4 boneFirst, boneReal, boneDual;

// The turn that a bone gives to the mesh.
vec4 turnOf(int bone) {
    vec4 a = boneTexel(boneAt(bone)), b = bindTexel(4 * bone);
    return vec4(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}
#endif

void addBone(float index, float weight, vec3 point) {
    if (weight == 0.0) {
        return;
    }
    int bone = int(index), at = boneAt(bone);
    vec4 turn = boneTexel(at), place = boneTexel(at + 1);
#ifdef DUAL_BONES
    vec4 x = bindTexel(4 * bone + 1), y = bindTexel(4 * bone + 2), z = bindTexel(4 * bone + 3), real = turnOf(bone);
    vec3 origin = turnedBy(turn, place.w * vec3(x.w, y.w, z.w)) + place.xyz;
    float side = dot(real, boneFirst) < 0.0 ? -weight : weight;
    boneReal += side * real;
    boneDual += 0.5 * side * vec4(-dot(origin, real.yzw), real.x * origin + cross(origin, real.yzw));
    bonePoint += weight * place.w * vec3(dot(x.xyz, point), dot(y.xyz, point), dot(z.xyz, point));
#else
    vec4 p = vec4(point, 1.0);
    vec3 v = vec3(dot(bindTexel(3 * bone), p), dot(bindTexel(3 * bone + 1), p), dot(bindTexel(3 * bone + 2), p));
    bonePoint += weight * (turnedBy(turn, place.w * v) + place.xyz);
#endif
}

vec3 boneNormal;

void addTurn(float index, float weight, vec3 normal) {
    if (weight == 0.0) {
        return;
    }
    int bone = int(index);
#ifdef DUAL_BONES
    vec4 real = turnOf(bone);
    boneReal += dot(real, boneFirst) < 0.0 ? -weight * real : weight * real;
#else
    vec3 v = vec3(dot(bindTexel(3 * bone).xyz, normal), dot(bindTexel(3 * bone + 1).xyz, normal), dot(bindTexel(3 * bone + 2).xyz, normal));
    boneNormal += weight * turnedBy(boneTexel(boneAt(bone)), v);
#endif
}

vec3 turnByBones(vec3 normal) {
    boneNormal = vec3(0.0);
#ifdef DUAL_BONES
    boneReal = vec4(0.0);
    boneFirst = turnOf(int(boneIndices.x));
#endif
    addTurn(boneIndices.x, boneWeights.x, normal);
    addTurn(boneIndices.y, boneWeights.y, normal);
    addTurn(boneIndices.z, boneWeights.z, normal);
    addTurn(boneIndices.w, boneWeights.w, normal);
#ifdef MANY_BONES
    addTurn(boneIndices2.x, boneWeights2.x, normal);
    addTurn(boneIndices2.y, boneWeights2.y, normal);
    addTurn(boneIndices2.z, boneWeights2.z, normal);
    addTurn(boneIndices2.w, boneWeights2.w, normal);
#endif
#ifdef DUAL_BONES
    return turnedBy(normalize(boneReal), normal);
#else
    return boneNormal;
#endif
}

vec3 followBones(vec3 point) {
    bonePoint = vec3(0.0);
#ifdef DUAL_BONES
    boneReal = boneDual = vec4(0.0);
    boneFirst = turnOf(int(boneIndices.x));
#endif
    addBone(boneIndices.x, boneWeights.x, point);
    addBone(boneIndices.y, boneWeights.y, point);
    addBone(boneIndices.z, boneWeights.z, point);
    addBone(boneIndices.w, boneWeights.w, point);
#ifdef MANY_BONES
    addBone(boneIndices2.x, boneWeights2.x, point);
    addBone(boneIndices2.y, boneWeights2.y, point);
    addBone(boneIndices2.z, boneWeights2.z, point);
    addBone(boneIndices2.w, boneWeights2.w, point);
#endif
#ifdef DUAL_BONES
    float w = boneReal.x;
    vec3 u = boneReal.yzw, d = boneDual.yzw, v = bonePoint;
    vec3 turned = cross(u, cross(u, v) + w * v);
    return v + 2.0 / dot(boneReal, boneReal) * (turned + w * d + cross(u, d) - boneDual.x * u);
#else
    return bonePoint;
#endif
}
`;
