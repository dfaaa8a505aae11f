// Mouse, pen and fingers in the viewport. What begins on a body that can be moved drags it; what begins elsewhere moves the
// camera. A press becomes a drag after a few pixels, so that a click only selects.
import type { Camera } from "./camera";
import type { Drag, DragMode } from "./drag";
import type { Hand } from "./hand";
import type { Body } from "./mirror";
import type { Hit } from "./pick";

export interface PointerScene {
    camera: Camera;
    hand: Hand<Drag>;
    pick(x: number, y: number): Hit<Body> | null;
    beginDrag(hit: Hit<Body>, x: number, y: number, mode: DragMode): Drag;
    takeClick(x: number, y: number, hit: Hit<Body> | null): boolean; // true: it means something else than a selection
    select(body: Body | null): void;
    frame(body: Body): void;
    dragMode: DragMode;
    cameraMoved(): void;
    canHover: boolean; // whether looking for what is below the pointer costs little
}

interface Finger {
    x: number;
    y: number;
    startX: number;
    startY: number;
    button: number;
}

type Gesture = "none" | "press" | "drag" | "turn" | "pan" | "pinch";

const lookSpeed = 0.006;

export class Pointer {
    private readonly fingers = new Map<number, Finger>();
    private gesture: Gesture = "none";
    private hit: Hit<Body> | null = null;
    private pinchSize = 0;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly scene: PointerScene,
    ) {
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event, true));
        canvas.addEventListener("pointercancel", (event) => this.up(event, false));
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("dblclick", (event) => {
            const body = this.scene.pick(...this.place(event))?.thing;
            if (body !== undefined) {
                this.scene.frame(body);
            }
        });
    }

    private place(event: MouseEvent): [number, number] {
        const { left, top } = this.canvas.getBoundingClientRect();
        return [event.clientX - left, event.clientY - top];
    }

    private dragModeOf(event: MouseEvent): DragMode {
        if (event.shiftKey) return "ground";
        if (event.ctrlKey || event.metaKey) return "lift";
        if (event.altKey) return "turn";
        return this.scene.dragMode;
    }

    private down(event: PointerEvent): void {
        this.canvas.focus({ preventScroll: true });
        this.canvas.setPointerCapture(event.pointerId);
        const [x, y] = this.place(event);
        this.fingers.set(event.pointerId, { x, y, startX: x, startY: y, button: event.button });
        if (this.fingers.size === 2 && this.gesture !== "drag") {
            this.gesture = "pinch";
            this.pinchSize = this.pinch().size;
        } else if (this.fingers.size === 1) {
            this.hit = event.button === 0 ? this.scene.pick(x, y) : null;
            this.gesture = "press";
        }
    }

    private move(event: PointerEvent): void {
        const finger = this.fingers.get(event.pointerId);
        const [x, y] = this.place(event);
        if (finger === undefined) {
            this.hover(x, y);
            return;
        }
        const before = this.fingers.size > 1 ? this.pinch() : null;
        const dx = x - finger.x;
        const dy = y - finger.y;
        finger.x = x;
        finger.y = y;
        if (this.gesture === "press") {
            this.decide(finger, event);
        }
        const { camera, hand } = this.scene;
        if (this.gesture === "drag") {
            this.drag(before, event);
        } else if (this.gesture === "turn") {
            camera.turn(-dx * lookSpeed, dy * lookSpeed);
            this.scene.cameraMoved();
        } else if (this.gesture === "pan") {
            camera.pan(dx, dy);
            this.scene.cameraMoved();
        } else if (this.gesture === "pinch" && before !== null) {
            const after = this.pinch();
            camera.pan(after.x - before.x, after.y - before.y);
            camera.zoom(before.size / Math.max(after.size, 1), after.x, after.y);
            this.scene.cameraMoved();
        }
        if (hand.state === "empty" && this.gesture === "drag") {
            this.gesture = "none"; // it was refused, or the line was lost
        }
    }

    // What a press that moves becomes.
    private decide(finger: Finger, event: PointerEvent): void {
        const reach = event.pointerType === "mouse" ? 4 : 9;
        if (Math.hypot(finger.x - finger.startX, finger.y - finger.startY) < reach) {
            return;
        }
        if (this.hit?.thing.isMovable === true && finger.button === 0) {
            const drag = this.scene.beginDrag(this.hit, finger.startX, finger.startY, this.dragModeOf(event));
            this.scene.select(this.hit.thing);
            void this.scene.hand.grab(this.hit.thing, drag);
            this.gesture = "drag";
            this.canvas.classList.add("dragging");
        } else {
            this.gesture = finger.button !== 0 || event.shiftKey ? "pan" : "turn";
        }
    }

    // One finger moves it; a second one beside it pushes it away or pulls it near.
    private drag(before: { size: number } | null, event: PointerEvent): void {
        const { hand } = this.scene;
        if (hand.drag === null) {
            return;
        }
        if (before !== null) {
            hand.move(hand.drag.push((before.size - this.pinch().size) / this.canvas.clientHeight));
            return;
        }
        const [x, y] = this.place(event);
        hand.move(hand.drag.moveTo(x, y, this.dragModeOf(event)));
    }

    private up(event: PointerEvent, isDone: boolean): void {
        const isLast = this.fingers.size === 1;
        this.fingers.delete(event.pointerId);
        if (!isLast) {
            // The finger that is left begins again.
            this.gesture = this.gesture === "drag" ? "drag" : "none";
            return;
        }
        if (this.gesture === "drag") {
            this.scene.hand.drop();
        } else if (this.gesture === "press" && isDone && event.button === 0) {
            if (!this.scene.takeClick(...this.place(event), this.hit)) {
                this.scene.select(this.hit?.thing ?? null);
            }
        }
        this.gesture = "none";
        this.hit = null;
        this.canvas.classList.remove("dragging");
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
        const amount = Math.max(-200, Math.min(200, event.deltaY * lines)) / 100;
        const { hand, camera } = this.scene;
        if (hand.drag !== null) {
            hand.move(hand.drag.push(-amount * 0.08));
            return;
        }
        const [x, y] = this.place(event);
        if (camera.mode === "fly") {
            camera.move(0, 0, -amount * camera.distance * 0.15);
        } else {
            camera.zoom(1.15 ** amount, x, y);
        }
        this.scene.cameraMoved();
    }

    private hover(x: number, y: number): void {
        if (this.scene.canHover) {
            const body = this.scene.pick(x, y)?.thing;
            this.canvas.classList.toggle("over", body?.isMovable === true);
        }
    }

    // The middle of two fingers, and how far they are apart.
    private pinch(): { x: number; y: number; size: number } {
        const [a, b] = [...this.fingers.values()];
        if (a === undefined || b === undefined) {
            return { x: 0, y: 0, size: this.pinchSize };
        }
        return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) };
    }
}
