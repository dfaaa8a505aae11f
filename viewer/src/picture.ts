// The whole picture of a frame: takes what changed in the mirror, redoes that much, and draws if anything is new.
import { ballAbout, bodyReach, worldBox, type Ball } from "./bounds";
import { Bodies } from "./body";
import { Blink } from "./blink";
import type { Camera } from "./camera";
import { Contacts } from "./contact";
import { Crossings } from "./crossing";
import type { Drag } from "./drag";
import { FirstContacts } from "./first_contact";
import { freePlace } from "./free_place";
import type { Hand } from "./hand";
import { chooseHighlight, highlights, huesOf } from "./highlight";
import type { Body, Changes, Mirror } from "./mirror";
import { Outline } from "./outline";
import { Overlay } from "./overlay";
import type { Style } from "./panel_view";
import type { Target } from "./pick";
import type { Settings } from "./settings";
import { Viewport } from "./viewport";
import { wantsStillness } from "./theme";
import type { Timeline } from "./timeline";
import type { Vec3 } from "./vector";

// The size of the world is looked at again after so long while things move.
const boundsMs = 500;
const stillMs = 250; // after the last change the picture is drawn once more, with every pixel

export class Picture {
    readonly viewport: Viewport;
    readonly blink = new Blink();
    readonly crossings = new Crossings();
    readonly contacts = new Contacts();
    highlight: number = highlights[0]; // the colour of what collides
    readonly firstContacts: FirstContacts;
    frames = 0;
    hasGhost = false;
    all: Ball = { center: { x: 0, y: 0, z: 0 }, radius: 1 };
    placeRig: (origin: Vec3) => void = () => undefined; // of a person who wears a headset, before each frame
    ground = 0;
    bodySize = 0; // of a body in the middle of all, from the smallest to the largest
    private boundsTime = -Infinity;
    private passedVersion = -1; // of what is drawn; -1: nothing that passed; below: not drawn yet
    private isUnshaded = true; // the soft shadow on the ground is not that of what is drawn
    private isStale = true;
    private isResized = false; // it is drawn again, with nothing new to see
    private changed = -Infinity; // when something new was drawn last
    private readonly bodies: Bodies;
    private readonly overlay: Overlay;
    private readonly selection = [new Outline(2, false), new Outline(2, false)] as const;
    private readonly ghost = new Outline(2.5, true);

    constructor(
        canvas: HTMLCanvasElement,
        labels: HTMLElement,
        private readonly mirror: Mirror,
        private readonly timeline: Timeline,
        private readonly camera: Camera,
        isFine: boolean,
        say: (text: string) => void,
    ) {
        this.viewport = new Viewport(canvas, isFine);
        const { maxTextureSize } = this.viewport.renderer.capabilities;
        this.bodies = new Bodies(isFine, maxTextureSize, { changed: () => this.touch(), say });
        this.overlay = new Overlay(labels);
        this.firstContacts = new FirstContacts(labels);
        this.viewport.scene.add(
            this.bodies.group,
            this.blink.group,
            this.crossings.group,
            this.contacts.group,
            this.overlay.group,
            ...this.selection.map(({ group }) => group),
            this.firstContacts.group,
            this.ghost.group,
        );
        this.setTheme();
    }

    // Something beside the mirror changed: the camera, the selection, a setting.
    touch(): void {
        this.isStale = true;
    }

    setTheme(): void {
        this.viewport.setTheme();
        const { theme } = this.viewport;
        this.blink.setColors(this.highlight, theme.near);
        this.crossings.setColor(this.highlight);
        this.contacts.setTheme(theme);
        this.firstContacts.setTheme(theme);
        this.selection.forEach((outline) => outline.setColor(theme.selected));
        this.ghost.setColor(theme.ghost);
        this.touch();
    }

    // Bodies as wires or seen through, and cut open at a place along an axis of the world.
    setStyle({ isWire, isClear, cut }: Style): void {
        this.bodies.surfaces.setStyle(isWire, isClear);
        const box = worldBox(this.mirror, true);
        const at = cut === null || box === null ? null : box.low[cut.axis] + cut.part * (box.high[cut.axis] - box.low[cut.axis]);
        this.viewport.cut = cut === null || at === null ? null : { axis: cut.axis, at };
        this.touch();
    }

    setSettings(settings: Settings): void {
        this.viewport.showGrid = settings.grid;
        this.viewport.showShadows = settings.shadows;
        this.contacts.group.visible = settings.contacts;
        this.isUnshaded = true;
        this.passedVersion = -2; // what is drawn of pairs is another
        this.touch();
    }

    // Pictures that are on surfaces.
    get surfacePictures(): number {
        return this.bodies.surfaces.shown;
    }

    // The parts that can be picked.
    *targets(): Iterable<Target<Body>> {
        for (const body of this.mirror.bodies.values()) {
            if (!body.isShown) {
                continue;
            }
            let firstTriangle = 0;
            for (const [index, part] of body.parts.entries()) {
                const mesh = this.mirror.meshes.get(part.mesh);
                if (mesh?.isComplete === true) {
                    const { pose: objectPose } = body;
                    const bounds = body.boundsOf(index, mesh);
                    const positions = (): Float32Array => body.positionsOf(index, mesh);
                    yield { thing: body, objectPose, partPose: part.pose, mesh, bounds, positions, firstTriangle };
                }
                firstTriangle += mesh?.triangleCount ?? 0;
            }
        }
    }

    // The ground lies below all there is, and stays there while things move.
    findGround(): void {
        const box = worldBox(this.mirror);
        this.all = ballAbout(box);
        this.ground = box?.low.y ?? 0;
    }

    // Takes the changes. True when a frame was drawn.
    update(changes: Changes, selected: readonly Body[], hand: Hand<Drag>, settings: Settings, now: number): boolean {
        const { mirror, camera, viewport } = this;
        viewport.isStill = now - this.changed > stillMs;
        this.isResized = viewport.resize(camera);
        if (this.isResized) {
            this.overlay.setSize(camera.width, camera.height);
            this.crossings.setSize(camera.width, camera.height);
            this.selection.forEach((outline) => outline.setSize(camera.width, camera.height));
            this.ghost.setSize(camera.width, camera.height);
        }
        const hasMoved = viewport.moveOrigin(camera);
        const { origin } = viewport;
        const posesChanged = changes.poses.size > 0;
        if (changes.bodies || changes.scene) {
            this.bodies.rebuild(mirror, origin);
            this.selection.forEach((outline) => outline.clear());
            this.ghost.clear();
            this.boundsTime = -Infinity;
            this.setHighlight(chooseHighlight(huesOf(mirror)));
        } else if (hasMoved) {
            this.bodies.placeAll(origin);
        } else {
            changes.poses.forEach((body) => this.bodies.place(body, origin));
        }
        this.bodies.flush();
        if (posesChanged || changes.bodies) {
            this.measure(now);
        }
        const passedVersion = settings.first ? this.timeline.passedVersion : -1;
        if (changes.pairs || posesChanged || hasMoved || changes.bodies || passedVersion !== this.passedVersion) {
            this.passedVersion = passedVersion;
            this.blink.update(mirror, settings.faces, settings.first ? this.timeline.marks : [], origin);
            this.crossings.update(mirror, origin);
        }
        if (settings.contacts && (changes.contacts || hasMoved || this.isStale || this.isResized)) {
            this.contacts.update(mirror, origin);
        }
        if (changes.layers.size > 0 || changes.scene || hasMoved || changes.bodies || posesChanged) {
            this.overlay.update(mirror, origin, changes.scene || hasMoved);
        }
        this.isUnshaded ||= posesChanged || hasMoved || changes.bodies || changes.scene;
        return this.draw(changes, selected, hand, settings, now);
    }

    private setHighlight(color: number): void {
        if (color !== this.highlight) {
            this.highlight = color;
            this.setTheme();
        }
    }

    private draw(changes: Changes, selected: readonly Body[], hand: Hand<Drag>, settings: Settings, now: number): boolean {
        const { camera, mirror, viewport } = this;
        const isStill = wantsStillness();
        const hadGhost = this.hasGhost;
        const raw = hand.body === null ? null : hand.ghost(bodyReach(hand.body, mirror), now);
        this.hasGhost = raw !== null;
        const isNew =
            this.isStale ||
            changes.scene ||
            changes.bodies ||
            changes.state ||
            changes.poses.size > 0 ||
            changes.pairs ||
            changes.layers.size > 0 ||
            (settings.contacts && changes.contacts) ||
            (this.blink.count > 0 && !isStill) ||
            this.hasGhost !== hadGhost;
        if (isNew) {
            this.changed = now;
        } else if (!this.isResized) {
            return false;
        }
        this.isStale = false;
        this.blink.setTime(now, isStill);
        this.contacts.setPixel(camera.metresPerPixel(1));
        this.selection.forEach((outline, i) => {
            const body = settings.outline && selected[i]?.isShown === true ? selected[i] : null;
            outline.show(body, body?.pose ?? null, mirror, viewport.origin);
        });
        const isShown = (index1: number): boolean => mirror.bodies.get(index1)?.isShown === true;
        const marks = settings.first ? this.timeline.marks.filter(({ a, b }) => isShown(a) && isShown(b)) : [];
        const nameOf = (index1: number): string => mirror.bodies.get(index1)?.title ?? "";
        this.firstContacts.update(marks, nameOf, this.timeline.at, viewport.origin, viewport.renderer.getPixelRatio(), isStill);
        if (this.firstContacts.count > 0) {
            this.firstContacts.placeLabels((point) => camera.project(point), freePlace(camera.width, camera.height));
        }
        this.ghost.setDash(camera.metresPerPixel(camera.distance) * 8);
        this.ghost.show(hand.body, raw, mirror, viewport.origin);
        this.overlay.placeLabels((point) => camera.project(point));
        if (this.isUnshaded) {
            this.isUnshaded = false;
            viewport.shade(this.bodies.group, this.all, this.ground);
        }
        this.placeRig(viewport.origin);
        viewport.draw(camera, this.all, this.ground);
        this.frames++;
        return true;
    }

    private measure(now: number): void {
        if (now - this.boundsTime >= boundsMs) {
            this.boundsTime = now;
            const sizes: number[] = [];
            this.all = ballAbout(worldBox(this.mirror, true, sizes));
            this.bodySize = sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0;
        }
    }
}
