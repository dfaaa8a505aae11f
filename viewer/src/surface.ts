// What surfaces are drawn with: three.js materials of the server's materials, and their pictures. A picture is put on
// when it was decoded; until then, and where it cannot be, surfaces have their material's colour.
import {
    BackSide,
    ClampToEdgeWrapping,
    Color,
    DataTexture,
    DoubleSide,
    LinearFilter,
    LinearMipmapLinearFilter,
    MeshBasicMaterial,
    type MeshDepthMaterial,
    MeshLambertMaterial,
    MeshStandardMaterial,
    RepeatWrapping,
    SRGBColorSpace,
    Texture,
} from "three";
import type { BoneTexture } from "./bone_texture";
import type { Mirror } from "./mirror";
import { MaterialFlags, PictureFlags, type MaterialMessage, type PictureMessage } from "./protocol";

// How opaque bodies are that are seen through.
const clearness = 0.3;

// As the server's limit: a picture that is larger is not looked at.
const maxBytes = 1 << 22;

type Drawn = MeshBasicMaterial | MeshLambertMaterial | MeshStandardMaterial;

// How a piece of a mesh is drawn, beside its colour, which its instances have.
export interface Surface {
    material: number; // the server's number; 0: none
    alpha: number; // 0 .. 255
    hasUvs: boolean;
    hasColors: boolean;
    bones: BoneTexture | null; // of what follows bones
}

// What a piece is drawn with, and what it casts shadows with where that is not three.js's own.
export interface Paint {
    drawn: Drawn;
    depth: MeshDepthMaterial | null;
}

interface Known extends Paint {
    from: MaterialMessage | undefined;
    number: number;
    bones: BoneTexture | null;
}

export class Surfaces {
    private readonly known = new Map<string, Known>();
    private readonly textures = new Map<number, { from: PictureMessage; texture: Texture | null }>();

    private isWire = false;
    private isClear = false;

    constructor(
        private readonly isFine: boolean,
        private readonly changed: () => void,
    ) {}

    // Bodies as wires, or seen through.
    setStyle(isWire: boolean, isClear: boolean): void {
        [this.isWire, this.isClear] = [isWire, isClear];
        this.known.forEach(({ drawn }) => this.dress(drawn));
    }

    private dress(drawn: Drawn): void {
        const alpha = drawn.userData.alpha as number;
        drawn.wireframe = this.isWire;
        drawn.opacity = this.isClear ? Math.min(alpha, clearness) : alpha;
        drawn.transparent = drawn.opacity < 1;
        drawn.depthWrite = drawn.opacity === 1;
        drawn.needsUpdate = true;
    }

    // Forgets what is of another scene, and begins to decode pictures that are new.
    follow(mirror: Mirror): void {
        for (const [key, { drawn, depth, from, number, bones }] of this.known) {
            const isGone = bones !== null && mirror.meshes.get(bones.mesh.id) !== bones.mesh;
            if (isGone || mirror.materials.get(number) !== from) {
                drawn.dispose();
                depth?.dispose();
                this.known.delete(key);
            }
        }
        for (const [number, { from, texture }] of this.textures) {
            if (mirror.pictures.get(number) !== from) {
                texture?.dispose();
                this.textures.delete(number);
            }
        }
        for (const [number, from] of mirror.pictures) {
            if (!this.textures.has(number)) {
                this.textures.set(number, { from, texture: null });
                void decode(from).then((texture) => this.take(number, from, texture));
            }
        }
    }

    // Seen from both sides.
    of(surface: Surface, mirror: Mirror): Paint {
        const { material: number, alpha, hasUvs, hasColors, bones } = surface;
        const key = `${number}:${alpha}:${hasUvs}:${hasColors}:${bones?.id}`;
        const known = this.known.get(key);
        if (known !== undefined) {
            return known;
        }
        const from = mirror.materials.get(number);
        const drawn = this.make(from, alpha, hasColors);
        drawn.userData.alpha = alpha / 255;
        this.dress(drawn);
        bones?.prepare(drawn);
        const made = { drawn, depth: bones?.depthMaterial() ?? null, from, number, bones };
        if (from !== undefined && hasUvs) {
            drawn.userData.picture = from.picture;
            this.putOn(made, this.textures.get(from.picture)?.texture ?? null);
        }
        this.known.set(key, made);
        return made;
    }

    private make(from: MaterialMessage | undefined, alpha: number, hasColors: boolean): Drawn {
        const isUnlit = from !== undefined && (from.flags & MaterialFlags.unlit) !== 0;
        // Back faces cast the shadows: a lit face then never lies in its own.
        const sides = { side: DoubleSide, shadowSide: BackSide, vertexColors: hasColors } as const;
        const opacity = { transparent: alpha < 255, opacity: alpha / 255, depthWrite: alpha === 255 };
        if (isUnlit) {
            return new MeshBasicMaterial({ ...sides, ...opacity });
        }
        const made = this.isFine
            ? new MeshStandardMaterial({ ...sides, ...opacity, roughness: 0.5, metalness: 0 })
            : new MeshLambertMaterial({ ...sides, ...opacity });
        if (from !== undefined) {
            const { r, g, b } = from.glow;
            made.emissive = new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
        }
        return made;
    }

    private take(number: number, from: PictureMessage, texture: Texture | null): void {
        const entry = this.textures.get(number);
        if (entry?.from !== from || texture === null) {
            texture?.dispose();
            return;
        }
        entry.texture = texture;
        for (const made of this.known.values()) {
            if (made.drawn.userData.picture === number) {
                this.putOn(made, texture);
            }
        }
        this.changed();
    }

    private putOn({ drawn, depth }: Paint, texture: Texture | null): void {
        if (texture !== null) {
            drawn.map = texture;
            drawn.alphaTest = drawn.transparent ? 0 : 0.5; // holes in it are seen through
            drawn.needsUpdate = true;
            if (depth !== null) {
                depth.needsUpdate = true;
            }
        }
    }

    // Pictures that are on surfaces.
    get shown(): number {
        const maps = new Set<Texture>();
        for (const { drawn } of this.known.values()) {
            if (drawn.map !== null) {
                maps.add(drawn.map);
            }
        }
        return maps.size;
    }
}

// A picture as the graphics card takes it, the lowest row first; null where it is none.
async function decode(message: PictureMessage): Promise<Texture | null> {
    const texture = message.width > 0 ? ofPixels(message) : await ofFile(message);
    if (texture !== null) {
        texture.colorSpace = SRGBColorSpace;
        texture.wrapS = (message.flags & PictureFlags.repeatsU) !== 0 ? RepeatWrapping : ClampToEdgeWrapping;
        texture.wrapT = (message.flags & PictureFlags.repeatsV) !== 0 ? RepeatWrapping : ClampToEdgeWrapping;
        texture.generateMipmaps = true;
        texture.minFilter = LinearMipmapLinearFilter;
        texture.magFilter = LinearFilter;
        texture.anisotropy = 4;
        texture.needsUpdate = true;
    }
    return texture;
}

async function ofFile({ bytes }: PictureMessage): Promise<Texture | null> {
    if (bytes.length > maxBytes) {
        return null;
    }
    try {
        const file = new Blob([new Uint8Array(bytes)]);
        const options = { imageOrientation: "flipY", premultiplyAlpha: "none" } as const;
        const texture = new Texture(await createImageBitmap(file, options));
        texture.flipY = false;
        return texture;
    } catch {
        return null; // not a picture that this browser knows
    }
}

// The rows of pixels, turned upside down; null where there are not as many as there should be.
export function lowestFirst({ width, height, bytes }: Pick<PictureMessage, "width" | "height" | "bytes">): Uint8Array | null {
    if (bytes.length !== width * height * 4 || bytes.length > maxBytes) {
        return null;
    }
    const rows = new Uint8Array(bytes.length);
    for (let y = 0; y < height; y++) {
        rows.set(bytes.subarray(4 * width * y, 4 * width * (y + 1)), 4 * width * (height - 1 - y));
    }
    return rows;
}

function ofPixels(message: PictureMessage): Texture | null {
    const rows = lowestFirst(message);
    return rows === null ? null : new DataTexture(new Uint8Array(rows), message.width, message.height);
}
