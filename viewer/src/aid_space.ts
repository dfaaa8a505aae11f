// The scene as the aid of a held object needs it, in the core module of WebAssembly: the library's own aid says where the
// object may go, before the server has. The module is loaded when something is taken for the first time; where there is
// none, or the scene is too large for it, nothing is predicted of what the aid helps.
import { host } from "./host";
import type { Body, Mirror } from "./mirror";
import { ObjectFlags, type AidMessage } from "./protocol";
import type { Solver } from "./prediction";
import type { Pose } from "./vector";

// Of the package for JavaScript (javascript/fureai.d.ts), what is needed here.
interface CorePose {
    position: number[];
    rotation: number[];
    scale: number;
}

interface CoreMesh {
    free(): void;
}

interface CoreAid {
    grasp(): void;
    frame(raw: CorePose, time: number): { pose: CorePose };
    free(): void;
}

interface CoreSpace {
    add(parts: { mesh: CoreMesh; pose: CorePose }[], options: CorePose & { isStatic: boolean }): number;
    remove(object: number): void;
    setPose(object: number, pose: CorePose): void;
    aid(object: number, settings: { magnet: number; blend: number; edges: number; axes: number }): CoreAid;
    free(): void;
}

export interface Core {
    mesh(vertices: Float32Array, triangles: Uint32Array, faces: Uint32Array): CoreMesh;
    space(): CoreSpace;
}

const maxTriangles = 300_000; // of a scene: more take too long to be cooked while a frame waits

const toCore = ({ position: p, rotation: r, scale }: Pose): CorePose => ({ position: [p.x, p.y, p.z], rotation: [r.w, r.x, r.y, r.z], scale });

function fromCore({ position, rotation, scale }: CorePose): Pose {
    const [x, y, z] = position as [number, number, number];
    const [w, i, j, k] = rotation as [number, number, number, number];
    return { position: { x, y, z }, rotation: { w, x: i, y: j, z: k }, scale };
}

// The core module; an error where there is none.
export async function loadCore(): Promise<Core> {
    const address = host().core;
    if (address === null) {
        throw new Error("this page has no module to predict by");
    }
    const module = (await import(/* @vite-ignore */ address)) as { load(): Promise<Core> };
    return module.load();
}

// Whether the aid knows an object: rigid and touched.
const isKnown = ({ flags, bones, vertices }: Body): boolean =>
    (flags & (ObjectFlags.sensor | ObjectFlags.ghost)) === 0 && bones === null && vertices === null;

interface Placed {
    readonly object: number;
    pose: Pose;
}

export class AidSpace {
    private readonly space: CoreSpace;
    private readonly meshes = new Map<number, CoreMesh>();
    private readonly placed = new Map<Body, Placed>();
    private readonly held = new Set<Body>();

    constructor(
        private readonly core: Core,
        private readonly mirror: Mirror,
    ) {
        this.space = core.space();
    }

    static isFor(mirror: Mirror): boolean {
        let triangles = 0;
        mirror.meshes.forEach(({ triangleCount }) => (triangles += triangleCount));
        return mirror.isWhole && triangles <= maxTriangles;
    }

    // All objects where they are said to be; those in the user's own hands stay where the aid has them.
    follow(newest: (body: Body) => Pose | null): void {
        const { mirror, placed, space } = this;
        for (const [body, { object }] of placed) {
            if (mirror.bodies.get(body.index1) !== body || !isKnown(body)) {
                space.remove(object);
                placed.delete(body);
            }
        }
        for (const body of mirror.bodies.values()) {
            const pose = newest(body) ?? body.pose;
            const known = placed.get(body);
            if (known === undefined) {
                this.place(body, pose);
            } else if (known.pose !== pose && !this.held.has(body)) {
                space.setPose(known.object, toCore(pose));
                known.pose = pose;
            }
        }
    }

    // The aid of a hand that holds a body; null: the aid does not know it.
    solver(body: Body, { magnet, blend, edges, axes }: AidMessage): Solver | null {
        const { space, held } = this;
        const known = this.placed.get(body);
        if (known === undefined) {
            return null;
        }
        let aid: CoreAid | null = null;
        let seconds = 0;
        const begin = (pose: Pose): void => {
            space.setPose(known.object, toCore(pose));
            known.pose = pose;
            if (aid === null) {
                aid = space.aid(known.object, { magnet, blend, edges, axes });
            } else {
                aid.grasp();
            }
        };
        held.add(body);
        return {
            begin,
            solve: (raw, passed) => {
                seconds += passed;
                const { scale } = known.pose; // a hand changes no size
                known.pose = fromCore(aid!.frame(toCore({ ...raw, scale }), seconds).pose);
                return known.pose;
            },
            end: () => {
                held.delete(body);
                aid?.free();
            },
        };
    }

    free(): void {
        this.space.free();
        this.meshes.forEach((mesh) => mesh.free());
    }

    private place(body: Body, pose: Pose): void {
        if (!isKnown(body) || body.parts.length === 0) {
            return;
        }
        const parts = body.parts.map((part) => ({ mesh: this.meshOf(part.mesh), pose: toCore(part.pose) }));
        const object = this.space.add(parts, { ...toCore(pose), isStatic: body.isStatic });
        this.placed.set(body, { object, pose });
    }

    private meshOf(id: number): CoreMesh {
        let mesh = this.meshes.get(id);
        if (mesh === undefined) {
            const { positions, triangles, faces } = this.mirror.mesh(id);
            mesh = this.core.mesh(positions, triangles, faces);
            this.meshes.set(id, mesh);
        }
        return mesh;
    }
}
