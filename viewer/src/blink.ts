// Faces that collide, drawn whole where the user chose so, blink: bright and dark about twice a second, or steadily bright where the system asks for no
// motion. What lies behind other faces shines through faintly, so that no collision is hidden. Faces that passed
// through one another between two states shine for as long as their first contact is marked.
import { Color, DoubleSide, GreaterDepth, Group, ShaderMaterial } from "three";
import { FaceList, FaceMesh } from "./face";
import type { Body, Mirror } from "./mirror";
import { PairFlags, WirePair } from "./protocol";
import type { Mark } from "./timeline";
import type { Vec3 } from "./vector";

export const blinkMs = 500;
const steadyPhase = 0.12; // between dark and bright

const vertexShader = `
    varying vec3 corner;
    void main() {
        int k = gl_VertexID % 3;
        corner = vec3(k == 0, k == 1, k == 2);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`;

const fragmentShader = `
    uniform vec3 dim, bright;
    uniform float phase, opacity;
    varying vec3 corner;
    void main() {
        vec3 width = fwidth(corner) * 1.2;
        vec3 inside = smoothstep(vec3(0.0), width, corner);
        float edge = 1.0 - min(min(inside.x, inside.y), inside.z);
        vec3 color = mix(dim, bright, phase);
        gl_FragColor = vec4(mix(color, bright, edge * 0.5), opacity);
        #include <colorspace_fragment>
    }`;

export function faceMaterial(opacity: number): ShaderMaterial {
    return new ShaderMaterial({
        vertexShader,
        fragmentShader,
        transparent: opacity < 1,
        depthWrite: opacity === 1,
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -4,
        uniforms: {
            dim: { value: new Color() },
            bright: { value: new Color() },
            phase: { value: 1 },
            opacity: { value: opacity },
        },
    });
}

export class Blink {
    readonly group = new Group();
    count = 0; // triangles that are drawn as colliding
    passedCount = 0; // triangles that are drawn as passed
    private readonly colliding = new FaceList();
    private readonly close = new FaceList();
    private readonly passed = new FaceList();
    private readonly front = new FaceMesh(faceMaterial(1));
    private readonly hidden = new FaceMesh(faceMaterial(0.16));
    private readonly margin = new FaceMesh(faceMaterial(1));
    private readonly trace = new FaceMesh(faceMaterial(0.6));

    constructor() {
        (this.hidden.mesh.material as ShaderMaterial).depthFunc = GreaterDepth;
        this.hidden.mesh.renderOrder = 2;
        this.group.add(this.front.mesh, this.hidden.mesh, this.margin.mesh, this.trace.mesh);
    }

    // What collides has the colour of highlights, between a darker and a lighter one where it blinks.
    setColors(highlight: number, near: number): void {
        const [dark, light] = [new Color(highlight).multiplyScalar(0.55), new Color(highlight).lerp(new Color(0xffffff), 0.45)];
        const same = new Color(highlight);
        const colors = [
            [this.front, dark, light],
            [this.hidden, dark, light],
            [this.margin, new Color(near), new Color(near)],
            [this.trace, same, same],
        ] as const;
        for (const [{ mesh }, dim, bright] of colors) {
            const { uniforms } = mesh.material as ShaderMaterial;
            (uniforms["dim"]!.value as Color).copy(dim);
            (uniforms["bright"]!.value as Color).copy(bright);
        }
    }

    // Takes the pairs of the newest state, if their faces are shown, what passed lately, and where the bodies are now.
    update(mirror: Mirror, isShown: boolean, marks: readonly Mark[], origin: Vec3): void {
        const touched = new Map<Body, Set<number>>();
        const approached = new Map<Body, Set<number>>();
        const pairs = isShown ? mirror.pairs : [];
        for (let at = 0; at < pairs.length; at += WirePair.size) {
            const sets = (pairs[at + WirePair.flags]! & PairFlags.near) !== 0 ? approached : touched;
            note(sets, mirror.bodies.get(pairs[at + WirePair.a]!), pairs[at + WirePair.triangleA]!);
            note(sets, mirror.bodies.get(pairs[at + WirePair.b]!), pairs[at + WirePair.triangleB]!);
        }
        fill(this.colliding, touched, mirror, origin);
        fill(this.close, approached, mirror, origin);
        const passed = new Map<Body, Set<number>>();
        for (const face of marks.flatMap((mark) => mark.passed)) {
            note(passed, mirror.bodies.get(face.index1), face.triangle);
        }
        fill(this.passed, passed, mirror, origin);
        this.trace.show(this.passed);
        this.passedCount = this.passed.count;
        this.front.show(this.colliding);
        this.hidden.show(this.colliding);
        this.margin.show(this.close);
        this.count = this.colliding.count;
    }

    // Sets how bright they are at a time of the page; always the same where nothing may move. All pages of a machine blink
    // together, as walls of one room must.
    setTime(ms: number, still: boolean): void {
        const turn = ((performance.timeOrigin + ms) % blinkMs) / blinkMs;
        const phase = still ? steadyPhase : 0.5 + 0.5 * Math.cos(2 * Math.PI * turn);
        for (const { mesh } of [this.front, this.hidden]) {
            (mesh.material as ShaderMaterial).uniforms["phase"]!.value = phase;
        }
    }
}

function note(sets: Map<Body, Set<number>>, body: Body | undefined, triangle: number): void {
    if (body?.isShown !== true) {
        return;
    }
    const set = sets.get(body);
    if (set === undefined) {
        sets.set(body, new Set([triangle]));
    } else {
        set.add(triangle);
    }
}

function fill(list: FaceList, sets: Map<Body, Set<number>>, mirror: Mirror, origin: Vec3): void {
    list.clear();
    for (const [body, triangles] of sets) {
        list.add(body, triangles, mirror, origin);
    }
}
