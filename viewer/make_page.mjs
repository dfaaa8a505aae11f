// Completes the page without a server: make_page.mjs SOURCE OUT MODULE. SOURCE is the checkout, OUT the folder into which Vite
// built the page, MODULE that of fureai_server.mjs, its .wasm and fureai.mjs, whose packXml the page calls. Adds the module, the scenes of `demos` with their scripts
// in `examples` and the classes of `objects` in one file, the pictures, the manifest and the service worker.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const [source, out, moduleFolder] = process.argv.slice(2);

// All files below a folder, in an order that no file system has a say in.
function filesBelow(folder) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep).join("/"))
        .sort();
}

// A scene without objects, to which people drop their files.
const own = {
    fureai: 1,
    title: "Your own files",
    about: "Drop model files here: nothing leaves this machine.",
    step: 1 / 60,
    objects: [],
};

function packScenes() {
    const taken = /\.(json|obj|mtl|wrl|ahmc|bvh)$/;
    const files = [["scenes/own.json", Buffer.from(JSON.stringify(own))]];
    for (const [folder, place] of [
        ["demos", "scenes"],
        ["examples", "examples"], // scripts that scenes name
        ["objects", "objects"],
    ]) {
        for (const name of filesBelow(path.join(source, folder)).filter((file) => taken.test(file))) {
            files.push([`${place}/${name}`, readFileSync(path.join(source, folder, name))]);
        }
    }
    const pictures = readdirSync(path.join(source, "demos/pictures"))
        .filter((name) => name.endsWith(".jpg"))
        .sort();
    mkdirSync(path.join(out, "pictures"), { recursive: true });
    pictures.forEach((name) => copyFileSync(path.join(source, "demos/pictures", name), path.join(out, "pictures", name)));
    const index = Buffer.from(
        JSON.stringify({
            files: files.map(([name, bytes]) => [name, bytes.length]),
            pictures: pictures.map((name) => name.replace(/\.jpg$/, "")),
            first: "room",
        }),
    );
    const size = Buffer.alloc(4);
    size.writeUInt32LE(index.length);
    writeFileSync(path.join(out, "scenes.bin"), Buffer.concat([size, index, ...files.map(([, bytes]) => bytes)]));
}

function addManifest() {
    const manifest = {
        name: "Fureai",
        short_name: "Fureai",
        description: "Interaction among 3-D objects, in this browser alone",
        start_url: "./",
        scope: "./",
        display: "standalone",
        background_color: "#14171c",
        theme_color: "#14171c",
        icons: [{ src: "./favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
    };
    writeFileSync(path.join(out, "page.webmanifest"), `${JSON.stringify(manifest, null, 4)}\n`);
}

// The service worker with the list of all files and a name that changes with any of them.
function addServiceWorker() {
    const files = filesBelow(out).filter((name) => name !== "service_worker.js");
    const hash = createHash("sha256");
    files.forEach((name) => hash.update(name).update(readFileSync(path.join(out, name))));
    const text = readFileSync(path.join(source, "viewer/service_worker.js"), "utf8")
        .replace("CACHE_NAME", JSON.stringify(`fureai-${hash.digest("hex").slice(0, 16)}`))
        .replace("CACHE_FILES", JSON.stringify(["./", ...files.map((name) => `./${name}`)], null, 4));
    writeFileSync(path.join(out, "service_worker.js"), text);
}

for (const name of ["fureai.mjs", "fureai_server.mjs", "fureai_server.wasm"]) {
    const file = path.join(moduleFolder, name);
    if (!existsSync(file)) {
        console.error(`page: ${file} is not there: make page builds it`);
        process.exit(1);
    }
    copyFileSync(file, path.join(out, name));
}
packScenes();
addManifest();
addServiceWorker();
const total = filesBelow(out).reduce((sum, name) => sum + statSync(path.join(out, name)).size, 0);
console.log(`page: ${filesBelow(out).length} files, ${(total / 1e6).toFixed(1)} MB in ${out}`);
