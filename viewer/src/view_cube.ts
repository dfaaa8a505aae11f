// The view cube: a small cube that is turned as the world is. A face of it looks from that side, a drag on it looks around;
// by keys, Tab goes to the faces that are seen.
import type { Camera } from "./camera";
import { element } from "./element";
import { dot, vec3, type Vec3 } from "./vector";

export interface ViewCubeEvents {
    look(from: Vec3): void;
    turned(): void; // the camera was turned by a drag
}

const faces: readonly [string, Vec3, string][] = [
    ["Front", vec3(0, 0, 1), ""],
    ["Right", vec3(1, 0, 0), "rotateY(90deg)"],
    ["Back", vec3(0, 0, -1), "rotateY(180deg)"],
    ["Left", vec3(-1, 0, 0), "rotateY(-90deg)"],
    ["Top", vec3(0, 1, 0), "rotateX(90deg)"],
    ["Bottom", vec3(0, -1, 0), "rotateX(-90deg)"],
];

const seenFrom = 0.12; // how much of a face is turned to the eye that it can be pressed
const dragFrom = 4; // pixels: fewer are a press
const turnSpeed = 0.015; // radians a pixel

export class ViewCube {
    private readonly root = element("div", { id: "view-cube", role: "group", "aria-label": "View cube" });
    private readonly cube = element("div", { class: "cube" });
    private readonly buttons: HTMLButtonElement[];
    private drawn = "";
    private press: { x: number; y: number; isDrag: boolean } | null = null;

    constructor(
        private readonly camera: Camera,
        private readonly events: ViewCubeEvents,
    ) {
        this.buttons = faces.map(([name, from, turn]) => {
            const button = element("button", { type: "button", "aria-label": `Look from: ${name.toLowerCase()}` }, name);
            button.style.transform = `${turn} translateZ(var(--half))`;
            button.addEventListener("click", () => events.look(from));
            return button;
        });
        this.cube.append(...this.buttons);
        this.root.append(this.cube);
        document.getElementById("control-bar")!.append(this.root);
        this.takeDrags();
    }

    // Turned as the camera sees the world; called before each frame.
    update(): void {
        const { camera } = this;
        const [right, up, back] = [camera.right(), camera.up(), camera.backward()];
        // The page has y downwards: so have the cube's own axes.
        const columns = [
            [right.x, -up.x, back.x],
            [-right.y, up.y, -back.y],
            [right.z, -up.z, back.z],
        ];
        const turned = `matrix3d(${columns.map((column) => `${column.map((value) => value.toFixed(4)).join(",")},0`).join(",")},0,0,0,1)`;
        if (turned === this.drawn) {
            return;
        }
        this.drawn = turned;
        this.cube.style.transform = turned;
        this.buttons.forEach((button, i) => {
            const isSeen = dot(faces[i]![1], back) > seenFrom;
            button.tabIndex = isSeen ? 0 : -1;
            button.toggleAttribute("data-hidden", !isSeen);
            button.setAttribute("aria-hidden", String(!isSeen));
        });
    }

    private takeDrags(): void {
        const { root } = this;
        root.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (this.press = { x, y, isDrag: false }));
        window.addEventListener("pointermove", ({ clientX, clientY }) => {
            const { press } = this;
            if (press === null) {
                return;
            }
            const [dx, dy] = [clientX - press.x, clientY - press.y];
            if (press.isDrag || Math.hypot(dx, dy) >= dragFrom) {
                this.camera.turn(-dx * turnSpeed, dy * turnSpeed);
                this.press = { x: clientX, y: clientY, isDrag: true };
                this.events.turned();
            }
        });
        const end = (): void => void window.setTimeout(() => (this.press = null));
        window.addEventListener("pointerup", end);
        window.addEventListener("pointercancel", end);
        // A drag that ends on a face is no press of it.
        root.addEventListener("click", (event) => {
            if (this.press?.isDrag === true) {
                event.stopPropagation();
                event.preventDefault();
            }
        }, { capture: true });
    }
}
