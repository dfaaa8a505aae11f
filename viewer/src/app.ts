// Puts the page together: the connection feeds the mirror, each frame takes what changed to the picture and the panels,
// and what people do goes to the server.
import { ballAbout, bodyBox } from "./bounds";
import { Camera, type CameraMode } from "./camera";
import { Caption } from "./caption";
import { clashReach, ClashList, verdicts, type Clash } from "./clash_list";
import { Connection } from "./connection";
import { Controls } from "./controls";
import { Drag, type DragMode } from "./drag";
import { byId } from "./element";
import { frameForKeysOnly } from "./focus";
import { Framer, type Framing } from "./framing";
import { HapticPulses, isTouching, vibratePhone } from "./haptic_pulse";
import { Gallery } from "./gallery";
import { NearWish } from "./glide";
import { Hand } from "./hand";
import { HandSound } from "./hand_sound";
import { Handling } from "./handling";
import { HoldingLine } from "./holding";
import { Waiters, type Hook, type HookHeld } from "./hook";
import { Immersion } from "./immersion";
import { Keyboard } from "./keyboard";
import { Legend } from "./legend";
import { Measure } from "./measure";
import { Messages } from "./messages";
import { Mirror, type Body, type Changes } from "./mirror";
import { makeHeadsetButton, makeHelp, makePanelButtons, makeUndoButtons } from "./page";
import { ClashPanel } from "./panel_clash";
import { EventsPanel } from "./panel_events";
import { FilesPanel } from "./panel_files";
import { LayersPanel } from "./panel_layers";
import { ObjectPanel } from "./panel_object";
import { PlaybackPanel } from "./panel_playback";
import { TimelinePanel } from "./panel_timeline";
import { TreePanel } from "./panel_tree";
import { readLook, savePicture, sides, ViewPanel, writeLook } from "./panel_view";
import { People } from "./people";
import { pick, type Hit } from "./pick";
import { Picture } from "./picture";
import { Playback } from "./playback";
import { Playout } from "./playout_queue";
import { Pointer } from "./pointer";
import { Predictions } from "./predictions";
import { PlayMode, Wants, type ServerMessage } from "./protocol";
import { drawsFinely } from "./quality";
import { RoleGate } from "./role";
import { loadSettings, saveSettings, type Settings } from "./settings";
import { BrowserSpeakers, openAudio, Sounds } from "./sound";
import { Statistics } from "./statistics";
import { watchTheme } from "./theme";
import { Timeline, type Row } from "./timeline";
import { storedToken, TokenForm } from "./token";
import { length, rotate, subtract, unapplyPose, dot, vec3, type Vec3 } from "./vector";
import { ViewCube } from "./view_cube";
import type { WallView } from "./wall";

// One body is seen with some of what is about it.
const lookAround = 1.8;

// Looking for what is below a resting pointer is left out above this.
const hoverTriangles = 200_000;

// As in style.css: pixels of a page whose panels are sheets.
const narrowPage = 900;

// Pixels of a page that is high enough for the strip of touches to be open at first.
const highPage = 700;

export class App {
    readonly camera: Camera;
    readonly mirror = new Mirror();
    readonly timeline = new Timeline(this.mirror);
    readonly handling = new Handling();
    readonly playback: Playback;
    readonly playout: Playout;
    readonly predictions: Predictions;
    readonly sounds = new Sounds(this.mirror, () => new BrowserSpeakers());
    readonly handSound = new HandSound(
        openAudio,
        (point) => this.sideOf(point),
        (object) => this.mirror.find(object)?.states.get("aid"),
    );
    readonly picture: Picture;
    private readonly framer: Framer;
    readonly connection: Connection;
    private readonly tokenForm = new TokenForm((token) => this.connection.openWith(token));
    readonly hand: Hand<Drag>;
    readonly immersion: Immersion;
    readonly waiters = new Waiters();
    dragMode: DragMode = "view";
    canHover = true;
    drawnSequence = 0;
    selected: Body | null = null;
    private second: Body | null = null; // selected beside it
    private readonly settings: Settings;
    private readonly messages: Messages;
    private readonly keyboard: Keyboard | null;
    private readonly controls: Controls;
    private readonly tree: TreePanel;
    private readonly object: ObjectPanel;
    private readonly layers: LayersPanel;
    private readonly gallery: Gallery;
    private readonly caption: Caption;
    private readonly legend = new Legend();
    private readonly files: FilesPanel;
    private readonly viewPanel: ViewPanel;
    readonly clashes = new ClashList();
    private readonly roles = new RoleGate(document, byId("role"));
    private readonly clashPanel: ClashPanel;
    private readonly cube: ViewCube;
    readonly measure: Measure;
    private linked = new URLSearchParams(window.location.search); // the scene and the camera of a link, until they are shown
    private awaited: string | null = null; // an object that was sent and is to be looked at
    private readonly statistics: Statistics;
    private readonly eventsPanel: EventsPanel;
    private readonly timelinePanel: TimelinePanel;
    private readonly playbackPanel: PlaybackPanel;
    private readonly holdingLine: HoldingLine;
    private readonly people: People;
    private readonly showUndo: (isShown: boolean) => void;
    private readonly haptics = new HapticPulses(); // of the hand that is no controller
    phonePulses = 0;
    private framedScene: string | null = null;
    private lastFrame = 0;
    private readonly nearWish = new NearWish();

    constructor(
        canvas: HTMLCanvasElement,
        private readonly hook: Hook,
        private readonly view: WallView | null = null, // the page is a wall of a room
    ) {
        this.camera = view?.camera ?? new Camera();
        this.framer = new Framer(this.camera, this.mirror);
        this.messages = new Messages(byId("messages"), hook.messages);
        const isFine = drawsFinely();
        const say = (text: string): void => this.messages.say(text);
        this.picture = new Picture(canvas, byId("labels"), this.mirror, this.timeline, this.camera, isFine, say);
        const marks = { faces: false, contacts: false, first: true, outline: true, shadows: isFine, grid: true };
        const isRoomy = window.innerHeight >= highPage && window.innerWidth > narrowPage;
        const senses = { sound: true, handSound: true, vibration: true };
        this.settings = loadSettings({ ...marks, ...senses, timeline: isRoomy });
        this.picture.setSettings(this.settings);
        this.connection = new Connection(socketAddress(), this.wants(), storedToken(), {
            tokenNeeded: (sentence) => this.tokenForm.ask(sentence),
            message: (message) => {
                this.feel(message);
                this.predictions.hear(message);
                this.playout.hear(message, performance.now());
            },
            state: (state, detail) => this.showLine(state, detail),
            failed: (message) => this.messages.say(message),
        });
        this.playback = new Playback(this.mirror, this.timeline, {
            take: (message) => this.hear(message),
            ask: (message) => this.connection.ask(message),
            say,
        });
        this.playback.session.hasContacts = this.settings.contacts;
        this.playout = new Playout(this.mirror, {
            take: (message) => this.playback.hear(message),
            held: () => this.shownAtOnce(),
            predicted: (body, shown, now) => this.predictions.show(body, body.pose, shown, now),
            isPast: () => this.playback.isPast,
            failed: (error) => this.connection.fail(error),
        });
        this.predictions = new Predictions(this.mirror, { newest: (body) => this.playout.newestPose(body) });
        this.hand = new Hand<Drag>(this.connection, (text) => this.messages.say(text), this.predictions);
        this.hand.refusal = () => (this.playback.isPast ? "an earlier time is shown: L goes back to now" : null);
        this.immersion = this.makeImmersion();

        this.controls = new Controls(byId("controls"), this.mirror, {
            play: (mode) => this.play(mode),
            dragMode: (mode) => this.setDragMode(mode),
            camera: (mode) => this.setCamera(mode),
            frame: () => this.frame(),
        });
        const events = { select: (body: Body | null) => this.select(body), frame: (body: Body) => this.lookAt(body) };
        this.tree = new TreePanel(this.mirror, events);
        this.object = new ObjectPanel(this.mirror, {
            frame: (body) => this.lookAt(body),
            resume: (body) => void this.ask({ type: "resume", object: body.ref }),
            setState: (body, name, value) => void this.ask({ type: "setState", object: body.ref, name, value }),
        });
        this.layers = new LayersPanel(this.mirror, this.settings, (name, isOn) => this.set(name, isOn));
        this.gallery = new Gallery(this.mirror, (name) => void this.ask({ type: "open", name }));
        this.caption = new Caption(this.mirror, () => this.picture.touch());
        frameForKeysOnly(canvas);
        this.files = new FilesPanel(this.mirror, {
            say,
            added: (objects) => (this.awaited = objects[0] ?? null),
            keep: async (name) => (await this.connection.ask({ type: "keep", name })).message,
            select: (name) => this.lookAtNamed(name),
        });
        this.clashPanel = new ClashPanel(this.clashes, {
            show: (clash) => this.showClash(clash),
            decide: async ({ number }, verdict, note) =>
                (await this.connection.ask({ type: "noteClash", clash: number, verdict: verdicts.indexOf(verdict), note })).message,
            say,
        });
        this.viewPanel = new ViewPanel({
            look: (from) => this.look(from),
            flat: (isFlat) => this.setFlat(isFlat),
            style: (style) => this.picture.setStyle(style),
            picture: () => savePicture(canvas, this.mirror.scene === "" ? "fureai" : this.mirror.scene),
            link: () => void this.copyLink(),
            measure: () => this.toggleMeasure(),
        });
        this.cube = new ViewCube(this.camera, { look: (from) => this.look(from), turned: () => this.cameraMoved() });
        this.measure = new Measure({ camera: this.camera, mirror: this.mirror, pick: (x, y) => this.pick(x, y) });
        this.statistics = new Statistics(this.mirror, this.connection, () => this.playout.clock.delayMs);
        this.eventsPanel = new EventsPanel(this.mirror);
        this.timelinePanel = new TimelinePanel(byId("timeline"), this.timeline, this.settings.timeline, {
            select: (row) => this.selectBoth(row),
            fold: (isOpen) => this.set("timeline", isOpen),
        });
        this.playbackPanel = new PlaybackPanel(byId("timeline"), this.playback, this.timeline);
        this.holdingLine = new HoldingLine(byId("holding"), this.handling);
        byId("left").append(this.clashPanel.root, this.gallery.root, this.files.root, this.tree.root, this.viewPanel.root, this.layers.root);
        byId("right").append(this.object.root, this.statistics.root, this.eventsPanel.root);
        this.people = new People({
            camera: this.camera,
            mirror: this.mirror,
            connection: this.connection,
            ground: () => this.picture.ground,
            pick: (x, y) => this.pick(x, y),
            say,
            lookAt: (body) => this.lookAt(body),
        });
        this.showUndo = makeUndoButtons((isAgain) => this.undo(isAgain));
        makePanelButtons(() => this.showHelp());
        void Immersion.isPossible().then((isPossible) => {
            if (isPossible && view === null) {
                makeHeadsetButton(() => void this.immersion.enter());
            }
        });
        makeHelp();

        document.body.classList.toggle("wall", view !== null);
        if (view === null) {
            new Pointer(canvas, this);
        }
        this.keyboard = view === null ? new Keyboard(this) : null;
        this.setDragMode("view");
        this.setCamera("orbit");
        this.followPage();
    }

    // What the page itself reports: its colours, its size, whether it is seen, the first touch.
    private followPage(): void {
        watchTheme(() => {
            this.picture.setTheme();
            this.timelinePanel.setTheme();
        });
        window.addEventListener("resize", () => this.picture.touch());
        document.addEventListener("visibilitychange", () => this.connection.retry());
        for (const gesture of ["pointerdown", "wheel", "keydown"]) {
            document.addEventListener(gesture, () => this.framer.rest(), { capture: true, passive: true });
        }
        // A finger counts as a touch for browsers when it is lifted.
        for (const gesture of ["pointerdown", "pointerup", "keydown"]) {
            document.addEventListener(gesture, () => {
                this.sounds.wake();
                this.handSound.wake();
            });
        }
    }

    start(): void {
        this.connection.open();
        window.requestAnimationFrame((now) => this.tick(now));
    }

    // --- what the pointer and the keys ask for

    pick(x: number, y: number): Hit<Body> | null {
        return pick(this.camera.ray(x, y), this.picture.targets());
    }

    beginDrag(hit: Hit<Body>, x: number, y: number, mode: DragMode): Drag {
        const { thing: body } = hit;
        const box = bodyBox(body, this.mirror);
        const middle = unapplyPose(body.pose, ballAbout(box).center);
        return new Drag(this.camera, body.pose, hit.point, middle, x, y, mode);
    }

    takeClick(x: number, y: number, hit: Hit<Body> | null): boolean {
        return this.measure.takeClick(hit) || this.people.takeClick(x, y, hit);
    }

    select(body: Body | null, second: Body | null = null, clash: Clash | null = null): void {
        this.selected = body;
        this.second = second;
        this.mirror.dimAllBut(clash === null ? null : new Set(this.allSelected()));
        this.clashPanel.mark(clash);
        this.tree.select(body, second);
        this.object.show(body);
        this.people.select(body);
        this.picture.touch();
    }

    unselect(): void {
        this.select(null);
    }

    takeSelected(): void {
        const body = this.selected;
        if (this.hand.state !== "empty") {
            this.hand.drop();
        } else if (body?.isMovable === true) {
            const { center } = ballAbout(bodyBox(body, this.mirror));
            const drag = new Drag(this.camera, body.pose, center, unapplyPose(body.pose, center), 0, 0, "view");
            void this.hand.grab(body, drag).then((isHeld) => {
                if (isHeld) {
                    this.messages.say(`${body.title} is held: arrows and Page keys move it, Enter puts it down`);
                }
            });
        } else if (body !== null) {
            this.messages.say(`${body.title} is fixed`);
        }
    }

    // Looks at the selected object, or at all.
    frame(): void {
        if (this.selected !== null) {
            this.lookAt(this.selected);
        } else {
            this.framer.fit(this.framer.subjects());
            this.cameraMoved();
        }
    }

    lookAt(body: Body): void {
        this.framer.fit([body], lookAround);
        this.cameraMoved();
    }

    // Looks at where two parts meet, through all others.
    private showClash(clash: Clash): void {
        const { mirror } = this;
        const parts = [mirror.find(clash.a), mirror.find(clash.b)].filter((body) => body !== undefined);
        const { center, radius } = ballAbout({ low: clash.min, high: clash.max });
        this.caption.leave();
        this.select(parts[0] ?? null, parts[1] ?? null, clash);
        this.framer.fitBall(center, clashReach(radius, parts.map((body) => ballAbout(bodyBox(body, mirror)).radius)));
        this.cameraMoved();
    }

    private look(from: Vec3): void {
        this.camera.lookFrom(from);
        this.frame();
    }

    private setFlat(isFlat: boolean): void {
        this.camera.isFlat = isFlat;
        this.cameraMoved();
    }

    // The address of this scene, seen as it is seen now.
    private async copyLink(): Promise<void> {
        const address = new URL(window.location.href);
        address.search = new URLSearchParams({ scene: this.mirror.gallery.current, look: writeLook(this.camera) }).toString();
        window.history.replaceState(null, "", address);
        try {
            await navigator.clipboard.writeText(address.href);
            this.messages.say("the link is copied");
        } catch {
            this.messages.say("the link is in the address bar");
        }
    }

    // Looks at a scene for the first time: as a link says, as the scene says, or at what it is about.
    private lookFirst(): void {
        const { camera, mirror } = this;
        const look = this.linked.get("look");
        const { current, demos } = mirror.gallery;
        const scene = this.linked.get("scene") ?? current;
        this.linked = new URLSearchParams();
        if (scene !== current && demos.some(({ name }) => name === scene)) {
            this.linked.set("look", look ?? "");
            void this.ask({ type: "open", name: scene });
        }
        if (look !== null && readLook(look, camera)) {
            this.viewPanel.showFlat(camera.isFlat);
            this.cameraMoved();
            return;
        }
        this.framer.lookFirst();
        this.cameraMoved();
    }

    private lookAtNamed(name: string): void {
        const body = this.mirror.findByName(name);
        if (body !== undefined) {
            this.select(body);
            this.lookAt(body);
        }
    }

    framing(): Framing {
        return this.framer.measure();
    }

    cameraMoved(): void {
        this.picture.touch();
    }

    setDragMode(mode: DragMode): void {
        this.dragMode = mode;
        this.controls.showDragMode(mode);
    }

    setCamera(mode: CameraMode): void {
        this.camera.mode = mode;
        this.controls.showCamera(mode);
    }

    toggleCamera(): void {
        this.setCamera(this.camera.mode === "orbit" ? "fly" : "orbit");
    }

    toggleContacts(): void {
        const box = byId("show-contacts") as HTMLInputElement;
        box.checked = !box.checked;
        this.set("contacts", box.checked);
    }

    toggleSelectedShown(): void {
        if (this.selected !== null) {
            this.mirror.show(this.selected, !this.selected.isShown);
            this.tree.draw();
        }
    }

    toggleCaption(): void {
        this.caption.toggle();
    }

    toggleTimeline(): void {
        this.timelinePanel.fold();
    }

    togglePlay(): void {
        this.play(this.mirror.isPaused ? PlayMode.play : PlayMode.pause);
    }

    step(): void {
        this.play(PlayMode.step);
    }

    stepBack(): void {
        this.playback.step(-1);
    }

    toContact(direction: -1 | 1): void {
        this.playback.toContact(direction);
    }

    goLive(): void {
        this.playback.goLive();
    }

    restart(): void {
        this.play(PlayMode.restart);
    }

    // Takes the last placement back, or does again what was taken back last.
    undo(isAgain: boolean): void {
        void this.ask({ type: "undo", again: isAgain ? 1 : 0 });
    }

    lookFrom(side: string): void {
        this.look(sides[side]!);
    }

    toggleView(name: "flat" | "wire" | "clear"): void {
        this.viewPanel.toggle(name);
    }

    toggleMeasure(): void {
        this.measure.toggle();
    }

    openFiles(): void {
        this.files.open();
    }

    showHelp(): void {
        (byId("help") as HTMLDialogElement).showModal();
    }

    // --- inside

    private makeImmersion(): Immersion {
        const { picture, camera, mirror, connection } = this;
        const { viewport } = picture;
        const immersion = new Immersion(viewport.renderer, viewport.lens, {
            camera,
            mirror,
            connection,
            predictions: this.predictions,
            ground: () => picture.ground,
            targets: () => picture.targets(),
            mayVibrate: () => this.settings.vibration,
            say: (text) => this.messages.say(text),
            select: (body) => this.select(body),
            frame: (now) => {
                picture.touch();
                this.drawFrame(now);
            },
            left: () => picture.touch(),
        });
        viewport.scene.add(immersion.rig);
        picture.placeRig = (origin) => immersion.place(origin);
        return immersion;
    }

    private hear(message: ServerMessage): void {
        this.mirror.apply(message);
        this.timeline.apply(message);
        this.sounds.apply(message);
        this.clashes.apply(message);
        this.roles.apply(message);
        if (message.type === "service") {
            this.messages.say(message.message !== "" ? message.message : "The home server is back.");
        }
        this.people.apply(message);
    }

    // What is in a hand is shown, felt and heard as soon as it is known.
    private feel(message: ServerMessage): void {
        if (this.playback.isPast && message.type === "events") {
            return;
        }
        this.handling.apply(message);
        this.handSound.apply(message, performance.now());
        if (message.type === "events") {
            for (const event of message.events) {
                this.immersion.apply(event);
                if (this.hand.body !== null && this.mirror.find(event.a) === this.hand.body) {
                    this.haptics.apply(event);
                }
            }
        }
    }

    // What the user holds, and the head that a wall follows: not behind, as all others are.
    private *shownAtOnce(): Iterable<Body> {
        const head = this.view?.headOf(this.mirror);
        yield* [...(this.hand.body === null ? [] : [this.hand.body]), ...this.immersion.held, ...(head === undefined ? [] : [head])];
        yield* this.predictions.bodies;
    }

    // Where a point is heard: as far to a side as it is seen there, or, by a headset, as it is about the head.
    private sideOf(point: Vec3): number {
        const { camera, immersion } = this;
        if (immersion.head !== null) {
            const offset = subtract(point, immersion.head.position);
            const right = rotate(immersion.head.rotation, vec3(1, 0, 0));
            return dot(offset, right) / Math.max(length(offset), 1e-6);
        }
        const { x } = camera.project(point);
        return Math.min(1, Math.max(-1, (2 * x) / camera.width - 1));
    }

    // What a hand at this page holds is felt by a phone's vibration.
    private feelNow(now: number): void {
        const { body, state } = this.hand;
        if (body === null || state !== "holding") {
            this.haptics.clear();
            return;
        }
        const pulse = this.haptics.update(isTouching(this.mirror.pairs, body.index1), now);
        if (pulse !== null && this.settings.vibration && vibratePhone(pulse)) {
            this.phonePulses++;
        }
    }

    private wants(): number {
        const contacts = this.settings.contacts || this.settings.first ? Wants.contacts : 0;
        return Wants.poses | Wants.pairs | Wants.events | Wants.stats | Wants.draw | Wants.faceTouches | Wants.moves | contacts;
    }

    private set(name: keyof Settings, isOn: boolean): void {
        this.settings[name] = isOn;
        saveSettings(this.settings);
        this.picture.setSettings(this.settings);
        this.playback.session.hasContacts = this.settings.contacts;
        this.connection.setWants(this.wants());
    }

    // The two of a touch; the one that is still there where the other went. Those of a record are known by their names.
    private selectBoth({ a, b, titleA, titleB }: Row): void {
        const bodies = [this.mirror.find(a) ?? this.mirror.findByName(titleA), this.mirror.find(b) ?? this.mirror.findByName(titleB)];
        const [first, second] = bodies.filter((body) => body !== undefined);
        this.select(first ?? null, second ?? null);
    }

    private allSelected(): Body[] {
        return [this.selected, this.second].filter((body) => body !== null);
    }

    // The past is played by the page, by itself; the world by the server, for all.
    private play(mode: number): void {
        if (this.playback.isPast && mode === PlayMode.step) {
            this.playback.step(1);
            return;
        }
        if (mode !== PlayMode.restart && this.playback.togglePlay()) {
            return;
        }
        void this.ask({ type: "play", mode });
    }

    private async ask(message: Parameters<Connection["ask"]>[0]): Promise<void> {
        const reply = await this.connection.ask(message);
        if (reply.status !== 0) {
            this.messages.say(reply.message);
        }
    }

    // A headset calls for its frames by itself.
    private tick(now: number): void {
        if (!this.immersion.isOn) {
            this.drawFrame(now);
        }
        window.requestAnimationFrame((next) => this.tick(next));
    }

    private drawFrame(now: number): void {
        this.hand.update(now);
        this.playout.update(now);
        this.feelNow(now);
        if (this.keyboard?.fly((now - this.lastFrame) / 1000) === true || this.view?.follow(this.mirror) === true) {
            this.picture.touch();
        }
        this.lastFrame = now;
        this.playback.update(now);
        const changes = this.mirror.takeChanges();
        if (changes.gallery) {
            this.caption.follow();
        }
        this.followScene(changes);
        if (this.picture.update(changes, this.allSelected(), this.hand, this.settings, now)) {
            this.statistics.frame(now);
            this.drawnSequence = this.mirror.sequence;
            this.tellHook();
        }
        this.cube.update();
        this.measure.update();
        this.updatePanels(changes, now);
        if (this.framer.settle()) {
            this.cameraMoved();
        }
        this.listen();
        this.wishNear(now);
    }

    // Of what is far fewer states are enough.
    private wishNear(now: number): void {
        const { connection, mirror, picture, camera, nearWish } = this;
        const eye = this.immersion.head?.position ?? camera.eye();
        const pixel = camera.metresPerPixel(1);
        const wish = connection.isOpen ? nearWish.update(now, eye, mirror.bodies.size, picture.bodySize, pixel) : null;
        if (wish !== null && connection.send({ type: "near", ...wish })) {
            mirror.near = wish;
        }
    }

    private listen(): void {
        const { camera, settings } = this;
        const { head } = this.immersion;
        const eye = head?.position ?? camera.eye();
        const forward = head === null ? camera.forward() : rotate(head.rotation, vec3(0, 0, -1));
        const up = head === null ? camera.up() : rotate(head.rotation, vec3(0, 1, 0));
        this.sounds.update(eye, forward, up, settings.sound && !this.playback.isPast);
        this.handSound.isOn = settings.handSound;
        this.handSound.update();
    }

    // Forgets a selection that is gone, and looks at a scene when all of it is here for the first time.
    private followScene(changes: Changes): void {
        if (!changes.bodies && !changes.scene) {
            return;
        }
        if (this.selected !== null && this.mirror.find(this.selected.ref) !== this.selected) {
            this.select(this.mirror.findByName(this.selected.name) ?? null);
        } else if (this.second !== null && this.mirror.find(this.second.ref) !== this.second) {
            this.select(this.selected);
        }
        this.timelinePanel.show(this.mirror.mayMove || this.playback.record !== null);
        let triangles = 0;
        this.mirror.meshes.forEach((mesh) => (triangles += mesh.triangleCount));
        this.canHover = triangles <= hoverTriangles;
        const { scene } = this.mirror;
        const { current } = this.mirror.gallery;
        const { isWhole } = this.mirror;
        if (isWhole && this.framedScene !== `${current}:${scene}`) {
            this.framedScene = `${current}:${scene}`;
            this.picture.findGround();
            this.picture.viewport.resize(this.camera);
            this.lookFirst();
            this.hook.scene = current;
        }
        if (isWhole && this.awaited !== null && this.mirror.findByName(this.awaited) !== undefined) {
            this.lookAtNamed(this.awaited);
            this.awaited = null;
        }
    }

    private updatePanels(changes: Changes, now: number): void {
        if (changes.scene) {
            byId("scene").textContent = this.mirror.scene;
            document.title = this.mirror.scene === "" ? "Fureai" : `${this.mirror.scene} · Fureai`;
        }
        if (changes.bodies || changes.scene) {
            this.tree.rebuild();
            this.people.rebuild();
            this.showProgress();
        } else if (changes.holds.size > 0) {
            this.tree.draw();
        }
        if (byId("line").classList.contains("loading")) {
            this.showProgress();
        }
        if (this.selected !== null && (changes.poses.has(this.selected) || changes.holds.has(this.selected))) {
            this.object.update();
        }
        if (changes.layerList || changes.scene) {
            this.layers.rebuild();
        }
        if (changes.gallery) {
            this.gallery.rebuild();
        }
        if (changes.models) {
            this.files.rebuild();
        }
        if (changes.events) {
            this.eventsPanel.update();
        }
        // Where there are clashes, these are what people came for.
        if (this.clashPanel.update()) {
            this.gallery.root.open = this.tree.root.open = false;
        }
        if (changes.state) {
            this.controls.update();
        }
        this.people.update(now);
        this.timelinePanel.update();
        this.playbackPanel.update(now);
        this.holdingLine.update([...(this.hand.body === null ? [] : [this.hand.body]), ...this.immersion.held]);
        if (this.hand.body !== null) {
            this.caption.leave();
        }
        const { crossings, firstContacts, highlight } = this.picture;
        const seen = { crossings: crossings.count > 0, areas: crossings.areaCount > 0, first: firstContacts.count > 0 };
        this.legend.update(seen, this.mirror.layers.values(), highlight, now);
        this.showUndo(this.handling.isKnown);
        if (changes.stats) {
            this.statistics.tick();
        }
        this.statistics.update(now);
    }

    private tellHook(): void {
        const { hook, picture, mirror } = this;
        hook.frame = picture.frames;
        hook.sequence = mirror.sequence;
        hook.shown = this.playout.shown;
        hook.jitter = this.playout.clock.jitterMs;
        hook.period = this.playout.clock.periodMs;
        hook.delay = this.playout.clock.delayMs;
        hook.tick = mirror.tick;
        hook.paused = mirror.isPaused;
        hook.past = this.playback.isPast;
        hook.mode = this.camera.mode;
        hook.loaded = mirror.isWhole;
        hook.pairs = mirror.pairTotal;
        hook.draws = picture.viewport.renderer.info.render.calls;
        hook.blinking = picture.blink.count;
        hook.passed = picture.blink.passedCount;
        hook.crossings = picture.crossings.count;
        hook.contacts = this.settings.contacts ? picture.contacts.count : 0;
        hook.firstContacts = picture.firstContacts.count;
        hook.pictures = picture.surfacePictures;
        hook.immersive = this.immersion.isOn;
        hook.lesson = this.immersion.lessonStep;
        hook.pulses = this.immersion.pulses + this.phonePulses;
        hook.pulse = this.immersion.lastPulse.strength;
        hook.handSounds = this.handSound.played;
        hook.ghost = picture.hasGhost;
        hook.held = this.heldNow();
        this.waiters.resolve(mirror.sequence);
    }

    // What the hand at this page holds, for tests.
    private heldNow(): HookHeld | null {
        const { body, drag } = this.hand;
        if (body === null || drag === null) {
            return null;
        }
        const prediction = this.predictions.of(body);
        const { corrections, isTrusted } = prediction ?? { corrections: 0, isTrusted: false };
        return { name: body.name, raw: drag.raw.position, shown: body.pose.position, predicted: prediction !== null && isTrusted, corrections };
    }

    private showLine(state: string, detail: string): void {
        const line = byId("line");
        line.className = state;
        line.textContent = detail;
        this.hook.connected = state === "open";
        document.body.classList.toggle("offline", state !== "open");
        if (state === "open") {
            this.showProgress();
        } else {
            this.nearWish.reset();
            this.mirror.near = this.nearWish.current;
        }
    }

    private showProgress(): void {
        if (this.connection.isOpen) {
            const { progress } = this.mirror;
            byId("line").textContent = progress < 1 ? `loading ${Math.floor(100 * progress)} %` : "connected";
            byId("line").classList.toggle("loading", progress < 1);
        }
    }
}

function socketAddress(): string {
    const { protocol, host, pathname } = window.location;
    return `${protocol === "https:" ? "wss" : "ws"}://${host}${pathname.replace(/[^/]*$/, "")}`;
}
