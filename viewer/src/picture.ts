// The whole picture of a frame: takes what changed in the mirror, redoes that much, and draws if anything is new.
import { ballAbout, bodyReach, worldBox, type Ball } from "./bounds";
import { Bodies } from "./body";
import { Blink } from "./blink";
import type { Camera } from "./camera";
import { Contacts } from "./contact";
import type { Drag } from "./drag";
import { FirstContacts } from "./first_contact";
import type { Hand } from "./hand";
import type { Body, Changes, Mirror } from "./mirror";
import { Outline } from "./outline";
import { Overlay } from "./overlay";
import type { Target } from "./pick";
import type { Settings } from "./settings";
import { Viewport } from "./viewport";
import { wantsStillness } from "./theme";
import type { Timeline } from "./timeline";
import type { Vec3 } from "./vector";

// The size of the world is looked at again after so long while things move.
const boundsMs = 500;

export class Picture {
    readonly viewport: Viewport;
    readonly blink = new Blink();
    readonly contacts = new Contacts();
    readonly firstContacts: FirstContacts;
    frames = 0;
    hasGhost = false;
    all: Ball = { center: { x: 0, y: 0, z: 0 }, radius: 1 };
    placeRig: (origin: Vec3) => void = () => undefined; // of a person who wears a headset, before each frame
    ground = 0;
    bodySize = 0; // of a body in the middle of all, from the smallest to the largest
    private boundsTime = -Infinity;
    private passedVersion = -1; // of what is drawn; -1: nothing that passed
    private isStale = true;
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
        this.blink.setTheme(theme);
        this.contacts.setTheme(theme);
        this.firstContacts.setTheme(theme);
        this.selection.forEach((outline) => outline.setColor(theme.selected));
        this.ghost.setColor(theme.ghost);
        this.touch();
    }

    setSettings(settings: Settings): void {
        this.viewport.showGrid = settings.grid;
        this.viewport.showShadows = settings.shadows;
        this.contacts.group.visible = settings.contacts;
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
        if (viewport.resize(camera)) {
            this.overlay.setSize(camera.width, camera.height);
            this.selection.forEach((outline) => outline.setSize(camera.width, camera.height));
            this.ghost.setSize(camera.width, camera.height);
            this.isStale = true;
        }
        const hasMoved = viewport.moveOrigin(camera);
        const { origin } = viewport;
        const posesChanged = changes.poses.size > 0;
        if (changes.bodies || changes.scene) {
            this.bodies.rebuild(mirror, origin);
            this.selection.forEach((outline) => outline.clear());
            this.ghost.clear();
            this.boundsTime = -Infinity;
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
            this.blink.update(mirror, settings.first ? this.timeline.marks : [], origin);
        }
        if (settings.contacts && (changes.contacts || hasMoved || this.isStale)) {
            this.contacts.update(mirror, origin);
        }
        if (changes.layers.size > 0 || changes.scene || hasMoved || changes.bodies || posesChanged) {
            this.overlay.update(mirror, origin, changes.scene || hasMoved);
        }
        return this.draw(changes, selected, hand, settings, now);
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
        if (!isNew) {
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
        this.firstContacts.update(marks, this.timeline.now, viewport.origin, viewport.renderer.getPixelRatio(), isStill);
        this.firstContacts.placeLabels((point) => camera.project(point));
        this.ghost.setDash(camera.metresPerPixel(camera.distance) * 8);
        this.ghost.show(hand.body, raw, mirror, viewport.origin);
        this.overlay.placeLabels((point) => camera.project(point));
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
