// What is known of the selected object: place, turn, shape, who holds it, its states.
import { element, section } from "./element";
import type { Body, Mirror } from "./mirror";
import { Hold, ObjectFlags } from "./protocol";

export interface ObjectEvents {
    resume(body: Body): void;
    frame(body: Body): void;
    setState(body: Body, name: string, value: number): void;
}

const digits = (value: number): string => value.toFixed(Math.abs(value) < 1e5 ? 3 : 1);

export class ObjectPanel {
    readonly root: HTMLElement;
    private readonly facts = element("dl", { class: "facts" });
    private readonly states = element("div", { class: "states" });
    private readonly resume = element("button", { type: "button" }, "Give back");
    private readonly look = element("button", { type: "button" }, "Look at it");
    private body: Body | null = null;
    private statesShown = "";

    constructor(
        private readonly mirror: Mirror,
        private readonly events: ObjectEvents,
    ) {
        const buttons = element("div", { class: "buttons" }, this.look, this.resume);
        this.root = section("Selected", "selected", true, this.facts, this.states, buttons);
        this.resume.title = "Let it move by itself again";
        this.resume.addEventListener("click", () => this.body !== null && this.events.resume(this.body));
        this.look.addEventListener("click", () => this.body !== null && this.events.frame(this.body));
        this.show(null);
    }

    show(body: Body | null): void {
        this.body = body;
        this.update();
    }

    update(): void {
        const { body } = this;
        this.root.hidden = body === null;
        if (body === null) {
            return;
        }
        const { position: p, rotation: q } = body.pose;
        const angle = 2 * Math.atan2(Math.hypot(q.x, q.y, q.z), Math.abs(q.w));
        const facts: [string, string][] = [
            ["Name", body.title],
            ["Place", `${digits(p.x)}, ${digits(p.y)}, ${digits(p.z)} m`],
            ["Turn", `${((angle * 180) / Math.PI).toFixed(1)}°`],
            ["Triangles", this.triangles(body).toLocaleString("en")],
            ["Moves", moves(body)],
        ];
        if (body.pose.scale !== 1) {
            facts.splice(3, 0, ["Scale", body.pose.scale.toPrecision(4)]);
        }
        if (body.lease !== null) {
            facts.push(["Held by", body.lease.client === this.mirror.welcome?.client ? "you" : body.lease.name]);
        }
        this.facts.replaceChildren(
            ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
        );
        this.resume.hidden = body.hold !== Hold.placed;
        this.updateStates(body);
    }

    private triangles(body: Body): number {
        return body.parts.reduce((sum, part) => sum + (this.mirror.meshes.get(part.mesh)?.triangleCount ?? 0), 0);
    }

    private updateStates(body: Body): void {
        const shown = `${body.index1}:${[...body.states].join(";")}`;
        if (shown === this.statesShown) {
            return;
        }
        this.statesShown = shown;
        this.states.replaceChildren(
            ...[...body.states].map(([name, value]) => {
                const input = element("input", { type: "number", step: "any", value: String(value) });
                input.addEventListener("change", () => {
                    if (Number.isFinite(input.valueAsNumber)) {
                        this.events.setState(body, name, input.valueAsNumber);
                    }
                });
                return element("label", { class: "state" }, element("span", {}, name), input);
            }),
        );
    }
}

function moves(body: Body): string {
    if ((body.flags & ObjectFlags.real) !== 0) {
        return "a real object";
    }
    if ((body.flags & ObjectFlags.static) !== 0) {
        return "fixed";
    }
    return ["by itself, or by hand", "held", "placed by hand"][body.hold] ?? "";
}
