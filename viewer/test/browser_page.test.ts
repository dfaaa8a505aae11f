// The page without a server in a real browser, from a plain server of static files and without a network: scenes live, things
// taken, own files dropped and clashed; nothing leaves the machine; and what is said where it cannot begin.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { environment, openBrowser, Visitor } from "./browser_world";
import { StaticFolder } from "./static_folder";

let browser: Browser;
let closeBrowser: () => Promise<void>;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
});

after(() => closeBrowser());

type Visit = (visitor: Visitor, folder: StaticFolder) => Promise<void>;

// Waits until the page has begun, which it does when its module is there, and all of its scene is drawn; one without objects
// is never drawn whole.
async function begun(visitor: Visitor): Promise<void> {
    await visitor.page.waitForFunction(() => {
        const hook = (window as Partial<Window>).fureai;
        const isEmpty = document.getElementById("scene")!.textContent === "Your own files";
        return hook?.connected === true && (hook.loaded || isEmpty);
    });
}

async function visiting(search: string, run: Visit): Promise<void> {
    const folder = await StaticFolder.open(environment("FUREAI_PAGE"));
    const { host } = new URL(folder.address);
    const visitor = await Visitor.open(browser, { acceptDownloads: true });
    try {
        await visitor.page.goto(`${folder.address}/?quick${search}`);
        await begun(visitor);
        await run(visitor, folder);
        assert.deepEqual([...visitor.hosts], [host], "nothing is asked of another host");
        await visitor.close();
    } finally {
        await folder.close();
    }
}

// A box as a binary STL file of millimetres.
function box(x: number, y: number, z: number): Buffer {
    const corner = (i: number): number[] => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0];
    const faces = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
    const bytes = Buffer.alloc(84 + 50 * 12);
    bytes.writeUInt32LE(12, 80);
    faces.forEach((each, i) => {
        const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
        corner(each).forEach((value, k) => bytes.writeFloatLE(value, at + 4 * k));
    });
    return bytes;
}

const drop = (visitor: Visitor, files: Record<string, Buffer>): Promise<boolean> =>
    visitor.page.evaluate(
        (all) => {
            const transfer = new DataTransfer();
            for (const [name, numbers] of all) {
                transfer.items.add(new File([new Uint8Array(numbers)], name));
            }
            const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
            const target = document.getElementById("stage")!;
            target.dispatchEvent(new DragEvent("dragover", init));
            return !target.dispatchEvent(new DragEvent("drop", init));
        },
        Object.entries(files).map(([name, bytes]) => [name, [...bytes]] as const),
    );

// Takes two own files, drags one into the other, and sees the faces that collide.
async function clash(visitor: Visitor): Promise<void> {
    assert.ok(await drop(visitor, { "left.stl": box(50, 20, 10), "right.stl": box(50, 20, 10) }));
    await visitor.row("left").waitFor();
    await visitor.row("right").waitFor();
    assert.equal(await visitor.page.evaluate(() => window.fureai.pairs), 0);
    await visitor.dragOnto("left", "right");
    await visitor.page.waitForFunction(() => window.fureai.pairs > 0);
}

test("a scene of the gallery lives, and another is opened", () =>
    visiting("&scene=room", async (visitor) => {
        const { page } = visitor;
        assert.equal(await page.evaluate(() => window.fureai.scene), "room");
        const before = await page.evaluate(() => window.fureai.tick);
        await page.waitForFunction((tick) => window.fureai.tick > tick + 30, before);
        const pictures = page.locator(".gallery img");
        assert.ok((await pictures.count()) > 10);
        await pictures.first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".gallery img")!.naturalWidth > 0);
        await page.locator(".demo[data-name=blocks]").click();
        await page.waitForFunction(() => window.fureai.scene === "blocks" && window.fureai.loaded);
    }));

test("a thing is taken, moved and put down", () =>
    visiting("&scene=blocks", async (visitor) => {
        const name = "red cube";
        await visitor.take(name);
        const { y } = await visitor.position(name);
        await visitor.page.keyboard.press("PageUp");
        await visitor.waitForAxis(name, "y", ">", y + 0.01);
        await visitor.page.keyboard.press("Escape");
        await visitor.row(name).getByText("placed").waitFor();
    }));

test("own files are dropped, taken, clashed and given back", () =>
    visiting("&scene=own", async (visitor, folder) => {
        const asked = folder.asked.length;
        await clash(visitor);
        const download = visitor.page.waitForEvent("download");
        await visitor.page.locator("a[href$='.obj']").first().click();
        const text = readFileSync(await (await download).path(), "utf8");
        assert.equal(text.match(/^f /gm)?.length, 12);
        assert.deepEqual(folder.asked.slice(asked), [], "not even its own server is asked");
    }));

test("what gzip packed is unpacked, and what cannot be read is refused with a sentence", () =>
    visiting("&scene=own", async (visitor) => {
        assert.ok(await drop(visitor, { "packed.stl.gz": gzipSync(box(30, 30, 30)) }));
        await visitor.row("packed").waitFor();
        const corpus = path.resolve("../fuzz/corpus");
        assert.ok(await drop(visitor, { "poly.dae": readFileSync(path.join(corpus, "collada/polylist.dae")) }));
        await visitor.row("poly").waitFor();
        assert.ok(await drop(visitor, { "wide.x3d": readFileSync(path.join(corpus, "x3d/shape-utf16be.x3d")) }));
        await visitor.row("wide").waitFor();
        assert.ok(await drop(visitor, { "body.x3dz": gzipSync(readFileSync(path.join(corpus, "x3d/hanim.x3d"))) }));
        await visitor.row("body").waitFor();
        assert.ok(await drop(visitor, { "cut.dae": Buffer.from('<?xml version="1.0"?>\n<COLLADA>') }));
        await visitor.waitForMessage("cut.dae:2:");
        assert.ok(await drop(visitor, { "empty.dae": Buffer.from('<?xml version="1.0"?><COLLADA/>') }));
        await visitor.waitForMessage("visual scene");
        assert.ok(await drop(visitor, { "cut.obj.gz": gzipSync(Buffer.from("v 0 0 0\n".repeat(99))).subarray(0, 30) }));
        await visitor.waitForMessage("cut.obj.gz: the gzip file is damaged or cut short");
        await drop(visitor, { "wrong.obj": Buffer.from("v 0 0 0\nv 1 x 0\n") });
        await visitor.waitForMessage("wrong.obj:2:5");
        await drop(visitor, { "more.stl": box(10, 10, 10) });
        await visitor.row("more").waitFor();
    }));

test("it opens without a network once it was open", () =>
    visiting("&scene=own", async (visitor, folder) => {
        const { page } = visitor;
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
        await folder.close();
        await page.reload();
        await begun(visitor);
        await clash(visitor);
        await page.locator(".demo[data-name=room]").click();
        await page.waitForFunction(() => window.fureai.scene === "room" && window.fureai.loaded);
    }));

test("it can be installed, and lets nothing out", () =>
    visiting("", async (visitor, folder) => {
        const { page } = visitor;
        const manifest = JSON.parse(folder.read("page.webmanifest")) as { start_url: string; icons: { src: string }[] };
        assert.equal(manifest.start_url, "./");
        assert.ok(folder.read(manifest.icons[0]!.src).includes("<svg"));
        const session = await page.context().newCDPSession(page);
        const { errors } = await session.send("Page.getAppManifest");
        assert.deepEqual(errors, []);
        const other = await StaticFolder.open(environment("FUREAI_PAGE"));
        const refused = await page.evaluate(async (address) => {
            const policy = new Promise<string>((resolve) =>
                document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }),
            );
            const reply = await fetch(address).catch(() => null);
            return reply === null ? policy : "fetched";
        }, `${other.address}/index.html`);
        assert.equal(refused, "connect-src");
        assert.deepEqual(other.asked, []);
        await other.close();
        // Chromium says on the console what the policy refused.
        const said = visitor.errors.splice(0);
        assert.ok(said.every((text) => text.includes("Content Security Policy")), said.join("; "));
    }));

// The sentence of a page that cannot begin.
async function failing(prepare: (visitor: Visitor, folder: StaticFolder) => Promise<unknown> | void): Promise<string> {
    const folder = await StaticFolder.open(environment("FUREAI_PAGE"));
    const visitor = await Visitor.open(browser);
    await prepare(visitor, folder);
    await visitor.page.goto(folder.address);
    await visitor.page.locator("#failure:not([hidden])").waitFor();
    const sentence = await visitor.page.locator("#failure").textContent();
    await visitor.page.context().close();
    await folder.close();
    return sentence!;
}

test("a module that cannot be loaded is a sentence", async () => {
    for (const [name, what] of [
        ["/fureai_server.wasm", "The module"],
        ["/scenes.bin", "The scenes"],
    ] as const) {
        const sentence = await failing((_visitor, folder) => void folder.missing.add(name));
        assert.equal(sentence, `${what} of this page cannot be loaded: the answer is 404. Load the page again.`);
    }
    const cut = (visitor: Visitor): Promise<void> =>
        visitor.page.route("**/scenes.bin", (route) => route.fulfill({ body: Buffer.from([9, 0, 0]) }));
    assert.equal(await failing(cut), "The scenes of this page are damaged. Load the page again.");
});

test("a browser without SIMD gets a sentence", async () => {
    const sentence = await failing((visitor) => visitor.page.addInitScript(() => (WebAssembly.validate = () => false)));
    assert.match(sentence, /no SIMD for WebAssembly.*Chrome 91/);
});

test("the page of docs/web.md makes a picture of two files", async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), "fureai-web-"));
    const sample = /```html\n([^]*?)```/.exec(readFileSync("../docs/web.md", "utf8"))![1]!;
    writeFileSync(path.join(scratch, "index.html"), `<!doctype html>\n<meta charset="utf-8" />\n<link rel="icon" href="data:," />\n${sample}`);
    for (const name of ["fureai.mjs", "fureai.wasm"]) {
        copyFileSync(path.join(environment("FUREAI_MODULE"), name), path.join(scratch, name));
    }
    const folder = await StaticFolder.open(scratch);
    const page = await (await browser.newContext()).newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    await page.goto(folder.address);
    await page.waitForFunction(() => document.getElementById("files")!.onchange !== null);
    const files = [box(50, 20, 10), box(20, 50, 5)].map((buffer, i) => ({ name: `${"ab"[i]}.stl`, mimeType: "model/stl", buffer }));
    await page.locator("#files").setInputFiles(files);
    await page.waitForFunction(() => {
        const { data } = (document.getElementById("picture") as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, 600, 600);
        return data.some((value, i) => i % 4 === 3 && value > 0);
    });
    const found = said.filter((text) => !text.startsWith("Canvas2D"));
    assert.equal(found.length, 1, said.join("; "));
    assert.match(found[0]!, /(protrusion|piercing|touching)/);
    await page.context().close();
    await folder.close();
    rmSync(scratch, { recursive: true });
});
