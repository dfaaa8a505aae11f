// Parts of the page that only open and close.
import { byId, element, iconButton } from "./element";
import { keyHelp } from "./keyboard";

const sides = ["left", "right"] as const;
type Side = (typeof sides)[number];

// On a narrow page the panels are sheets, one at a time. Escape closes the one that is open, and who opened it by keys is
// back where they were.
export function makePanelButtons(showHelp: () => void): void {
    const buttons: Record<Side, HTMLButtonElement> = {
        left: iconButton("list", "Scene", "", () => toggle("left")),
        right: iconButton("chart", "Details", "", () => toggle("right")),
    };
    const isOpen = (side: Side): boolean => byId(side).classList.contains("open");
    const open = (side: Side, shown: boolean): void => {
        byId(side).classList.toggle("open", shown);
        buttons[side].setAttribute("aria-expanded", String(shown));
    };
    const toggle = (side: Side): void => {
        const wasOpen = isOpen(side);
        sides.forEach((each) => open(each, each === side && !wasOpen));
    };
    for (const side of sides) {
        buttons[side].classList.add("sheet");
        buttons[side].setAttribute("aria-controls", side);
        open(side, false);
    }
    // The user who chose a scene, or something to do in it, wants to see it.
    byId("left").addEventListener("click", (event) => {
        if ((event.target as Element).closest(".demo, .closes-sheet") !== null) {
            open("left", false);
        }
    });
    document.addEventListener("keydown", (event) => {
        const side = sides.find(isOpen);
        if (event.key === "Escape" && side !== undefined && !(byId("help") as HTMLDialogElement).open) {
            event.stopPropagation();
            open(side, false);
            buttons[side].focus();
        }
    });
    byId("panels").append(buttons.left, buttons.right, iconButton("help", "Keys and gestures", "?", showHelp));
}

// Where hands put things, placements can be undone. Says how to show the buttons.
export function makeUndoButtons(undo: (isAgain: boolean) => void): (isShown: boolean) => void {
    const buttons = [
        iconButton("undo", "Undo", "Ctrl Z", () => undo(false)),
        iconButton("redo", "Redo", "Ctrl Y", () => undo(true)),
    ];
    byId("panels").prepend(...buttons);
    const show = (isShown: boolean): void => buttons.forEach((button) => (button.hidden = !isShown));
    show(false);
    return show;
}

// Where the browser knows of a headset.
export function makeHeadsetButton(enter: () => void): void {
    byId("panels").prepend(iconButton("headset", "Enter with a headset", "", enter));
}

export function makeHelp(): void {
    const dialog = byId("help") as HTMLDialogElement;
    const rows = keyHelp.flatMap(([keys, text]) => [element("dt", {}, keys), element("dd", {}, text)]);
    const close = iconButton("close", "Close", "Escape", () => dialog.close());
    dialog.append(element("h2", {}, "Keys and gestures"), close, element("dl", {}, ...rows));
}
