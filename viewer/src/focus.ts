// The frame that shows where keys go is for those who came there by keys: who came by a pointer sees where it is.

export function frameForKeysOnly(stage: HTMLElement): void {
    stage.addEventListener("pointerdown", () => stage.classList.add("by-pointer"));
    stage.addEventListener("blur", () => stage.classList.remove("by-pointer"));
}
