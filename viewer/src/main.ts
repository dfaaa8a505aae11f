// The page begins here.
import { App } from "./app";
import { byId } from "./element";
import { collectErrors, type Hook } from "./hook";
import { PagePoints } from "./page_points";
import { viewOf } from "./wall";
import { showCube } from "./wall_page";
import "./token.css";

const hook: Hook = {
    frame: 0,
    sequence: 0,
    shown: 0,
    tick: 0,
    jitter: 0,
    period: 0,
    delay: 0,
    paused: false,
    mode: "orbit",
    connected: false,
    loaded: false,
    pairs: 0,
    blinking: 0,
    crossings: 0,
    passed: 0,
    draws: 0,
    past: false,
    contacts: 0,
    pictures: 0,
    firstContacts: 0,
    immersive: false,
    lesson: "",
    pulses: 0,
    pulse: 0,
    handSounds: 0,
    held: null,
    ghost: false,
    messages: [],
    errors: collectErrors(),
    received: () => 0,
    objects: () => [],
    timeline: () => [],
    layers: () => [],
    aimed: () => null,
    floor: () => ({ rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 }),
    vertices: () => null,
    sounds: () => [],
    project: () => null,
    place: () => null,
    grip: () => null,
    scene: "",
    measured: () => null,
    framing: () => ({ free: { left: 0, top: 0, right: 0, bottom: 0 }, covered: 0, filled: 0 }),
    at: () => null,
    drawn: () => new Promise(() => undefined),
};
window.fureai = hook;

const search = new URLSearchParams(window.location.search);
try {
    if (search.get("wall") === "cube") {
        showCube(search);
    } else {
        begin();
    }
} catch (error) {
    // Most likely there is no WebGL here.
    const message = error instanceof Error ? error.message : String(error);
    hook.errors.push(message);
    const line = byId("line");
    line.className = "waiting";
    line.textContent = `This page cannot draw here: ${message}`;
}

function begin(): void {
    const app = new App(byId("stage") as HTMLCanvasElement, hook, viewOf(search));
    hook.received = () => app.playout.newest;
    hook.objects = () =>
        [...app.mirror.bodies.values()].map(({ name, index1, pose, hold }) => ({
            name,
            index1,
            position: pose.position,
            rotation: pose.rotation,
            hold,
        }));
    hook.timeline = () =>
        app.timeline.rows.flatMap((row) =>
            row.bars.map((bar) => ({
                a: row.titleA,
                b: row.titleB,
                begin: bar.begin,
                end: bar.end,
                faces: app.timeline.countSpans(row, bar),
            })),
        );
    hook.layers = () => [...app.mirror.layers.values()].map(({ name, isShown }) => ({ name, shown: isShown }));
    hook.aimed = () => app.immersion.aimed;
    hook.floor = () => app.immersion.floor;
    hook.vertices = (name) => {
        const body = app.mirror.findByName(name);
        const mesh = body === undefined ? undefined : app.mirror.meshes.get(body.parts[0]?.mesh ?? 0);
        const isDeformed = body !== undefined && (body.vertices !== null || body.bones !== null);
        return isDeformed && mesh !== undefined ? [...body.positionsOf(0, mesh).subarray(0, 3)] : null;
    };
    hook.sounds = () => app.sounds.states();
    const seen = new PagePoints(app.camera, app.mirror, app.picture);
    hook.project = (name) => seen.project(name);
    hook.place = (name, point) => seen.place(name, point);
    hook.grip = (name) => seen.grip(name);
    hook.framing = () => app.framing();
    hook.measured = () => app.measure.measured;
    hook.at = (x, y) => seen.at({ x, y });
    hook.drawn = (sequence) => app.waiters.wait(sequence, app.drawnSequence);
    app.start();
}
