// Measures between two places that a person picks: two points, or the flat faces they lie on. Picked by a click, a tap, or a
// mark that keys move; what was picked goes with its body, and the measure follows.
import type { Camera } from "./camera";
import { byId, element } from "./element";
import { angleBetween, faceDistance, type Closest, type Triangle } from "./face_distance";
import { flatFace } from "./flat_face";
import { lengthText } from "./length_text";
import type { Body, Mirror } from "./mirror";
import type { Hit } from "./pick";
import { applyPose, distance, dot, cross, subtract, unapplyPose, unit, type Pose, type Vec3 } from "./vector";

export interface MeasureScene {
    camera: Camera;
    mirror: Mirror;
    pick(x: number, y: number): Hit<Body> | null;
}

type Kind = "points" | "faces";

// A place on a body, in the body's frame.
interface Place {
    body: Body;
    point: Vec3;
    face: Triangle[]; // the flat face about it, the picked triangle first
}

export interface Measured {
    kind: Kind;
    distance: number; // metres
    angle: number | null; // degrees between the faces
    text: string;
}

const straight = 0.01; // degrees: faces within it are parallel
const namespace = "http://www.w3.org/2000/svg";

export class Measure {
    measured: Measured | null = null;
    private isOn = false;
    private places: Place[] = [];
    private closest: Closest | null = null;
    private poses: Pose[] = []; // of the bodies when it was measured
    private mark = { x: 0, y: 0 };
    private readonly kind = element(
        "select",
        { "aria-label": "What is measured" },
        element("option", { value: "points" }, "points"),
        element("option", { value: "faces" }, "faces"),
    );
    private readonly text = element("span", { role: "status" });
    private readonly clear = element("button", { type: "button" }, "Again");
    private readonly close = element("button", { type: "button" }, "Close");
    private readonly banner = element(
        "div",
        { id: "measuring", class: "asking", role: "group", "aria-label": "Measure", hidden: true },
        this.kind,
        this.text,
        this.clear,
        this.close,
    );
    private readonly cross = element("div", { id: "measure-mark", "aria-hidden": "true", hidden: true });
    private readonly label = element("span", { id: "measure-label", "aria-hidden": "true", hidden: true });
    private readonly drawing = document.createElementNS(namespace, "svg");
    private readonly line = document.createElementNS(namespace, "line");
    private readonly ends = [0, 1].map(() => document.createElementNS(namespace, "circle"));

    constructor(private readonly scene: MeasureScene) {
        this.drawing.id = "measure-line";
        this.drawing.setAttribute("aria-hidden", "true");
        this.drawing.append(this.line, ...this.ends);
        this.ends.forEach((end) => end.setAttribute("r", "4.5"));
        this.drawing.toggleAttribute("hidden", true);
        document.body.append(this.drawing, this.label, this.cross, this.banner);
        this.close.addEventListener("click", () => this.end());
        this.clear.addEventListener("click", () => this.begin());
        this.kind.addEventListener("change", () => this.compute());
        window.addEventListener("keydown", (event) => this.key(event), { capture: true });
    }

    toggle(): void {
        if (this.isOn) {
            this.end();
        } else {
            this.begin();
        }
    }

    // A click on the viewport; true where it is one of the places.
    takeClick(hit: Hit<Body> | null): boolean {
        if (!this.isOn) {
            return false;
        }
        if (hit !== null) {
            this.places = this.places.length === 2 ? [] : this.places;
            this.places.push(this.placeOf(hit));
            this.compute();
        }
        return true;
    }

    // Before each frame: what was picked goes with its body, and is forgotten with it.
    update(): void {
        if (!this.isOn) {
            return;
        }
        const { mirror, camera } = this.scene;
        if (this.places.some(({ body }) => mirror.find(body.ref) !== body)) {
            this.begin();
        } else if (this.places.some(({ body }, i) => body.pose !== this.poses[i])) {
            this.compute();
        }
        const found = this.closest === null ? this.places.map((place) => inWorld(place)) : [this.closest.onA, this.closest.onB];
        const seen = found.map((point) => camera.project(point));
        this.ends.forEach((end, i) => show(end, (seen[i]?.depth ?? -1) > 0, { cx: seen[i]?.x ?? 0, cy: seen[i]?.y ?? 0 }));
        const [a, b] = seen;
        const isWhole = a !== undefined && b !== undefined && a.depth > 0 && b.depth > 0;
        show(this.line, isWhole, { x1: a?.x ?? 0, y1: a?.y ?? 0, x2: b?.x ?? 0, y2: b?.y ?? 0 });
        this.label.hidden = !isWhole;
        if (isWhole) {
            this.label.style.transform = `translate(${(a.x + b.x) / 2}px, ${(a.y + b.y) / 2}px) translate(-50%, -140%)`;
        }
        this.cross.style.transform = `translate(${this.mark.x}px, ${this.mark.y}px) translate(-50%, -50%)`;
    }

    private begin(): void {
        const { camera } = this.scene;
        if (!this.isOn) {
            this.mark = { x: camera.width / 2, y: camera.height / 2 };
        }
        this.isOn = true;
        this.places = [];
        this.banner.hidden = false;
        document.body.classList.add("choosing");
        this.drawing.toggleAttribute("hidden", false);
        byId("stage").focus({ preventScroll: true });
        this.compute();
        this.update();
    }

    private end(): void {
        this.isOn = false;
        this.places = [];
        this.measured = this.closest = null;
        this.banner.hidden = this.cross.hidden = this.label.hidden = true;
        this.drawing.toggleAttribute("hidden", true);
        document.body.classList.remove("choosing");
        byId("stage").focus({ preventScroll: true });
    }

    private placeOf({ thing: body, point, triangle }: Hit<Body>): Place {
        const found = body.partOf(triangle, this.scene.mirror);
        if (found === null) {
            return { body, point: unapplyPose(body.pose, point), face: [] };
        }
        const { mesh, part, first } = found;
        const positions = body.positionsOf(part, mesh);
        const corner = (vertex: number): Vec3 =>
            applyPose(body.parts[part]!.pose, { x: positions[3 * vertex]!, y: positions[3 * vertex + 1]!, z: positions[3 * vertex + 2]! });
        const face = flatFace(positions, mesh.triangles, triangle - first).map(
            (each): Triangle => [0, 1, 2].map((k) => corner(mesh.triangles[3 * each + k]!)) as never as Triangle,
        );
        return { body, point: unapplyPose(body.pose, point), face };
    }

    private compute(): void {
        const [a, b] = this.places;
        this.poses = this.places.map(({ body }) => body.pose);
        this.measured = this.closest = null;
        const kind = this.kind.value as Kind;
        if (a === undefined || b === undefined) {
            const which = a === undefined ? "first" : "second";
            this.text.textContent = `Click or tap the ${which} place. By keys: arrows move a mark, Enter takes it, Escape ends.`;
        } else if (kind === "points" || a.face.length === 0 || b.face.length === 0) {
            const [onA, onB] = [inWorld(a), inWorld(b)];
            this.closest = { distance: distance(onA, onB), onA, onB };
            const along = (["x", "y", "z"] as const).map((axis) => `${axis} ${lengthText(Math.abs(onB[axis] - onA[axis]))}`);
            this.measured = { kind, distance: this.closest.distance, angle: null, text: `${lengthText(this.closest.distance)} (${along.join(", ")})` };
        } else {
            this.closest = faceDistance(faceInWorld(a), faceInWorld(b));
            this.measured = this.ofFaces(this.closest.distance, faceInWorld(a)[0]!, faceInWorld(b)[0]!);
        }
        this.text.textContent = this.measured?.text ?? this.text.textContent;
        this.label.textContent = this.measured === null ? "" : lengthText(this.measured.distance);
        this.clear.hidden = this.places.length === 0;
    }

    private ofFaces(apart: number, a: Triangle, b: Triangle): Measured {
        const angle = angleBetween(a, b);
        const planes = Math.abs(dot(subtract(b[0], a[0]), unit(cross(subtract(a[1], a[0]), subtract(a[2], a[0])))));
        const least = apart === 0 ? "0 mm: the faces touch" : `${lengthText(apart)} at the nearest`;
        const more = angle < straight ? `parallel, planes ${lengthText(planes)} apart` : `at ${Number(angle.toPrecision(4))}°`;
        return { kind: "faces", distance: apart, angle, text: `${least}; ${more}` };
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as Element;
        if (!this.isOn || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (event.key === "Escape") {
            this.end();
        } else if (target.id !== "stage" && target !== document.body) {
            return;
        } else if (event.key === "Enter" && !this.cross.hidden) {
            this.takeClick(this.scene.pick(this.mark.x, this.mark.y));
        } else if (!this.moveMark(event)) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    private moveMark({ key, shiftKey }: KeyboardEvent): boolean {
        const step = shiftKey ? 1 : 12;
        const moves: Record<string, [number, number]> = {
            ArrowLeft: [-step, 0],
            ArrowRight: [step, 0],
            ArrowUp: [0, -step],
            ArrowDown: [0, step],
        };
        const move = moves[key];
        if (move !== undefined) {
            const { width, height } = this.scene.camera;
            const within = (value: number, size: number): number => Math.min(size - 1, Math.max(0, value));
            this.mark = { x: within(this.mark.x + move[0], width), y: within(this.mark.y + move[1], height) };
            this.cross.hidden = false;
            this.update();
        }
        return move !== undefined;
    }
}

const inWorld = ({ body, point }: Place): Vec3 => applyPose(body.pose, point);

const faceInWorld = ({ body, face }: Place): Triangle[] =>
    face.map(([a, b, c]) => [applyPose(body.pose, a), applyPose(body.pose, b), applyPose(body.pose, c)]);

function show(shape: SVGElement, isShown: boolean, numbers: Record<string, number>): void {
    shape.style.display = isShown ? "" : "none";
    Object.entries(numbers).forEach(([name, value]) => shape.setAttribute(name, value.toFixed(1)));
}
