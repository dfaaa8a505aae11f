// A point of the world that a person chooses: by a click or tap on what is seen there, or by keys that move a mark along the
// ground. Asks one question at a time.
import type { Camera } from "./camera";
import { byId, element } from "./element";
import type { Hit } from "./pick";
import { add, cross, times, unit, vec3, type Vec3 } from "./vector";

export interface FloorScene {
    camera: Camera;
    ground(): number;
    pick(x: number, y: number): Hit<unknown> | null;
}

const farthest = 1e5; // metres: beyond it lies the horizon

// Where a ray meets the ground; null where it goes above the horizon.
export function meetGround(origin: Vec3, direction: Vec3, height: number): Vec3 | null {
    const t = (height - origin.y) / direction.y;
    return direction.y !== 0 && t > 0 && t < farthest ? add(origin, times(direction, t)) : null;
}

export class FloorPick {
    private readonly text = element("span");
    private readonly cancel = element("button", { type: "button" }, "Cancel");
    private readonly banner = element("div", { id: "choosing", role: "status", hidden: true }, this.text, this.cancel);
    private readonly mark = element("div", { id: "floor-mark", "aria-hidden": "true", hidden: true });
    private resolve: ((point: Vec3 | null) => void) | null = null;
    private point: Vec3 = vec3(0, 0, 0);
    private before: Element | null = null; // what was in focus

    constructor(private readonly scene: FloorScene) {
        document.body.append(this.banner, this.mark);
        this.cancel.addEventListener("click", () => this.end(null));
        window.addEventListener("keydown", (event) => this.key(event), { capture: true });
    }

    get isOn(): boolean {
        return this.resolve !== null;
    }

    // Asks for a point; null where the person wants none.
    ask(what: string): Promise<Vec3 | null> {
        this.end(null);
        this.text.textContent = `${what}: click or tap there. By keys: arrows move the mark, Enter takes it, Escape ends.`;
        this.banner.hidden = this.mark.hidden = false;
        document.body.classList.add("choosing");
        this.before = document.activeElement;
        byId("stage").focus({ preventScroll: true });
        const { camera } = this.scene;
        const { width, height } = camera;
        const ray = camera.ray(width / 2, height / 2);
        this.point = meetGround(ray.origin, ray.direction, this.scene.ground()) ?? { ...camera.target, y: this.scene.ground() };
        this.update();
        return new Promise((resolve) => (this.resolve = resolve));
    }

    // A click on the viewport; true where it is the answer.
    takeClick(x: number, y: number, hit: Hit<unknown> | null): boolean {
        if (!this.isOn) {
            return false;
        }
        const { origin, direction } = this.scene.camera.ray(x, y);
        const point = hit?.point ?? meetGround(origin, direction, this.scene.ground());
        if (point !== null) {
            this.end(point);
        }
        return true;
    }

    // The mark stays at its point while the camera moves.
    update(): void {
        if (!this.mark.hidden) {
            const { x, y, depth } = this.scene.camera.project(this.point);
            this.mark.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
            this.mark.style.visibility = depth > 0 ? "visible" : "hidden";
        }
    }

    private key(event: KeyboardEvent): void {
        if (!this.isOn || (event.target as Element).closest("input, select, textarea") !== null) {
            return;
        }
        const { camera } = this.scene;
        const forward = unit({ ...camera.forward(), y: 0 });
        const right = cross(forward, vec3(0, 1, 0));
        const step = camera.distance * (event.shiftKey ? 0.005 : 0.03);
        const moves: Record<string, Vec3> = {
            ArrowUp: times(forward, step),
            ArrowDown: times(forward, -step),
            ArrowRight: times(right, step),
            ArrowLeft: times(right, -step),
        };
        const move = moves[event.key];
        if (move !== undefined) {
            this.point = add(this.point, move);
            this.update();
        } else if (event.key === "Enter" && event.target !== this.cancel) {
            const { x, y } = camera.project(this.point);
            this.takeClick(x, y, this.scene.pick(x, y));
        } else if (event.key === "Escape") {
            this.end(null);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    private end(point: Vec3 | null): void {
        const { resolve } = this;
        this.resolve = null;
        this.banner.hidden = this.mark.hidden = true;
        document.body.classList.remove("choosing");
        if (resolve !== null) {
            (this.before as HTMLElement | null)?.focus({ preventScroll: true });
            resolve(point);
        }
    }
}
