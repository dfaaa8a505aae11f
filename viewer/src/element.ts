// Elements of the page in one call each.
import { iconPaths, type IconName } from "./icon";

type Attributes = Record<string, string | number | boolean>;
type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
    name: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === true) {
            made.setAttribute(key, "");
        } else if (value !== false) {
            made.setAttribute(key, String(value));
        }
    }
    made.append(...children);
    return made;
}

export function icon(name: IconName): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg";
    const made = document.createElementNS(space, "svg");
    made.setAttribute("viewBox", "0 0 24 24");
    made.setAttribute("aria-hidden", "true");
    made.classList.add("icon");
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", iconPaths[name]);
    made.append(path);
    return made;
}

// A button with an icon, what it does for those who do not see it, and the key that does the same.
export function iconButton(name: IconName, label: string, key: string, pressed: () => void): HTMLButtonElement {
    const title = key === "" ? label : `${label} (${key})`;
    const button = element("button", { type: "button", class: "tool", "aria-label": label, title }, icon(name));
    button.addEventListener("click", pressed);
    return button;
}

export function checkBox(label: string, isOn: boolean, changed: (isOn: boolean) => void): HTMLLabelElement {
    const input = element("input", { type: "checkbox", checked: isOn });
    input.addEventListener("change", () => changed(input.checked));
    return element("label", { class: "check" }, input, element("span", {}, label));
}

// A part of a panel that can be folded.
export function section(title: string, id: string, isOpen: boolean, ...children: Child[]): HTMLDetailsElement {
    return element("details", { id, class: "section", open: isOpen }, element("summary", {}, title), ...children);
}

export function byId(id: string): HTMLElement {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no #${id}`);
    }
    return found;
}
