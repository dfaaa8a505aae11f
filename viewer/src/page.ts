// Parts of the page that only open and close.
import { byId, element, iconButton } from "./element";
import { keyHelp } from "./keyboard";

// On a narrow page the panels are sheets, one at a time.
export function makePanelButtons(showHelp: () => void): void {
    const toggle = (side: "left" | "right"): void => {
        byId(side === "left" ? "right" : "left").classList.remove("open");
        byId(side).classList.toggle("open");
    };
    const left = iconButton("list", "Scene", "", () => toggle("left"));
    const right = iconButton("chart", "Details", "", () => toggle("right"));
    left.classList.add("sheet");
    right.classList.add("sheet");
    byId("panels").append(left, right, iconButton("help", "Keys and gestures", "?", showHelp));
}

export function makeHelp(): void {
    const dialog = byId("help") as HTMLDialogElement;
    const rows = keyHelp.flatMap(([keys, text]) => [element("dt", {}, keys), element("dd", {}, text)]);
    const close = iconButton("close", "Close", "Escape", () => dialog.close());
    dialog.append(element("h2", {}, "Keys and gestures"), close, element("dl", {}, ...rows));
}
