// The bones of all bodies that share a mesh, in one texture of floats, and the shader that lets vertices follow them. A body
// has a slot: so many texels for each bone, in order. Bones are in the body's frame, so that they are as sharp a million
// metres from zero as at zero.
import { DataTexture, FloatType, MeshDepthMaterial, RGBAFormat, type IUniform, type Material } from "three";
import type { Body } from "./mirror";
import type { Mesh } from "./mesh";
import type { Skin } from "./skin";

// Rows that are sent one by one; above this the whole texture is sent in one go.
const fewRows = 16;

// A row is not much wider than this, so that few bodies that move are few texels to send.
const wideRow = 2048;

// Texels that a page gives to bones, of 16 bytes each.
export const maxTexels = 1 << 24;

let nextId = 1;

export class BoneTexture {
    readonly id = nextId++;
    readonly capacity: number; // bodies that it can hold
    readonly bodyTexels: number;
    readonly uniforms: { boneTexture: IUniform<DataTexture | null>; boneCount: IUniform<number> };
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
        const texels = this.skin.boneNumbers / 4;
        this.bodyTexels = texels * this.skin.boneCount;
        // Bones never go over the end of a row; bodies do only where one is wider than any row.
        const bodiesInRow = Math.floor(Math.min(maxSize, wideRow) / this.bodyTexels);
        this.rowTexels =
            this.bodyTexels <= maxSize ? this.bodyTexels * Math.max(bodiesInRow, 1) : texels * Math.floor(maxSize / texels);
        this.capacity = Math.floor((this.rowTexels * maxSize) / this.bodyTexels);
        this.uniforms = { boneTexture: { value: null }, boneCount: { value: this.skin.boneCount } };
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
        bones.writeNumbers(this.skin, this.data, 4 * first);
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
        this.uniforms.boneTexture.value = null;
    }

    // Lets a material draw vertices where their bones take them.
    prepare(material: Material): void {
        const defines = boneDefines(this.skin);
        material.customProgramCacheKey = () => defines;
        material.onBeforeCompile = (shader): void => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>\n${defines}${boneShader}`)
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

// As blend.ts: rows of matrices are blended, or dual quaternions and what stretches before they turn. Faces are shaded flat by
// where their corners come out, so normals follow without more.
export const boneShader = `
attribute vec4 boneIndices, boneWeights;
#ifdef MANY_BONES
attribute vec4 boneIndices2, boneWeights2;
#endif
attribute float boneSlot;
uniform highp sampler2D boneTexture;
uniform int boneCount;

#ifdef DUAL_BONES
const int boneTexels = 5;
#else
const int boneTexels = 3;
#endif

vec4 boneTexel(float bone, int i) {
    int at = (int(boneSlot) * boneCount + int(bone)) * boneTexels;
    int width = textureSize(boneTexture, 0).x;
    return texelFetch(boneTexture, ivec2(at % width + i, at / width), 0);
}

vec4 boneA, boneB, boneX, boneY, boneZ;

void addBone(float bone, float weight) {
    if (weight == 0.0) {
        return;
    }
#ifdef DUAL_BONES
    vec4 turn = boneTexel(bone, 0);
    float side = dot(turn, boneTexel(boneIndices.x, 0)) < 0.0 ? -weight : weight;
    boneA += side * turn;
    boneB += side * boneTexel(bone, 1);
    boneX += weight * boneTexel(bone, 2);
    boneY += weight * boneTexel(bone, 3);
    boneZ += weight * boneTexel(bone, 4);
#else
    boneX += weight * boneTexel(bone, 0);
    boneY += weight * boneTexel(bone, 1);
    boneZ += weight * boneTexel(bone, 2);
#endif
}

vec3 followBones(vec3 point) {
    boneA = boneB = boneX = boneY = boneZ = vec4(0.0);
    addBone(boneIndices.x, boneWeights.x);
    addBone(boneIndices.y, boneWeights.y);
    addBone(boneIndices.z, boneWeights.z);
    addBone(boneIndices.w, boneWeights.w);
#ifdef MANY_BONES
    addBone(boneIndices2.x, boneWeights2.x);
    addBone(boneIndices2.y, boneWeights2.y);
    addBone(boneIndices2.z, boneWeights2.z);
    addBone(boneIndices2.w, boneWeights2.w);
#endif
#ifdef DUAL_BONES
    vec3 v = vec3(dot(boneX.xyz, point), dot(boneY.xyz, point), dot(boneZ.xyz, point));
    // Turns are w, x, y, z.
    float w = boneA.x;
    vec3 u = boneA.yzw, d = boneB.yzw;
    vec3 turned = cross(u, cross(u, v) + w * v);
    return v + 2.0 / dot(boneA, boneA) * (turned + w * d + cross(u, d) - boneB.x * u);
#else
    vec4 p = vec4(point, 1.0);
    return vec3(dot(boneX, p), dot(boneY, p), dot(boneZ, p));
#endif
}
`;
