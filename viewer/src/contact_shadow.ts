// The soft shadow of things on the ground below them, darkest where they touch it: it shows what stands and what floats. All
// is drawn as seen from below the ground into a small picture, by how near it is, which is blurred and laid on the ground.
// It is drawn again only when something moved, not when the camera did.
import {
    DoubleSide,
    LinearFilter,
    Mesh,
    MeshBasicMaterial,
    MeshDepthMaterial,
    NoBlending,
    OrthographicCamera,
    PlaneGeometry,
    Scene,
    ShaderMaterial,
    Vector2,
    WebGLRenderTarget,
    type Group,
    type InstancedMesh,
    type Material,
    type WebGLRenderer,
} from "three";
import type { BoneTexture } from "./bone_texture";
import type { Ball } from "./bounds";
import type { Vec3 } from "./vector";

const pixels = 512;

// Of the size of what is shown: how high above the ground something still darkens it, and how wide the blur is.
const reach = 0.14;
const blurWidth = 0.014;
const margin = 1.3; // beside what is shown

// Only how near the ground it is; alpha is darkness.
const nearness = `void main() {
    gl_FragColor = vec4(0.0, 0.0, 0.0, pow(1.0 - clamp(gl_FragCoord.z, 0.0, 1.0), 2.0));
}`;

function nearnessMaterial(bones: BoneTexture | null): MeshDepthMaterial {
    const material = new MeshDepthMaterial({ side: DoubleSide, blending: NoBlending });
    bones?.prepare(material);
    const follow = material.onBeforeCompile;
    const key = bones === null ? "" : material.customProgramCacheKey();
    material.customProgramCacheKey = () => `nearness ${key}`;
    material.onBeforeCompile = (shader, renderer): void => {
        follow.call(material, shader, renderer);
        shader.fragmentShader = shader.fragmentShader.replace(/void main\(\) \{[^]*/, nearness);
    };
    return material;
}

const blurVertex = `
    varying vec2 at;
    void main() {
        at = uv;
        gl_Position = vec4(position.xy, 0.0, 1.0);
    }`;

const blurFragment = `
    uniform sampler2D picture;
    uniform vec2 along;
    varying vec2 at;
    void main() {
        float sum = 0.0, weights = 0.0;
        for (int i = -6; i <= 6; i++) {
            float weight = exp(-0.5 * float(i * i) / 9.0);
            sum += weight * texture2D(picture, at + along * float(i) / 3.0).a;
            weights += weight;
        }
        gl_FragColor = vec4(0.0, 0.0, 0.0, sum / weights);
    }`;

export class ContactShadow {
    readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
    private readonly sharp = new WebGLRenderTarget(pixels, pixels, { depthBuffer: true, minFilter: LinearFilter });
    private readonly soft = new WebGLRenderTarget(pixels, pixels, { depthBuffer: false, minFilter: LinearFilter });
    private readonly eye = new OrthographicCamera();
    private readonly blur: ShaderMaterial;
    private readonly page: Scene;
    private readonly lens = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    private readonly plain = nearnessMaterial(null);
    private readonly following = new WeakMap<BoneTexture, Material>();

    constructor() {
        const material = new MeshBasicMaterial({ map: this.sharp.texture, transparent: true, depthWrite: false, toneMapped: false });
        material.color.set(0);
        this.mesh = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
        this.mesh.renderOrder = -2;
        this.mesh.frustumCulled = false;
        const uniforms = { picture: { value: this.sharp.texture }, along: { value: new Vector2() } };
        this.blur = new ShaderMaterial({ vertexShader: blurVertex, fragmentShader: blurFragment, uniforms, blending: NoBlending });
        this.blur.depthTest = this.blur.depthWrite = false;
        const paper = new Mesh(new PlaneGeometry(2, 2), this.blur);
        paper.frustumCulled = false;
        this.page = new Scene().add(paper);
    }

    setStrength(strength: number): void {
        this.mesh.material.opacity = strength;
    }

    private materialOf({ userData }: InstancedMesh): Material {
        const bones = userData["bones"] as BoneTexture | null;
        if (bones === null) {
            return this.plain;
        }
        const material = this.following.get(bones) ?? nearnessMaterial(bones);
        this.following.set(bones, material);
        return material;
    }

    // Draws the shadow of bodies on the ground at a height, about what is shown.
    draw(renderer: WebGLRenderer, bodies: Group, all: Ball, height: number, origin: Vec3): void {
        const half = Math.max(all.radius, 1e-3) * margin;
        const high = Math.max(all.radius, 1e-3) * 2 * reach;
        const [x, y, z] = [all.center.x - origin.x, height - origin.y, all.center.z - origin.z];
        // Seen from below: up in the picture is -z, as in the plane that it is laid on, so +x is on its left.
        const { eye } = this;
        eye.left = half;
        eye.right = -half;
        eye.top = half;
        eye.bottom = -half;
        eye.near = 0;
        eye.far = high;
        eye.position.set(x, y, z);
        eye.up.set(0, 0, -1);
        eye.lookAt(x, y + 1, z);
        eye.updateProjectionMatrix();
        this.mesh.position.set(x, y, z);
        this.mesh.scale.set(half, 1, half);

        const drawn = bodies.children as InstancedMesh[];
        const own = drawn.map(({ material }) => material);
        drawn.forEach((each) => (each.material = this.materialOf(each)));
        const hasShadows = renderer.shadowMap.enabled;
        const hasHeadset = renderer.xr.enabled;
        renderer.xr.enabled = false;
        renderer.shadowMap.enabled = false;
        renderer.setRenderTarget(this.sharp);
        renderer.clear();
        renderer.render(bodies, eye);
        drawn.forEach((each, i) => (each.material = own[i]!));
        const { uniforms } = this.blur;
        const along = uniforms["along"]!.value as Vector2;
        for (const [from, to, x, y] of [[this.sharp, this.soft, blurWidth, 0], [this.soft, this.sharp, 0, blurWidth]] as const) {
            uniforms["picture"]!.value = from.texture;
            along.set(x, y);
            renderer.setRenderTarget(to);
            renderer.render(this.page, this.lens);
        }
        renderer.setRenderTarget(null);
        renderer.shadowMap.enabled = hasShadows;
        renderer.xr.enabled = hasHeadset;
    }
}
