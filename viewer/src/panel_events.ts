// What happened lately, newest first.
import { element, section } from "./element";
import { freedomsLeft } from "./handling";
import type { Mirror } from "./mirror";
import { EventKind, type WireEvent } from "./protocol";

const shown = 40;

// Why a face came off, in the order of fr_aid_cause.
const causes = ["", ": the faces share nothing any more", ": pulled off", ": the other is gone"] as const;

const whole = (value: number): string => String(Math.round(value));

// What handling comes to, in words; null for what is none of it.
export function handlingText(event: WireEvent, a: string, b: string): string | null {
    const { kind, count, value, speed, area, pull } = event;
    switch (kind) {
        case EventKind.contact:
            return `${a} meets ${b} at ${whole(1000 * speed)} mm/s`;
        case EventKind.snap:
            return `${a} snaps to ${b} (${whole(1e4 * area)} cm²): ${count} held, ${value} of 6 degrees of freedom left`;
        case EventKind.slide:
            return `${a} slides at ${whole(1000 * speed)} mm/s`;
        case EventKind.pull:
            return `${a} is about to come off: ${whole(100 * pull)} %`;
        case EventKind.loose:
            return `${a} comes off ${b}${causes[value] ?? ""}; ${freedomsLeft(count)} of 6 degrees of freedom`;
        case EventKind.done:
            return `${a} is put down`;
        case EventKind.fitted:
            return `${a} fits in its place`;
        case EventKind.force:
            return value > 0 ? `${a} pushes back with ${value.toFixed(1)} N` : `${a} pushes no more`;
        default:
            return null;
    }
}

// What an actor reports under a name of its own: will_hit becomes "will hit".
export function namedText(event: WireEvent, a: string, b: string | null): string {
    const numbers = [event.value, event.second].map((value) => String(Number(value.toPrecision(4))));
    return `${a}: ${event.name.replaceAll("_", " ")}${b === null ? "" : ` ${b}`} (${numbers.join(", ")})`;
}

const marks: Partial<Record<number, string>> = {
    [EventKind.snap]: "snap",
    [EventKind.loose]: "loose",
    [EventKind.done]: "done",
    [EventKind.fitted]: "done",
};

export class EventsPanel {
    readonly root: HTMLDetailsElement;
    private readonly list = element("ol", { class: "events", "aria-label": "Events, newest first" });

    constructor(private readonly mirror: Mirror) {
        this.root = section("Events", "events", false, this.list);
        this.root.addEventListener("toggle", () => this.update());
    }

    update(): void {
        if (!this.root.open) {
            return;
        }
        const events = this.mirror.events.slice(-shown).reverse();
        this.list.replaceChildren(
            ...events.map((event) => {
                const held = event.kind === EventKind.snap ? ` held-${Math.min(event.count, 3)}` : "";
                const look = `${marks[event.kind] ?? ""}${held}`;
                const text = element("span", look === "" ? {} : { class: look }, this.text(event));
                return element("li", {}, element("time", {}, event.time.toFixed(2)), text);
            }),
        );
    }

    private text(event: WireEvent): string {
        const a = this.mirror.find(event.a)?.title ?? `object ${event.a.index1}`;
        const b = this.mirror.find(event.b)?.title ?? `object ${event.b.index1}`;
        switch (event.kind) {
            case EventKind.added:
                return `${a} was added`;
            case EventKind.removed:
                return `${a} was removed`;
            case EventKind.touchBegin:
                return `${a} touches ${b}`;
            case EventKind.touchEnd:
                return `${a} leaves ${b}`;
            case EventKind.limit:
                return `${a} is at its limit`;
            case EventKind.state:
                return `${a}: ${event.name} = ${event.value}`;
            case EventKind.named:
                return namedText(event, a, event.b.index1 === 0 ? null : b);
            case EventKind.held:
                return `${a} was taken`;
            case EventKind.released:
                return `${a} was let go`;
            case EventKind.corrected:
                return `${a} was corrected by ${event.value.toPrecision(3)} m`;
            default:
                return handlingText(event, a, b) ?? `${a}: event ${event.kind}`;
        }
    }
}
