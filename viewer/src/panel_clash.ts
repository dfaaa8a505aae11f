// The list of clashes of an assembly: choosing one shows it, and what people decide about it goes to the server. Only the rows
// that are seen exist, so that ten thousand clashes scroll as ten do.
import { clashText, orders, verdicts, type Clash, type ClashList, type Order, type Verdict } from "./clash_list";
import { element, section } from "./element";

const rowHeight = 52; // of .clash in clash.css
const spare = 4; // rows beyond the edges

export interface ClashEvents {
    show(clash: Clash): void;
    decide(clash: Clash, verdict: Verdict, note: string): Promise<string>; // "": it is stored; else why not
    say(text: string): void;
}

const orderNames: Record<Order, string> = { depth: "Deepest first", faces: "Most faces first", name: "By name" };
const wantedNames: Record<Verdict | "all", string> = { all: "All", open: "Open", accepted: "Accepted", ignored: "Ignored" };
const decisions: readonly [Verdict, string, string][] = [
    ["accepted", "Accept", "a"],
    ["ignored", "Ignore", "i"],
    ["open", "Open", "u"],
];

const titleOf = ({ nameA, nameB }: Clash): string => `${nameA} and ${nameB}`;

function choice<T extends string>(label: string, names: Record<T, string>): HTMLSelectElement {
    const options = Object.entries<string>(names).map(([value, name]) => element("option", { value }, name));
    return element("select", { "aria-label": label }, ...options);
}

export class ClashPanel {
    readonly root: HTMLDetailsElement;
    private readonly find = element("input", { type: "search", placeholder: "Find a part or a note", "aria-label": "Find a part or a note" });
    private readonly verdict = choice("Which clashes", wantedNames);
    private readonly order = choice("In which order", orderNames);
    private readonly scroller = element("div", { class: "rows clashes", role: "listbox", tabindex: 0, "aria-label": "Clashes" });
    private readonly filler = element("div", { class: "filler", role: "presentation" });
    private readonly count = element("span", { class: "count" });
    private readonly none = element("p", { class: "hint", hidden: true });
    private readonly about = element("p", { class: "clash-about" });
    private readonly note = element("input", { type: "text", maxlength: 2000, placeholder: "Why?", "aria-label": "Note about this clash" });
    private readonly refusal = element("p", { class: "hint" });
    private readonly detail: HTMLElement;
    private readonly buttons = new Map<Verdict, HTMLButtonElement>();
    private rows: Clash[] = [];
    private chosen: Clash | null = null;
    private version = -1;

    constructor(
        private readonly list: ClashList,
        private readonly events: ClashEvents,
    ) {
        for (const [verdict, label, key] of decisions) {
            const button = element("button", { type: "button", "aria-keyshortcuts": key, title: `${label} (${key.toUpperCase()} in the list)` }, label);
            button.addEventListener("click", () => void this.decide(verdict));
            this.buttons.set(verdict, button);
        }
        const store = element("button", { type: "submit" }, "Store");
        const form = element("form", { class: "keep" }, this.note, store);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.decide(this.chosen?.verdict ?? "open");
        });
        const buttons = element("div", { class: "buttons", role: "group", "aria-label": "Decide" }, ...this.buttons.values());
        this.detail = element("div", { class: "clash-detail", hidden: true }, this.about, buttons, form, this.refusal);
        this.scroller.append(this.filler);
        const choices = element("div", { class: "clash-choices" }, this.verdict, this.order);
        this.root = section("Clashes", "clashes", true, this.find, choices, this.none, this.scroller, this.detail);
        this.root.hidden = true;
        this.root.querySelector("summary")!.append(this.count);
        for (const input of [this.find, this.verdict, this.order]) {
            input.addEventListener("input", () => this.rebuild());
        }
        this.scroller.addEventListener("scroll", () => this.draw());
        this.scroller.addEventListener("keydown", (event) => this.key(event));
        this.scroller.addEventListener("click", (event) => {
            const row = (event.target as Element).closest<HTMLElement>(".clash");
            const clash = row === null ? undefined : this.list.all[Number(row.dataset["number"])];
            if (clash !== undefined) {
                this.events.show(clash);
            }
        });
        new ResizeObserver(() => this.draw()).observe(this.scroller);
    }

    // Takes what changed in the list. True when a list came that was not there before.
    update(): boolean {
        if (this.version === this.list.version) {
            return false;
        }
        this.version = this.list.version;
        const isNew = this.root.hidden && this.list.isListed;
        this.root.hidden = !this.list.isListed;
        if (this.chosen !== null && this.list.all[this.chosen.number] !== this.chosen) {
            this.chosen = null;
        }
        this.rebuild();
        this.showDetail(false);
        return isNew;
    }

    // Marks the clash that is shown; null: none is.
    mark(clash: Clash | null): void {
        if (clash === this.chosen) {
            return;
        }
        this.chosen = clash;
        const index = clash === null ? -1 : this.rows.indexOf(clash);
        if (index >= 0) {
            const top = index * rowHeight;
            const { scrollTop, clientHeight } = this.scroller;
            if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
                this.scroller.scrollTop = top - (clientHeight - rowHeight) / 2;
            }
        }
        this.showDetail(true);
        this.draw();
    }

    private rebuild(): void {
        const { list } = this;
        const [verdict, order] = [this.verdict.value, this.order.value];
        this.rows = list.wanted({
            text: this.find.value,
            verdict: verdicts.find((each) => each === verdict) ?? "all",
            order: orders.find((each) => each === order) ?? "depth",
        });
        const all = list.all.length;
        const shown = this.rows.length === all ? `${all}` : `${this.rows.length} of ${all}`;
        this.count.textContent = `${shown}, ${list.count("open")} open`;
        this.none.hidden = this.rows.length > 0;
        this.none.textContent = all === 0 ? "No parts meet." : "No clash is like that.";
        this.scroller.hidden = this.rows.length === 0;
        this.draw();
    }

    private draw(): void {
        const { scrollTop, clientHeight } = this.scroller;
        const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
        const end = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + spare);
        this.filler.style.height = `${this.rows.length * rowHeight}px`;
        this.filler.replaceChildren(...this.rows.slice(first, end).map((clash, i) => this.row(clash, first + i)));
        this.scroller.setAttribute("aria-activedescendant", this.chosen === null ? "" : `clash-${this.chosen.number}`);
    }

    private row(clash: Clash, index: number): HTMLElement {
        const name = element("span", { class: "clash-names", title: titleOf(clash) }, clash.nameA, element("span", { class: "with" }, " and "), clash.nameB);
        const tag = element("span", { class: `tag ${clash.verdict}` }, clash.verdict);
        const about = element("span", { class: "clash-kind" }, clashText(clash));
        const attributes = {
            class: `clash kind-${clash.kind}`,
            role: "option",
            id: `clash-${clash.number}`,
            "aria-selected": clash === this.chosen ? "true" : "false",
            "aria-setsize": this.rows.length,
            "aria-posinset": index + 1,
            "data-number": clash.number,
        };
        const row = element("div", attributes, name, element("span", { class: "clash-line" }, about, tag));
        row.style.top = `${index * rowHeight}px`;
        return row;
    }

    // What people are writing stays while others decide.
    private showDetail(isOther: boolean): void {
        const { chosen, list } = this;
        this.detail.hidden = chosen === null;
        if (chosen === null) {
            return;
        }
        this.about.replaceChildren(element("strong", {}, titleOf(chosen)), element("span", {}, clashText(chosen)));
        if (isOther || document.activeElement !== this.note) {
            this.note.value = chosen.note;
        }
        const isRefused = list.refusal !== "";
        this.refusal.textContent = list.refusal;
        this.buttons.forEach((button, verdict) => {
            button.disabled = isRefused;
            button.setAttribute("aria-pressed", String(chosen.verdict === verdict));
        });
        this.note.readOnly = isRefused;
        this.note.form!.hidden = isRefused && chosen.note === "";
        this.note.form!.querySelector("button")!.hidden = isRefused;
    }

    private async decide(verdict: Verdict): Promise<void> {
        const { chosen, list } = this;
        if (chosen === null || list.refusal !== "") {
            this.events.say(chosen === null ? "Choose a clash first" : list.refusal);
            return;
        }
        const wrong = await this.events.decide(chosen, verdict, this.note.value.trim());
        this.events.say(wrong === "" ? `${titleOf(chosen)}: ${verdict}` : wrong);
    }

    private key(event: KeyboardEvent): void {
        const { rows } = this;
        const index = this.chosen === null ? -1 : rows.indexOf(this.chosen);
        const page = Math.max(1, Math.floor(this.scroller.clientHeight / rowHeight) - 1);
        const moves: Record<string, number> = {
            ArrowDown: index + 1,
            ArrowUp: index - 1,
            PageDown: index + page,
            PageUp: index - page,
            Home: 0,
            End: rows.length - 1,
            Enter: index,
        };
        const to = moves[event.key];
        const decision = decisions.find(([, , key]) => key === event.key.toLowerCase());
        const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
        if (to !== undefined && rows.length > 0) {
            this.events.show(rows[Math.min(rows.length - 1, Math.max(0, to))]!);
        } else if (decision !== undefined && isPlain) {
            void this.decide(decision[0]);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
