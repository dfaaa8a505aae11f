// The bar of time in the strip of touches: which time is shown, from the beginning of what is known to now or to the end of a
// record, by pointer, finger and keys; from contact to contact; at which speed it is played; and live again.
import { element, iconButton } from "./element";
import { sessionBytes } from "./session";
import { speeds, type Playback } from "./playback";
import type { Timeline } from "./timeline";

const contactKeys: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowRight: 1 };
const secondKeys: Record<string, number> = { ArrowUp: 0.1, ArrowDown: -0.1, PageUp: 1, PageDown: -1 };
const overviewMs = 200; // between two drawings of the touches behind the slider

export class PlaybackPanel {
    private readonly slider = element("input", {
        type: "range",
        class: "scrub",
        min: 0,
        max: 1,
        step: "any",
        "aria-label": "Time that is shown",
    });
    private readonly overview = element("canvas", { "aria-hidden": "true" });
    private readonly kept = element("output", { class: "kept" });
    private readonly speed = element("select", { "aria-label": "Speed", title: "How fast the past is played" });
    private readonly live = element("button", { type: "button", class: "live", title: "Show now again (L)" }, "Live");
    private isHeld = false; // a pointer or finger has the slider
    private drawnMs = -Infinity;
    private drawn = "";
    private shown = "";

    constructor(
        private readonly root: HTMLElement,
        private readonly playback: Playback,
        private readonly timeline: Timeline,
    ) {
        for (const speed of [...speeds].reverse()) {
            this.speed.append(element("option", { value: speed, selected: speed === 1 }, `${speed}×`));
        }
        const { slider } = this;
        const before = iconButton("before", "Contact before", "Shift ←", () => playback.toContact(-1));
        const after = iconButton("after", "Contact after", "Shift →", () => playback.toContact(1));
        const bar = element("div", { class: "playback", role: "group", "aria-label": "Time" });
        bar.append(before, element("div", { class: "scrubber" }, this.overview, slider), after, this.speed, this.live);
        root.prepend(bar, this.kept);
        this.live.addEventListener("click", () => playback.goLive());
        this.speed.addEventListener("change", () => playback.setSpeed(Number(this.speed.value)));
        slider.addEventListener("input", () => playback.seek(Number(slider.value)));
        slider.addEventListener("pointerdown", () => (this.isHeld = true));
        for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) {
            slider.addEventListener(end, () => (this.isHeld = false));
        }
        slider.addEventListener("keydown", (event) => this.key(event));
    }

    // Once a frame; cheap when nothing changed.
    update(nowMs: number): void {
        const { playback, slider } = this;
        const { start, end, at, isPast, record } = playback;
        const state = [start, end, at, isPast, playback.speed, record?.searched, playback.session.bytes >> 16].join();
        if (state !== this.shown) {
            this.shown = state;
            slider.min = String(start);
            slider.max = String(Math.max(end, start + 1e-6));
            if (!this.isHeld) {
                slider.value = String(at);
            }
            slider.setAttribute("aria-valuetext", `${at.toFixed(2)} s of ${end.toFixed(2)} s${isPast || record !== null ? "" : ", now"}`);
            this.root.classList.toggle("past", isPast);
            this.root.classList.toggle("record", record !== null);
            this.live.hidden = record !== null;
            this.live.setAttribute("aria-pressed", String(!isPast));
            this.showSpeed(playback.speed);
            this.kept.textContent = this.keptText();
        }
        this.drawOverview(nowMs);
    }

    private showSpeed(speed: number): void {
        if (Number(this.speed.value) === speed) {
            return;
        }
        if (![...this.speed.options].some(({ value }) => Number(value) === speed)) {
            this.speed.append(element("option", { value: speed }, `${speed}×`));
        }
        this.speed.value = String(speed);
    }

    private keptText(): string {
        const { record, start, end, at, session } = this.playback;
        if (record !== null) {
            const isSearched = record.searched >= record.ticks || record.searched === 0 || record.flaw !== "";
            const searched = isSearched ? "" : `, touches found in ${Math.floor((100 * record.searched) / record.ticks)} %`;
            return `${at.toFixed(2)} s of ${end.toFixed(2)} s, ${record.ticks} ticks${searched}${record.isFull !== 0 ? ", more touches than are listed" : ""}`;
        }
        const bytes = `${(session.bytes / 1048576).toFixed(1)} of ${sessionBytes / 1048576} MB`;
        return `${(end - start).toFixed(1)} s kept, ${bytes}`;
    }

    private key(event: KeyboardEvent): void {
        const { playback } = this;
        const contact = contactKeys[event.key];
        const seconds = secondKeys[event.key];
        if (contact !== undefined) {
            playback.toContact(contact);
        } else if (seconds !== undefined) {
            playback.seek(Math.max(playback.start, playback.at + seconds));
        } else if (event.key === "Home") {
            playback.seek(playback.start);
        } else if (event.key === "End") {
            playback.seek(playback.end);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    // All touches that are known, behind the slider.
    private drawOverview(nowMs: number): void {
        const { overview, timeline } = this;
        const { start, end } = this.playback;
        const [width, height] = [overview.clientWidth, overview.clientHeight];
        const state = [timeline.version, start, end, width].join();
        if (width === 0 || state === this.drawn || nowMs - this.drawnMs < overviewMs) {
            return;
        }
        [this.drawn, this.drawnMs] = [state, nowMs];
        const ratio = Math.min(window.devicePixelRatio, 2);
        overview.width = Math.round(width * ratio);
        overview.height = Math.round(height * ratio);
        const context = overview.getContext("2d");
        if (context === null || end <= start) {
            return;
        }
        context.scale(ratio, ratio);
        context.fillStyle = getComputedStyle(this.root).getPropertyValue("--hot").trim();
        context.globalAlpha = 0.55;
        const x = (time: number): number => (width * (Math.min(end, Math.max(start, time)) - start)) / (end - start);
        for (const bar of timeline.rows.flatMap(({ bars }) => bars)) {
            context.fillRect(x(bar.begin), 0, Math.max(1.5, x(bar.end ?? end) - x(bar.begin)), height);
        }
    }
}
