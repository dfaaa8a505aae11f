// Materials of the layers, shared and stored: a layer that is drawn again every tick must not make the graphics card compile
// its programs again every tick.
import { Color, DoubleSide, MeshBasicMaterial, ShaderMaterial, type Material } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { WireColor } from "./protocol";

// Beyond this many the oldest is given up.
const maxStored = 512;

const colorOf = ({ r, g, b }: WireColor): Color => new Color().setRGB(r / 255, g / 255, b / 255, "srgb");

export class OverlayMaterials {
    private readonly stored = new Map<string, Material>();
    private width = 1;
    private height = 1;

    setSize(width: number, height: number): void {
        this.width = width;
        this.height = height;
        for (const material of this.stored.values()) {
            if (material instanceof LineMaterial) {
                material.resolution.set(width, height);
            }
        }
    }

    // One that shines through is not hidden by what is before it.
    line(color: WireColor, width: number, isThrough = false): LineMaterial {
        return this.find(`line ${width} ${text(color)} ${isThrough}`, () => {
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
        return this.find(
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
        return this.find(`dot ${size} ${text(color)}`, () => {
            const uniforms = {
                color: { value: colorOf(color) },
                alpha: { value: color.a / 255 },
                size: { value: size * Math.min(window.devicePixelRatio, 2) },
            };
            return new ShaderMaterial({ uniforms, vertexShader, fragmentShader, transparent: color.a < 255 });
        });
    }

    private find<M extends Material>(key: string, make: () => M): M {
        let material = this.stored.get(key) as M | undefined;
        if (material === undefined) {
            material = make();
            this.stored.set(key, material);
            const [oldest] = this.stored;
            if (this.stored.size > maxStored && oldest !== undefined) {
                this.stored.delete(oldest[0]);
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
