// Keys. All that the pointer does can be done by them; the list that people see is made from the same table.
import type { Camera } from "./camera";
import type { Drag, DragMode } from "./drag";
import type { Hand } from "./hand";

export interface KeyScene {
    camera: Camera;
    hand: Hand<Drag>;
    takeSelected(): void; // by the keyboard: then arrows move it
    unselect(): void;
    togglePlay(): void;
    step(): void;
    stepBack(): void;
    toContact(direction: -1 | 1): void;
    goLive(): void;
    restart(): void;
    frame(): void;
    toggleCamera(): void;
    toggleContacts(): void;
    toggleSelectedShown(): void;
    toggleTimeline(): void;
    toggleCaption(): void;
    setDragMode(mode: DragMode): void;
    undo(isAgain: boolean): void;
    showHelp(): void;
    openFiles(): void;
    lookFrom(side: string): void;
    toggleMeasure(): void;
    toggleView(name: "flat" | "wire" | "clear"): void;
    cameraMoved(): void;
}

export const keyHelp: readonly (readonly [string, string])[] = [
    ["Drag a body", "move it; Shift along the ground, Ctrl up and down, Alt turns it; the wheel pushes and pulls"],
    ["Drag elsewhere", "look around; right button or Shift moves sideways; the wheel comes nearer"],
    ["Two fingers", "move sideways and come nearer; beside a held body, push and pull it"],
    ["Click, double click", "select an object; look at it"],
    ["Space   .   R", "play or pause; one step; restart"],
    [",   Shift ← →   L", "back in time: one state; to the contact before or after; live again"],
    ["1  2  3  4", "drag in the view, along the ground, up and down, turn"],
    ["Enter", "take the selected object, or put it down; arrows and Page keys move it"],
    ["Arrows   +  −", "look around; come nearer, go farther"],
    ["C   W A S D Q E", "fly, and fly where"],
    ["F   V   N   T   H", "look at the selection; hide or show it; contacts; touches over time; about the scene"],
    ["5  6  7  8   P  X  I", "from the front, the side, above, slanted; parallel; wires; see through"],
    ["M", "measure between two points or faces"],
    ["O, or drop", "open model files of your own"],
    ["Ctrl Z   Ctrl Y", "undo the last placement; redo it"],
    ["Escape", "let go, unselect"],
];

const flyKeys = new Set(["w", "a", "s", "d", "q", "e"]);
const arrows: Record<string, readonly [number, number, number]> = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 0, 1],
    ArrowDown: [0, 0, -1],
    PageUp: [0, 1, 0],
    PageDown: [0, -1, 0],
};

export class Keyboard {
    private readonly pressed = new Set<string>();

    constructor(private readonly scene: KeyScene) {
        window.addEventListener("keydown", (event) => this.down(event));
        window.addEventListener("keyup", (event) => this.pressed.delete(event.key.toLowerCase()));
        window.addEventListener("blur", () => this.pressed.clear());
    }

    // Flies on while keys are down. True when it did.
    fly(seconds: number): boolean {
        const has = (key: string): number => (this.pressed.has(key) ? 1 : 0);
        const right = has("d") - has("a");
        const up = has("e") - has("q");
        const forward = has("w") - has("s");
        if (right === 0 && up === 0 && forward === 0) {
            return false;
        }
        const { camera } = this.scene;
        const metres = camera.distance * 0.8 * Math.min(seconds, 0.1);
        camera.move(right * metres, up * metres, forward * metres);
        return true;
    }

    private down(event: KeyboardEvent): void {
        const target = event.target as Element;
        const isTyping = target.closest("input:not([type=checkbox], [type=range]), select, textarea, dialog[open]") !== null;
        if (!isTyping && isUndo(event)) {
            this.scene.undo(event.shiftKey || event.key.toLowerCase() === "y");
            event.preventDefault();
            return;
        }
        if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const onStage = target === document.body || target.id === "stage";
        // Elsewhere Space and Enter press what is in focus.
        const isHandled = onStage ? this.stageKey(event) || this.pageKey(event) : this.pageKey(event);
        if (isHandled) {
            event.preventDefault();
        }
    }

    private pageKey(event: KeyboardEvent): boolean {
        const { scene } = this;
        const actions: Record<string, () => void> = {
            ".": () => scene.step(),
            ",": () => scene.stepBack(),
            l: () => scene.goLive(),
            r: () => scene.restart(),
            f: () => scene.frame(),
            c: () => scene.toggleCamera(),
            n: () => scene.toggleContacts(),
            v: () => scene.toggleSelectedShown(),
            t: () => scene.toggleTimeline(),
            h: () => scene.toggleCaption(),
            "1": () => scene.setDragMode("view"),
            "2": () => scene.setDragMode("ground"),
            "3": () => scene.setDragMode("lift"),
            "4": () => scene.setDragMode("turn"),
            m: () => scene.toggleMeasure(),
            o: () => scene.openFiles(),
            "5": () => scene.lookFrom("Front"),
            "6": () => scene.lookFrom("Side"),
            "7": () => scene.lookFrom("Top"),
            "8": () => scene.lookFrom("Slanted"),
            p: () => scene.toggleView("flat"),
            x: () => scene.toggleView("wire"),
            i: () => scene.toggleView("clear"),
            "?": () => scene.showHelp(),
            escape: () => (scene.hand.state === "empty" ? scene.unselect() : scene.hand.drop()),
        };
        const action = actions[event.key.toLowerCase()];
        if (event.repeat && event.key !== "." && event.key !== ",") {
            return action !== undefined;
        }
        action?.();
        return action !== undefined;
    }

    private stageKey(event: KeyboardEvent): boolean {
        const { scene } = this;
        const key = event.key.toLowerCase();
        if (scene.camera.mode === "fly" && flyKeys.has(key)) {
            this.pressed.add(key);
            return true;
        }
        if (key === " ") {
            scene.togglePlay();
            return true;
        }
        if (key === "enter") {
            scene.takeSelected();
            return true;
        }
        if (key === "+" || key === "=" || key === "-") {
            scene.camera.zoom(key === "-" ? 1.15 : 1 / 1.15);
            scene.cameraMoved();
            return true;
        }
        const arrow = arrows[event.key];
        if (arrow === undefined) {
            return false;
        }
        const [right, up, away] = arrow;
        const { hand, camera } = scene;
        if (event.shiftKey && right !== 0 && hand.drag === null) {
            scene.toContact(right > 0 ? 1 : -1);
            return true;
        }
        if (hand.drag !== null) {
            const metres = camera.distance * (event.shiftKey ? 0.002 : 0.015);
            hand.move(hand.drag.step(right * metres, up * metres, away * metres));
        } else {
            camera.turn(-right * 0.08, away * 0.08);
            scene.cameraMoved();
        }
        return true;
    }
}

const isUndo = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
    (ctrlKey || metaKey) && !altKey && ["z", "y"].includes(key.toLowerCase());
