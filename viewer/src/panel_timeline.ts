// The strip of touches: a row for each pair of objects, a bar for each time they touched with a stroke where they first met,
// below it a faint line for each contact of their faces, and the newest moment at the right.
// The rows are buttons that say in words what the bars show; the bars are one canvas behind them.
import { element } from "./element";
import { wantsStillness } from "./theme";
import { secondsShown, type Row, type Timeline } from "./timeline";

const namesPart = 0.36; // of the width, as in style.css
const cursorRoom = 3; // pixels right of the newest moment
const spanAlpha = 0.25; // of one contact of faces: where many are at once the line is strong
const minBar = 2; // pixels, so that the shortest touch is seen

interface Drawn {
    version: number;
    edge: number; // the time at the right
    now: number; // the end of what is known
    at: number; // the time that is shown
    width: number;
}

export class TimelinePanel {
    private readonly toggle = element("button", {
        type: "button",
        class: "fold",
        "aria-controls": "touches",
        title: "Touches over time (T)",
    });
    private readonly count = element("span", { class: "count" });
    private readonly scroller = element("div", { id: "touches", class: "touches", role: "group", "aria-label": "Touches" });
    private readonly list = element("div", { class: "touch-rows" });
    private readonly canvas = element("canvas", { "aria-hidden": "true" });
    private readonly scale = element("p", { class: "scale", "aria-hidden": "true" });
    private readonly moments = ["", "", ""].map(() => element("span", {}));
    private readonly none = element("p", { class: "none" }, "Nothing touched lately.");
    private readonly rows = new Map<string, HTMLButtonElement>();
    private current: string | null = null; // the row that Tab reaches
    private drawn: Drawn = { version: -1, edge: NaN, now: NaN, at: NaN, width: 0 };

    constructor(
        private readonly root: HTMLElement,
        private readonly timeline: Timeline,
        private isOpen: boolean,
        private readonly events: { select(row: Row): void; fold(isOpen: boolean): void },
    ) {
        this.toggle.append(element("span", {}, "Touches"), this.count);
        this.scale.append(...this.moments);
        this.scroller.append(this.none, this.canvas, this.list);
        root.append(this.toggle, this.scroller, this.scale);
        this.toggle.addEventListener("click", () => this.fold());
        this.list.addEventListener("click", (event) => this.click(event));
        this.list.addEventListener("keydown", (event) => this.key(event));
        this.list.addEventListener("focusin", (event) => this.reach((event.target as HTMLElement).dataset["key"]!));
        // Messages to the user are shown above the strip.
        new ResizeObserver(() => {
            document.documentElement.style.setProperty("--strip", `${root.offsetHeight}px`);
            this.drawn.version = -1;
        }).observe(root);
        this.showFold();
    }

    // Where nothing can move there is no time to look at.
    show(isShown: boolean): void {
        if (this.root.hidden === isShown) {
            this.root.hidden = !isShown;
            this.drawn.version = -1;
        }
    }

    fold(): void {
        this.isOpen = !this.isOpen;
        this.showFold();
        this.events.fold(this.isOpen);
    }

    // The colours are others now.
    setTheme(): void {
        this.drawn.version = -1;
    }

    // Shows the touches as they are; cheap when nothing changed.
    update(): void {
        if (this.root.hidden) {
            return;
        }
        const { version, now, at, rows } = this.timeline;
        const isNew = version !== this.drawn.version;
        if (isNew) {
            const isOn = ({ bars }: Row): boolean => bars.some(({ begin, end }) => begin <= at && (end ?? Infinity) > at);
            const count = this.timeline.isLive ? rows.filter(({ bars }) => bars[bars.length - 1]!.end === null) : rows.filter(isOn);
            this.count.textContent = this.timeline.isLive ? `${count.length} now` : `${count.length} at ${at.toFixed(2)} s`;
        }
        if (!this.isOpen) {
            this.drawn.version = version;
            return;
        }
        // Where nothing may move, the page is turned once a second and the cursor goes over it.
        const newest = wantsStillness() ? Math.ceil(now) : now;
        const isOld = at < now - secondsShown || (!this.timeline.isLive && at > now - secondsShown / 2);
        const edge = isOld || this.timeline.length > 0 ? Math.max(secondsShown, Math.min(now, at + secondsShown / 2)) : newest;
        const width = this.scroller.clientWidth;
        const { drawn } = this;
        if (!isNew && drawn.now === now && drawn.at === at && drawn.edge === edge && drawn.width === width) {
            return;
        }
        if (isNew) {
            this.showRows();
        }
        this.drawn = { version, edge, now, at, width };
        this.showScale();
        this.draw();
    }

    private showFold(): void {
        this.root.classList.toggle("open", this.isOpen);
        this.toggle.setAttribute("aria-expanded", String(this.isOpen));
        this.scroller.hidden = this.scale.hidden = !this.isOpen;
        this.drawn.version = -1;
    }

    private showScale(): void {
        const { edge, now } = this.drawn;
        const isNow = this.timeline.isLive || (this.timeline.length === 0 && edge >= now);
        this.moments.forEach((moment, i) => {
            const ago = secondsShown * (1 - i / 2);
            const text = isNow ? (ago === 0 ? "now" : `−${ago} s`) : `${(edge - ago).toFixed(1)} s`;
            if (moment.textContent !== text) {
                moment.textContent = text;
            }
        });
    }

    private showRows(): void {
        const { rows } = this.timeline;
        const shown = rows.map((row) => this.keptRow(row));
        // A row that is taken out and put back would lose the focus and the click that is under way.
        for (const [key, button] of this.rows) {
            if (!rows.some((row) => row.key === key)) {
                button.remove();
                this.rows.delete(key);
            }
        }
        shown.forEach((button, i) => {
            if (this.list.children[i] !== button) {
                this.list.insertBefore(button, this.list.children[i] ?? null);
            }
        });
        if (this.current === null || !this.rows.has(this.current)) {
            this.reach(rows[0]?.key ?? null);
        }
        this.none.hidden = rows.length > 0;
    }

    private keptRow(row: Row): HTMLButtonElement {
        let button = this.rows.get(row.key);
        if (button === undefined) {
            const name = element("span", { class: "pair" }, `${row.titleA} · ${row.titleB}`);
            button = element("button", { type: "button", class: "touch", tabindex: -1, "data-key": row.key }, name);
            this.rows.set(row.key, button);
        }
        const text = rowText(row, this.timeline.countSpans(row, row.bars[row.bars.length - 1]!));
        if (button.getAttribute("aria-label") !== text) {
            button.setAttribute("aria-label", text);
            button.title = text;
        }
        return button;
    }

    private draw(): void {
        const { canvas, timeline } = this;
        const { edge, now, at: shown, width: whole } = this.drawn;
        const width = Math.max(1, Math.floor(whole * (1 - namesPart)));
        const rowHeight = (this.list.firstElementChild as HTMLElement | null)?.offsetHeight ?? 0;
        const height = Math.max(1, timeline.rows.length * rowHeight);
        const ratio = Math.min(window.devicePixelRatio, 2);
        canvas.style.height = `${timeline.rows.length * rowHeight}px`;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const context = canvas.getContext("2d");
        if (context === null) {
            return;
        }
        context.scale(ratio, ratio);
        const style = getComputedStyle(this.root);
        const color = (name: string): string => style.getPropertyValue(name).trim();
        const at = (time: number): number => ((time - edge) / secondsShown + 1) * (width - cursorRoom);

        context.fillStyle = color("--edge");
        for (let second = Math.ceil(edge - secondsShown); second < edge; second++) {
            context.fillRect(Math.round(at(second)), 0, 1, height);
        }
        const [lasts, ended] = [color("--hot"), color("--accent")];
        const fill = (begin: number, end: number | null, y: number, high: number): void => {
            const left = Math.max(0, at(begin));
            const right = Math.max(at(end ?? now), left + minBar);
            context.fillStyle = end === null ? lasts : ended;
            context.fillRect(left, y * rowHeight, right - left, high * rowHeight);
        };
        timeline.rows.forEach(({ bars }, i) => bars.forEach(({ begin, end }) => fill(begin, end, i + 0.2, 0.5)));
        context.globalAlpha = spanAlpha;
        const places = new Map(timeline.rows.map(({ key }, i) => [key, i]));
        for (const { key, begin, end } of timeline.spans.values()) {
            const place = places.get(key);
            if (place !== undefined) {
                fill(begin, end, place + 0.75, 0.15);
            }
        }
        context.globalAlpha = 1;
        context.fillStyle = color("--text");
        timeline.rows.forEach(({ bars }, i) => {
            for (const { begin } of bars.filter((bar) => at(bar.begin) >= 0)) {
                context.fillRect(at(begin), (i + 0.12) * rowHeight, 1.5, 0.66 * rowHeight);
            }
        });
        context.fillRect(at(shown), 0, 1.5, height);
    }

    private click(event: Event): void {
        const key = (event.target as Element).closest<HTMLElement>(".touch")?.dataset["key"];
        const row = this.timeline.rows.find((each) => each.key === key);
        if (row !== undefined) {
            this.events.select(row);
        }
    }

    // Tab reaches one row, arrows go to the others.
    private key(event: KeyboardEvent): void {
        const rows = [...this.list.children] as HTMLButtonElement[];
        const index = rows.indexOf(event.target as HTMLButtonElement);
        const moves: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
        const to = moves[event.key];
        if (to === undefined || rows.length === 0) {
            return;
        }
        rows[Math.min(rows.length - 1, Math.max(0, to))]!.focus();
        event.preventDefault();
        event.stopPropagation();
    }

    private reach(key: string | null): void {
        this.current = key;
        for (const [each, button] of this.rows) {
            button.tabIndex = each === key ? 0 : -1;
        }
    }
}

// What the bars of a row show, in words.
function rowText({ titleA, titleB, bars }: Row, faces: number): string {
    const { begin, end } = bars[bars.length - 1]!;
    const when = end === null ? `touch since ${begin.toFixed(3)} s` : `touched ${begin.toFixed(3)} to ${end.toFixed(3)} s`;
    const times = bars.length > 1 ? `, ${bars.length} times lately` : "";
    const contacts = faces > 0 ? `, ${faces} ${faces === 1 ? "contact" : "contacts"} of faces` : "";
    return `${titleA} and ${titleB}: ${when}${contacts}${times}`;
}
