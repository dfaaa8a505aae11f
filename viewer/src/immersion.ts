// The world around a person who wears a headset: enters and leaves, and lets each controller take hold of a body, as the
// pointer does, by a lease and the pose of the hand; a second controller helps the one that has it. What a held body
// touches is felt.
import {
    BufferAttribute,
    BufferGeometry,
    Group,
    Line,
    LineBasicMaterial,
    type PerspectiveCamera,
    type WebGLRenderer,
} from "three";
import type { Camera } from "./camera";
import type { Connection } from "./connection";
import { HapticPulses, isTouching, type Pulse } from "./haptic_pulse";
import { Grip } from "./grip";
import { Hand } from "./hand";
import { ArcMark, TextPanel } from "./immersion_marks";
import { Lesson, noteTaught, wasTaught } from "./lesson";
import type { Body, Mirror } from "./mirror";
import { pick, type Target } from "./pick";
import type { Predictions } from "./predictions";
import type { WireEvent } from "./protocol";
import { Aim, Ride } from "./teleport";
import { wantsStillness } from "./theme";
import { add, compose, rotate, subtract, times, turnAbout, vec3, type Pose, type Vec3 } from "./vector";

export interface ImmersiveScene {
    readonly camera: Camera;
    readonly mirror: Mirror;
    readonly connection: Connection;
    readonly predictions: Predictions;
    ground(): number; // height that the person stands on
    targets(): Iterable<Target<Body>>;
    mayVibrate(): boolean;
    say(text: string): void;
    select(body: Body | null): void;
    frame(now: number): void; // all that a frame does; it draws
    left(): void; // the page goes on by itself
}

// A person stands this far before what was looked at, or nearer.
const standOff = 1.6;

const rayLength = 3; // metres
const walkSpeed = 1.5; // metres a second
const deadStick = 0.15;

// One controller.
class Controller {
    hand: Hand<Grip>;
    helps: Controller | null = null; // the one whose body it holds too
    readonly haptics = new HapticPulses();
    readonly aim = new Aim();
    readonly ray: Line;
    pose: Pose | null = null; // in the world

    constructor(
        readonly source: XRInputSource,
        scene: ImmersiveScene,
    ) {
        this.hand = new Hand<Grip>(scene.connection, (text) => scene.say(text), scene.predictions);
        const ends = new BufferAttribute(new Float32Array([0, 0, 0, 0, 0, -rayLength]), 3);
        const geometry = new BufferGeometry().setAttribute("position", ends);
        this.ray = new Line(geometry, new LineBasicMaterial({ color: 0x6fb1ff, transparent: true, opacity: 0.7 }));
        this.ray.frustumCulled = false;
    }

    // The left stick walks, all others teleport.
    get isWalking(): boolean {
        return this.source.handedness === "left";
    }

    // The button beside the stick, A or X.
    get isSkipping(): boolean {
        return this.source.gamepad?.buttons[4]?.pressed === true;
    }

    // What it holds, by itself or with another.
    get body(): Body | null {
        return (this.helps ?? this).hand.body;
    }

    dispose(): void {
        this.hand.drop();
        this.hand.dispose();
        this.ray.geometry.dispose();
        (this.ray.material as LineBasicMaterial).dispose();
    }
}

function poseOf({ transform }: XRPose): Pose {
    const { position: p, orientation: q } = transform;
    return { rotation: { w: q.w, x: q.x, y: q.y, z: q.z }, position: vec3(p.x, p.y, p.z), scale: 1 };
}

export class Immersion {
    readonly rig = new Group(); // the room of the person, seen from the viewport's origin
    private session: XRSession | null = null;
    private readonly controllers = new Map<XRInputSource, Controller>();
    pulses = 0; // that hands were given to feel
    lastPulse: Pulse = { strength: 0, ms: 0 };
    head: Pose | null = null; // of the person, in the world
    floor: Pose = { rotation: turnAbout(vec3(0, 1, 0), 0), position: vec3(0, 0, 0), scale: 1 };
    private lastFrame = 0;
    private readonly arc = new ArcMark();
    private readonly panel = new TextPanel();
    private lesson: Lesson | null = null;
    private isTaught = wasTaught();
    private ride: Ride | null = null; // to where the person went last

    constructor(
        private readonly renderer: WebGLRenderer,
        lens: PerspectiveCamera,
        private readonly scene: ImmersiveScene,
    ) {
        this.rig.add(lens, this.arc.group, this.panel.mesh);
        renderer.xr.setReferenceSpaceType("local-floor");
    }

    static async isPossible(): Promise<boolean> {
        try {
            return (await navigator.xr?.isSessionSupported("immersive-vr")) === true;
        } catch {
            return false; // a page that may not ask
        }
    }

    get isOn(): boolean {
        return this.session !== null;
    }

    // The step of the lesson that is shown; "": none.
    get lessonStep(): string {
        return this.lesson?.step ?? "";
    }

    // Where a stick that is let go now takes the person.
    get aimed(): Vec3 | null {
        return [...this.controllers.values()].map(({ aim }) => aim.arc?.target ?? null).find((target) => target !== null) ?? null;
    }

    // What the hands hold.
    get held(): Body[] {
        return [...this.controllers.values()].map(({ hand }) => hand.body).filter((body) => body !== null);
    }

    // An event of handling: the hands that hold the object feel it.
    apply(event: WireEvent): void {
        for (const { body, haptics } of this.controllers.values()) {
            if (body !== null && this.scene.mirror.find(event.a) === body) {
                haptics.apply(event);
            }
        }
    }

    async enter(): Promise<void> {
        if (this.session !== null) {
            return;
        }
        try {
            const features = { optionalFeatures: ["local-floor"] };
            const session = await navigator.xr!.requestSession("immersive-vr", features);
            this.session = session;
            this.listen(session);
            this.stand();
            this.lesson = this.beginLesson();
            this.renderer.xr.enabled = true;
            // Before the session begins, which ends the frames of the page: set later, both would draw.
            this.renderer.setAnimationLoop((now, frame) => this.frame(now, frame ?? null));
            await this.renderer.xr.setSession(session);
        } catch (error) {
            this.scene.say(`No headset: ${error instanceof Error ? error.message : String(error)}`);
            await this.session?.end().catch(() => undefined);
        }
    }

    async leave(): Promise<void> {
        await this.session?.end();
    }

    // Puts the room where it is in the world, seen from the viewport's origin; nowhere while there is no headset.
    place(origin: Vec3): void {
        const { rotation: q, position: p } = this.floor;
        if (this.isOn) {
            this.rig.position.set(p.x - origin.x, p.y - origin.y, p.z - origin.z);
            this.rig.quaternion.set(q.x, q.y, q.z, q.w);
        } else {
            this.rig.position.set(0, 0, 0);
            this.rig.quaternion.identity();
        }
        this.rig.updateMatrixWorld(true);
    }

    // Before what the camera looked at, facing it, with the feet on the ground.
    private stand(): void {
        const { camera } = this.scene;
        const away = Math.min(camera.distance, standOff);
        const level = vec3(Math.sin(camera.yaw), 0, Math.cos(camera.yaw));
        const place = add(camera.target, times(level, away));
        const rotation = turnAbout(vec3(0, 1, 0), camera.yaw);
        this.floor = { rotation, position: vec3(place.x, this.scene.ground(), place.z), scale: 1 };
    }

    // Where nothing can be taken there is nothing to learn.
    private beginLesson(): Lesson {
        const hasMovable = [...this.scene.mirror.bodies.values()].some(({ isMovable }) => isMovable);
        return new Lesson(this.isTaught || !hasMovable, () => {
            this.isTaught = true;
            noteTaught();
        });
    }

    private listen(session: XRSession): void {
        const on = (type: "selectstart" | "selectend" | "squeezestart" | "squeezeend", run: (c: Controller) => void) =>
            session.addEventListener(type, ({ inputSource }) => {
                const controller = this.controllers.get(inputSource);
                if (controller !== undefined) {
                    run(controller);
                }
            });
        on("selectstart", (controller) => this.take(controller));
        on("squeezestart", (controller) => this.take(controller));
        on("selectend", (controller) => this.release(controller));
        on("squeezeend", (controller) => this.release(controller));
        session.addEventListener("end", () => this.ended());
    }

    private ended(): void {
        this.session = null;
        this.head = null;
        this.lesson = this.ride = null;
        this.panel.mesh.visible = this.arc.group.visible = false;
        this.controllers.forEach((controller) => this.forget(controller));
        this.renderer.setAnimationLoop(null);
        this.renderer.xr.enabled = false;
        this.scene.left();
    }

    // Takes what the controller points at, or is in; what another one has it takes too.
    private take(controller: Controller): void {
        const { pose, hand } = controller;
        if (pose === null || controller.body !== null) {
            return;
        }
        const direction = rotate(pose.rotation, vec3(0, 0, -1));
        const body = pick({ origin: pose.position, direction }, this.scene.targets())?.thing;
        if (body === undefined) {
            return;
        }
        this.scene.select(body);
        const first = [...this.controllers.values()].find((other) => other.hand.body === body);
        if (first !== undefined) {
            if (first.pose !== null && this.helperOf(first) === undefined) {
                controller.helps = first;
                controller.haptics.clear();
                first.hand.drag?.join(first.pose, pose);
            }
        } else if (body.isMovable) {
            controller.haptics.clear();
            void hand.grab(body, new Grip(pose, body.pose));
        }
    }

    private helperOf(first: Controller): Controller | undefined {
        return [...this.controllers.values()].find(({ helps }) => helps === first);
    }

    // Lets go. A body in two hands stays in the other one.
    private release(controller: Controller): void {
        const helper = this.helperOf(controller);
        if (controller.helps !== null) {
            const first = controller.helps;
            controller.helps = null;
            leaveIn(first);
        } else if (helper !== undefined) {
            helper.helps = null;
            [helper.hand, controller.hand] = [controller.hand, helper.hand];
            leaveIn(helper);
        } else {
            controller.hand.drop();
        }
    }

    private frame(now: number, frame: XRFrame | null): void {
        const space = this.renderer.xr.getReferenceSpace();
        if (frame !== null && space !== null) {
            this.follow(frame, space);
            const viewer = frame.getViewerPose(space);
            if (viewer !== undefined && viewer !== null) {
                this.go(now, poseOf(viewer));
                this.teach(now, poseOf(viewer));
            }
        }
        this.lastFrame = now;
        for (const controller of this.controllers.values()) {
            this.move(controller, now);
        }
        this.scene.frame(now);
    }

    // Controllers that came, went and moved.
    private follow(frame: XRFrame, space: XRReferenceSpace): void {
        const sources = new Set(frame.session.inputSources);
        for (const controller of this.controllers.values()) {
            if (!sources.has(controller.source)) {
                this.forget(controller);
            }
        }
        for (const source of sources) {
            if (source.targetRayMode !== "tracked-pointer") {
                continue;
            }
            let controller = this.controllers.get(source);
            if (controller === undefined) {
                controller = new Controller(source, this.scene);
                this.controllers.set(source, controller);
                this.rig.add(controller.ray);
            }
            const pose = frame.getPose(source.targetRaySpace, space);
            controller.ray.visible = pose !== undefined && pose !== null;
            // One that is lost for a moment holds still what it holds.
            if (pose !== undefined && pose !== null) {
                const { rotation: q, position: p } = poseOf(pose);
                controller.ray.position.set(p.x, p.y, p.z);
                controller.ray.quaternion.set(q.x, q.y, q.z, q.w);
                controller.pose = compose(this.floor, poseOf(pose));
            }
        }
    }

    private move(controller: Controller, now: number): void {
        const { pose, hand, haptics, source } = controller;
        const second = this.helperOf(controller)?.pose ?? null;
        if (pose !== null && hand.drag !== null) {
            hand.move(second === null ? hand.drag.follow(pose) : hand.drag.followBoth(pose, second));
        }
        hand.update(now);
        // A hand that was refused, or whose line was lost, takes its helper along.
        if (controller.helps?.hand.body === null) {
            controller.helps = null;
        }
        const { body } = controller;
        const isHolding = (controller.helps ?? controller).hand.state === "holding" && body !== null;
        const pulse = haptics.update(isHolding && isTouching(this.scene.mirror.pairs, body.index1), now);
        if (isHolding && pulse !== null && this.scene.mayVibrate()) {
            vibrate(source, pulse);
            this.pulses++;
            this.lastPulse = pulse;
        }
    }

    // Sticks take the person somewhere else; `eyes` are those of the person in the room.
    private go(now: number, eyes: Pose): void {
        const seconds = Math.min(0.1, Math.max(0, (now - this.lastFrame) / 1000));
        this.head = compose(this.floor, eyes);
        for (const controller of this.controllers.values()) {
            const [x, y] = [controller.source.gamepad?.axes[2] ?? 0, controller.source.gamepad?.axes[3] ?? 0];
            if (controller.isWalking) {
                this.walk(seconds, x, y);
            } else {
                this.teleport(controller, -y);
            }
        }
        if (this.ride !== null) {
            this.floor = { ...this.floor, position: this.ride.at(now) };
            this.ride = this.ride.isOver(now) ? null : this.ride;
        }
        this.head = compose(this.floor, eyes);
        const aiming = [...this.controllers.values()].find(({ aim }) => aim.arc !== null);
        this.arc.show(aiming?.aim.arc ?? null, this.floor);
    }

    // Along the ground, where the head looks.
    private walk(seconds: number, x: number, y: number): void {
        if (Math.hypot(x, y) < deadStick || this.head === null || this.ride !== null) {
            return;
        }
        const look = rotate(this.head.rotation, vec3(0, 0, -1));
        const size = Math.hypot(look.x, look.z) || 1;
        const ahead = vec3(look.x / size, 0, look.z / size);
        const right = vec3(-ahead.z, 0, ahead.x);
        const step = add(times(ahead, -y * walkSpeed * seconds), times(right, x * walkSpeed * seconds));
        this.floor = { ...this.floor, position: add(this.floor.position, step) };
    }

    // The head comes to stand over the end of the arc, on the ground.
    private teleport({ pose, aim }: Controller, forward: number): void {
        if (pose === null || this.head === null) {
            aim.stop();
            return;
        }
        const ground = this.scene.ground();
        const target = aim.update(forward, pose.position, rotate(pose.rotation, vec3(0, 0, -1)), ground);
        if (target !== null) {
            const away = subtract(target, this.head.position);
            const { x, z } = this.floor.position;
            const to = vec3(x + away.x, ground, z + away.z);
            this.ride = wantsStillness() ? null : new Ride(this.floor.position, to);
            this.floor = this.ride === null ? { ...this.floor, position: to } : this.floor;
        }
    }

    // The lesson goes on; its panel comes before the eyes with every step.
    private teach(now: number, eyes: Pose): void {
        const { lesson } = this;
        if (lesson === null || lesson.step === null) {
            return;
        }
        const controllers = [...this.controllers.values()];
        const isHolding = controllers.some(({ hand }) => hand.state === "holding");
        const isSkipped = controllers.some(({ isSkipping }) => isSkipping);
        const hasChanged = lesson.update({ head: eyes.rotation, isHolding, isSkipped }, now);
        if (hasChanged || !this.panel.mesh.visible) {
            this.panel.show(lesson.text, eyes);
        }
    }

    private forget(controller: Controller): void {
        this.release(controller);
        this.rig.remove(controller.ray);
        controller.dispose();
        this.controllers.delete(controller.source);
    }
}

// The body stays in one of two hands.
function leaveIn({ pose, hand }: Controller): void {
    if (pose !== null) {
        hand.drag?.leave(pose);
    }
}

interface Actuator {
    pulse?: (strength: number, ms: number) => unknown;
}

// By what the controller has for it; many have nothing.
function vibrate({ gamepad }: XRInputSource, { strength, ms }: Pulse): void {
    const { hapticActuators, vibrationActuator } = (gamepad ?? {}) as {
        hapticActuators?: readonly Actuator[];
        vibrationActuator?: Actuator;
    };
    void (hapticActuators?.[0] ?? vibrationActuator)?.pulse?.(strength, ms);
}
