// Where objects that touch first met: a ring about each point, seen through everything, and beside the newest of them a label
// with the names of the two and the time.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Points, ShaderMaterial } from "three";
import type { Rectangle } from "./camera";
import { placeLabels, type Label } from "./label_place";
import type { Theme } from "./theme";
import { maxMarks, maxPoints, secondsMarked, type Mark } from "./timeline";
import type { Vec3 } from "./vector";

const maxRings = maxMarks * maxPoints;
const ringPixels = 22;
const closing = 0.15; // of its life, in which a ring closes on its point
export const maxLabels = 5; // more would hide what they are about

const vertexShader = `
    attribute float age;
    uniform float size, closing;
    varying float strength;
    void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_PointSize = size * (1.0 + 1.4 * (1.0 - smoothstep(0.0, closing, age)));
        strength = 1.0 - smoothstep(0.7, 1.0, age);
    }`;

const fragmentShader = `
    uniform vec3 color;
    varying float strength;
    void main() {
        float radius = 2.0 * length(gl_PointCoord - 0.5);
        float width = fwidth(radius);
        float ring = smoothstep(0.78 - width, 0.78, radius) * (1.0 - smoothstep(1.0 - width, 1.0, radius));
        gl_FragColor = vec4(color, ring * strength);
        #include <colorspace_fragment>
    }`;

export class FirstContacts {
    readonly group = new Group();
    count = 0; // rings that are drawn
    private readonly positions = new BufferAttribute(new Float32Array(3 * maxRings), 3).setUsage(DynamicDrawUsage);
    private readonly ages = new BufferAttribute(new Float32Array(maxRings), 1).setUsage(DynamicDrawUsage);
    private readonly rings: Points<BufferGeometry, ShaderMaterial>;
    private readonly labels = new Map<Mark, { element: HTMLElement; width: number; height: number }>(); // newest last

    constructor(private readonly labelParent: HTMLElement) {
        const geometry = new BufferGeometry().setAttribute("position", this.positions).setAttribute("age", this.ages);
        const uniforms = { color: { value: new Color() }, size: { value: 1 }, closing: { value: closing } };
        const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, transparent: true });
        material.depthTest = material.depthWrite = false;
        this.rings = new Points(geometry, material);
        this.rings.frustumCulled = false;
        this.rings.renderOrder = 3;
        this.group.add(this.rings);
        geometry.setDrawRange(0, 0);
    }

    setTheme(theme: Theme): void {
        (this.rings.material.uniforms["color"]!.value as Color).set(theme.contact);
    }

    // Shows them as they are at a time of the world; where nothing may move, all alike until they go.
    update(marks: readonly Mark[], nameOf: (index1: number) => string, time: number, origin: Vec3, pixelRatio: number, isStill: boolean): void {
        let count = 0;
        for (const mark of marks) {
            const age = isStill ? 0.5 : Math.min(1, Math.max(0, (time - mark.time) / secondsMarked));
            for (const { x, y, z } of mark.points) {
                this.positions.setXYZ(count, x - origin.x, y - origin.y, z - origin.z);
                this.ages.setX(count++, age);
            }
        }
        this.count = count;
        this.positions.needsUpdate = this.ages.needsUpdate = true;
        this.rings.geometry.setDrawRange(0, count);
        this.rings.material.uniforms["size"]!.value = ringPixels * pixelRatio;
        this.changeLabels(marks, nameOf);
    }

    // Puts the labels beside their points, the newest first, where a part of the page is free.
    placeLabels(project: (point: Vec3) => { x: number; y: number; depth: number }, free: Rectangle): void {
        const seen: (Label & { element: HTMLElement })[] = [];
        for (const [{ points }, label] of [...this.labels].reverse()) {
            const { x, y, depth } = project(points[0]!);
            label.element.hidden = true;
            if (depth > 0) {
                seen.push({ ...label, x, y });
            }
        }
        placeLabels(seen, free).forEach((place, i) => {
            const { element } = seen[i]!;
            element.hidden = place === null;
            if (place !== null) {
                element.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
            }
        });
    }

    private changeLabels(marks: readonly Mark[], nameOf: (index1: number) => string): void {
        const shown = new Set(marks.filter(({ points }) => points.length > 0).slice(-maxLabels));
        for (const [mark, { element }] of this.labels) {
            if (!shown.has(mark)) {
                element.remove();
                this.labels.delete(mark);
            }
        }
        for (const mark of shown) {
            if (!this.labels.has(mark)) {
                const element = document.createElement("span");
                element.className = "first";
                element.textContent = `${nameOf(mark.a)} and ${nameOf(mark.b)}, ${mark.time.toFixed(3)} s`;
                this.labelParent.append(element);
                // Its size stays: measured once, since that makes the browser lay out the page.
                this.labels.set(mark, { element, width: element.offsetWidth, height: element.offsetHeight });
            }
        }
    }
}
