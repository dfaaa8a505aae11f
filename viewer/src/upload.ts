// Files that are sent to the server: gathered from a drop or a choice, put into one request, and what comes of it.
import { host } from "./host";
import type { ModelsMessage } from "./protocol";
import { storedToken, tokenHeader } from "./token";

const withoutMissing = 1; // a flag of a request: a model is shown although files are missing that it refers to
const mostFiles = 1024;
const busyStatus = 503;
const missingStatus = 424;

export interface NamedFile {
    name: string; // with its folders
    file: Blob;
}

export interface UploadEvents {
    say(text: string): void;
    progress(text: string): void; // "": nothing is under way
    added(objects: string[]): void;
    missing(names: string[], files: NamedFile[]): void;
}

interface Reply {
    message?: string;
    missing?: string[];
    objects?: string[];
}

// One request of several files: flags, their number, and for each the bytes of its name, its size, both again. As bundle.h.
export function bundle(files: readonly NamedFile[], flags: number): Blob {
    const parts: BlobPart[] = [numbers([flags, files.length])];
    for (const { name, file } of files) {
        const text = new TextEncoder().encode(name);
        parts.push(numbers([text.length, file.size >>> 0, Math.floor(file.size / 2 ** 32)]), text, file);
    }
    return new Blob(parts);
}

const numbers = (values: number[]): ArrayBuffer => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    values.forEach((value, i) => view.setUint32(4 * i, value, true));
    return view.buffer;
};

export const megabytes = (bytes: number): string =>
    bytes < 999.5e6 ? `${(bytes / 1e6).toPrecision(3)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

// Why files are not sent; null: they are.
export function refusal(files: readonly NamedFile[], { may, maxBytes }: Pick<ModelsMessage, "may" | "maxBytes">): string | null {
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    if ((may & 1) === 0) {
        return "this server takes no files";
    }
    if (files.length === 0) {
        return "there is no file to open";
    }
    if (files.length > mostFiles) {
        return `${files.length} files are more than the ${mostFiles} that can be opened at once`;
    }
    if (total > maxBytes) {
        return `${megabytes(total)} are more than the ${megabytes(maxBytes)} that this server takes at once`;
    }
    return total === 0 ? "the file is empty" : null;
}

// All files of a drop, those of folders too.
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
    const entries = [...transfer.items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry());
    const plain = [...transfer.files].map((file) => ({ name: file.name, file }));
    const found: NamedFile[] = [];
    for (const entry of entries) {
        if (entry !== null) {
            await gather(entry, "", found);
        }
    }
    return found.length > 0 || entries.some((entry) => entry?.isDirectory === true) ? found : plain;
}

async function gather(entry: FileSystemEntry, folder: string, found: NamedFile[]): Promise<void> {
    // What is hidden belongs to the system, and one too many is refused as a whole.
    if (entry.name.startsWith(".") || found.length > mostFiles) {
        return;
    }
    const name = folder + entry.name;
    if (entry.isFile) {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        found.push({ name, file });
        return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) {
            return;
        }
        for (const each of some) {
            await gather(each, `${name}/`, found);
        }
    }
}

export class Upload {
    private waiting: { files: NamedFile[]; flags: number }[] = [];
    private isBusy = false;

    constructor(
        private readonly limits: () => ModelsMessage,
        private readonly events: UploadEvents,
        private readonly token: () => string = storedToken,
    ) {}

    // Sends files, after those that are under way.
    send(files: NamedFile[], isWithoutMissing = false): void {
        const wrong = refusal(files, this.limits());
        if (wrong !== null) {
            this.events.say(wrong);
            return;
        }
        this.waiting.push({ files, flags: isWithoutMissing ? withoutMissing : 0 });
        void this.work();
    }

    private async work(): Promise<void> {
        if (this.isBusy) {
            return;
        }
        this.isBusy = true;
        for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
            await this.sendOne(next.files, next.flags);
        }
        this.isBusy = false;
        this.events.progress("");
    }

    private async sendOne(files: NamedFile[], flags: number): Promise<void> {
        const { status, reply } = await this.post(bundle(files, flags));
        if (status === 200) {
            this.events.say(reply.message ?? "");
            this.events.added(reply.objects ?? []);
        } else if (status === missingStatus && reply.missing !== undefined) {
            this.events.missing(reply.missing, files);
        } else if (status === 0) {
            this.events.say("the files could not be sent: the connection was lost, or one of them changed or is a folder");
        } else {
            const more = status === busyStatus ? "; nothing is lost here" : "";
            this.events.say(`${reply.message ?? `the server refused the files (${status})`}${more}`);
        }
    }

    private async post(body: Blob): Promise<{ status: number; reply: Reply }> {
        this.events.progress("sending …");
        const { status, text } = await host().upload(body, tokenHeader(this.token()), (sent, all) => {
            this.events.progress(sent >= all ? "reading …" : `sending ${Math.floor((100 * sent) / all)} %`);
        });
        return { status, reply: read(text) };
    }
}

function read(text: string): Reply {
    try {
        return JSON.parse(text) as Reply;
    } catch {
        return text.trim() === "" ? {} : { message: text.trim() };
    }
}
