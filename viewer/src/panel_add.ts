// Adds an object of a class at a point of the floor, and removes it again. The classes are asked for each time that the panel
// opens: a folder that was added meanwhile is there.
import type { Connection } from "./connection";
import { element, section } from "./element";
import type { Body, Mirror } from "./mirror";
import { labelled } from "./motion_form";
import type { WireStockClass } from "./protocol";
import type { Vec3 } from "./vector";

const waitMs = 200; // after the last letter

// A name that no object has yet: the class with a number.
export function freeName(className: string, has: (name: string) => boolean): string {
    let number = 1;
    while (has(`${className} ${number}`)) {
        number++;
    }
    return `${className} ${number}`;
}

export class AddPanel {
    readonly root: HTMLDetailsElement;
    private readonly wanted = element("input", { type: "search", placeholder: "Find a class", "aria-label": "Find a class" });
    private readonly facing = element("input", { type: "number", step: 15, value: 0, min: -360, max: 360 });
    private readonly list = element("ul", { class: "gallery", "aria-label": "Classes" });
    private readonly remove = element("button", { type: "button" }, "Remove");
    private readonly wrong = element("p", { class: "wrong", role: "alert" });
    private selected: Body | null = null;
    private timer = 0;
    private asked = 0;

    constructor(
        private readonly mirror: Mirror,
        private readonly line: Connection,
        private readonly pickPoint: (what: string) => Promise<Vec3 | null>,
        private readonly say: (text: string) => void,
    ) {
        const buttons = element("div", { class: "buttons" }, this.remove);
        const facing = labelled("Facing (degrees)", this.facing);
        this.root = section("Add an object", "add", false, this.wanted, facing, this.list, this.wrong, buttons);
        this.root.dataset["needs"] = "change";
        this.root.addEventListener("toggle", () => void this.refresh());
        this.wanted.addEventListener("input", () => {
            window.clearTimeout(this.timer);
            this.timer = window.setTimeout(() => void this.refresh(), waitMs);
        });
        this.remove.addEventListener("click", () => void this.removeSelected());
        this.show(null);
    }

    // The object that is selected can be removed.
    show(body: Body | null): void {
        this.selected = body;
        this.remove.disabled = body === null;
        this.remove.textContent = body === null ? "Remove the selected object" : `Remove ${body.title}`;
    }

    async refresh(): Promise<void> {
        if (!this.root.open) {
            return;
        }
        const asked = ++this.asked;
        const reply = await this.line.askFor({ type: "stock", wanted: this.wanted.value.trim() }, "stockList");
        if (asked !== this.asked) {
            return;
        }
        const classes = reply.type === "stockList" ? reply.classes : [];
        const isCut = reply.type === "stockList" && reply.total > classes.length;
        this.wrong.textContent = reply.type === "stockList" ? (isCut ? `${reply.total} classes: type a part of a name` : "") : reply.message;
        this.list.replaceChildren(...classes.map((each) => element("li", {}, this.button(each))));
    }

    private button(each: WireStockClass): HTMLButtonElement {
        const title = each.title === "" ? each.name : each.title;
        const what = each.motions === "" ? "nothing can be done with it" : each.motions;
        const button = element("button", { type: "button", class: "class" }, element("strong", {}, title), element("span", {}, what));
        button.addEventListener("click", () => void this.add(each.name, title));
        return button;
    }

    private async add(className: string, title: string): Promise<void> {
        const point = await this.pickPoint(`Where the ${title.toLowerCase()} stands`);
        if (point === null) {
            return;
        }
        const name = freeName(className, (each) => this.mirror.findByName(each) !== undefined);
        const degrees = Number.isFinite(this.facing.valueAsNumber) ? this.facing.valueAsNumber : 0;
        const facing = (degrees * Math.PI) / 180;
        const reply = await this.line.ask({ type: "stand", className, name, point, facing });
        this.wrong.textContent = reply.message;
        if (reply.status === 0) {
            this.say(`${name} was added`);
        }
    }

    private async removeSelected(): Promise<void> {
        if (this.selected !== null) {
            this.wrong.textContent = (await this.line.ask({ type: "remove", object: this.selected.ref })).message;
        }
    }
}
