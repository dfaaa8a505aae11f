// How the scene is looked at: from which side, in parallel or in perspective, as wires or glass, cut open; a measure, a picture
// of it, and a link to it.
import type { Camera } from "./camera";
import { checkBox, element, section } from "./element";
import { slanted } from "./framing";
import { vec3, type Vec3 } from "./vector";

export type Axis = "x" | "y" | "z";

export interface Style {
    isWire: boolean;
    isClear: boolean; // bodies are seen through
    cut: { axis: Axis; part: number } | null; // what lies beyond a part, 0 .. 1, of the world along an axis is not shown
}

export interface ViewEvents {
    look(from: Vec3): void;
    flat(isFlat: boolean): void;
    style(style: Style): void;
    picture(): void;
    link(): void;
    measure(): void;
}

export const sides: Record<string, Vec3> = {
    Front: vec3(0, 0, 1),
    Side: vec3(1, 0, 0),
    Top: vec3(0, 1, 0),
    Slanted: slanted,
};

export class ViewPanel {
    readonly root: HTMLElement;
    private readonly style: Style = { isWire: false, isClear: false, cut: null };
    private readonly flat: HTMLInputElement;
    private readonly wire: HTMLInputElement;
    private readonly clear: HTMLInputElement;

    constructor(events: ViewEvents) {
        const button = (label: string, pressed: () => void): HTMLButtonElement => {
            const made = element("button", { type: "button" }, label);
            made.addEventListener("click", pressed);
            return made;
        };
        const box = (label: string, changed: (isOn: boolean) => void): [HTMLLabelElement, HTMLInputElement] => {
            const made = checkBox(label, false, changed);
            return [made, made.querySelector("input")!];
        };
        const change = (part: Partial<Style>): void => events.style(Object.assign(this.style, part));
        const looks = Object.entries(sides).map(([label, from]) => button(label, () => events.look(from)));
        const [flat, flatInput] = box("Parallel lines stay parallel", (isOn) => events.flat(isOn));
        const [wire, wireInput] = box("Wires", (isWire) => change({ isWire }));
        const [clear, clearInput] = box("See through", (isClear) => change({ isClear }));
        [this.flat, this.wire, this.clear] = [flatInput, wireInput, clearInput];

        const axis = element(
            "select",
            { "aria-label": "Cut open along" },
            ...["no cut", "x", "y", "z"].map((value) => element("option", { value }, value === "no cut" ? value : `cut along ${value}`)),
        );
        const part = element("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0.5, "aria-label": "Where it is cut", hidden: true });
        const cut = (): void => {
            part.hidden = axis.value === "no cut";
            change({ cut: part.hidden ? null : { axis: axis.value as Axis, part: part.valueAsNumber } });
        };
        axis.addEventListener("change", cut);
        part.addEventListener("input", cut);
        const measure = button("Measure (M)", () => events.measure());
        measure.classList.add("closes-sheet");
        this.root = section(
            "View",
            "view",
            false,
            element("div", { class: "buttons" }, ...looks),
            flat,
            wire,
            clear,
            element("div", { class: "cut" }, axis, part),
            element("div", { class: "buttons" }, measure),
            element("div", { class: "buttons" }, button("Save a picture", () => events.picture()), button("Copy a link", () => events.link())),
        );
    }

    // Presses a box, as a key does.
    toggle(name: "flat" | "wire" | "clear"): void {
        this[name].click();
    }

    showFlat(isFlat: boolean): void {
        this.flat.checked = isFlat;
    }
}

// The camera in the address of a page, with as many digits as a person sees.
export function writeLook({ yaw, pitch, distance, target, isFlat }: Camera): string {
    const digits = [yaw, pitch, distance, target.x, target.y, target.z].map((value) => Number(value.toPrecision(6)));
    return [...digits, isFlat ? 1 : 0].join(",");
}

// False: the text is none.
export function readLook(text: string, camera: Camera): boolean {
    const numbers = text.split(",").map(Number);
    const [yaw, pitch, distance, x, y, z, flat] = numbers;
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || distance! <= 0) {
        return false;
    }
    camera.lookFrom(vec3(Math.cos(pitch!) * Math.sin(yaw!), Math.sin(pitch!), Math.cos(pitch!) * Math.cos(yaw!)));
    camera.distance = distance!;
    camera.target = vec3(x!, y!, z!);
    camera.isFlat = flat === 1;
    return true;
}

// What the canvas shows, before the colours of the page.
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
    const copy = element("canvas", { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d")!;
    const isLight = window.matchMedia("(prefers-color-scheme: light)").matches;
    context.fillStyle = isLight ? "#e9eef5" : "#161c2a";
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    copy.toBlob((blob) => {
        if (blob !== null) {
            const link = element("a", { href: URL.createObjectURL(blob), download: `${name}.png` });
            link.click();
            window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
        }
    }, "image/png");
}
