// Bodies with bones that are made up: a tube along y whose rings follow a chain of bones, as the server would send it.
import { turnAt, viewOf } from "../src/bones";
import type { ServerMessage } from "../src/protocol";
import { applyPose, compose, inverseTurn, multiply, rotate, turnAbout, vec3, type Pose, type Quat, type Vec3 } from "../src/vector";

export interface Figure {
    mesh: number;
    boneCount: number;
    influenceCount: number;
    isDual: boolean;
    rings: number;
    corners: number; // of a ring
    height: number;
    radius: number;
}

export const person: Figure = {
    mesh: 1,
    boneCount: 43,
    influenceCount: 4,
    isDual: false,
    rings: 60,
    corners: 8,
    height: 1.8,
    radius: 0.2,
};

// Numbers from 0 to 1, the same each time.
export function chance(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

const identity: Quat = { w: 1, x: 0, y: 0, z: 0 };
const here: Pose = { rotation: identity, position: vec3(0, 0, 0), scale: 1 };
const noParent = 0xffffffff;

// A bone in the frame of its parent, as the mesh was made: each is turned a little more about the tube.
export function restOf(figure: Figure, bone: number): Pose {
    const height = bone === 0 ? 0 : Math.fround(figure.height / figure.boneCount);
    return { rotation: turnAbout(vec3(0, 1, 0), bone === 0 ? 0 : 0.1), position: vec3(0, height, 0), scale: 1 };
}

export function vertexOf(figure: Figure, vertex: number): Vec3 {
    const ring = Math.floor(vertex / figure.corners);
    const angle = (2 * Math.PI * (vertex % figure.corners)) / figure.corners;
    const y = (figure.height * ring) / (figure.rings - 1);
    return vec3(figure.radius * Math.cos(angle), y, figure.radius * Math.sin(angle));
}

// Bones and weights of a vertex: those about its height, the nearest first.
function influencesOf(figure: Figure, vertex: number): { bones: number[]; weights: number[] } {
    const { y } = vertexOf(figure, vertex);
    const at = (y / figure.height) * (figure.boneCount - 1);
    const bones = Array.from({ length: figure.boneCount }, (_, bone) => bone)
        .sort((a, b) => Math.abs(a - at) - Math.abs(b - at))
        .slice(0, figure.influenceCount);
    while (bones.length < figure.influenceCount) {
        bones.push(0);
    }
    const strengths = bones.map((bone, i) => (i < figure.boneCount ? 1 / (0.5 + Math.abs(bone - at)) : 0));
    const total = strengths.reduce((sum, strength) => sum + strength, 0);
    return { bones, weights: strengths.map((strength) => Math.fround(strength / total)) };
}

// Rows of 4 that undo a pose.
function inverseRows(pose: Pose): number[] {
    const turn = inverseTurn(pose.rotation);
    const [x, y, z] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((axis) => rotate(turn, axis));
    const shift = rotate(turn, pose.position);
    return [x!.x, y!.x, z!.x, -shift.x, x!.y, y!.y, z!.y, -shift.y, x!.z, y!.z, z!.z, -shift.z];
}

export function placedBones(local: readonly Pose[]): Pose[] {
    const placed: Pose[] = [];
    local.forEach((pose, bone) => placed.push(bone === 0 ? pose : compose(placed[bone - 1]!, pose)));
    return placed;
}

const restBones = (figure: Figure): Pose[] => Array.from({ length: figure.boneCount }, (_, bone) => restOf(figure, bone));

// The mesh with its skin.
export function meshMessages(figure: Figure): ServerMessage[] {
    const { mesh, boneCount, influenceCount, rings, corners } = figure;
    const vertices = Array.from({ length: rings * corners }, (_, vertex) => vertex);
    const triangles: number[] = [];
    for (let ring = 0; ring + 1 < rings; ring++) {
        for (let corner = 0; corner < corners; corner++) {
            const [a, b] = [ring * corners + corner, ring * corners + ((corner + 1) % corners)];
            triangles.push(a, a + corners, b, b, a + corners, b + corners);
        }
    }
    const influences = vertices.map((vertex) => influencesOf(figure, vertex));
    const inverseBinds = placedBones(restBones(figure)).flatMap(inverseRows);
    const parents = Uint32Array.from({ length: boneCount }, (_, bone) => (bone === 0 ? noParent : bone - 1));
    const counts = { vertexCount: vertices.length, triangleCount: triangles.length / 3, faceCount: 0 };
    return [
        { type: "mesh", mesh, ...counts, material: 0, look: 0, boneCount, influenceCount, blend: figure.isDual ? 1 : 0 },
        {
            type: "meshVertices",
            mesh,
            first: 0,
            xyz: Float32Array.from(vertices.flatMap((vertex) => Object.values(vertexOf(figure, vertex)))),
        },
        { type: "meshTriangles", mesh, first: 0, corners: Uint32Array.from(triangles) },
        { type: "meshBones", mesh, first: 0, parents, inverseBinds: Float32Array.from(inverseBinds) },
        {
            type: "meshWeights",
            mesh,
            first: 0,
            bones: Uint32Array.from(influences.flatMap(({ bones }) => bones)),
            weights: Float32Array.from(influences.flatMap(({ weights }) => weights)),
        },
    ];
}

export function objectMessage(figure: Figure, index1: number, position: Vec3, color = { r: 200, g: 120, b: 60, a: 255 }): ServerMessage {
    return {
        type: "object",
        object: { index1, generation: 1 },
        name: `figure ${index1}`,
        color,
        flags: 0,
        isPlain: 0,
        parts: [{ mesh: figure.mesh, pose: here }],
        pose: { ...here, position },
    };
}

// Each bone bent a little, another way for another phase; turns as they come out of their 48 bits.
export function bentBones(figure: Figure, phase: number, angle = 0.1): Pose[] {
    return restBones(figure).map((rest, bone) => {
        const axis = vec3(Math.sin(phase + bone), 0, Math.cos(phase + bone));
        const turn = multiply(rest.rotation, turnAbout(axis, angle * Math.sin(phase + 0.3 * bone)));
        return { ...rest, rotation: turnAt(viewOf(Uint8Array.from(packTurn(turn))), 0) };
    });
}

const levels = 41285;
const middle = (levels - 1) / 2;

export function packTurn(q: Quat): number[] {
    const numbers = [q.w, q.x, q.y, q.z];
    const largest = numbers.reduce((best, value, i) => (Math.abs(value) > Math.abs(numbers[best]!) ? i : best), 0);
    let packed = largest;
    numbers.forEach((value, i) => {
        if (i !== largest) {
            // t (0.8 + 0.2 t^2) = the quotient, by halving.
            const quotient = value / numbers[largest]!;
            let [low, high] = [-1, 1];
            for (let k = 0; k < 60; k++) {
                const t = (low + high) / 2;
                [low, high] = t * (0.8 + 0.2 * t * t) < quotient ? [t, high] : [low, t];
            }
            packed = packed * levels + Math.round(low * middle + middle);
        }
    });
    return Array.from({ length: 6 }, (_, i) => Math.floor(packed / 256 ** i) % 256);
}

const maskOf = (count: number): number[] =>
    Array.from({ length: Math.ceil(count / 8) }, (_, i) => (count - 8 * i >= 8 ? 255 : 2 ** (count - 8 * i) - 1));

const doubles = (...values: number[]): number[] => [...new Uint8Array(Float64Array.from(values).buffer)];
const floats = (...values: number[]): number[] => [...new Uint8Array(Float32Array.from(values).buffer)];

export function wholeNumber(value: number): number[] {
    const bytes: number[] = [];
    for (; value >= 128; value = Math.floor(value / 128)) {
        bytes.push((value % 128) + 128);
    }
    return [...bytes, value];
}

// The bytes of a body: all turns, and all places where it is the first time.
export function bodyBytes(step: number, pose: Pose, local: readonly Pose[], isFirst: boolean): number[] {
    const turns = local.flatMap(({ rotation }) => packTurn(rotation));
    const places = local.flatMap(({ position: { x, y, z }, scale }) => floats(x, y, z, scale));
    const mask = maskOf(local.length);
    const data = [...packTurn(pose.rotation), ...mask, ...turns, ...(isFirst ? [...mask, ...places] : [])];
    const { x, y, z } = pose.position;
    return [...wholeNumber(step), ...doubles(x, y, z), ...wholeNumber(data.length), ...data];
}

export const bonesMessage = (sequence: number, bytes: readonly number[]): ServerMessage => ({
    type: "bones",
    sequence,
    data: Uint8Array.from(bytes),
});

// Where a vertex of a figure is in the body's frame, the plain way: linear, or by dual quaternions of rigid bones.
export function blendedVertex(figure: Figure, local: readonly Pose[], vertex: number): Vec3 {
    const { bones, weights } = influencesOf(figure, vertex);
    const rest = placedBones(restBones(figure));
    const placed = placedBones(local);
    const point = vertexOf(figure, vertex);
    // Where a bone takes what was made: the pose after undoing the rest.
    const moves = bones.map((bone): Pose => {
        const turn = multiply(placed[bone]!.rotation, inverseTurn(rest[bone]!.rotation));
        const scale = placed[bone]!.scale;
        const shift = rotate(turn, vec3(-scale * rest[bone]!.position.x, -scale * rest[bone]!.position.y, -scale * rest[bone]!.position.z));
        const { position } = placed[bone]!;
        return { rotation: turn, position: vec3(position.x + shift.x, position.y + shift.y, position.z + shift.z), scale };
    });
    if (!figure.isDual) {
        const sum = vec3(0, 0, 0);
        moves.forEach((move, i) => {
            const { x, y, z } = applyPose(move, point);
            sum.x += weights[i]! * x;
            sum.y += weights[i]! * y;
            sum.z += weights[i]! * z;
        });
        return sum;
    }
    return blendDual(moves, weights, point);
}

function blendDual(moves: readonly Pose[], weights: readonly number[], point: Vec3): Vec3 {
    const real = [0, 0, 0, 0];
    const dual = [0, 0, 0, 0];
    let scale = 0;
    const list = ({ w, x, y, z }: Quat): number[] => [w, x, y, z];
    moves.forEach((move, i) => {
        const turn = list(move.rotation);
        const { x, y, z } = move.position;
        const half = list(multiply({ w: 0, x: x / 2, y: y / 2, z: z / 2 }, move.rotation));
        const dot = turn.reduce((sum, value, k) => sum + value * list(moves[0]!.rotation)[k]!, 0);
        for (let k = 0; k < 4; k++) {
            real[k]! += (dot < 0 ? -1 : 1) * weights[i]! * turn[k]!;
            dual[k]! += (dot < 0 ? -1 : 1) * weights[i]! * half[k]!;
        }
        scale += weights[i]! * move.scale;
    });
    const length = Math.hypot(...real);
    const quat = (numbers: readonly number[]): Quat => {
        const [w, x, y, z] = numbers.map((value) => value / length);
        return { w: w!, x: x!, y: y!, z: z! };
    };
    const turn = quat(real);
    const shift = multiply(quat(dual), inverseTurn(turn));
    const turned = rotate(turn, vec3(scale * point.x, scale * point.y, scale * point.z));
    return vec3(turned.x + 2 * shift.x, turned.y + 2 * shift.y, turned.z + 2 * shift.z);
}
