// The objects of the scene. Only the rows that are seen exist, so that ten thousand objects scroll as ten do.
import { element, icon, section } from "./element";
import type { Body, Mirror } from "./mirror";
import { Hold, ObjectFlags } from "./protocol";

const rowHeight = window.matchMedia("(pointer: coarse)").matches ? 40 : 30; // of .row in style.css
const spare = 4; // rows beyond the edges

export interface TreeEvents {
    select(body: Body | null): void;
    frame(body: Body): void;
}

export class TreePanel {
    readonly root: HTMLDetailsElement;
    private readonly filter = element("input", {
        type: "search",
        placeholder: "Find an object",
        "aria-label": "Find an object",
    });
    private readonly scroller = element("div", {
        class: "rows",
        role: "grid",
        tabindex: 0,
        "aria-label": "Objects",
        "aria-multiselectable": "true",
    });
    private readonly filler = element("div", { class: "filler", role: "presentation" });
    private readonly count = element("span", { class: "count" });
    private bodies: Body[] = [];
    private selected: Body | null = null;
    private second: Body | null = null; // selected beside it
    private rows = new Map<string, HTMLElement>(); // that are on the page

    constructor(
        private readonly mirror: Mirror,
        private readonly events: TreeEvents,
    ) {
        this.scroller.append(this.filler);
        this.root = section("Objects", "objects", true, this.filter, this.scroller);
        this.root.querySelector("summary")!.append(this.count);
        this.filter.addEventListener("input", () => this.rebuild());
        this.scroller.addEventListener("scroll", () => this.draw());
        this.scroller.addEventListener("keydown", (event) => this.key(event));
        this.scroller.addEventListener("click", (event) => this.click(event));
        this.scroller.addEventListener("dblclick", (event) => {
            const body = this.bodyAt(event);
            if (body !== null) {
                this.events.frame(body);
            }
        });
        new ResizeObserver(() => this.draw()).observe(this.scroller);
    }

    // Objects came, went, or are called otherwise. Rigid pieces under a skin are listed only where they are looked for.
    rebuild(): void {
        const wanted = this.filter.value.trim().toLowerCase();
        const listed = [...this.mirror.bodies.values()].filter(
            (body) => wanted !== "" || (body.flags & ObjectFlags.proxy) === 0,
        );
        this.bodies = listed.filter((body) => body.title.toLowerCase().includes(wanted));
        this.bodies.sort((a, b) => a.index1 - b.index1);
        const all = listed.length;
        this.count.textContent = this.bodies.length === all ? `${all}` : `${this.bodies.length} of ${all}`;
        this.scroller.setAttribute("aria-rowcount", String(this.bodies.length));
        this.draw();
    }

    select(body: Body | null, second: Body | null = null): void {
        this.selected = body;
        this.second = second;
        const index = body === null ? -1 : this.bodies.indexOf(body);
        if (index >= 0) {
            const top = index * rowHeight;
            const { scrollTop, clientHeight } = this.scroller;
            if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
                this.scroller.scrollTop = top - clientHeight / 2;
            }
        }
        this.draw();
    }

    draw(): void {
        const { scrollTop, clientHeight } = this.scroller;
        const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
        const end = Math.min(this.bodies.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + spare);
        this.filler.style.height = `${this.bodies.length * rowHeight}px`;
        const rows = this.bodies.slice(first, end).map((body, i) => this.keptRow(body, first + i));
        // A row that is taken out and put back would lose the click that is under way.
        if (rows.length !== this.filler.childElementCount || rows.some((row, i) => row !== this.filler.children[i])) {
            this.filler.replaceChildren(...rows);
        }
        this.rows = new Map(rows.map((row) => [row.dataset["key"]!, row]));
        this.scroller.setAttribute("aria-activedescendant", this.selected === null ? "" : `row-${this.selected.index1}`);
    }

    // The row as it is on the page, unless it says something else now.
    private keptRow(body: Body, index: number): HTMLElement {
        const held = holdText(body, this.mirror.welcome?.client ?? 0);
        const key = [index, body.index1, body.generation, body.isShown, body.title, ...held].join("|");
        const row = this.rows.get(key) ?? this.row(body, index, held);
        row.dataset["key"] = key;
        row.setAttribute("aria-selected", String(body === this.selected || body === this.second));
        return row;
    }

    private row(body: Body, index: number, held: readonly string[]): HTMLElement {
        const swatch = element("span", { class: "swatch" });
        swatch.style.background = `rgb(${body.color.r}, ${body.color.g}, ${body.color.b})`;
        const what = body.isShown ? "Hide" : "Show";
        const eye = element(
            "button",
            { type: "button", class: "tool eye", tabindex: -1, "aria-label": `${what} ${body.title}`, title: what },
            icon(body.isShown ? "eye" : "hidden"),
        );
        const tag = held.length === 0 ? [] : [element("span", { class: `tag ${held[0]}` }, held[1]!)];
        const row = element(
            "div",
            {
                class: body.isShown ? "row" : "row off",
                role: "row",
                id: `row-${body.index1}`,
                "aria-rowindex": index + 1,
                "data-index": body.index1,
            },
            element("span", { role: "gridcell", class: "name" }, swatch, element("span", {}, body.title)),
            element("span", { role: "gridcell" }, ...tag),
            element("span", { role: "gridcell" }, eye),
        );
        row.style.top = `${index * rowHeight}px`;
        return row;
    }

    private bodyAt(event: Event): Body | null {
        const row = (event.target as Element).closest<HTMLElement>(".row");
        return row === null ? null : (this.mirror.bodies.get(Number(row.dataset["index"])) ?? null);
    }

    private click(event: Event): void {
        const body = this.bodyAt(event);
        if (body === null) {
            return;
        }
        if ((event.target as Element).closest(".eye") !== null) {
            this.mirror.show(body, !body.isShown);
            this.draw();
        } else {
            this.events.select(body);
        }
    }

    private key(event: KeyboardEvent): void {
        const index = this.selected === null ? -1 : this.bodies.indexOf(this.selected);
        const moves: Record<string, number> = {
            ArrowDown: index + 1,
            ArrowUp: index - 1,
            PageDown: index + 10,
            PageUp: index - 10,
            Home: 0,
            End: this.bodies.length - 1,
        };
        const to = moves[event.key];
        if (to !== undefined && this.bodies.length > 0) {
            this.events.select(this.bodies[Math.min(this.bodies.length - 1, Math.max(0, to))]!);
        } else if (event.key === " " && this.selected !== null) {
            this.mirror.show(this.selected, !this.selected.isShown);
            this.draw();
        } else if (event.key === "Enter" && this.selected !== null) {
            this.events.frame(this.selected);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}

// Who holds it, or that it stands still: a kind and a text, or nothing.
function holdText({ lease, hold, isMovable }: Body, me: number): readonly string[] {
    if (lease !== null) {
        return ["held", lease.client === me ? "you" : lease.name || `guest ${lease.client}`];
    }
    if (hold === Hold.held) {
        return ["held", "held"];
    }
    if (hold === Hold.placed) {
        return ["placed", "placed"];
    }
    return isMovable ? [] : ["fixed", "fixed"];
}
