// The light that comes from all around: a room of soft light, made here and blurred once, which smooth surfaces mirror. It has
// a bright sky, a darker ground and two large lamps; no file is loaded for it.
import { BackSide, Mesh, PMREMGenerator, Scene, ShaderMaterial, Color, SphereGeometry, type Texture, type WebGLRenderer } from "three";
import type { Theme } from "./theme";

const vertexShader = `
    varying vec3 direction;
    void main() {
        direction = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`;

// A lamp is a patch about its direction whose edge is soft.
const fragmentShader = `
    uniform vec3 sky, ground;
    varying vec3 direction;

    float lamp(vec3 d, vec3 to, float size, float soft) {
        return smoothstep(size - soft, size + soft, dot(d, normalize(to)));
    }

    void main() {
        vec3 d = normalize(direction);
        vec3 color = mix(ground, sky, smoothstep(-0.35, 0.55, d.y));
        color += sky * 2.6 * lamp(d, vec3(0.45, 1.0, 0.35), 0.86, 0.10);
        color += sky * 1.5 * lamp(d, vec3(-0.9, 0.35, 0.6), 0.90, 0.08);
        color += sky * 0.9 * lamp(d, vec3(0.2, 0.25, -1.0), 0.92, 0.07);
        gl_FragColor = vec4(color, 1.0);
    }`;

export class Environment {
    texture: Texture | null = null;
    private made: { dispose(): void } | null = null;

    constructor(private readonly renderer: WebGLRenderer) {}

    // Makes it again in the colours of a theme.
    setTheme(theme: Theme): void {
        const uniforms = { sky: { value: new Color(theme.sky) }, ground: { value: new Color(theme.ground) } };
        const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: BackSide, depthWrite: false });
        const shape = new SphereGeometry(10, 32, 16);
        const generator = new PMREMGenerator(this.renderer);
        const scene = new Scene().add(new Mesh(shape, material));
        const target = generator.fromScene(scene, 0.02, 0.1, 50, { size: 128 });
        this.made?.dispose();
        this.made = target;
        this.texture = target.texture;
        generator.dispose();
        material.dispose();
        shape.dispose();
    }
}
