// Files of people in a real browser: opened by mouse, finger and keys, dropped, asked for, refused, given back and kept.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, FileChooser } from "playwright-core";
import { openBrowser, Server, Visitor } from "./browser_world";

const box = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const painted = "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
const paint = "newmtl red\nKd 1 0 0\n";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let folder: string;
const file = (name: string): string => path.join(folder, name);

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    folder = mkdtempSync(path.join(tmpdir(), "fureai-files-"));
    const texts = { "bracket.obj": box, "lid.obj": box, "painted.obj": painted, "paint.mtl": paint, "notes.txt": "hello" };
    for (const [name, text] of Object.entries(texts)) {
        writeFileSync(file(name), text);
    }
});

after(async () => {
    await closeBrowser();
    rmSync(folder, { recursive: true });
});

type Visit = (first: Visitor, second: Visitor, server: Server) => Promise<void>;

async function serving(args: string[], run: Visit, options: BrowserContextOptions[] = [{}]): Promise<void> {
    const server = await Server.start("browser_scene.json", 0, ...args);
    const visitors: Visitor[] = [];
    try {
        for (const each of options) {
            const visitor = await Visitor.open(browser, each);
            visitors.push(visitor);
            await visitor.visit(server);
        }
        await run(visitors[0]!, visitors[1]!, server);
        await Promise.all(visitors.map((visitor) => visitor.close()));
    } finally {
        assert.equal(await server.stop(), 0);
    }
}

// Files as a person drops them; whether the page took them, so that the browser does not leave for them.
const drop = (visitor: Visitor, files: Record<string, string>): Promise<boolean> =>
    visitor.page.evaluate((all) => {
        const transfer = new DataTransfer();
        for (const [name, text] of Object.entries(all)) {
            transfer.items.add(new File([text], name));
        }
        const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
        const target = document.getElementById("stage")!;
        const isOver = !target.dispatchEvent(new DragEvent("dragover", init));
        return !target.dispatchEvent(new DragEvent("drop", init)) && isOver;
    }, files);

test("files of the command line stand beside the scene, each with a colour", () =>
    serving([file("bracket.obj"), file("lid.obj")], async (visitor) => {
        await visitor.row("bracket").waitFor();
        await visitor.row("lid").waitFor();
        const [a, b] = [await visitor.position("bracket"), await visitor.position("lid")];
        assert.ok(b.x - a.x > 0.05, "side by side, in millimetres");
        await visitor.page.locator(".files").getByText("guessed: unit mm").first().waitFor();
    }));

test("a file that is opened appears for every watcher", () =>
    serving(
        [],
        async (first, second) => {
            const chooser = first.page.waitForEvent("filechooser");
            await first.page.getByRole("button", { name: "Open files …" }).click();
            await (await chooser).setFiles(file("bracket.obj"));
            await first.waitForMessage("bracket.obj: 50 x 20 x 10 mm");
            await second.row("bracket").waitFor();
            // Who sent it looks at it.
            await first.page.getByRole("row", { name: "bracket", selected: true }).waitFor();
        },
        [{}, {}],
    ));

test("a drop is taken, whatever it is, and the page stays", () =>
    serving([], async (visitor) => {
        const { page } = visitor;
        const address = page.url();
        assert.ok(await drop(visitor, { "bracket.obj": box }), "the page takes the drop");
        await visitor.row("bracket").waitFor();
        assert.ok(await drop(visitor, { "notes.txt": "hello" }));
        await visitor.waitForMessage("none of the formats");
        const isTaken = await page.evaluate(() => {
            const transfer = new DataTransfer();
            transfer.setData("text/uri-list", "http://example.org/");
            const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
            return !document.body.dispatchEvent(new DragEvent("drop", init));
        });
        assert.ok(isTaken, "a link is no reason to leave");
        assert.equal(page.url(), address);
    }));

test("keys open files, and a finger does", () =>
    serving(
        [],
        async (first, second) => {
            const opened = async (visitor: Visitor, act: () => Promise<void>): Promise<FileChooser> => {
                const chooser = visitor.page.waitForEvent("filechooser");
                await visitor.page.evaluate(() => true); // by now the browser knows that choosers are taken
                await act();
                return chooser;
            };
            const { page } = first;
            await page.locator("#stage").focus();
            await (await opened(first, () => page.keyboard.press("o"))).setFiles([]);
            await page.locator("#panels").getByRole("button", { name: "Open files" }).focus();
            await (await opened(first, () => page.keyboard.press("Enter"))).setFiles([]);
            const button = second.page.locator("#panels").getByRole("button", { name: "Open files" });
            const chooser = await opened(second, () => button.tap());
            assert.ok(chooser.isMultiple());
            await chooser.setFiles(file("lid.obj"));
            await second.waitForMessage("lid.obj");
        },
        [{}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ));

test("what a model refers to is asked for", () =>
    serving([], async (visitor) => {
        const { page } = visitor;
        await drop(visitor, { "painted.obj": painted });
        const asks = page.getByRole("group", { name: "Missing files" });
        await asks.getByText("painted.obj refers to paint.mtl").waitFor();
        const chooser = page.waitForEvent("filechooser");
        await asks.getByRole("button", { name: "Choose them" }).click();
        await (await chooser).setFiles(file("paint.mtl"));
        await visitor.row("painted").waitFor();
        await asks.waitFor({ state: "hidden" });
        await drop(visitor, { "painted.obj": painted });
        await asks.getByRole("button", { name: "Show without" }).click();
        await visitor.row("painted 2").waitFor();
    }));

test("files that are too large, and servers that take none, say so", async () => {
    await serving(["--upload-limit", "0.001"], async (visitor) => {
        await drop(visitor, { "large.obj": `${box}#${"x".repeat(2000)}` });
        await visitor.waitForMessage("more than the 0.00100 MB that this server takes at once");
        await drop(visitor, {});
    });
    await serving(["--no-upload"], async (visitor, _, server) => {
        assert.equal(await visitor.page.getByRole("button", { name: "Open files …" }).count(), 0);
        assert.ok(await drop(visitor, { "bracket.obj": box }));
        await visitor.waitForMessage("this server takes no files");
        const { status } = await fetch(`${server.address}/models`, { method: "POST", body: "x" });
        assert.equal(status, 403);
    });
});

test("two people drop at once, and both see both", () =>
    serving(
        [],
        async (first, second) => {
            await Promise.all([drop(first, { "part.obj": box }), drop(second, { "part.obj": box })]);
            for (const visitor of [first, second]) {
                await visitor.row("part 2").waitFor();
            }
        },
        [{}, {}],
    ));

test("models are given back in three formats, and kept as a scene", () =>
    serving(["--keep", ".", file("bracket.obj")].map((each) => (each === "." ? folder : each)), async (visitor, _, server) => {
        const { page } = visitor;
        for (const format of ["GLB", "STL", "OBJ"]) {
            const coming = page.waitForEvent("download");
            await page.getByRole("link", { name: `bracket as ${format}` }).click();
            const download = await coming;
            assert.equal(download.suggestedFilename(), `bracket.${format.toLowerCase()}`);
            assert.ok(readFileSync(await download.path()).length > 60);
        }
        const name = page.getByRole("textbox", { name: "Name of the scene" });
        await name.fill("kept");
        await name.press("Enter");
        await visitor.waitForMessage("kept is kept as a scene");
        assert.ok(existsSync(file("kept.json")));
        await page.getByRole("button", { name: "Keep" }).click();
        await visitor.waitForMessage("choose another name");
        assert.match(readFileSync(file("kept.json"), "utf8"), /"model": "kept\/1\/0\/bracket.obj"/);
        assert.notEqual(server.address, "");
    }));
