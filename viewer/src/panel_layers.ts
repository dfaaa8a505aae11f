// What is drawn beside the bodies: our own marks, and the layers of the server, with a check box each.
import { checkBox, element, section } from "./element";
import type { Mirror } from "./mirror";
import type { Settings } from "./settings";

// Names as people write them.
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const titles = {
    faces: "Whole faces that collide",
    contacts: "Contact points and normals",
    first: "Places of first contact",
    outline: "Outline of the selected object",
    shadows: "Shadows",
    grid: "Grid",
    sound: "Sounds",
    handSound: "Sound of handling",
    vibration: "Vibration",
} as const satisfies Partial<Record<keyof Settings, string>>;

export class LayersPanel {
    readonly root: HTMLElement;
    private readonly list = element("div", { class: "layers" });

    constructor(
        private readonly mirror: Mirror,
        settings: Settings,
        changed: (name: keyof Settings, isOn: boolean) => void,
    ) {
        const own = (Object.keys(titles) as (keyof typeof titles)[]).map((name) => {
            const box = checkBox(titles[name], settings[name], (isOn) => changed(name, isOn));
            box.querySelector("input")!.id = `show-${name}`;
            return box;
        });
        this.root = section("Layers", "layers", true, ...own, this.list);
    }

    rebuild(): void {
        const layers = [...this.mirror.layers.values()].sort((a, b) => a.id - b.id);
        this.list.replaceChildren(
            ...layers.map((layer) =>
                checkBox(capital(layer.name === "" ? `layer ${layer.id}` : layer.name), layer.isShown, (isOn) =>
                    this.mirror.showLayer(layer, isOn),
                ),
            ),
        );
    }
}
