// Short messages that go away by themselves. The newest three stay.
import { element } from "./element";

const shownMs = 5000;

export class Messages {
    constructor(
        private readonly parent: HTMLElement,
        private readonly said: string[], // all of them
    ) {}

    say(text: string): void {
        this.said.push(text);
        const message = element("p", {}, text);
        this.parent.append(message);
        while (this.parent.childElementCount > 3) {
            this.parent.firstElementChild?.remove();
        }
        window.setTimeout(() => message.remove(), shownMs);
    }
}
