// Files that are no use, in a real browser: folders, files too large, wrong names, records of another version, a disk that is
// full. A sentence says so, the page stays, and nothing is lost.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const box = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const painted = `mtllib looks/paint.mtl\nusemtl red\n${box}`;
const paint = "newmtl red\nKd 1 0 0\n";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let folder: string;
const file = (name: string): string => path.join(folder, name);

function write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(file(name)), { recursive: true });
        writeFileSync(file(name), text);
    }
}

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    folder = mkdtempSync(path.join(tmpdir(), "fureai-bad-files-"));
});

after(async () => {
    await closeBrowser();
    rmSync(folder, { recursive: true });
});

async function serving(args: string[], run: (visitor: Visitor, server: Server) => Promise<void>, scene = "browser_scene.json"): Promise<void> {
    const server = await Server.start(scene, 0, ...args);
    const visitor = await Visitor.open(browser);
    try {
        await visitor.visit(server);
        const address = visitor.page.url();
        await run(visitor, server);
        assert.equal(visitor.page.url(), address, "the page stays");
        await visitor.close();
    } finally {
        assert.equal(await server.stop(), 0);
    }
}

// Files and folders of the disk, dropped as the system does it.
async function drop({ page }: Visitor, ...names: string[]): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: names.map(file), dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
        await session.send("Input.dispatchDragEvent", { type, x: 460, y: 240, data });
    }
    await session.detach();
}

const objectCount = ({ page }: Visitor): Promise<number> => page.evaluate(() => window.fureai.objects().length);

test("a folder that is dropped is opened with all that is in it", async () => {
    write({ "machine/part.obj": painted, "machine/looks/paint.mtl": paint, "machine/.hidden": "x", "machine/readme.txt": "hello" });
    await serving([], async (visitor) => {
        await drop(visitor, "machine");
        await visitor.row("part").waitFor();
        assert.equal(await visitor.page.getByRole("group", { name: "Missing files" }).isVisible(), false, "its paint was in the folder");
    });
});

test("a folder without a model, and an empty one, say so", async () => {
    write({ "letters/a.txt": "hello", "letters/b/c.txt": "hello" });
    mkdirSync(file("nothing"));
    await serving([], async (visitor) => {
        const count = await objectCount(visitor);
        await drop(visitor, "letters");
        await visitor.waitForMessage("none of the formats");
        await drop(visitor, "nothing");
        await visitor.waitForMessage("there is no file to open");
        assert.equal(await objectCount(visitor), count);
        await visitor.nextState();
    });
});

test("a file of 3 GB is refused before it is sent", async () => {
    write({ "huge.stl": "", "small.obj": box });
    truncateSync(file("huge.stl"), 3e9); // takes no place on the disk
    await serving([], async (visitor) => {
        const sent: string[] = [];
        visitor.page.on("request", (request) => sent.push(request.method()));
        await drop(visitor, "huge.stl");
        await visitor.waitForMessage("3.00 GB are more than the 256 MB that this server takes at once");
        assert.ok(!sent.includes("POST"), "nothing is sent");
        // What comes after it is taken.
        await drop(visitor, "small.obj");
        await visitor.row("small").waitFor();
    });
});

test("a file whose size is a lie of its head is refused by the server", async () => {
    // A binary STL that says it has 60 million triangles, and has none.
    const head = Buffer.alloc(84 + 50);
    head.writeUInt32LE(60e6, 80);
    writeFileSync(file("liar.stl"), head);
    await serving([], async (visitor) => {
        const count = await objectCount(visitor);
        await drop(visitor, "liar.stl");
        await visitor.waitForMessage("liar.stl: ");
        assert.equal(await objectCount(visitor), count);
    });
});

test("a wrong suffix is refused with the name of the file", async () => {
    write({ "small.obj": box, "really_obj.stl": box, "photo.obj": "\u0089PNG\r\n\u001a\n", "noise.glb": "glTF but no more", "paper.pdf": "%PDF-1.4" });
    await serving([], async (visitor) => {
        for (const name of ["photo.obj", "noise.glb", "paper.pdf", "really_obj.stl"]) {
            const count = await objectCount(visitor);
            await drop(visitor, name);
            await visitor.waitForMessage(name);
            assert.equal(await objectCount(visitor), count);
        }
        await drop(visitor, "small.obj");
        await visitor.row("small").waitFor();
    });
});

test("where one of several files is wrong it is named, and none is shown", async () => {
    write({ "good.obj": box, "broken.obj": "v 0 0 0\nf 1 2 3\n" });
    await serving([], async (visitor) => {
        const count = await objectCount(visitor);
        await drop(visitor, "good.obj", "broken.obj");
        await visitor.waitForMessage("broken.obj");
        await visitor.nextState();
        assert.equal(await objectCount(visitor), count);
    });
});

test("a record of another version is refused by name, and the scene that is shown stays", async () => {
    mkdirSync(file("records"));
    write({ "records/standing.json": readFileSync("test/browser_scene.json", "utf8") });
    const record = Buffer.alloc(200);
    record.write("FRWORLD\n");
    record.writeUInt32LE(9999, 8);
    writeFileSync(file("records/later.record"), record);
    await serving(
        ["--first", "standing"],
        async (visitor) => {
            const before = await visitor.page.evaluate(() => window.fureai.objects().map(({ name }) => name));
            await visitor.page.evaluate(() => document.querySelector<HTMLElement>('[data-name="later"]')!.click());
            await visitor.waitForMessage("version 9999");
            assert.deepEqual(await visitor.page.evaluate(() => window.fureai.objects().map(({ name }) => name)), before);
            await visitor.nextState();
        },
        file("records"),
    );
});

// The server may write no file of more than so many bytes; "unlimited" ends that.
function limitFiles(server: Server, bytes: string): void {
    const { status, stderr } = spawnSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:`]);
    assert.equal(status, 0, String(stderr));
}

test("a disk that is full while a scene is kept leaves nothing half kept, and loses nothing", async () => {
    mkdirSync(file("kept"));
    const more = Array.from({ length: 4000 }, (_, i) => `v ${i} 0 0\n`).join("");
    write({ "long.obj": box + more });
    await serving(["--keep", file("kept"), file("long.obj")], async (visitor, server) => {
        const { page } = visitor;
        await visitor.row("long").waitFor();
        const name = page.getByRole("textbox", { name: "Name of the scene" });
        await name.fill("mine");
        limitFiles(server, "4096");
        await name.press("Enter");
        await visitor.waitForMessage("it could not be kept");
        assert.deepEqual(readdirSync(file("kept")), [], "no half of it is left");
        assert.equal(await name.inputValue(), "mine");
        await visitor.row("long").waitFor();
        await visitor.nextState();
        // There is room again.
        limitFiles(server, "unlimited");
        await name.press("Enter");
        await visitor.waitForMessage("mine is kept as a scene");
        assert.ok(existsSync(file("kept/mine.json")));
    });
    const { status } = spawnSync(environment("FUREAI_PROGRAM"), ["collide", file("kept/mine.json"), "--static"]);
    assert.equal(status, 0, "what was kept can be opened");
});
