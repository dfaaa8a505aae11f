// What happened lately, newest first.
import { element, section } from "./element";
import type { Mirror } from "./mirror";
import { EventKind, type WireEvent } from "./protocol";

const shown = 40;

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
            ...events.map((event) =>
                element("li", {}, element("time", {}, event.time.toFixed(2)), element("span", {}, this.text(event))),
            ),
        );
    }

    private text(event: WireEvent): string {
        const a = this.mirror.find(event.a)?.title ?? `object ${event.a.index1}`;
        const b = this.mirror.find(event.b)?.title ?? `object ${event.b.index1}`;
        switch (event.kind) {
            case EventKind.added:
                return `${a} came`;
            case EventKind.removed:
                return `${a} went`;
            case EventKind.touchBegin:
                return `${a} touches ${b}`;
            case EventKind.touchEnd:
                return `${a} leaves ${b}`;
            case EventKind.limit:
                return `${a} is at its limit`;
            case EventKind.state:
                return `${a}: ${event.state} = ${event.value}`;
            case EventKind.held:
                return `${a} was taken`;
            case EventKind.released:
                return `${a} was let go`;
            default:
                return `${a} was corrected by ${event.value.toPrecision(3)} m`;
        }
    }
}
