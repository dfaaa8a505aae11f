// Colliding pairs in few bytes, for states that are kept: in runs of the same two objects and flags, the triangles as
// differences. Nothing is lost.
import { WirePair } from "./protocol";

let scratch = new Uint8Array(4096);

// Numbers of 32 bits, in groups of 7 bits with the lowest first.
class Writer {
    at = 0;

    number(value: number): void {
        if (this.at + 5 > scratch.length) {
            const larger = new Uint8Array(2 * scratch.length);
            larger.set(scratch);
            scratch = larger;
        }
        let rest = value >>> 0;
        while (rest > 127) {
            scratch[this.at++] = (rest & 127) | 128;
            rest >>>= 7;
        }
        scratch[this.at++] = rest;
    }

    // The difference of two numbers of 32 bits, small where they are near each other in either direction.
    difference(value: number, before: number): void {
        const delta = (value - before) | 0;
        this.number((delta << 1) ^ (delta >> 31));
    }
}

class Reader {
    private at = 0;

    constructor(private readonly bytes: Uint8Array) {}

    get isOver(): boolean {
        return this.at >= this.bytes.length;
    }

    number(): number {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = this.bytes[this.at++]!;
            value |= (byte & 127) << shift;
            if (byte < 128) {
                return value >>> 0;
            }
        }
    }

    after(before: number): number {
        const coded = this.number();
        return (before + ((coded >>> 1) ^ -(coded & 1))) >>> 0;
    }
}

export function packPairs(pairs: Uint32Array): Uint8Array {
    const { size, a, b, triangleA, triangleB, flags } = WirePair;
    const writer = new Writer();
    for (let at = 0; at < pairs.length; ) {
        let end = at + size;
        const isAlike = (k: number): boolean => pairs[end + k] === pairs[at + k];
        while (end < pairs.length && isAlike(a) && isAlike(b) && isAlike(flags)) {
            end += size;
        }
        writer.number((end - at) / size);
        writer.number(pairs[at + a]!);
        writer.number(pairs[at + b]!);
        writer.number(pairs[at + flags]!);
        let [lastA, lastB] = [0, 0];
        for (; at < end; at += size) {
            writer.difference(pairs[at + triangleA]!, lastA);
            writer.difference(pairs[at + triangleB]!, lastB);
            [lastA, lastB] = [pairs[at + triangleA]!, pairs[at + triangleB]!];
        }
    }
    return scratch.slice(0, writer.at);
}

export function unpackPairs(bytes: Uint8Array, count: number): Uint32Array {
    const pairs = new Uint32Array(count * WirePair.size);
    const reader = new Reader(bytes);
    for (let at = 0; !reader.isOver; ) {
        const run = reader.number();
        const [a, b, flags] = [reader.number(), reader.number(), reader.number()];
        let [lastA, lastB] = [0, 0];
        for (let i = 0; i < run; i++, at += WirePair.size) {
            lastA = reader.after(lastA);
            lastB = reader.after(lastB);
            pairs[at + WirePair.a] = a;
            pairs[at + WirePair.b] = b;
            pairs[at + WirePair.triangleA] = lastA;
            pairs[at + WirePair.triangleB] = lastB;
            pairs[at + WirePair.flags] = flags;
        }
    }
    return pairs;
}
