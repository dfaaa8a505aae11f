// Numbers, texts and arrays to bytes and back: what the generated protocol.ts stands on. Little endian, packed, checked
// in full as the C codec does it.

export class ProtocolError extends Error {
    override name = "ProtocolError";
}

// Typed arrays have the machine's byte order; messages are little endian.
const IS_LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

// Turns the bytes of each item around where the machine is big endian.
function ordered(bytes: Uint8Array, itemBytes: number): Uint8Array {
    if (!IS_LITTLE) {
        for (let at = 0; at < bytes.length; at += itemBytes) {
            bytes.subarray(at, at + itemBytes).reverse();
        }
    }
    return bytes;
}

function checkFinite(numbers: Float32Array | Float64Array): void {
    for (let i = 0; i < numbers.length; i++) {
        if (!Number.isFinite(numbers[i])) {
            throw new ProtocolError("a number is not finite");
        }
    }
}

function checkMultiple(count: number, multiple: number): void {
    if (count % multiple !== 0) {
        throw new ProtocolError(`a count of ${count} is no multiple of ${multiple}`);
    }
}

export class Reader {
    readonly bytes: Uint8Array;
    private readonly view: DataView;
    private at = 0;

    constructor(bytes: Uint8Array) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    get left(): number {
        return this.bytes.length - this.at;
    }

    // The next bytes, not copied.
    take(count: number): Uint8Array {
        if (this.left < count) {
            throw new ProtocolError(`${count} bytes are announced, ${this.left} are left`);
        }
        this.at += count;
        return this.bytes.subarray(this.at - count, this.at);
    }

    private step(count: number): number {
        if (this.left < count) {
            throw new ProtocolError("the message is cut short");
        }
        this.at += count;
        return this.at - count;
    }

    u8(last = 0xff): number {
        return this.limited(this.view.getUint8(this.step(1)), last);
    }

    u16(): number {
        return this.view.getUint16(this.step(2), true);
    }

    u32(last = 0xffffffff): number {
        return this.limited(this.view.getUint32(this.step(4), true), last);
    }

    u64(): bigint {
        return this.view.getBigUint64(this.step(8), true);
    }

    u53(): number {
        const at = this.step(8);
        const high = this.view.getUint32(at + 4, true);
        if (high >= 0x200000) {
            throw new ProtocolError("a count is not below 2^53");
        }
        return high * 0x100000000 + this.view.getUint32(at, true);
    }

    f32(): number {
        return this.finite(this.view.getFloat32(this.step(4), true));
    }

    f64(): number {
        return this.finite(this.view.getFloat64(this.step(8), true));
    }

    text(): string {
        const bytes = this.take(this.u32());
        let text: string;
        try {
            text = decoder.decode(bytes);
        } catch {
            throw new ProtocolError("a text is not UTF-8");
        }
        if (text.includes("\0")) {
            throw new ProtocolError("a text holds a zero byte");
        }
        return text;
    }

    u8s(multiple: number): Uint8Array<ArrayBuffer> {
        return this.items(1, multiple, 1);
    }

    u32s(multiple: number): Uint32Array<ArrayBuffer> {
        return new Uint32Array(this.items(4, multiple, 1).buffer);
    }

    // An array of structs of `width` u32 each.
    packed(width: number): Uint32Array<ArrayBuffer> {
        return new Uint32Array(this.items(4, 1, width).buffer);
    }

    f32s(multiple: number): Float32Array<ArrayBuffer> {
        const numbers = new Float32Array(this.items(4, multiple, 1).buffer);
        checkFinite(numbers);
        return numbers;
    }

    f64s(multiple: number): Float64Array<ArrayBuffer> {
        const numbers = new Float64Array(this.items(8, multiple, 1).buffer);
        checkFinite(numbers);
        return numbers;
    }

    // An array of things that take at least `minBytes` each.
    list<T>(minBytes: number, read: (reader: Reader) => T): T[] {
        const count = this.u32();
        if (Math.floor(this.left / minBytes) < count) {
            throw new ProtocolError("the message is cut short");
        }
        const things: T[] = [];
        for (let i = 0; i < count; i++) {
            things.push(read(this));
        }
        return things;
    }

    end(): void {
        if (this.left > 0) {
            throw new ProtocolError(`${this.left} bytes too many`);
        }
    }

    // A copy of an array's bytes, aligned.
    private items(itemBytes: number, multiple: number, width: number): Uint8Array<ArrayBuffer> {
        const count = this.u32();
        checkMultiple(count, multiple);
        const copy = new Uint8Array(this.take(count * width * itemBytes));
        ordered(copy, itemBytes);
        return copy;
    }

    private limited(value: number, last: number): number {
        if (value > last) {
            throw new ProtocolError(`${value} is more than ${last}`);
        }
        return value;
    }

    private finite(value: number): number {
        if (!Number.isFinite(value)) {
            throw new ProtocolError("a number is not finite");
        }
        return value;
    }
}

export class Writer {
    private bytes = new Uint8Array(256);
    private view = new DataView(this.bytes.buffer);
    private at = 0;

    // What was written so far, a copy.
    finish(): Uint8Array<ArrayBuffer> {
        return this.bytes.slice(0, this.at);
    }

    // Begins a message; its size is put in by end.
    begin(type: number): number {
        this.u16(type);
        this.u16(0);
        this.u32(0);
        return this.at;
    }

    end(begun: number): void {
        this.view.setUint32(begun - 4, this.at - begun, true);
    }

    u8(value: number, last = 0xff): void {
        this.check(value, last);
        const at = this.step(1);
        this.view.setUint8(at, value);
    }

    u16(value: number): void {
        this.check(value, 0xffff);
        const at = this.step(2);
        this.view.setUint16(at, value, true);
    }

    u32(value: number, last = 0xffffffff): void {
        this.check(value, last);
        const at = this.step(4);
        this.view.setUint32(at, value, true);
    }

    u64(value: bigint): void {
        if (value < 0n || value > 0xffffffffffffffffn) {
            throw new ProtocolError(`${value} does not fit 64 bits`);
        }
        const at = this.step(8);
        this.view.setBigUint64(at, value, true);
    }

    u53(value: number): void {
        this.check(value, Number.MAX_SAFE_INTEGER);
        const at = this.step(8);
        this.view.setUint32(at, value % 0x100000000, true);
        this.view.setUint32(at + 4, Math.floor(value / 0x100000000), true);
    }

    f32(value: number): void {
        this.finite(Math.fround(value));
        const at = this.step(4);
        this.view.setFloat32(at, value, true);
    }

    f64(value: number): void {
        this.finite(value);
        const at = this.step(8);
        this.view.setFloat64(at, value, true);
    }

    text(value: string): void {
        if (value.includes("\0")) {
            throw new ProtocolError("a text holds a zero byte");
        }
        const bytes = encoder.encode(value);
        this.u32(bytes.length);
        this.raw(bytes);
    }

    u8s(values: Uint8Array, multiple: number): void {
        this.items(values, values.length, multiple);
    }

    u32s(values: Uint32Array, multiple: number): void {
        this.items(values, values.length, multiple);
    }

    // An array of structs of `width` u32 each.
    packed(values: Uint32Array, width: number): void {
        checkMultiple(values.length, width);
        this.items(values, values.length / width, 1);
    }

    f32s(values: Float32Array, multiple: number): void {
        checkFinite(values);
        this.items(values, values.length, multiple);
    }

    f64s(values: Float64Array, multiple: number): void {
        checkFinite(values);
        this.items(values, values.length, multiple);
    }

    list<T>(things: readonly T[], write: (writer: Writer, thing: T) => void): void {
        this.u32(things.length);
        for (const thing of things) {
            write(this, thing);
        }
    }

    private items(values: ArrayBufferView & { BYTES_PER_ELEMENT: number }, count: number, multiple: number): void {
        checkMultiple(count, multiple);
        this.u32(count);
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        this.raw(IS_LITTLE ? bytes : ordered(bytes.slice(), values.BYTES_PER_ELEMENT));
    }

    private raw(bytes: Uint8Array): void {
        const at = this.step(bytes.length);
        this.bytes.set(bytes, at);
    }

    private step(count: number): number {
        if (this.bytes.length - this.at < count) {
            const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.at + count));
            grown.set(this.bytes);
            this.bytes = grown;
            this.view = new DataView(grown.buffer);
        }
        this.at += count;
        return this.at - count;
    }

    private check(value: number, last: number): void {
        if (!Number.isInteger(value) || value < 0 || value > last) {
            throw new ProtocolError(`${value} is not a whole number of 0 .. ${last}`);
        }
    }

    private finite(value: number): void {
        if (!Number.isFinite(value)) {
            throw new ProtocolError("a number is not finite");
        }
    }
}
