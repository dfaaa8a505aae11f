// What the last ticks and frames took. The page is changed a few times a second, so that it can be read.
import { element, section } from "./element";
import type { Connection } from "./connection";
import type { Mirror } from "./mirror";
import type { StatsMessage } from "./protocol";

const everyMs = 250;
const maxSamples = 120;

const stages = [
    ["msMovers", "movers"],
    ["msCorrectors", "correctors"],
    ["msJoints", "joints"],
    ["msUpdate", "update"],
    ["msCollide", "collide"],
    ["msEvents", "events"],
    ["msSnapshot", "snapshot"],
    ["msEncode", "encode"],
] as const satisfies readonly (readonly [keyof StatsMessage, string])[];

const ms = (value: number): string => `${value.toFixed(value < 1 ? 3 : 2)} ms`;
const whole = (value: number): string => Math.round(value).toLocaleString("en");

export class Statistics {
    readonly root: HTMLElement;
    framesPerSecond = 0;
    private readonly facts = element("dl", { class: "facts" });
    private readonly bars = element("div", { class: "bars" });
    private readonly graph: SVGPolylineElement;
    private readonly history: number[] = [];
    private readonly frames: number[] = [];
    private lastShown = 0;
    private lastTick = { time: 0, count: 0 };
    private ticksPerSecond = 0;

    constructor(
        private readonly mirror: Mirror,
        private readonly connection: Connection,
        private readonly delay: () => number, // milliseconds by which states are shown behind
    ) {
        const space = "http://www.w3.org/2000/svg";
        const svg = document.createElementNS(space, "svg");
        svg.setAttribute("viewBox", `0 0 ${maxSamples} 32`);
        svg.setAttribute("preserveAspectRatio", "none");
        svg.setAttribute("role", "img");
        svg.setAttribute("aria-label", "Milliseconds a tick, lately");
        svg.classList.add("graph");
        this.graph = document.createElementNS(space, "polyline");
        svg.append(this.graph);
        this.root = section("Statistics", "statistics", false, this.facts, this.bars, svg);
    }

    // A frame was drawn.
    frame(now: number): void {
        this.frames.push(now);
        while (this.frames.length > 0 && this.frames[0]! < now - 1000) {
            this.frames.shift();
        }
        this.framesPerSecond = this.frames.length;
    }

    // Statistics of a tick came.
    tick(): void {
        this.history.push(this.mirror.stats?.msTotal ?? 0);
        if (this.history.length > maxSamples) {
            this.history.shift();
        }
    }

    update(now: number): void {
        if (now - this.lastShown < everyMs || !(this.root as HTMLDetailsElement).open) {
            return;
        }
        const { sequence } = this.mirror;
        if (now - this.lastTick.time > 1000) {
            const seconds = (now - this.lastTick.time) / 1000;
            this.ticksPerSecond = Math.max(0, sequence - this.lastTick.count) / seconds;
            this.lastTick = { time: now, count: sequence };
        }
        this.lastShown = now;
        this.showFacts();
        this.showBars();
        this.showGraph();
    }

    private showFacts(): void {
        const { stats } = this.mirror;
        const facts: [string, string][] = [
            ["Frames", `${this.framesPerSecond} a second`],
            ["Ticks", `${Math.round(this.ticksPerSecond)} a second`],
            ["Tick", ms(stats?.msTotal ?? 0)],
            ["Colliding pairs", whole(this.mirror.pairTotal)],
            ["Pairs tested", whole(stats?.tested ?? 0)],
            ["Candidates", whole(stats?.candidates ?? 0)],
            ["Box pairs", whole(stats?.objectPairs ?? 0)],
            ["Viewers", whole(stats?.clients ?? 0)],
            ["Round trip", `${this.connection.roundTripMs.toFixed(1)} ms`],
            ["Shown behind by", `${this.delay().toFixed(0)} ms`],
            ["States skipped", whole(stats?.dropped ?? 0)],
        ];
        this.facts.replaceChildren(
            ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
        );
    }

    private showBars(): void {
        const { stats } = this.mirror;
        if (stats === null) {
            this.bars.replaceChildren();
            return;
        }
        const largest = Math.max(...stages.map(([field]) => stats[field]), 1e-3);
        this.bars.replaceChildren(
            ...stages.map(([field, name]) => {
                const bar = element("span", { class: "bar" });
                bar.style.width = `${((100 * stats[field]) / largest).toFixed(1)}%`;
                return element(
                    "div",
                    { class: "stage" },
                    element("span", {}, name),
                    element("span", { class: "track" }, bar),
                    element("span", { class: "value" }, ms(stats[field])),
                );
            }),
        );
    }

    private showGraph(): void {
        const largest = Math.max(...this.history, 1e-3);
        const first = maxSamples - this.history.length;
        const points = this.history.map((value, i) => `${first + i},${(31 - (29 * value) / largest).toFixed(1)}`);
        this.graph.setAttribute("points", points.join(" "));
    }
}
