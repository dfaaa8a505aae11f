// Which parts of two files meet: node own_files.mjs FOLDER [A B], FOLDER that of the package.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...paths] = process.argv.slice(2);
const { load } = await import(pathToFileURL(`${folder}/fureai.mjs`).href);
const fureai = await load();

// Without files, two wedges that stand in each other.
const wedge = (x) =>
    new TextEncoder().encode(
        `v ${x} 0 0\nv ${x + 5} 0 0\nv ${x} 2 0\nv ${x} 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n`,
    );
const files =
    paths.length > 0
        ? await Promise.all(paths.map(async (path) => [basename(path), await readFile(path)]))
        : [
              ["left.obj", wedge(0)],
              ["right.obj", wedge(2)],
          ];

const parts = [];
for (const [name, bytes] of files) {
    const model = await fureai.read(bytes, { name });
    console.log(`${name}: ${model.format}, ${model.parts.length} parts`);
    parts.push(...model.parts);
}
const clashes = fureai.clash(parts);
for (const { a, b, kind, depth, sharedCount, lines } of clashes) {
    const deep = depth === null ? "" : `, ${depth.toPrecision(3)} m deep`;
    console.log(`${parts[a].name || a} and ${parts[b].name || b}: ${kind}${deep}, ${sharedCount} pairs of faces, ${lines.length} lines`);
}
if (paths.length === 0 && clashes.length !== 1) {
    throw new Error("the two wedges meet");
}
