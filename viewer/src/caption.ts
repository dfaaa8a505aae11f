// What a scene is about and what to try with it, shown when it opens, until it is closed or something is handled; a button
// brings it back.
import { byId, element, iconButton } from "./element";
import type { Mirror } from "./mirror";

// As in style.css: where the caption takes much of the page, the first touch of the world closes it.
const narrowPage = 900;

export class Caption {
    private readonly root = byId("caption");
    private readonly title = element("h2", {});
    private readonly about = element("p", {});
    private readonly hint = element("p", { class: "try" });
    private readonly button: HTMLButtonElement;
    private scene = "";
    private isOpen = true;

    constructor(
        private readonly mirror: Mirror,
        private readonly changed: () => void, // the free part of the page is another
    ) {
        const close = iconButton("close", "Close the caption", "H", () => this.open(false));
        this.root.append(this.title, this.about, this.hint, close);
        this.button = iconButton("info", "About this scene", "H", () => this.toggle());
        this.button.setAttribute("aria-controls", "caption");
        byId("panels").prepend(this.button);
        byId("stage").addEventListener("pointerdown", () => {
            if (window.innerWidth <= narrowPage) {
                this.leave();
            }
        });
        this.show();
    }

    // Another scene: its caption opens.
    follow(): void {
        const { demos, current } = this.mirror.gallery;
        const demo = demos.find(({ name }) => name === current);
        this.title.textContent = demo?.title ?? "";
        this.about.textContent = demo?.about ?? "";
        this.hint.textContent = demo?.hint ?? "";
        if (current !== this.scene) {
            this.scene = current;
            this.isOpen = true;
        }
        this.show();
    }

    toggle(): void {
        this.open(!this.isOpen);
    }

    // Something is handled: what was to be read was read.
    leave(): void {
        if (this.isOpen) {
            this.open(false);
        }
    }

    private open(isOpen: boolean): void {
        this.isOpen = isOpen;
        this.show();
        this.changed();
    }

    private show(): void {
        const isEmpty = this.about.textContent === "" && this.hint.textContent === "";
        this.root.hidden = isEmpty || !this.isOpen;
        this.about.hidden = this.about.textContent === "";
        this.hint.hidden = this.hint.textContent === "";
        this.button.hidden = isEmpty;
        this.button.setAttribute("aria-expanded", String(this.isOpen));
    }
}
