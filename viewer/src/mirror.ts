// A copy of what the server published: meshes, bodies, colliding pairs, contacts, events, layers. No sockets, no
// drawing. It records what changed since the last frame, so that a frame redoes only that.
import { Blended } from "./blend";
import { Bones, readBodies, turnAt, viewOf, type PackedBody } from "./bones";
import { Glide, mixPoses, periodOf, type Near } from "./glide";
import { Lead } from "./lead";
import { boundsOf, Mesh, type Bounds } from "./mesh";
import { EventKind, Hold, ObjectFlags, StateFlags } from "./protocol";
import type * as wire from "./protocol";
import type { Skin } from "./skin";
import type { Pose } from "./vector";

const maxEvents = 100;

// Kinds that come tick after tick, or many at once.
const { contact, slide, pull, force, corrected } = EventKind;
const lastingKinds = new Set<number>([contact, slide, pull, force, corrected]);

export class Body {
    hold: number = Hold.free;
    lease: { client: number; name: string } | null = null;
    isShown: boolean;
    isDimmed = false; // steps back behind what is looked at
    readonly states = new Map<string, number>();
    vertices: Float32Array | null = null; // of one that is deformed vertex by vertex, part after part
    bones: Bones | null = null; // null: none came
    glide: Glide | null = null; // of one that is far, on its way to where it was last said to be
    verticesVersion = 0; // grows when vertices or bones moved
    private firstVertex: number[] = [];
    private readonly blended = new Map<number, Blended>(); // of each part
    private readonly bounds = new Map<number, { version: number; bounds: Bounds }>();

    constructor(
        readonly index1: number,
        readonly generation: number,
        readonly name: string,
        readonly color: wire.WireColor,
        readonly flags: number,
        readonly parts: readonly wire.WirePart[],
        public pose: Pose,
        readonly isPlain = false, // shown in its colour alone, whatever its meshes look like
    ) {
        this.isShown = (flags & ObjectFlags.proxy) === 0;
    }

    get ref(): wire.WireRef {
        return { index1: this.index1, generation: this.generation };
    }

    get title(): string {
        return this.name === "" ? `object ${this.index1}` : this.name;
    }

    get isStatic(): boolean {
        return (this.flags & ObjectFlags.static) !== 0;
    }

    get isMovable(): boolean {
        return (this.flags & (ObjectFlags.static | ObjectFlags.real)) === 0;
    }

    // Which part a triangle of the object belongs to; null while its mesh is not here, or where there is none.
    partOf(triangle: number, mirror: Mirror): { part: number; first: number; mesh: Mesh } | null {
        let first = 0;
        for (let part = 0; part < this.parts.length; part++) {
            const mesh = mirror.meshes.get(this.parts[part]!.mesh);
            if (mesh === undefined) {
                return null;
            }
            if (triangle < first + mesh.triangleCount) {
                return mesh.isComplete ? { part, first, mesh } : null;
            }
            first += mesh.triangleCount;
        }
        return null;
    }

    // The bones that the vertices of a mesh of it follow; null: none.
    bonesOf(mesh: Mesh): Bones | null {
        return this.bones?.count === mesh.skin?.boneCount ? this.bones : null;
    }

    private blendedOf(part: number, mesh: Mesh): Blended {
        let blended = this.blended.get(part);
        if (blended === undefined) {
            blended = new Blended(mesh.skin!, mesh.positions);
            this.blended.set(part, blended);
        }
        return blended;
    }

    // Vertices of a part: the mesh's own, or what they were deformed to.
    positionsOf(part: number, mesh: Mesh): Float32Array {
        const bones = this.bonesOf(mesh);
        if (bones !== null) {
            return this.blendedOf(part, mesh).all(bones);
        }
        const first = this.firstVertex[part];
        if (this.vertices === null || first === undefined) {
            return mesh.positions;
        }
        return this.vertices.subarray(3 * first, 3 * (first + mesh.vertexCount));
    }

    // The same, in which only the corners of such triangles of the part are looked at.
    cornersOf(part: number, mesh: Mesh, triangles: Iterable<number>): Float32Array {
        const bones = this.bonesOf(mesh);
        return bones === null
            ? this.positionsOf(part, mesh)
            : this.blendedOf(part, mesh).some(bones, mesh.triangles, triangles);
    }

    // Bounds of a part's vertices, cheap for many bodies: those of one with bones are not the smallest.
    boundsOf(part: number, mesh: Mesh): Bounds {
        const bones = this.bonesOf(mesh);
        if (bones !== null) {
            return this.blendedOf(part, mesh).bounds(bones);
        }
        if (this.vertices === null) {
            return mesh.bounds;
        }
        const known = this.bounds.get(part);
        if (known?.version === this.verticesVersion) {
            return known.bounds;
        }
        const bounds = boundsOf(this.positionsOf(part, mesh));
        this.bounds.set(part, { version: this.verticesVersion, bounds });
        return bounds;
    }

    // Takes a piece of deformed vertices, counted over the parts; the others stay where they were. True for the first.
    deform(first: number, xyz: Float32Array, mirror: Mirror): boolean {
        const isNew = this.vertices === null;
        this.vertices ??= this.ownVertices(mirror);
        if (3 * first + xyz.length > this.vertices.length) {
            throw new Error(`${this.title}: vertices beyond its last`);
        }
        this.vertices.set(xyz, 3 * first);
        this.verticesVersion++;
        return isNew;
    }

    // Goes to a pose, at once or bit by bit from the state of a sequence on.
    moveTo(pose: Pose, sequence: number, period: number): void {
        this.glide = period > 1 ? new Glide(this.pose, pose, sequence, period) : null;
        this.pose = this.glide === null ? pose : mixPoses(this.pose, pose, this.glide.shareAt(sequence));
    }

    // Goes on to where it is shown with a state. True while it is on its way.
    goOn(sequence: number): boolean {
        if (this.glide === null) {
            return false;
        }
        const share = this.glide.shareAt(sequence);
        this.pose = share < 1 ? mixPoses(this.glide.from, this.glide.to, share) : this.glide.to;
        if (this.bones?.mix(share) === true) {
            this.verticesVersion++;
        }
        return share < 1;
    }

    // Takes what changed of its bones. True for the first.
    moveBones(view: DataView, packed: PackedBody, mirror: Mirror): boolean {
        const version = this.bones?.version;
        if (this.bones !== null) {
            this.bones.take(view, packed, this.glide?.shareAt(mirror.sequence) ?? 1);
        } else {
            const skinned = this.parts.map((part) => mirror.meshes.get(part.mesh)).find((mesh) => mesh?.skin != null);
            this.bones = skinned?.isComplete === true ? Bones.begin(skinned.skin!, view, packed) : null;
        }
        if (this.bones?.version !== version) {
            this.verticesVersion++;
        }
        return version === undefined && this.bones !== null;
    }

    // What its vertices follow: its bones in the frames of their parents, or its own deformed vertices; null: neither.
    get shape(): Float64Array | Float32Array | null {
        return this.bones?.numbers ?? this.vertices;
    }

    // Takes a shape that it had.
    reshape(numbers: Float64Array | Float32Array): void {
        if (this.bones !== null) {
            this.bones.setNumbers(numbers);
        } else {
            this.vertices?.set(numbers);
        }
        this.verticesVersion++;
    }

    private ownVertices(mirror: Mirror): Float32Array {
        const meshes = this.parts.map((part) => mirror.mesh(part.mesh));
        this.firstVertex = [];
        let total = 0;
        for (const mesh of meshes) {
            this.firstVertex.push(total);
            total += mesh.vertexCount;
        }
        const vertices = new Float32Array(3 * total);
        meshes.forEach((mesh, part) => vertices.set(mesh.positions, 3 * this.firstVertex[part]!));
        return vertices;
    }
}

export interface Layer {
    id: number;
    name: string;
    drawing: wire.DrawMessage;
    isShown: boolean;
}

// What changed since the last frame.
export class Changes {
    scene = true; // another server or scene
    bodies = true; // added, removed, hidden, shown; or a mesh is complete
    readonly poses = new Set<Body>();
    readonly holds = new Set<Body>();
    state = true;
    pairs = true;
    contacts = true;
    events = true;
    stats = true;
    readonly layers = new Set<number>();
    layerList = true;
    gallery = true;
    models = true;
}

export class Mirror {
    welcome: wire.WelcomeMessage | null = null;
    scene = "";
    step = 0;
    gallery: wire.GalleryMessage = { type: "gallery", demos: [], current: "" };
    view: wire.ViewMessage | null = null; // where the scene is to be looked at from
    models: wire.ModelsMessage = { type: "models", may: 0, maxBytes: 0, models: [] };
    readonly meshes = new Map<number, Mesh>();
    readonly materials = new Map<number, wire.MaterialMessage>();
    readonly pictures = new Map<number, wire.PictureMessage>();
    readonly bodies = new Map<number, Body>();
    readonly layers = new Map<number, Layer>();
    private readonly hiddenLayers = new Set<string>();
    sequence = 0;
    tick = 0;
    time = 0;
    isPaused = false;
    isPartial = false;
    pairs: Uint32Array = new Uint32Array(0); // packed, see WirePair
    pairTotal = 0;
    contacts: readonly wire.WireContact[] = [];
    contactTotal = 0;
    stats: wire.StatsMessage | null = null;
    events: wire.WireEvent[] = [];
    changes = new Changes();
    near: Near = { point: { x: 0, y: 0, z: 0 }, distance: 0 }; // what the server was asked for
    private readonly gliding = new Set<Body>();
    readonly lead = new Lead(this); // between two states

    // Bodies on their way to where they were last said to be.
    get gliders(): Iterable<Body> {
        return this.gliding;
    }

    takeChanges(): Changes {
        const changes = this.changes;
        this.changes = new Changes();
        const clean = this.changes;
        clean.scene = clean.bodies = clean.state = clean.pairs = clean.contacts = false;
        clean.events = clean.stats = clean.layerList = clean.gallery = clean.models = false;
        return changes;
    }

    mesh(id: number): Mesh {
        const mesh = this.meshes.get(id);
        if (mesh === undefined) {
            throw new Error(`mesh ${id} was not announced`);
        }
        return mesh;
    }

    // Whether anything moves, or may: not where all stands for good, as the parts of an assembly do.
    get mayMove(): boolean {
        for (const { isStatic } of this.bodies.values()) {
            if (!isStatic) {
                return true;
            }
        }
        return false;
    }

    // The body of a reference; undefined when it was removed.
    find(ref: wire.WireRef): Body | undefined {
        const body = this.bodies.get(ref.index1);
        return body?.generation === ref.generation ? body : undefined;
    }

    findByName(name: string): Body | undefined {
        for (const body of this.bodies.values()) {
            if (body.name === name) {
                return body;
            }
        }
        return undefined;
    }

    // How much of the meshes is here, 0 .. 1.
    get progress(): number {
        let have = 0;
        let total = 0;
        for (const mesh of this.meshes.values()) {
            const part = mesh.progress;
            have += part.have;
            total += part.total;
        }
        return total === 0 ? 1 : have / total;
    }

    // All of the scene is here, and where it is: the first state comes after every object, with the bones of figures.
    get isWhole(): boolean {
        return this.bodies.size > 0 && this.sequence > 0 && this.progress === 1;
    }

    show(body: Body, isShown: boolean): void {
        body.isShown = isShown;
        this.changes.bodies = true;
        this.changes.pairs = true;
    }

    // All bodies but some step back; null: none does.
    dimAllBut(clear: ReadonlySet<Body> | null): void {
        for (const body of this.bodies.values()) {
            const isDimmed = clear !== null && !clear.has(body);
            this.changes.bodies ||= body.isDimmed !== isDimmed;
            body.isDimmed = isDimmed;
        }
    }

    showLayer(layer: Layer, isShown: boolean): void {
        layer.isShown = isShown;
        if (isShown) {
            this.hiddenLayers.delete(layer.name);
        } else {
            this.hiddenLayers.add(layer.name);
        }
        this.changes.layers.add(layer.id);
    }

    apply(message: wire.ServerMessage): void {
        switch (message.type) {
            case "welcome":
                this.welcome = message;
                this.reset(message.scene, message.step);
                break;
            case "reset":
                this.reset(message.scene, message.step);
                break;
            case "gallery":
                this.gallery = message;
                this.changes.gallery = true;
                break;
            case "view":
                this.view = message;
                break;
            case "models":
                this.models = message;
                this.changes.models = true;
                break;
            case "mesh":
                this.addMesh(message);
                break;
            case "meshVertices":
                this.mesh(message.mesh).addVertices(message.first, message.xyz);
                this.noteMesh(message.mesh);
                break;
            case "meshTriangles":
                this.mesh(message.mesh).addTriangles(message.first, message.corners);
                this.noteMesh(message.mesh);
                break;
            case "meshFaces":
                this.mesh(message.mesh).addFaces(message.first, message.faces);
                this.noteMesh(message.mesh);
                break;
            case "meshBones":
                this.skin(message.mesh).addBones(message.first, message.parents, message.inverseBinds);
                this.noteMesh(message.mesh);
                break;
            case "meshWeights":
                this.skin(message.mesh).addWeights(message.first, message.bones, message.weights);
                this.noteMesh(message.mesh);
                break;
            case "bones":
                this.applyBones(message);
                break;
            case "meshLook":
                this.mesh(message.mesh).addLook(message.first, message.materials, message.uvs, message.rgba, message.normals);
                this.noteMesh(message.mesh);
                break;
            case "material":
                this.materials.set(message.material, message);
                this.changes.bodies = true;
                break;
            case "picture":
                this.pictures.set(message.picture, message);
                this.changes.bodies = true;
                break;
            case "object":
                this.addBody(message);
                break;
            case "gone":
                this.removeBody(message.object);
                break;
            case "vertices":
                this.deform(message);
                break;
            case "state":
                this.applyState(message);
                break;
            case "pairs":
                this.pairs = message.pairs;
                this.pairTotal = message.total;
                this.changes.pairs = true;
                break;
            case "contacts":
                this.contacts = message.contacts;
                this.contactTotal = message.total;
                this.changes.contacts = true;
                break;
            case "events":
                message.events.forEach((event) => this.addEvent(event));
                break;
            case "stats":
                this.stats = message;
                this.changes.stats = true;
                break;
            case "lease":
                this.applyLease(message);
                break;
            case "draw":
                this.applyLayer(message);
                break;
            case "faceTouches":
                break; // the time line stores them
            case "clashes":
            case "clashNote":
                break; // the list of clashes stores them
            case "service":
                break; // the gate of roles stores it
            case "record":
            case "recordTouches":
                break; // the playback and the time line store them
            case "sound":
            case "soundPlace":
                break; // Sounds stores these
            case "aid":
            case "moved":
                break; // the predictions store these
            case "affordances":
            case "ended":
            case "peopleList":
            case "postureFile":
            case "refused":
            case "stockList":
                break; // Commands stores these
            case "reply":
            case "error":
            case "pong":
                break; // the connection gives replies to their callers
        }
    }

    private reset(scene: string, step: number): void {
        this.view = null;
        this.scene = scene;
        this.step = step;
        this.meshes.clear();
        this.materials.clear();
        this.pictures.clear();
        this.bodies.clear();
        this.gliding.clear();
        this.layers.clear();
        this.sequence = this.tick = this.time = 0;
        this.pairs = new Uint32Array(0);
        this.contacts = [];
        this.pairTotal = this.contactTotal = 0;
        this.stats = null;
        this.events = [];
        this.changes = new Changes();
    }

    private addMesh(message: wire.MeshMessage): void {
        const { mesh, vertexCount, triangleCount, faceCount, material, look } = message;
        this.meshes.set(mesh, new Mesh(mesh, vertexCount, triangleCount, faceCount, material, look, message));
    }

    private skin(mesh: number): Skin {
        const skin = this.mesh(mesh).skin;
        if (skin === null) {
            throw new Error(`mesh ${mesh} has no skin`);
        }
        return skin;
    }

    // What names a body that is not known, or whose skin is not whole, is passed over.
    private applyBones(message: wire.BonesMessage): void {
        const view = viewOf(message.data);
        for (const packed of readBodies(view)) {
            const body = this.bodies.get(packed.index1);
            if (body === undefined) {
                continue;
            }
            const rotation = turnAt(view, packed.at);
            this.move(body, { rotation, position: packed.position, scale: (body.glide?.to ?? body.pose).scale });
            if (body.moveBones(view, packed, this)) {
                this.changes.bodies = true;
            }
            this.changes.poses.add(body);
        }
    }

    private noteMesh(id: number): void {
        if (this.mesh(id).isComplete) {
            this.changes.bodies = true;
            this.changes.pairs = true;
        }
    }

    private addBody(message: wire.ObjectMessage): void {
        const { object, name, color, flags, parts, pose } = message;
        const { index1, generation } = object;
        this.bodies.set(index1, new Body(index1, generation, name, color, flags, parts, pose, message.isPlain !== 0));
        this.changes.bodies = true;
    }

    private removeBody(ref: wire.WireRef): void {
        if (this.find(ref) !== undefined) {
            this.gliding.delete(this.bodies.get(ref.index1)!);
            this.bodies.delete(ref.index1);
            this.changes.bodies = true;
            this.changes.pairs = true;
        }
    }

    private deform(message: wire.VerticesMessage): void {
        const body = this.find(message.object);
        if (body === undefined) {
            return;
        }
        if (body.deform(message.first, message.xyz, this)) {
            this.changes.bodies = true;
        }
        this.changes.poses.add(body);
    }

    private applyState(message: wire.StateMessage): void {
        this.changes.bodies ||= this.sequence === 0; // they may be whole now
        this.sequence = message.sequence;
        this.tick = message.tick;
        this.time = message.time;
        this.isPaused = (message.flags & StateFlags.paused) !== 0;
        this.isPartial = (message.flags & StateFlags.partial) !== 0;
        this.changes.state = true;
        this.goOn();
        if ((message.flags & StateFlags.complete) !== 0) {
            this.removeOthers(message.bodies);
        }
        for (const { object, hold, pose } of message.bodies) {
            const body = this.find(object);
            if (body === undefined) {
                continue;
            }
            if (body.hold !== hold) {
                body.hold = hold;
                this.changes.holds.add(body);
            }
            this.move(body, pose);
            this.changes.poses.add(body);
        }
    }

    // A body that is far, as the server goes by it, comes with fewer states and goes on between them. One that is held, and
    // one in a world that stands, is where it is said to be.
    private move(body: Body, pose: Pose): void {
        const isAtOnce = this.isPaused || body.hold !== Hold.free || this.near.distance === 0;
        body.moveTo(pose, this.sequence, isAtOnce ? 1 : periodOf(this.near, pose.position));
        if (body.glide !== null) {
            this.gliding.add(body);
        }
    }

    private goOn(): void {
        for (const body of this.gliding) {
            if (!body.goOn(this.isPaused ? Infinity : this.sequence)) {
                body.glide = null;
                this.gliding.delete(body);
            }
            this.changes.poses.add(body);
        }
    }

    // Bodies that a complete state does not list were removed.
    private removeOthers(listed: readonly wire.WireBody[]): void {
        const there = new Set(listed.map(({ object }) => this.find(object)));
        for (const body of this.bodies.values()) {
            if (!there.has(body)) {
                this.removeBody(body.ref);
            }
        }
    }

    private applyLease(message: wire.LeaseMessage): void {
        const body = this.find(message.object);
        if (body !== undefined) {
            body.lease = message.client === 0 ? null : { client: message.client, name: message.name };
            this.changes.holds.add(body);
        }
    }

    // The index of the last event of the same kind and objects, where only lasting events came since; -1: none.
    private findLasting({ kind, a, b }: wire.WireEvent): number {
        for (let i = this.events.length - 1; i >= 0 && lastingKinds.has(this.events[i]!.kind); i--) {
            const other = this.events[i]!;
            if (other.kind === kind && other.a.index1 === a.index1 && other.b.index1 === b.index1) {
                return i;
            }
        }
        return -1;
    }

    private applyLayer(message: wire.DrawMessage): void {
        const { layer: id, name } = message;
        const isEmpty = [
            message.lines,
            message.triangles,
            message.points,
            message.boxes,
            message.labels,
            message.images,
            message.faceColors,
        ].every((items) => items.length === 0);
        this.changes.layers.add(id);
        const known = this.layers.get(id);
        if (isEmpty) {
            const wasThere = this.layers.delete(id);
            this.changes.layerList ||= wasThere;
        } else if (known?.name === name) {
            known.drawing = message;
        } else {
            this.layers.set(id, { id, name, drawing: message, isShown: !this.hiddenLayers.has(name) });
            this.changes.layerList = true;
        }
    }

    // An event that lasts for many ticks is stored once and changes.
    private addEvent(event: wire.WireEvent): void {
        const before = lastingKinds.has(event.kind) ? this.findLasting(event) : -1;
        if (before >= 0) {
            const [old] = this.events.splice(before, 1);
            event = event.kind === contact && old!.speed > event.speed ? { ...event, speed: old!.speed } : event;
        }
        this.events.push(event);
        if (this.events.length > maxEvents) {
            this.events.shift();
        }
        this.changes.events = true;
        const body = this.find(event.a);
        if (event.kind === EventKind.state && body !== undefined) {
            if (event.second === 1) {
                body.states.delete(event.name);
            } else {
                body.states.set(event.name, event.value);
            }
            this.changes.holds.add(body);
        }
    }
}
