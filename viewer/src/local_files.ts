// Files of a page without a server: the pack of scenes that lies beside the page, and the bundles that people drop.

// A pack: the bytes of a JSON index in 4 bytes, the index, and the files one after another (viewer/make_page.mjs).
interface Index {
    files: [name: string, size: number][];
    pictures: string[]; // names of the scenes that have one
    first: string; // the scene to begin with
}

export class PackedFiles {
    readonly entries: [name: string, bytes: Uint8Array][];
    readonly pictures: string[];
    private readonly first: string;

    constructor(bytes: Uint8Array<ArrayBuffer>) {
        const size = bytes.length >= 4 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) : Infinity;
        if (4 + size > bytes.length) {
            throw new Error("The scenes of this page are damaged. Load the page again.");
        }
        const index = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size))) as Index;
        let at = 4 + size;
        this.entries = index.files.map(([name, length]) => [name, bytes.subarray(at, (at += length))]);
        if (at !== bytes.length) {
            throw new Error("The scenes of this page are damaged. Load the page again.");
        }
        this.pictures = index.pictures;
        this.first = index.first;
    }

    // The scene of this name, else the one to begin with.
    sceneNamed(name: string): string {
        return this.entries.some(([file]) => file === `scenes/${name}.json`) ? name : this.first;
    }
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    try {
        return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch {
        throw new Error(`${name}: the gzip file is damaged or cut short`);
    }
}

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

// What the module cannot read made into what it can: XML, by the page's parser (packXml of javascript/fureai.mjs).
export type Convert = (bytes: Uint8Array<ArrayBuffer>, name: string) => Uint8Array<ArrayBuffer>;

// A request of several files as upload.ts puts it together, with what gzip packed unpacked, and converted.
export async function unpackBundle(bundle: Uint8Array<ArrayBuffer>, convert: Convert = (bytes) => bytes): Promise<Uint8Array<ArrayBuffer>> {
    const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
    const count = bundle.length >= 8 ? view.getUint32(4, true) : 0;
    const pieces: Uint8Array<ArrayBuffer>[] = [bundle.subarray(0, 8)];
    let isChanged = false;
    let at = 8;
    for (let i = 0; i < count && at + 12 <= bundle.length; i++) {
        const begin = at + 12 + view.getUint32(at, true);
        const end = begin + view.getUint32(at + 4, true) + 2 ** 32 * view.getUint32(at + 8, true);
        const file = bundle.subarray(begin, end);
        const name = bundle.subarray(at + 12, begin);
        const isWhole = end <= bundle.length;
        const title = new TextDecoder().decode(name);
        const plain = isWhole && isPacked(file) ? await gunzip(file, title) : file;
        const content = isWhole ? convert(plain, title) : file;
        if (content !== file) {
            const head = new DataView(new ArrayBuffer(12));
            [name.length, content.length, 0].forEach((value, k) => head.setUint32(4 * k, value, true));
            pieces.push(new Uint8Array(head.buffer), name, content);
            isChanged = true;
        } else {
            pieces.push(bundle.subarray(at, end));
        }
        at = end;
    }
    return isChanged ? new Uint8Array(await new Blob(pieces).arrayBuffer()) : bundle;
}
