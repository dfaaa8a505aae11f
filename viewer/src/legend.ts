// What colours mean, in words, as long as there is something of them to be seen: those of collisions, and the lines of a
// search for a path, which have the colours of their layers.
import { byId, element } from "./element";
import type { Layer } from "./mirror";

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

// Layers whose lines are explained by their names.
const named = new Set(["search from the start", "search from the goal", "search tree", "path"]);

// What is seen now and then stays in the legend for a while.
const lingerMs = 4000;

export class Legend {
    private readonly root = byId("legend");
    private readonly items: Record<keyof Seen, HTMLElement>;
    private readonly until: Record<keyof Seen, number> = { crossings: 0, areas: 0, first: 0 };
    private color = -1;
    private readonly lines = element("span", { class: "lines", hidden: true });
    private drawn = "";

    constructor() {
        const item = (name: keyof Seen): HTMLElement =>
            element("span", { class: `mark-${name}`, hidden: true }, element("i", { "aria-hidden": "true" }), words[name]);
        this.items = { crossings: item("crossings"), areas: item("areas"), first: item("first") };
        this.root.append(...Object.values(this.items), this.lines);
        this.root.hidden = true;
    }

    // The lines of layers that are shown, each in the colour of its first.
    private showLines(layers: Iterable<Layer>): boolean {
        const shown = [...layers].filter(({ name, isShown, drawing }) => isShown && named.has(name) && drawing.lines.length > 0);
        const drawn = shown.map(({ name, drawing }) => ({ name, color: drawing.lines[0]!.color }));
        const text = JSON.stringify(drawn);
        if (text !== this.drawn) {
            this.drawn = text;
            const items = drawn.map(({ name, color: { r, g, b } }) => {
                const mark = element("i", { "aria-hidden": "true" });
                mark.style.background = `rgb(${r} ${g} ${b})`;
                return element("span", {}, mark, name);
            });
            this.lines.replaceChildren(...items);
            this.lines.hidden = items.length === 0;
        }
        return drawn.length > 0;
    }

    update(seen: Seen, layers: Iterable<Layer>, color: number, now: number): void {
        if (color !== this.color) {
            this.color = color;
            this.root.style.setProperty("--highlight", `#${color.toString(16).padStart(6, "0")}`);
        }
        let isAny = this.showLines(layers);
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
