// What people of the world are to do: person, object, motion and its fields, motions that are fused, go; and how far each
// command is.
import type { Commands, CommandState, GivenCommand } from "./commands";
import { element, section } from "./element";
import type { Body, Mirror } from "./mirror";
import { labelled, MotionForm, type MadeMotion } from "./motion_form";
import { ObjectFlags, type WirePerson } from "./protocol";
import type { Vec3 } from "./vector";

export interface PeopleEvents {
    pickPoint(what: string): Promise<Vec3 | null>;
    pose(person: WirePerson | null): void; // null: no more
    save(person: WirePerson): Promise<string>; // "" or what is wrong
    look(person: WirePerson): void;
}

const maxObjects = 2000;
const stateText: Record<CommandState, string> = { waiting: "waiting", doing: "doing", done: "done", ended: "ended" };

export class PeoplePanel {
    readonly root: HTMLDetailsElement;
    private readonly person = element("select");
    private readonly form: MotionForm;
    private readonly fusedList = element("ol", { class: "fused", "aria-label": "Motions that are fused" });
    private readonly fuse = element("button", { type: "button" }, "Fuse another");
    private readonly go = element("button", { type: "button", class: "go" }, "Go");
    private readonly pose = element("button", { type: "button", "aria-pressed": "false" }, "Pose by hand");
    private readonly save = element("button", { type: "button" }, "Save posture");
    private readonly wrong = element("p", { class: "wrong", role: "alert" });
    private readonly list = element("ol", { class: "given", "aria-label": "Commands, newest first", "aria-live": "polite" });
    private readonly count = element("span", { class: "count" });
    private readonly stops = new Map<string, HTMLButtonElement>(); // by person; kept, so that a press and its release meet
    private fused: MadeMotion[] = [];
    private shownPeople = "";
    private shownCommands = "";

    constructor(
        private readonly mirror: Mirror,
        private readonly commands: Commands,
        private readonly events: PeopleEvents,
    ) {
        const say = (sentence: string): void => this.say(sentence);
        this.form = new MotionForm(commands, (what) => events.pickPoint(what), say);
        const buttons = (...each: HTMLElement[]): HTMLElement => element("div", { class: "buttons" }, ...each);
        this.root = section(
            "People",
            "people",
            true,
            labelled("Person", this.person),
            this.form.root,
            this.fusedList,
            buttons(this.fuse, this.go),
            this.wrong,
            this.list,
            buttons(this.pose, this.save),
        );
        this.root.hidden = true; // until there are people
        this.root.dataset["needs"] = "handle";
        this.root.querySelector("summary")!.append(this.count);
        this.fuse.addEventListener("click", () => this.fuseMotion());
        this.go.addEventListener("click", () => void this.send());
        this.pose.addEventListener("click", () => this.togglePose());
        this.save.addEventListener("click", () => void this.savePosture());
        this.person.addEventListener("change", () => this.personChanged());
        this.update();
    }

    // Objects came or went.
    rebuild(): void {
        const people = new Set(this.commands.people.map(({ object }) => object.index1));
        const bodies = [...this.mirror.bodies.values()].filter(
            ({ flags, index1, name }) => (flags & ObjectFlags.proxy) === 0 && !people.has(index1) && name !== "",
        );
        bodies.sort((a, b) => a.title.localeCompare(b.title));
        this.form.setObjects(bodies.slice(0, maxObjects).map(({ ref, title }) => ({ ref, title })));
    }

    // An object was selected in the viewport or in the list; a person's body chooses the person.
    choose(body: Body | null): void {
        if (body === null || this.root.hidden) {
            return;
        }
        const person = this.commands.people.find(({ object }) => object.index1 === body.index1);
        if (person !== undefined) {
            this.person.value = person.name;
            this.personChanged();
        } else {
            this.form.choose(body.ref);
        }
    }

    // People or commands changed.
    update(): void {
        const { people, given } = this.commands;
        const names = people.map(({ name, object }) => `${name}:${object.index1}`).join("|");
        if (names !== this.shownPeople) {
            this.shownPeople = names;
            this.showPeople();
        }
        const shown = JSON.stringify([given, people.map(({ motion, waiting }) => [motion, waiting])]);
        if (shown !== this.shownCommands) {
            this.shownCommands = shown;
            this.showCommands();
        }
    }

    // The person that is chosen; where any will do, the only one.
    get chosen(): WirePerson | null {
        const { people } = this.commands;
        return people.find(({ name }) => name === this.person.value) ?? (people.length === 1 ? people[0]! : null);
    }

    say(sentence: string): void {
        this.wrong.textContent = sentence;
    }

    stopPosing(): void {
        this.pose.setAttribute("aria-pressed", "false");
    }

    private showPeople(): void {
        const { people } = this.commands;
        const before = this.person.value;
        this.root.hidden = people.length === 0;
        const options = people.map(({ name }) => element("option", { value: name }, name));
        this.person.replaceChildren(...options, element("option", { value: "" }, "whoever is free"));
        this.person.value = people.some(({ name }) => name === before) ? before : (people[0]?.name ?? "");
        this.fused = [];
        this.showFused();
        this.say("");
        this.rebuild();
    }

    private showCommands(): void {
        const { people, given } = this.commands;
        const doing = people.filter(({ motion }) => motion !== "");
        this.count.textContent = doing.map(doingText).join("; ");
        const now = document.activeElement;
        this.list.replaceChildren(...doing.map((person) => this.doingRow(person)), ...[...given].reverse().map(commandRow));
        if (now instanceof HTMLElement && now !== document.activeElement && this.list.contains(now)) {
            now.focus(); // it lost the focus while its row was made again
        }
    }

    // What a person does now, by whomever it was commanded, with its stop.
    private doingRow(person: WirePerson): HTMLElement {
        const more = person.waiting > 0 ? `, ${person.waiting} more` : "";
        return element("li", { class: "doing" }, element("span", {}, `${doingText(person)}${more}`), this.stopButton(person.name));
    }

    private stopButton(name: string): HTMLButtonElement {
        let stop = this.stops.get(name);
        if (stop === undefined) {
            stop = element("button", { type: "button", "aria-label": `Stop ${name}` }, "Stop");
            stop.addEventListener("click", () => void this.commands.stop(name).then((sentence) => this.say(sentence)));
            this.stops.set(name, stop);
        }
        return stop;
    }

    private fuseMotion(): void {
        const made = this.form.make();
        if (typeof made === "string") {
            this.say(made);
            return;
        }
        this.fused.push(made);
        this.form.clear();
        this.say("");
        this.showFused();
    }

    private showFused(): void {
        this.fusedList.hidden = this.fused.length === 0;
        this.fusedList.replaceChildren(
            ...this.fused.map((made) => {
                const remove = element("button", { type: "button", "aria-label": `Leave out ${made.text}` }, "×");
                remove.addEventListener("click", () => {
                    this.fused = this.fused.filter((each) => each !== made);
                    this.showFused();
                });
                return element("li", {}, element("span", {}, made.text), remove);
            }),
        );
    }

    private async send(): Promise<void> {
        const last = this.form.isEmpty && this.fused.length > 0 ? [] : this.form.make();
        if (typeof last === "string") {
            this.say(last);
            return;
        }
        const motions = [...this.fused, ...(Array.isArray(last) ? last : [last])];
        const text = motions.map((each) => each.text).join(" + ");
        this.go.disabled = true;
        const sentence = await this.commands.give(this.person.value, motions.map(({ motion }) => motion), text);
        this.go.disabled = false;
        this.say(sentence);
        if (sentence === "") {
            this.fused = [];
            this.showFused();
        }
    }

    private personChanged(): void {
        if (this.pose.getAttribute("aria-pressed") === "true") {
            this.events.pose(this.chosen);
        }
    }

    private togglePose(): void {
        const isOn = this.pose.getAttribute("aria-pressed") !== "true" && this.chosen !== null;
        this.pose.setAttribute("aria-pressed", String(isOn));
        this.say("");
        this.events.pose(isOn ? this.chosen : null);
        if (isOn && this.chosen !== null) {
            this.events.look(this.chosen);
        }
    }

    private async savePosture(): Promise<void> {
        if (this.chosen !== null) {
            this.say(await this.events.save(this.chosen));
        }
    }
}

const doingText = ({ name, motion }: WirePerson): string => `${name}: ${motion}`;

function commandRow({ person, text, state, reason }: GivenCommand): HTMLElement {
    const who = person === "" ? "" : `${person}: `;
    const tag = element("span", { class: `tag ${state}` }, stateText[state]);
    const why = reason === "" ? [] : [element("span", { class: "reason" }, reason)];
    return element("li", {}, element("span", {}, `${who}${text}`), tag, ...why);
}
