// The ground: lines every power of ten, fading with distance, that seem to have no end. The plane moves with the camera;
// the lines stay where they are in the world because their phase is computed in doubles.
import { Color, Mesh, PlaneGeometry, ShaderMaterial, Vector2 } from "three";
import type { Camera } from "./camera";
import type { Theme } from "./theme";
import type { Vec3 } from "./vector";

const vertexShader = `
    uniform float reach;
    varying vec2 place;
    void main() {
        place = position.xz * reach;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(place.x, 0.0, place.y, 1.0);
    }`;

const fragmentShader = `
    uniform vec3 color;
    uniform vec2 phase;
    uniform float cell, reach, strength, finest;
    varying vec2 place;

    float lines(float size) {
        vec2 at = (place + phase) / size;
        vec2 width = fwidth(at);
        vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
        float line = 1.0 - min(min(near.x, near.y), 1.0);
        return line * (1.0 - smoothstep(0.2, 0.7, max(width.x, width.y)));
    }

    void main() {
        float fade = 1.0 - smoothstep(0.25, 1.0, length(place) / reach);
        float alpha = max(lines(cell) * 0.45 * finest, lines(cell * 10.0)) * fade * fade * strength;
        if (alpha < 0.004) discard;
        gl_FragColor = vec4(color, alpha);
        #include <colorspace_fragment>
    }`;

export class Grid {
    readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;

    constructor() {
        const geometry = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
        const material = new ShaderMaterial({
            vertexShader,
            fragmentShader,
            transparent: true,
            depthWrite: false,
            side: 2,
            uniforms: {
                color: { value: new Color() },
                phase: { value: new Vector2() },
                cell: { value: 1 },
                reach: { value: 100 },
                strength: { value: 0.3 },
                finest: { value: 1 },
            },
        });
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = -1;
    }

    setTheme(theme: Theme): void {
        const { uniforms } = this.mesh.material;
        (uniforms["color"]!.value as Color).set(theme.grid);
        uniforms["strength"]!.value = theme.gridStrength;
    }

    // Lies at this height, about where the camera looks.
    place(camera: Camera, origin: Vec3, height: number): void {
        const { uniforms } = this.mesh.material;
        const scale = Math.log10(Math.max(camera.distance, 1e-6) / 12);
        const cell = 10 ** Math.floor(scale);
        const finest = 1 - (scale - Math.floor(scale));
        const { target } = camera;
        uniforms["cell"]!.value = cell;
        uniforms["finest"]!.value = finest;
        uniforms["reach"]!.value = camera.distance * 6;
        (uniforms["phase"]!.value as Vector2).set(target.x % (10 * cell), target.z % (10 * cell));
        this.mesh.position.set(target.x - origin.x, height - origin.y, target.z - origin.z);
    }
}
