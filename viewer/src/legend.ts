// What the colours of collisions mean, in words, as long as there is something of them to be seen.
import { byId, element } from "./element";

export interface Seen {
    crossings: boolean; // lines along which surfaces cross
    areas: boolean; // faces that lie on one another
    first: boolean; // places of first contact
}

const words: Record<keyof Seen, string> = {
    crossings: "surfaces cross",
    areas: "faces lie on one another",
    first: "where two first touched",
};

// What is seen now and then stays in the legend for a while.
const lingerMs = 4000;

export class Legend {
    private readonly root = byId("legend");
    private readonly items: Record<keyof Seen, HTMLElement>;
    private readonly until: Record<keyof Seen, number> = { crossings: 0, areas: 0, first: 0 };
    private color = -1;

    constructor() {
        const item = (name: keyof Seen): HTMLElement =>
            element("span", { class: `mark-${name}`, hidden: true }, element("i", { "aria-hidden": "true" }), words[name]);
        this.items = { crossings: item("crossings"), areas: item("areas"), first: item("first") };
        this.root.append(...Object.values(this.items));
        this.root.hidden = true;
    }

    update(seen: Seen, color: number, now: number): void {
        if (color !== this.color) {
            this.color = color;
            this.root.style.setProperty("--highlight", `#${color.toString(16).padStart(6, "0")}`);
        }
        let isAny = false;
        for (const name of Object.keys(words) as (keyof Seen)[]) {
            if (seen[name]) {
                this.until[name] = now + lingerMs;
            }
            const isShown = now < this.until[name];
            isAny ||= isShown;
            if (this.items[name].hidden === isShown) {
                this.items[name].hidden = !isShown;
            }
        }
        if (this.root.hidden === isAny) {
            this.root.hidden = !isAny;
        }
    }
}
