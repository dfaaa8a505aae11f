// The skin of a mesh: the bones that its vertices follow, how the bones hang together, and where they were when the mesh was
// made.
import { findRotation } from "./rotation";
import type { Quat } from "./vector";

const maxBones = 65535;
const maxInfluences = 8;

// What a page can hold; a server that asks for more is refused before memory is.
const maxNumbers = 1 << 28;

// As the library's: the weights of a vertex sum to 1 but for so much.
const weightTolerance = 0.02;

// The parent of a bone without one.
const noParent = 0xffffffff;

// The numbers that the vertices of a bone are moved by: three rows of a matrix, or a dual quaternion and the three rows that
// stretch before it turns.
export const linearNumbers = 12;
export const dualNumbers = 20;

export class Skin {
    readonly parents: Uint32Array;
    readonly inverseBinds: Float32Array; // 12 a bone
    readonly bones: Uint16Array; // influenceCount a vertex
    readonly weights: Float32Array;
    private bonePieces = 0;
    private weightPieces = 0;
    private knownOrder: Uint32Array | null = null;
    private knownTurns: readonly Quat[] | null = null;
    private knownStretches: Float64Array | null = null;
    private knownReaches: Float64Array | null = null;

    constructor(
        readonly vertexCount: number,
        readonly boneCount: number,
        readonly influenceCount: number,
        readonly isDual: boolean,
    ) {
        const isRight = boneCount >= 1 && boneCount <= maxBones && influenceCount >= 1 && influenceCount <= maxInfluences;
        if (!isRight || vertexCount * influenceCount > maxNumbers) {
            throw new Error(`a skin of ${boneCount} bones with ${influenceCount} a vertex, of ${vertexCount} vertices`);
        }
        this.parents = new Uint32Array(boneCount);
        this.inverseBinds = new Float32Array(12 * boneCount);
        this.bones = new Uint16Array(influenceCount * vertexCount);
        this.weights = new Float32Array(influenceCount * vertexCount);
    }

    // Numbers that move the vertices of one bone.
    get boneNumbers(): number {
        return this.isDual ? dualNumbers : linearNumbers;
    }

    addBones(first: number, parents: Uint32Array, inverseBinds: Float32Array): void {
        if (12 * parents.length !== inverseBinds.length || first + parents.length > this.boneCount) {
            throw new Error(`bones ${first} to ${first + parents.length} of a skin of ${this.boneCount}`);
        }
        parents.forEach((parent, i) => {
            if (parent !== noParent && parent >= this.boneCount) {
                throw new Error(`bone ${first + i} has the parent ${parent} of only ${this.boneCount}`);
            }
        });
        this.parents.set(parents, first);
        this.inverseBinds.set(inverseBinds, 12 * first);
        this.bonePieces += parents.length;
        this.knownOrder = null;
        this.knownTurns = null;
        this.check();
    }

    addWeights(first: number, bones: Uint32Array, weights: Float32Array): void {
        if (bones.length !== weights.length || first + bones.length > this.bones.length) {
            throw new Error(`weights ${first} to ${first + bones.length} of a skin of ${this.bones.length}`);
        }
        if (bones.some((bone) => bone >= this.boneCount)) {
            throw new Error(`weights of bones that a skin of ${this.boneCount} does not have`);
        }
        this.bones.set(bones, first);
        this.weights.set(weights, first);
        this.weightPieces += bones.length;
        this.check();
    }

    get isComplete(): boolean {
        return this.bonePieces >= this.boneCount && this.weightPieces >= this.bones.length;
    }

    // Looks at what is whole. Throws where vertices would not be moved to places near their bones.
    private check(): void {
        if (!this.isComplete) {
            return;
        }
        for (let at = 0; at < this.weights.length; at += this.influenceCount) {
            let sum = 0;
            for (let i = at; i < at + this.influenceCount; i++) {
                sum += this.weights[i]! >= 0 ? this.weights[i]! : NaN;
            }
            if (!(Math.abs(sum - 1) <= weightTolerance)) {
                throw new Error(`the weights of vertex ${at / this.influenceCount} are below 0, or do not sum to 1`);
            }
        }
        if (this.isDual) {
            this.split();
        }
    }

    // The bones so that parents come before their children. A bone that is its own ancestor counts as one without a parent.
    get order(): Uint32Array {
        this.knownOrder ??= this.sort();
        return this.knownOrder;
    }

    private sort(): Uint32Array {
        const { parents } = this;
        const order = new Uint32Array(this.boneCount);
        const state = new Uint8Array(this.boneCount); // 1 on the path, 2 done
        let count = 0;
        for (let bone = 0; bone < this.boneCount; bone++) {
            const path: number[] = [];
            let at = bone;
            while (at !== noParent && state[at] === 0) {
                state[at] = 1;
                path.push(at);
                at = parents[at]!;
            }
            if (at !== noParent && state[at] === 1) {
                parents[path.at(-1)!] = noParent;
            }
            for (const next of path.reverse()) {
                state[next] = 2;
                order[count++] = next;
            }
        }
        return order;
    }

    // How the mesh was turned into each bone, and what is left of the inverse bind when that is taken off: 9 numbers a bone.
    get turns(): readonly Quat[] {
        return this.knownTurns ?? this.split().turns;
    }

    get stretches(): Float64Array {
        return this.knownStretches ?? this.split().stretches;
    }

    private split(): { turns: readonly Quat[]; stretches: Float64Array } {
        const stretches = new Float64Array(9 * this.boneCount);
        const turns = Array.from({ length: this.boneCount }, (_, bone) => {
            const turn = findRotation(this.inverseBinds.subarray(12 * bone), stretches.subarray(9 * bone));
            if (turn === null) {
                throw new Error(`the inverse bind of bone ${bone} is singular`);
            }
            return turn;
        });
        this.knownTurns = turns;
        this.knownStretches = stretches;
        return { turns, stretches };
    }

    // What of each bone the graphics card is given once: the rows of its inverse bind; or its turn, and the rows of what is left
    // with the place of the mesh's origin.
    get bindNumbers(): Float32Array {
        const { inverseBinds: m, boneCount, isDual } = this;
        if (!isDual) {
            return m;
        }
        const { turns, stretches } = this;
        const numbers = new Float32Array(16 * boneCount);
        for (let bone = 0; bone < boneCount; bone++) {
            const { w, x, y, z } = turns[bone]!;
            numbers.set([w, x, y, z], 16 * bone);
            for (let row = 0; row < 3; row++) {
                numbers.set(stretches.subarray(9 * bone + 3 * row, 9 * bone + 3 * row + 3), 16 * bone + 4 * row + 4);
                numbers[16 * bone + 4 * row + 7] = m[12 * bone + 4 * row + 3]!;
            }
        }
        return numbers;
    }

    // For each bone how far from it the vertices that follow it are, in its frame; below 0 where none does.
    reaches(positions: Float32Array): Float64Array {
        this.knownReaches ??= this.findReaches(positions);
        return this.knownReaches;
    }

    private findReaches(positions: Float32Array): Float64Array {
        const { bones, weights, inverseBinds: m } = this;
        const reaches = new Float64Array(this.boneCount).fill(-1);
        for (let i = 0; i < bones.length; i++) {
            if (weights[i] === 0) {
                continue;
            }
            const v = 3 * Math.floor(i / this.influenceCount);
            const at = 12 * bones[i]!;
            const row = (r: number): number =>
                m[r]! * positions[v]! + m[r + 1]! * positions[v + 1]! + m[r + 2]! * positions[v + 2]! + m[r + 3]!;
            reaches[bones[i]!] = Math.max(reaches[bones[i]!]!, Math.hypot(row(at), row(at + 4), row(at + 8)));
        }
        return reaches;
    }
}
