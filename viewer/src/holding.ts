// The line that says what is in the hand, and how freely it still moves.
import { element } from "./element";
import { heldColors } from "./hand_table";
import type { Handling } from "./handling";
import type { Body } from "./mirror";

// Words for what holds a body, and for what is left to it.
export function holdingText(title: string, count: number, left: number): string {
    const by = count === 1 ? "one contact" : count === 2 ? "two contacts" : "three contacts";
    const freedom = left === 0 ? "it is fixed" : `${left} of 6 degrees of freedom left`;
    return count === 0 ? `${title}: moves freely` : `${title}: held by ${by}, ${freedom}`;
}

// What changes so fast that it is only to be looked at.
export function forceText(force: number, pull: number): string {
    const words = [...(force >= 0.1 ? [`${force.toFixed(1)} N`] : []), ...(pull > 0.5 ? ["about to come off"] : [])];
    return words.map((word) => ` · ${word}`).join("");
}

export class HoldingLine {
    private shown = "";

    constructor(
        private readonly line: HTMLElement,
        private readonly handling: Handling,
    ) {}

    // `held` is what this page's hands hold.
    update(held: readonly Body[]): void {
        const lines = this.handling.isKnown ? held : [];
        const texts = lines.map((body) => {
            const { count, freedom, force, pull } = this.handling.of(body.ref);
            const color = heldColors[Math.min(count, 3)]!;
            return { text: holdingText(body.title, count, freedom), more: forceText(force, pull), color };
        });
        const shown = JSON.stringify(texts);
        if (shown === this.shown) {
            return;
        }
        this.shown = shown;
        this.line.hidden = texts.length === 0;
        this.line.replaceChildren(
            ...texts.map(({ text, more, color }) => {
                const each = element("span", {}, text, element("small", { "aria-hidden": "true" }, more));
                each.style.setProperty("--held", color);
                return each;
            }),
        );
    }
}
