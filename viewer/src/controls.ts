// The bar of tools: time, the drag mode, the camera.
import type { CameraMode } from "./camera";
import type { DragMode } from "./drag";
import { element, icon, iconButton } from "./element";
import type { Mirror } from "./mirror";
import { PlayMode } from "./protocol";

export interface ControlEvents {
    play(mode: number): void;
    dragMode(mode: DragMode): void;
    camera(mode: CameraMode): void;
    frame(): void;
}

const dragModes: readonly [DragMode, string, string][] = [
    ["view", "Move in the plane of the view", "1"],
    ["ground", "Move along the ground", "2, or hold Shift"],
    ["lift", "Move up and down", "3, or hold Ctrl"],
    ["turn", "Turn", "4, or hold Alt"],
];

export class Controls {
    private readonly play: HTMLButtonElement;
    private readonly clock = element("output", { class: "clock", "aria-label": "Time of the world" });
    private readonly dragButtons = new Map<DragMode, HTMLButtonElement>();
    private readonly cameraButtons = new Map<CameraMode, HTMLButtonElement>();
    private wasPaused: boolean | null = null;

    constructor(
        parent: HTMLElement,
        private readonly mirror: Mirror,
        events: ControlEvents,
    ) {
        this.play = iconButton("pause", "Pause", "Space", () =>
            events.play(this.mirror.isPaused ? PlayMode.play : PlayMode.pause),
        );
        this.play.classList.add("main");
        const step = iconButton("step", "One step", ".", () => events.play(PlayMode.step));
        const restart = iconButton("restart", "Restart", "R", () => events.play(PlayMode.restart));
        const time = element("div", { class: "group", "data-needs": "direct" }, restart, this.play, step, this.clock);

        const drag = element("div", { class: "group", role: "group", "aria-label": "Drag mode", "data-needs": "handle" });
        for (const [mode, label, key] of dragModes) {
            const button = iconButton(mode, label, key, () => events.dragMode(mode));
            this.dragButtons.set(mode, button);
            drag.append(button);
        }

        const camera = element("div", { class: "group", role: "group", "aria-label": "Camera" });
        for (const [mode, label] of [["orbit", "Look around the scene"], ["fly", "Fly through it"]] as const) {
            const button = iconButton(mode, label, "C", () => events.camera(mode));
            this.cameraButtons.set(mode, button);
            camera.append(button);
        }
        camera.append(iconButton("frame", "Look at the selected object, or at all", "F", () => events.frame()));
        parent.append(time, drag, camera);
    }

    showDragMode(mode: DragMode): void {
        for (const [each, button] of this.dragButtons) {
            button.setAttribute("aria-pressed", String(each === mode));
        }
    }

    showCamera(mode: CameraMode): void {
        for (const [each, button] of this.cameraButtons) {
            button.setAttribute("aria-pressed", String(each === mode));
        }
    }

    update(): void {
        const { isPaused, time } = this.mirror;
        this.clock.textContent = `${time.toFixed(2)} s`;
        if (isPaused !== this.wasPaused) {
            this.wasPaused = isPaused;
            const label = isPaused ? "Play" : "Pause";
            this.play.replaceChildren(icon(isPaused ? "play" : "pause"));
            this.play.setAttribute("aria-label", label);
            this.play.title = `${label} (Space)`;
        }
    }
}
