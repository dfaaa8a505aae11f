// The inputs of one motion: with which object, which of the motions that it affords, and the fields that this one asks for.
import type { Commands } from "./commands";
import { element } from "./element";
import { fieldsOf, hands, makeMotion, noObject, writePlace, type Field } from "./motion_field";
import type { WireAffordance, WireMotion, WireRef } from "./protocol";
import type { Vec3 } from "./vector";

export interface FormObject {
    ref: WireRef;
    title: string;
}

export interface MadeMotion {
    motion: WireMotion;
    text: string; // for people
}

const option = (value: string, text: string): HTMLOptionElement => element("option", { value }, text);

export function labelled(text: string, input: HTMLElement): HTMLLabelElement {
    input.setAttribute("aria-label", text);
    return element("label", { class: "field" }, element("span", {}, text), input);
}

export class MotionForm {
    readonly root: HTMLElement;
    private readonly object = element("select");
    private readonly motion = element("select");
    private readonly about = element("p", { class: "about" });
    private readonly inputs = element("div", { class: "fields" });
    private readonly hand = element("select", {}, ...hands.map((each) => option(each, each === "" ? "as the object says" : each)));
    private objects: readonly FormObject[] = [];
    private affordances: readonly WireAffordance[] = [];
    private fields: Field[] = [];
    private values = new Map<string, HTMLInputElement>();
    private asked = 0;

    constructor(
        private readonly commands: Commands,
        private readonly pickPoint: (what: string) => Promise<Vec3 | null>,
        private readonly wrong: (sentence: string) => void,
    ) {
        const row = (text: string, input: HTMLElement): HTMLLabelElement => labelled(text, input);
        this.root = element(
            "div",
            { class: "motion-form" },
            row("Object", this.object),
            row("Motion", this.motion),
            this.about,
            this.inputs,
            row("Hand", this.hand),
        );
        this.object.addEventListener("change", () => void this.showMotions());
        this.motion.addEventListener("change", () => this.showFields());
        this.setObjects([]);
    }

    // The objects to choose from; the chosen one stays.
    setObjects(objects: readonly FormObject[]): void {
        const chosen = this.chosen;
        this.objects = objects;
        const options = objects.map(({ ref, title }) => option(keyOf(ref), title));
        this.object.replaceChildren(option("", "choose an object"), ...options);
        this.object.value = chosen === null ? "" : keyOf(chosen.ref);
        if (this.object.selectedIndex < 0) {
            this.object.value = "";
            void this.showMotions();
        }
    }

    choose(ref: WireRef): void {
        if (this.objects.some((object) => keyOf(object.ref) === keyOf(ref)) && this.object.value !== keyOf(ref)) {
            this.object.value = keyOf(ref);
            void this.showMotions();
        }
    }

    clear(): void {
        this.object.value = "";
        this.hand.value = "";
        void this.showMotions();
    }

    get isEmpty(): boolean {
        return this.object.value === "" && this.motion.value === "";
    }

    // The motion that was entered, or what is missing of it.
    make(): MadeMotion | string {
        const object = this.chosen;
        if (object === null) {
            return "Choose an object first";
        }
        if (this.motion.value === "") {
            return `Choose what is to be done with ${object.title}`;
        }
        const values = new Map([...this.values].map(([name, input]) => [name, input.value]));
        const draft = { name: this.motion.value, object: object.ref, hand: this.hand.value, values };
        const motion = makeMotion(draft, this.fields);
        return typeof motion === "string" ? motion : { motion, text: `${motion.name} (${object.title})` };
    }

    private get chosen(): FormObject | null {
        return this.objects.find(({ ref }) => keyOf(ref) === this.object.value) ?? null;
    }

    // What the object affords now: asked for each time that it is chosen.
    private async showMotions(): Promise<void> {
        const asked = ++this.asked;
        const object = this.chosen;
        const found = object === null ? [] : await this.commands.affords(object.ref);
        if (asked !== this.asked) {
            return; // another one was chosen meanwhile
        }
        this.affordances = typeof found === "string" ? [] : found;
        const none = object === null ? "choose an object first" : "it affords nothing now";
        const first = this.affordances.length === 0 ? none : "choose a motion";
        this.motion.replaceChildren(option("", first), ...this.affordances.map(({ name }) => option(name, name)));
        this.motion.disabled = this.affordances.length === 0;
        this.wrong(typeof found === "string" ? found : "");
        this.showFields();
    }

    private showFields(): void {
        const affordance = this.affordances.find(({ name }) => name === this.motion.value);
        this.about.textContent = affordance?.about ?? "";
        this.fields = fieldsOf(affordance?.fields ?? []);
        this.values = new Map(this.fields.map((field) => [field.name, inputOf(field)]));
        this.inputs.replaceChildren(
            ...this.fields.map((field) => {
                const input = this.values.get(field.name)!;
                const row = labelled(field.isNeeded ? `${field.label} *` : field.label, input);
                return field.kind === "place" ? element("div", { class: "place" }, row, this.pickButton(input)) : row;
            }),
        );
    }

    private pickButton(input: HTMLInputElement): HTMLButtonElement {
        const button = element("button", { type: "button" }, "Pick on the floor");
        button.addEventListener("click", () => {
            void this.pickPoint(`Goal of ${this.motion.value}`).then((point) => {
                if (point !== null) {
                    input.value = writePlace(point);
                }
            });
        });
        return button;
    }
}

const keyOf = ({ index1, generation }: WireRef): string =>
    index1 === noObject.index1 ? "" : `${index1}.${generation}`;

function inputOf(field: Field): HTMLInputElement {
    const isNumber = field.kind === "angle" || field.kind === "frames" || field.kind === "number";
    const hint = { place: "x, y, z", pair: "u, v", angle: "0 is +z", frames: "natural", number: "", text: "" }[field.kind];
    const input = element("input", { type: isNumber ? "number" : "text", step: "any", placeholder: hint });
    input.required = field.isNeeded;
    return input;
}
