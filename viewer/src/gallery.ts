// The scenes to choose from. Opening one opens it for every client.
import { element, section } from "./element";
import type { Mirror } from "./mirror";

export class Gallery {
    readonly root: HTMLElement;
    private readonly list = element("ul", { class: "gallery", "aria-label": "Demos" });

    constructor(
        private readonly mirror: Mirror,
        private readonly open: (name: string) => void,
    ) {
        this.root = section("Gallery", "gallery", false, this.list);
    }

    rebuild(): void {
        const { demos, current } = this.mirror.gallery;
        this.root.hidden = demos.length === 0;
        this.list.replaceChildren(
            ...demos.map(({ name, title, about }) => {
                const button = element(
                    "button",
                    { type: "button", class: "demo", "aria-current": String(name === current) },
                    element("strong", {}, title === "" ? name : title),
                    element("span", {}, about),
                );
                button.addEventListener("click", () => this.open(name));
                return element("li", {}, button);
            }),
        );
    }
}
