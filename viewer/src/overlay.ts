// Layers drawn over the world by the server: lines, triangles, dots, boxes, labels, images and coloured faces. A layer is
// built again when it changes and when the origin moves; coloured faces, and layers drawn on a body, follow their bodies.
import {
    BufferAttribute,
    BufferGeometry,
    DataTexture,
    DoubleSide,
    Group,
    LinearFilter,
    Mesh,
    MeshBasicMaterial,
    Points,
    SRGBColorSpace,
    type Object3D,
} from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { FaceList, FaceMesh } from "./face";
import type { Layer, Mirror } from "./mirror";
import { boxEdges } from "./outline";
import { OverlayMaterials } from "./overlay_materials";
import type { DrawMessage, WireBox, WireColor, WireFaceColors, WireImage, WireLabel } from "./protocol";
import { add, applyPose, vec3, writeMatrix, type Pose, type Vec3 } from "./vector";

const boxWidth = 1.5; // pixels

// Arrows that begin in what a hand holds are not hidden by it: the directions in which it may still move, and the force.
const throughNames = new Set(["freedom", "force"]);

// Coordinates seen from the origin, rounded only then.
function relative(points: Float64Array, origin: Vec3): Float32Array {
    const from = [origin.x, origin.y, origin.z];
    return Float32Array.from(points, (value, i) => value - from[i % 3]!);
}

function boxPoints({ min, max, pose }: WireBox): Float64Array {
    const edges = boxEdges([min.x, min.y, min.z], [max.x, max.y, max.z]);
    const out = new Float64Array(edges.length);
    for (let i = 0; i < edges.length; i += 3) {
        const { x, y, z } = applyPose(pose, vec3(edges[i]!, edges[i + 1]!, edges[i + 2]!));
        out.set([x, y, z], i);
    }
    return out;
}

function flatGeometry(positions: Float32Array): BufferGeometry {
    return new BufferGeometry().setAttribute("position", new BufferAttribute(positions, 3));
}

function lineGeometry(positions: Float32Array): LineSegmentsGeometry {
    return new LineSegmentsGeometry().setPositions(positions);
}

// Items of one look as one: an arrow is many lines, and each thing that is drawn apart costs the same.
function merged<T extends { points: Float64Array }>(items: readonly T[], look: (item: T) => string): T[] {
    const groups = new Map<string, T[]>();
    for (const item of items) {
        const group = groups.get(look(item));
        if (group === undefined) {
            groups.set(look(item), [item]);
        } else {
            group.push(item);
        }
    }
    return [...groups.values()].map((group) => {
        const points = new Float64Array(group.reduce((sum, item) => sum + item.points.length, 0));
        let at = 0;
        for (const item of group) {
            points.set(item.points, at);
            at += item.points.length;
        }
        return { ...group[0]!, points };
    });
}

const colorText = ({ r, g, b, a }: WireColor): string => `${r} ${g} ${b} ${a}`;

class DrawnLayer {
    readonly group = new Group();
    readonly drawing: DrawMessage;
    private readonly placed = new Group(); // all but coloured faces
    private pose: Pose | null = null; // of the body it is drawn on; null: in the world
    private isLost = false; // that body is not shown
    private readonly labels: { element: HTMLElement; point: Vec3 }[] = [];
    private readonly faces: { colors: WireFaceColors; list: FaceList; mesh: FaceMesh }[] = [];

    constructor(
        readonly layer: Layer,
        materials: OverlayMaterials,
        origin: Vec3,
        labelParent: HTMLElement,
    ) {
        const { drawing } = layer;
        this.drawing = drawing;
        if (this.isOnBody) {
            // What is near a body is seen from there with few digits, wherever the body is.
            origin = vec3(0, 0, 0);
            this.placed.matrixAutoUpdate = false;
        }
        this.group.add(this.placed);
        for (const { color, width, points } of merged(drawing.lines, (item) => `${colorText(item.color)} ${item.width}`)) {
            const material = materials.line(color, width, throughNames.has(layer.name));
            const lines = new LineSegments2(lineGeometry(relative(points, origin)), material);
            lines.renderOrder = material.depthTest ? 0 : 1;
            this.add(lines);
        }
        for (const box of drawing.boxes) {
            const material = materials.line(box.color, boxWidth);
            this.add(new LineSegments2(lineGeometry(relative(boxPoints(box), origin)), material));
        }
        for (const { color, points } of merged(drawing.triangles, (item) => colorText(item.color))) {
            this.add(new Mesh(flatGeometry(relative(points, origin)), materials.flat(color)));
        }
        for (const { color, size, points } of drawing.points) {
            this.add(new Points(flatGeometry(relative(points, origin)), materials.dot(color, size)));
        }
        for (const image of drawing.images) {
            this.add(imageMesh(image, origin));
        }
        for (const colors of drawing.faceColors) {
            const mesh = new FaceMesh(materials.flat(colors.color));
            this.faces.push({ colors, list: new FaceList(), mesh });
            mesh.mesh.frustumCulled = false;
            this.group.add(mesh.mesh);
        }
        for (const label of drawing.labels) {
            this.addLabel(label, labelParent);
        }
    }

    private get isOnBody(): boolean {
        return this.drawing.object.index1 !== 0;
    }

    // Puts coloured faces where their bodies are, and all where the body is that it is drawn on.
    follow(mirror: Mirror, origin: Vec3): void {
        if (this.isOnBody) {
            const body = mirror.find(this.drawing.object);
            this.isLost = body?.isShown !== true;
            this.pose = body?.pose ?? null;
            this.placed.visible = !this.isLost;
            if (this.pose !== null) {
                writeMatrix(this.pose, origin, this.placed.matrix.elements, 0);
            }
        }
        for (const { colors, list, mesh } of this.faces) {
            const body = mirror.bodies.get(colors.object);
            list.clear();
            if (body?.isShown === true) {
                list.add(body, colors.triangles, mirror, origin);
            }
            mesh.show(list);
        }
    }

    placeLabels(project: (point: Vec3) => { x: number; y: number; depth: number }): void {
        for (const { element, point } of this.labels) {
            const { x, y, depth } = project(this.pose === null ? point : applyPose(this.pose, point));
            element.hidden = depth <= 0 || this.isLost;
            element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translateY(-100%)`;
        }
    }

    dispose(): void {
        for (const { element } of this.labels) {
            element.remove();
        }
        for (const { mesh } of this.faces) {
            mesh.mesh.geometry.dispose();
        }
        for (const child of this.placed.children as Mesh[]) {
            child.geometry.dispose();
            if (child.material instanceof MeshBasicMaterial && child.material.map !== null) {
                child.material.map.dispose();
                child.material.dispose();
            }
        }
    }

    private add(object: Object3D): void {
        object.frustumCulled = false;
        this.placed.add(object);
    }

    private addLabel({ color, size, point, text }: WireLabel, parent: HTMLElement): void {
        const element = document.createElement("span");
        element.textContent = text;
        element.style.color = `rgba(${color.r}, ${color.g}, ${color.b}, ${color.a / 255})`;
        element.style.fontSize = `${Math.min(64, Math.max(6, size * 1.4))}px`;
        parent.append(element);
        this.labels.push({ element, point });
    }
}

function imageMesh(image: WireImage, origin: Vec3): Mesh {
    const { corner, right, up } = image;
    const corners = [corner, add(corner, right), add(corner, up), add(add(corner, right), up)];
    const points = Float64Array.from(corners.flatMap(({ x, y, z }) => [x, y, z]));
    const geometry = flatGeometry(relative(points, origin));
    // The top row comes first, so the upper edge has v = 0.
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 1, 1, 1, 0, 0, 1, 0]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const map = new DataTexture(new Uint8Array(image.rgba), image.width, image.height);
    map.colorSpace = SRGBColorSpace;
    map.minFilter = map.magFilter = LinearFilter;
    map.needsUpdate = true;
    return new Mesh(geometry, new MeshBasicMaterial({ map, side: DoubleSide, transparent: true, toneMapped: false }));
}

export class Overlay {
    readonly group = new Group();
    private readonly drawn = new Map<number, DrawnLayer>();
    private readonly materials = new OverlayMaterials();
    // The program of images stays compiled while there is none.
    private readonly anyImage = imageMesh(
        { id: "", width: 1, height: 1, rgba: new Uint8Array(4), ...emptyQuad() },
        vec3(0, 0, 0),
    );

    constructor(private readonly labelParent: HTMLElement) {
        this.anyImage.frustumCulled = false;
        this.group.add(this.anyImage);
    }

    // Builds the layers again that changed, or all; bodies that moved take their coloured faces along.
    update(mirror: Mirror, origin: Vec3, all: boolean): void {
        for (const [id, drawn] of this.drawn) {
            const { layer } = drawn;
            const isOld = mirror.layers.get(id) !== layer || layer.drawing !== drawn.drawing || !layer.isShown;
            if (all || isOld) {
                this.group.remove(drawn.group);
                drawn.dispose();
                this.drawn.delete(id);
            }
        }
        for (const layer of mirror.layers.values()) {
            if (layer.isShown && !this.drawn.has(layer.id)) {
                const drawn = new DrawnLayer(layer, this.materials, origin, this.labelParent);
                this.group.add(drawn.group);
                this.drawn.set(layer.id, drawn);
            }
        }
        for (const drawn of this.drawn.values()) {
            drawn.follow(mirror, origin);
        }
    }

    setSize(width: number, height: number): void {
        this.materials.setSize(width, height);
    }

    // Puts the labels where their points are on the screen.
    placeLabels(project: (point: Vec3) => { x: number; y: number; depth: number }): void {
        for (const drawn of this.drawn.values()) {
            drawn.placeLabels(project);
        }
    }
}

const emptyQuad = (): Pick<WireImage, "corner" | "right" | "up"> => ({
    corner: vec3(0, 0, 0),
    right: vec3(0, 0, 0),
    up: vec3(0, 0, 0),
});
