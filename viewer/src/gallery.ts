// The scenes to choose from, each with its picture where there is one. Opening one opens it for every client.
import { element, section } from "./element";
import { host } from "./host";
import type { Mirror } from "./mirror";
import type { WireDemo } from "./protocol";

export class Gallery {
    readonly root: HTMLDetailsElement;
    private readonly list = element("ul", { class: "gallery", "aria-label": "Demos" });
    private shown: readonly WireDemo[] = [];

    constructor(
        private readonly mirror: Mirror,
        private readonly open: (name: string) => void,
    ) {
        this.root = section("Gallery", "gallery", true, this.list);
        this.root.dataset["needs"] = "direct";
    }

    rebuild(): void {
        const { demos, current } = this.mirror.gallery;
        this.root.hidden = demos.length < 2; // one alone is no choice
        if (JSON.stringify(demos) !== JSON.stringify(this.shown)) {
            this.shown = demos;
            this.list.replaceChildren(...demos.map((demo) => element("li", {}, this.entry(demo))));
        }
        this.list.querySelectorAll(".demo").forEach((button, i) => {
            button.setAttribute("aria-current", String(demos[i]!.name === current));
        });
    }

    private entry(demo: WireDemo): HTMLButtonElement {
        const { name, title, about } = demo;
        const picture = host().picture(demo);
        const image =
            picture === ""
                ? element("span", { class: "no-picture", "aria-hidden": "true" })
                : element("img", { src: picture, alt: "", width: 160, height: 100, loading: "lazy", decoding: "async" });
        const button = element(
            "button",
            { type: "button", class: "demo", title: about, "data-name": name },
            image,
            element("strong", {}, title === "" ? name : title),
        );
        button.addEventListener("click", () => this.open(name));
        return button;
    }
}
