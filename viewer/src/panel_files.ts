// The files of people: opened by a button or dropped anywhere on the page, given back in other formats, and kept.
import { byId, element, iconButton, section } from "./element";
import type { Mirror } from "./mirror";
import { fetchFile, storedToken } from "./token";
import { droppedFiles, Upload, type NamedFile } from "./upload";

export interface FileEvents {
    say(text: string): void;
    added(objects: string[]): void;
    keep(name: string): Promise<string>; // "": it was kept; else why not
    select(object: string): void;
}

const formats = ["glb", "stl", "obj"] as const;
const endings = ".obj,.mtl,.stl,.ply,.off,.dxf,.wrl,.vrml,.iv,.x3d,.x3dv,.gltf,.glb,.bin,.dae,.frm,.gz,.png,.jpg,.jpeg";

export class FilesPanel {
    readonly root: HTMLElement;
    private readonly input = element("input", { type: "file", multiple: true, accept: endings, hidden: true, id: "open-input" });
    private readonly choose = element("button", { type: "button" }, "Open files …");
    private readonly hint = element("p", { class: "hint" });
    private readonly busy = element("p", { class: "busy", role: "status", hidden: true });
    private readonly asks = element("div", { class: "asks", role: "group", "aria-label": "Missing files", hidden: true });
    private readonly list = element("ul", { class: "files", "aria-label": "Models from files" });
    private readonly name = element("input", { type: "text", value: "my scene", maxlength: 60, "aria-label": "Name of the scene" });
    private readonly keeping: HTMLFormElement;
    private readonly openButton = iconButton("open", "Open files", "O", () => this.open());
    private readonly upload: Upload;
    private lacking: NamedFile[] = []; // files that were sent and lack others

    constructor(
        private readonly mirror: Mirror,
        private readonly events: FileEvents,
    ) {
        this.upload = new Upload(() => this.mirror.models, {
            say: (text) => events.say(text),
            progress: (text) => this.showBusy(text),
            added: (objects) => events.added(objects),
            missing: (names, files) => this.ask(names, files),
        });
        this.choose.addEventListener("click", () => this.open());
        this.input.addEventListener("change", () => this.take());
        this.keeping = element(
            "form",
            { class: "keep" },
            this.name,
            element("button", { type: "submit" }, "Keep"),
        );
        this.keeping.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.keep();
        });
        const buttons = element("div", { class: "buttons" }, this.choose);
        this.root = section("Files", "files", true, buttons, this.hint, this.input, this.busy, this.asks, this.list, this.keeping);
        buttons.dataset["needs"] = this.keeping.dataset["needs"] = "direct";
        byId("panels").prepend(this.openButton);
        this.takeDrops();
        this.rebuild();
    }

    open(): void {
        this.input.click();
    }

    rebuild(): void {
        const { may, models } = this.mirror.models;
        const isAllowed = (may & 1) !== 0;
        this.root.hidden = !isAllowed && models.length === 0;
        this.choose.hidden = this.openButton.hidden = !isAllowed;
        this.hint.textContent = isAllowed ? "or drop them anywhere: STL, OBJ, glTF, PLY, DXF, VRML, X3D, Collada …" : "";
        this.keeping.hidden = (may & 2) === 0 || models.length === 0;
        this.list.replaceChildren(
            ...models.map(({ number, name, about }) => {
                const links = formats.map((format) => {
                    const label = `${name} as ${format.toUpperCase()}`;
                    const link = element("a", { href: `models/${number}.${format}`, download: "", "aria-label": label }, format.toUpperCase());
                    link.addEventListener("click", (event) => this.follow(event, link));
                    return link;
                });
                const title = element("button", { type: "button", class: "link", title: about }, name);
                title.addEventListener("click", () => this.events.select(name));
                return element("li", {}, title, element("span", { class: "about" }, about), element("span", { class: "links" }, ...links));
            }),
        );
    }

    private follow(event: Event, link: HTMLAnchorElement): void {
        const token = storedToken();
        if (token !== "") {
            event.preventDefault();
            fetchFile(link, token).catch((error: unknown) => this.events.say(String(error)));
        }
    }

    // Anything that is dropped is taken here: a browser would leave the page for it otherwise.
    private takeDrops(): void {
        const mark = (isOver: boolean): void => void document.body.classList.toggle("dropping", isOver);
        window.addEventListener("dragover", (event) => {
            event.preventDefault();
            mark(event.dataTransfer?.types.includes("Files") === true);
        });
        window.addEventListener("dragleave", (event) => {
            if (event.relatedTarget === null) {
                mark(false);
            }
        });
        window.addEventListener("drop", (event) => {
            event.preventDefault();
            mark(false);
            if (event.dataTransfer === null || event.dataTransfer.types.includes("Files") !== true) {
                return;
            }
            void droppedFiles(event.dataTransfer).then(
                (files) => this.send(files),
                () => this.events.say("what was dropped cannot be read"),
            );
        });
    }

    private take(): void {
        const files = [...(this.input.files ?? [])].map((file) => ({ name: file.name, file }));
        this.input.value = "";
        if (files.length > 0) {
            this.send(files);
        }
    }

    // Files that others lack go together with them.
    private send(files: NamedFile[]): void {
        const known = new Set(files.map(({ name }) => name));
        const all = [...files, ...this.lacking.filter(({ name }) => !known.has(name))];
        this.endAsking();
        this.upload.send(all);
    }

    private ask(names: string[], files: NamedFile[]): void {
        this.lacking = files;
        const choose = element("button", { type: "button" }, "Choose them …");
        const without = element("button", { type: "button" }, "Show without");
        const cancel = element("button", { type: "button" }, "Cancel");
        choose.addEventListener("click", () => this.open());
        without.addEventListener("click", () => {
            this.endAsking();
            this.upload.send(files, true);
        });
        cancel.addEventListener("click", () => this.endAsking());
        this.asks.replaceChildren(
            element("p", {}, `${files[0]?.name ?? "The model"} refers to ${names.join(", ")}. Drop or choose what is missing.`),
            element("div", { class: "buttons" }, choose, without, cancel),
        );
        this.asks.hidden = false;
        this.events.say(`${names.join(", ")}: missing, see Files`);
        (this.root as HTMLDetailsElement).open = true;
        byId("left").classList.add("open");
        choose.focus();
    }

    private endAsking(): void {
        this.lacking = [];
        this.asks.hidden = true;
    }

    private async keep(): Promise<void> {
        const name = this.name.value.trim();
        const wrong = await this.events.keep(name);
        this.events.say(wrong === "" ? `${name} is kept as a scene` : wrong);
    }

    private showBusy(text: string): void {
        this.busy.textContent = text;
        this.busy.hidden = text === "";
    }
}
