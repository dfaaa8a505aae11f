// What a person with a headset sees beside the world: the arc of a teleport with its target, and a panel of text.
import {
    BufferAttribute,
    BufferGeometry,
    CanvasTexture,
    DoubleSide,
    Group,
    Line,
    LineBasicMaterial,
    Mesh,
    MeshBasicMaterial,
    PlaneGeometry,
    RingGeometry,
    SRGBColorSpace,
} from "three";
import { skipText, type LessonText } from "./lesson";
import type { Arc } from "./teleport";
import { rotate, turnAbout, unapplyPose, vec3, type Pose } from "./vector";

const goodColor = 0x3ecf6a;
const badColor = 0xe05a4a;

export class ArcMark {
    readonly group = new Group(); // in the room of the person
    private readonly line: Line<BufferGeometry, LineBasicMaterial>;
    private readonly ring: Mesh<RingGeometry, MeshBasicMaterial>;

    constructor() {
        this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: goodColor }));
        this.line.frustumCulled = false;
        const ring = new RingGeometry(0.18, 0.25, 32).rotateX(-Math.PI / 2);
        this.ring = new Mesh(ring, new MeshBasicMaterial({ color: goodColor, side: DoubleSide, toneMapped: false }));
        this.group.add(this.line, this.ring);
        this.group.visible = false;
    }

    // `floor` is where the room is in the world.
    show(arc: Arc | null, floor: Pose): void {
        this.group.visible = arc !== null;
        if (arc === null) {
            return;
        }
        const numbers = arc.points.flatMap((point) => {
            const { x, y, z } = unapplyPose(floor, point);
            return [x, y, z];
        });
        this.line.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(numbers), 3));
        this.line.material.color.set(arc.target === null ? badColor : goodColor);
        this.ring.visible = arc.target !== null;
        if (arc.target !== null) {
            const { x, y, z } = unapplyPose(floor, arc.target);
            this.ring.position.set(x, y + 0.01, z);
        }
    }
}

const panelWidth = 0.9; // metres
const panelHeight = 0.45;
const panelAway = 1.4; // before the head
const panelBelow = 0.1;

export class TextPanel {
    readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>; // in the room of the person
    private readonly canvas = document.createElement("canvas");
    private readonly texture: CanvasTexture;

    constructor() {
        this.canvas.width = 1024;
        this.canvas.height = 512;
        this.texture = new CanvasTexture(this.canvas);
        this.texture.colorSpace = SRGBColorSpace;
        const material = new MeshBasicMaterial({ map: this.texture, side: DoubleSide, toneMapped: false });
        this.mesh = new Mesh(new PlaneGeometry(panelWidth, panelHeight), material);
        this.mesh.visible = false;
    }

    // Before a head in the room, upright, facing it; null: nothing.
    show(text: LessonText | null, head: Pose): void {
        this.mesh.visible = text !== null;
        if (text === null) {
            return;
        }
        this.write(text);
        const look = rotate(head.rotation, vec3(0, 0, -1));
        const yaw = Math.atan2(-look.x, -look.z);
        const [x, z] = [-Math.sin(yaw) * panelAway, -Math.cos(yaw) * panelAway];
        const q = turnAbout(vec3(0, 1, 0), yaw);
        this.mesh.position.set(head.position.x + x, head.position.y - panelBelow, head.position.z + z);
        this.mesh.quaternion.set(q.x, q.y, q.z, q.w);
    }

    private write({ title, lines }: LessonText): void {
        const context = this.canvas.getContext("2d")!;
        const { width, height } = this.canvas;
        context.fillStyle = "#101720";
        context.fillRect(0, 0, width, height);
        context.strokeStyle = "#6fb1ff";
        context.lineWidth = 6;
        context.strokeRect(3, 3, width - 6, height - 6);
        context.fillStyle = "#ffffff";
        context.textBaseline = "top";
        context.font = "bold 64px system-ui, sans-serif";
        context.fillText(title, 56, 48, width - 112);
        context.font = "46px system-ui, sans-serif";
        lines.forEach((line, i) => context.fillText(line, 56, 160 + 76 * i, width - 112));
        context.fillStyle = "#a9c6ea";
        context.font = "36px system-ui, sans-serif";
        context.fillText(skipText, 56, height - 84, width - 112);
        this.texture.needsUpdate = true;
    }
}
