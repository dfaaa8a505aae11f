// Materials of the layers, shared and kept: a layer that is drawn anew every tick must not make the graphics card compile
// its programs anew every tick.
import { Color, DoubleSide, MeshBasicMaterial, ShaderMaterial, type Material } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { WireColor } from "./protocol";

// Beyond this many the oldest is given up.
const most = 512;

const colorOf = ({ r, g, b }: WireColor): Color => new Color().setRGB(r / 255, g / 255, b / 255, "srgb");

export class OverlayMaterials {
    private readonly kept = new Map<string, Material>();
    private width = 1;
    private height = 1;

    setSize(width: number, height: number): void {
        this.width = width;
        this.height = height;
        for (const material of this.kept.values()) {
            if (material instanceof LineMaterial) {
                material.resolution.set(width, height);
            }
        }
    }

    // One that shines through is not hidden by what is before it.
    line(color: WireColor, width: number, isThrough = false): LineMaterial {
        return this.keep(`line ${width} ${text(color)} ${isThrough}`, () => {
            const transparent = color.a < 255 || isThrough;
            const material = new LineMaterial({ linewidth: width, transparent, opacity: color.a / 255 });
            material.depthTest = !isThrough;
            material.color.copy(colorOf(color));
            material.resolution.set(this.width, this.height);
            return material;
        });
    }

    // For triangles, seen from both sides, and a little nearer than the faces that they lie on.
    flat(color: WireColor): MeshBasicMaterial {
        return this.keep(
            `flat ${text(color)}`,
            () =>
                new MeshBasicMaterial({
                    color: colorOf(color),
                    side: DoubleSide,
                    transparent: color.a < 255,
                    opacity: color.a / 255,
                    depthWrite: color.a === 255,
                    toneMapped: false,
                    polygonOffset: true,
                    polygonOffsetFactor: -1,
                    polygonOffsetUnits: -2,
                }),
        );
    }

    // Round dots of a size in pixels of the page.
    dot(color: WireColor, size: number): ShaderMaterial {
        return this.keep(`dot ${size} ${text(color)}`, () => {
            const uniforms = {
                color: { value: colorOf(color) },
                alpha: { value: color.a / 255 },
                size: { value: size * Math.min(window.devicePixelRatio, 2) },
            };
            return new ShaderMaterial({ uniforms, vertexShader, fragmentShader, transparent: color.a < 255 });
        });
    }

    private keep<M extends Material>(key: string, make: () => M): M {
        let material = this.kept.get(key) as M | undefined;
        if (material === undefined) {
            material = make();
            this.kept.set(key, material);
            const [oldest] = this.kept;
            if (this.kept.size > most && oldest !== undefined) {
                this.kept.delete(oldest[0]);
                oldest[1].dispose();
            }
        }
        return material;
    }
}

const text = ({ r, g, b, a }: WireColor): string => `${r} ${g} ${b} ${a}`;

const vertexShader = `
    uniform float size;
    void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_PointSize = size;
    }`;

const fragmentShader = `
    uniform vec3 color;
    uniform float alpha;
    void main() {
        if (length(gl_PointCoord - 0.5) > 0.5) discard;
        gl_FragColor = vec4(color, alpha);
        #include <colorspace_fragment>
    }`;
