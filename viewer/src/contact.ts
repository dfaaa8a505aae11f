// Contact points as dots and their normals as arrows, of one size on the screen at any distance.
import {
    BufferAttribute,
    Color,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedBufferAttribute,
    InstancedBufferGeometry,
    Mesh,
    ShaderMaterial,
    SphereGeometry,
    type BufferGeometry,
} from "three";
import type { Mirror } from "./mirror";
import type { Theme } from "./theme";
import type { Vec3 } from "./vector";

const maxDots = 4096;
const uncrowded = 50;

// The shape stands along +y, in pixels; it is turned to the normal and grows with depth.
const vertexShader = `
    attribute vec3 point, direction;
    uniform float pixel;
    varying float shade;
    void main() {
        vec3 y = direction;
        vec3 x = normalize(cross(y, abs(y.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        mat3 turn = mat3(x, y, cross(x, y));
        vec4 center = modelViewMatrix * vec4(point, 1.0);
        vec3 view = center.xyz + mat3(viewMatrix) * (turn * position) * (-center.z * pixel);
        shade = 0.72 + 0.28 * normalize(mat3(viewMatrix) * (turn * normal)).z;
        gl_Position = projectionMatrix * vec4(view, 1.0);
        gl_Position.z -= 0.0004 * gl_Position.w;
    }`;

const fragmentShader = `
    uniform vec3 color;
    varying float shade;
    void main() {
        gl_FragColor = vec4(color * shade, 1.0);
        #include <colorspace_fragment>
    }`;

class Markers {
    readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
    private readonly points = attribute();
    private readonly directions = attribute();

    constructor(shapes: BufferGeometry[]) {
        const geometry = new InstancedBufferGeometry();
        merge(geometry, shapes);
        geometry.setAttribute("point", this.points);
        geometry.setAttribute("direction", this.directions);
        const uniforms = { color: { value: new Color() }, pixel: { value: 1 } };
        this.mesh = new Mesh(geometry, new ShaderMaterial({ vertexShader, fragmentShader, uniforms }));
        this.mesh.frustumCulled = false;
    }

    set(index: number, point: Vec3, x: number, y: number, z: number): void {
        this.points.setXYZ(index, point.x, point.y, point.z);
        this.directions.setXYZ(index, x, y, z);
    }

    show(count: number): void {
        this.points.needsUpdate = true;
        this.directions.needsUpdate = true;
        this.mesh.geometry.instanceCount = count;
        this.mesh.visible = count > 0;
    }
}

const attribute = (): InstancedBufferAttribute =>
    new InstancedBufferAttribute(new Float32Array(3 * maxDots), 3).setUsage(DynamicDrawUsage);

function merge(out: BufferGeometry, shapes: BufferGeometry[]): void {
    const flat = shapes.map((shape) => shape.toNonIndexed());
    for (const name of ["position", "normal"]) {
        const arrays = flat.map((shape) => Array.from(shape.getAttribute(name).array));
        out.setAttribute(name, new BufferAttribute(new Float32Array(arrays.flat()), 3));
    }
}

export class Contacts {
    readonly group = new Group();
    count = 0;
    private readonly dots = new Markers([new SphereGeometry(3.2, 12, 8)]);
    private readonly arrows = new Markers([
        new CylinderGeometry(0.9, 0.9, 26, 6).translate(0, 13, 0),
        new ConeGeometry(3.4, 10, 10).translate(0, 31, 0),
    ]);

    constructor() {
        this.group.add(this.dots.mesh, this.arrows.mesh);
        this.dots.show(0);
        this.arrows.show(0);
    }

    setTheme(theme: Theme): void {
        (this.dots.mesh.material.uniforms["color"]!.value as Color).set(theme.contact);
        (this.arrows.mesh.material.uniforms["color"]!.value as Color).set(theme.normal);
    }

    // Metres a pixel, a metre before the eye. Where there are many they are smaller, so that each is seen.
    setPixel(pixel: number): void {
        const size = Math.min(1, Math.max(0.3, Math.sqrt(uncrowded / Math.max(this.count, 1))));
        this.dots.mesh.material.uniforms["pixel"]!.value = pixel * size;
        this.arrows.mesh.material.uniforms["pixel"]!.value = pixel * size;
    }

    update(mirror: Mirror, origin: Vec3): void {
        let dots = 0;
        let arrows = 0;
        for (const contact of mirror.contacts) {
            if (dots === maxDots) {
                break;
            }
            const { x, y, z } = contact.point;
            const point = { x: x - origin.x, y: y - origin.y, z: z - origin.z };
            this.dots.set(dots++, point, 0, 1, 0);
            // A normal of zero is one that is not defined.
            if (contact.normalX !== 0 || contact.normalY !== 0 || contact.normalZ !== 0) {
                this.arrows.set(arrows++, point, contact.normalX, contact.normalY, contact.normalZ);
            }
        }
        this.dots.show(dots);
        this.arrows.show(arrows);
        this.count = dots;
    }
}
