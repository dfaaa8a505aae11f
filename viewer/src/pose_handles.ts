// Handles at the head and the palms of a person: dragging one, or moving it by keys, bends the person at the server. One pull
// is under way at a time; the newest counts.
import type { Camera } from "./camera";
import type { Commands } from "./commands";
import type { Connection } from "./connection";
import { element } from "./element";
import type { WirePerson } from "./protocol";
import { add, dot, subtract, times, type Vec3 } from "./vector";

const parts = [
    { part: 0, key: "head", label: "Head" },
    { part: 1, key: "right", label: "Right palm" },
    { part: 2, key: "left", label: "Left palm" },
] as const;
type Part = (typeof parts)[number];

const keyStep = 0.02; // metres

// The point of a ray that is as deep in the view as another point.
export function atDepthOf(point: Vec3, origin: Vec3, direction: Vec3, forward: Vec3): Vec3 {
    const along = dot(direction, forward);
    const t = along === 0 ? 0 : dot(subtract(point, origin), forward) / along;
    return add(origin, times(direction, t));
}

export class PoseHandles {
    private readonly buttons = parts.map((part) => {
        const button = element("button", { type: "button", class: "handle", hidden: true });
        this.follow(button, part);
        return button;
    });
    private name: string | null = null;
    private dragged: Part | null = null;
    private wanted: { part: Part; point: Vec3 } | null = null;
    private isBusy = false;

    constructor(
        private readonly camera: Camera,
        private readonly commands: Commands,
        private readonly line: Connection,
        private readonly wrong: (sentence: string) => void,
    ) {
        document.body.append(...this.buttons);
    }

    // Shows the handles of a person; null hides them.
    show(person: WirePerson | null): void {
        this.name = person?.name ?? null;
        this.dragged = this.wanted = null;
        this.buttons.forEach((button, i) => {
            button.hidden = person === null;
            button.setAttribute("aria-label", `${parts[i]!.label} of ${person?.name ?? ""}: arrows and Page keys move it`);
            button.title = parts[i]!.label;
        });
        this.update();
    }

    // The handles go with the person and the camera.
    update(): void {
        const person = this.person;
        if (person === null) {
            return;
        }
        this.buttons.forEach((button, i) => {
            const { x, y, depth } = this.camera.project(person[parts[i]!.key]);
            button.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
            button.style.visibility = depth > 0 ? "visible" : "hidden";
        });
    }

    private get person(): WirePerson | null {
        return this.commands.people.find(({ name }) => name === this.name) ?? null;
    }

    private follow(button: HTMLButtonElement, part: Part): void {
        button.addEventListener("pointerdown", (event) => {
            button.setPointerCapture(event.pointerId);
            this.dragged = part;
        });
        button.addEventListener("pointermove", (event) => {
            const person = this.person;
            if (this.dragged !== part || person === null) {
                return;
            }
            const { origin, direction } = this.camera.ray(event.clientX, event.clientY);
            this.pull(part, atDepthOf(person[part.key], origin, direction, this.camera.forward()));
        });
        for (const over of ["pointerup", "pointercancel"] as const) {
            button.addEventListener(over, () => (this.dragged = null));
        }
        button.addEventListener("keydown", (event) => this.key(event, part));
    }

    private key(event: KeyboardEvent, part: Part): void {
        const { camera } = this;
        const up = camera.up();
        const forward = camera.forward();
        const right = { x: forward.y * up.z - forward.z * up.y, y: forward.z * up.x - forward.x * up.z, z: forward.x * up.y - forward.y * up.x };
        const moves: Record<string, Vec3> = {
            ArrowRight: right,
            ArrowLeft: times(right, -1),
            ArrowUp: up,
            ArrowDown: times(up, -1),
            PageUp: forward,
            PageDown: times(forward, -1),
        };
        const move = moves[event.key];
        const person = this.person;
        if (move === undefined || person === null) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
        this.pull(part, add(this.wanted?.point ?? person[part.key], times(move, keyStep)));
    }

    private pull(part: Part, point: Vec3): void {
        this.wanted = { part, point };
        if (!this.isBusy) {
            void this.send();
        }
    }

    private async send(): Promise<void> {
        this.isBusy = true;
        while (this.wanted !== null && this.name !== null) {
            const { part, point } = this.wanted;
            this.wanted = null;
            const reply = await this.line.ask({ type: "pull", person: this.name, part: part.part, point });
            this.wrong(reply.message);
            await this.commands.refresh();
        }
        this.isBusy = false;
    }
}
