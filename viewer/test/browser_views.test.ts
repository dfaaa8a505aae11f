// How a scene is looked at, in a real browser: framed between the panels, from its sides, by mouse, finger and keys.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { openBrowser, Server, Visitor } from "./browser_world";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("browser_views_scene.json");
});

after(async () => {
    assert.equal(await server.stop(), 0);
    await closeBrowser();
});

async function visiting(options: BrowserContextOptions, run: (visitor: Visitor) => Promise<void>, search = ""): Promise<void> {
    const visitor = await Visitor.open(browser, options);
    await visitor.visit(server, search);
    await run(visitor);
    await visitor.close();
}

async function serving(scene: string, more: string[], run: (own: Server) => Promise<void>): Promise<void> {
    const own = await Server.start(scene, 0, ...more);
    try {
        await run(own);
    } finally {
        await own.stop();
    }
}

const place = (visitor: Visitor, name: string): Promise<{ x: number; y: number }> =>
    visitor.page.evaluate((each) => window.fureai.project(each)!, name);

for (const [name, options] of [["a wide page", desk], ["a phone", phone]] as const) {
    test(`what moves is framed in the free part of ${name}, not the floor`, () =>
        visiting(options, async (visitor) => {
            const { free, covered, filled } = await visitor.page.evaluate(() => window.fureai.framing());
            assert.ok(filled > 0.8 && covered > 0.15, `${covered} of the free part, ${filled} of a side of it`);
            for (const each of ["left", "right"]) {
                const { x, y } = await place(visitor, each);
                assert.ok(x > free.left && x < free.right && y > free.top && y < free.bottom, `${each} at ${x}, ${y}`);
            }
        }));
}

test("on a low page a scene is turned, not to behind it", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-views-"));
    const objects = [
        { name: "high", shape: "box", position: [0, 1, 0], scale: 2 },
        { name: "right", shape: "box", position: [2, 1, 0] },
    ];
    writeFileSync(path.join(folder, "scene.json"), JSON.stringify({ fureai: 1, title: "Low", step: 0.02, objects }));
    await serving(path.join(folder, "scene.json"), [], async (own) => {
        const visitor = await Visitor.open(browser, { viewport: { width: 420, height: 300 } });
        await visitor.visit(own);
        const [high, right] = [await place(visitor, "high"), await place(visitor, "right")];
        assert.ok(right.x > high.x + 10, JSON.stringify([high, right]));
        await visitor.close();
    });
    rmSync(folder, { recursive: true });
});

test("people are framed when all of them are there, as they stand", () =>
    serving("../../demos", ["--first", "people", "--paused"], async (own) => {
        const visitor = await Visitor.open(browser, phone);
        await visitor.visit(own);
        const { filled } = await visitor.page.evaluate(() => window.fureai.framing());
        assert.ok(filled > 0.89 && filled < 0.91, `${filled} of a side of the free part`);
        await visitor.close();
    }));

for (const [kind, options] of [["a wide page", desk], ["a phone", phone]] as const) {
    test(`the search of a plan is drawn and explained on ${kind}, and can be hidden`, () =>
        serving("../../demos/window.json", [], async (own) => {
            const visitor = await Visitor.open(browser, options);
            await visitor.visit(own);
            const { page } = visitor;
            const legend = page.locator("#legend");
            for (const name of ["search from the start", "search from the goal", "path"]) {
                await legend.getByText(name, { exact: true }).waitFor();
            }
            if (kind === "a phone") {
                await page.getByRole("button", { name: "Scene", exact: true }).click();
            }
            const box = page.getByLabel("Search from the goal", { exact: true });
            await page.locator("#layers").evaluate((each) => ((each as HTMLDetailsElement).open = true));
            await box.uncheck();
            await legend.getByText("search from the goal").waitFor({ state: "detached" });
            await legend.getByText("path", { exact: true }).waitFor({ state: "attached" });
            await box.check();
            await legend.getByText("search from the goal").waitFor({ state: "attached" });
            await visitor.close();
        }));
}

test("sides by mouse, and by keys", () =>
    visiting(desk, async (visitor) => {
        const { page } = visitor;
        await page.locator("#view summary").click();
        await page.getByRole("button", { name: "Front", exact: true }).click();
        const isInFront = (): Promise<unknown> =>
            page.waitForFunction(() => {
                const [a, b] = [window.fureai.project("left")!, window.fureai.project("right")!];
                return Math.abs(a.y - b.y) < 2 && b.x - a.x > 200;
            });
        await isInFront();
        await page.locator("#stage").focus();
        await page.keyboard.press("6");
        await page.waitForFunction(() => Math.abs(window.fureai.project("left")!.x - window.fureai.project("right")!.x) < 2);
        await page.keyboard.press("5");
        await isInFront();
        await page.keyboard.press("7");
        await page.waitForFunction(() => window.fureai.place("left", { x: 0, y: 0, z: 0.5 })!.y > window.fureai.project("left")!.y + 20);
    }));

test("in parallel, edges of the same length are drawn so, and a click picks what is seen", () =>
    visiting(desk, async (visitor) => {
        const { page } = visitor;
        await page.locator("#stage").focus();
        await page.keyboard.press("6");
        await page.keyboard.press("p");
        await page.locator("#view summary").click();
        assert.ok(await page.getByLabel("Parallel lines stay parallel").isChecked());
        // From the side the far box is as large as the near one.
        const heights = await page.evaluate(() =>
            ["left", "right"].map((name) => {
                const at = (y: number): number => window.fureai.place(name, { x: 0, y, z: 0 })!.y;
                return at(-0.5) - at(0.5);
            }),
        );
        assert.ok(Math.abs(heights[0]! - heights[1]!) < 0.01 * heights[0]!, heights.join(" "));
        const { x, y } = await visitor.grip("right");
        assert.equal(await page.evaluate(([px, py]) => window.fureai.at(px!, py!), [x, y]), "right");
    }));

test("wires, glass and a cut change the picture, and go again", () =>
    visiting(desk, async (visitor) => {
        const { page } = visitor;
        await page.locator("#view summary").click();
        const plain = await shot(visitor);
        for (const label of ["Wires", "See through"]) {
            await page.getByLabel(label).check();
            assert.notEqual(await shot(visitor), plain, label);
            await page.getByLabel(label).uncheck();
            assert.equal(await shot(visitor), plain, label);
        }
        await page.getByLabel("Cut open along").selectOption("x");
        const half = await shot(visitor);
        assert.notEqual(half, plain);
        await page.getByLabel("Where it is cut").focus();
        await page.keyboard.press("Home");
        assert.notEqual(await shot(visitor), half);
        await page.getByLabel("Cut open along").selectOption("no cut");
        assert.equal(await shot(visitor), plain);
    }));

test("a finger saves a picture, and a link shows the same", () =>
    visiting(phone, async (visitor) => {
        const { page } = visitor;
        await page.locator("#panels").getByRole("button", { name: "Scene", exact: true }).tap();
        await page.locator("#view summary").tap();
        const coming = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save a picture" }).tap();
        const download = await coming;
        assert.equal(download.suggestedFilename(), "Views.png");
        assert.equal(readFileSync(await download.path()).subarray(1, 4).toString(), "PNG");
        await page.getByRole("button", { name: "Top", exact: true }).tap();
        await page.getByRole("button", { name: "Copy a link" }).tap();
        await visitor.waitForMessage("the link is");
        const seen = await place(visitor, "left");
        await visiting(phone, async (other) => {
            const again = await place(other, "left");
            assert.ok(Math.hypot(seen.x - again.x, seen.y - again.y) < 1, JSON.stringify([seen, again]));
        }, new URL(page.url()).search);
    }));

// What is drawn, as text; of the newest state.
async function shot(visitor: Visitor): Promise<string> {
    await visitor.nextState();
    return visitor.page.evaluate(() => (document.getElementById("stage") as HTMLCanvasElement).toDataURL());
}

const switches = [["p", "Parallel lines stay parallel"], ["x", "Wires"], ["i", "See through"]] as const;

test("by keys: parallel, wires and see through, each pressed once and again; and from slanted", () =>
    visiting(desk, async (visitor) => {
        const { page } = visitor;
        await page.locator("#view summary").click();
        await page.locator("#stage").focus();
        await page.keyboard.press("6");
        const side = await place(visitor, "right");
        await page.keyboard.press("8");
        await page.waitForFunction(({ x, y }) => {
            const now = window.fureai.project("right")!;
            return Math.hypot(now.x - x, now.y - y) > 20;
        }, side);
        // Right of the front, and above: more of +x is seen farther right, more of +y farther up.
        const [low, high, right] = await page.evaluate(() => [
            window.fureai.place("left", { x: 0, y: 0, z: 0 })!,
            window.fureai.place("left", { x: 0, y: 0.5, z: 0 })!,
            window.fureai.place("left", { x: 0.5, y: 0, z: 0 })!,
        ]);
        assert.ok(high!.y < low!.y - 10 && right!.x > low!.x + 10, JSON.stringify([low, high, right]));
        const plain = await shot(visitor);
        for (const [key, label] of switches) {
            await page.keyboard.press(key);
            assert.ok(await page.getByLabel(label).isChecked(), label);
            assert.notEqual(await shot(visitor), plain, label);
            await page.keyboard.press(key.toUpperCase()); // as with Caps Lock
            assert.ok(!(await page.getByLabel(label).isChecked()), label);
            assert.equal(await shot(visitor), plain, label);
        }
    }));

test("by a finger: parallel, wires, see through, a cut and each side", () =>
    visiting(phone, async (visitor) => {
        const { page } = visitor;
        await page.locator("#panels").getByRole("button", { name: "Scene", exact: true }).tap();
        await page.locator("#view summary").tap();
        for (const [before, after] of [["Front", "Side"], ["Side", "Top"], ["Top", "Slanted"]] as const) {
            await page.getByRole("button", { name: before, exact: true }).tap();
            const seen = await shot(visitor);
            await page.getByRole("button", { name: after, exact: true }).tap();
            assert.notEqual(await shot(visitor), seen, after);
        }
        const plain = await shot(visitor);
        for (const [, label] of switches) {
            await page.getByLabel(label).tap();
            assert.notEqual(await shot(visitor), plain, label);
            await page.getByLabel(label).tap();
            assert.equal(await shot(visitor), plain, label);
        }
        await page.getByLabel("Cut open along").selectOption("y");
        const half = await shot(visitor);
        assert.notEqual(half, plain);
        const where = (await page.getByLabel("Where it is cut").boundingBox())!;
        await page.touchscreen.tap(where.x + 0.15 * where.width, where.y + where.height / 2);
        const less = await page.getByLabel("Where it is cut").inputValue();
        assert.ok(Number(less) < 0.4, less);
        assert.notEqual(await shot(visitor), half);
    }));

for (const how of ["the mouse", "Enter"] as const) {
    test(`by ${how}: a picture is saved, and a link is in the address`, () =>
        visiting(desk, async (visitor) => {
            const { page } = visitor;
            const press = async (name: string): Promise<void> => {
                const button = page.getByRole("button", { name });
                if (how === "the mouse") {
                    await button.click();
                } else {
                    await button.focus();
                    await page.keyboard.press("Enter");
                }
            };
            await page.locator("#view summary").click();
            const coming = page.waitForEvent("download");
            await press("Save a picture");
            const picture = readFileSync(await (await coming).path());
            assert.equal(picture.subarray(1, 4).toString(), "PNG");
            // Its size is that of the canvas.
            const size = await page.evaluate(() => {
                const { width, height } = document.getElementById("stage") as HTMLCanvasElement;
                return [width, height];
            });
            assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], size);
            await press("Copy a link");
            await visitor.waitForMessage("the link is");
            const { searchParams } = new URL(page.url());
            assert.match(searchParams.get("look")!, /^(-?[\d.e-]+,){6}[01]$/);
        }));
}

// The page is clear where nothing is, so that a shadow on the ground is what covers it. The sun comes from +x and +z: before a
// body, at +z, it leaves no shadow.
test("what stands on the ground has a dark line of contact there, what hangs above it has none", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-contact-"));
    const objects = [
        { name: "stands", shape: "box", position: [-2, 0.5, 0] },
        { name: "hangs", shape: "box", position: [2, 3.5, 0] },
    ];
    const view = { from: [0, 8, 3], to: [0, 0.5, 0] }; // a pixel is a centimetre of the ground
    writeFileSync(path.join(folder, "scene.json"), JSON.stringify({ fureai: 1, title: "Contact", step: 0.02, objects, view }));
    await serving(path.join(folder, "scene.json"), ["--paused"], async (own) => {
        const visitor = await Visitor.open(browser, { viewport: { width: 640, height: 640 } });
        visitor.page.setDefaultTimeout(180_000); // a processor draws all of it
        await visitor.visit(own, "?fine");
        const { page } = visitor;
        await visitor.nextState();
        const cover = async (name: string, y: number, z: number): Promise<number> => {
            const at = (await page.evaluate(([each, py, pz]) => window.fureai.place(each, { x: 0.13, y: py, z: pz }), [name, y, z] as const))!;
            return (await visitor.pixel(at.x, at.y))[3]!;
        };
        const [near, far] = [await cover("stands", -0.5, 0.54), await cover("stands", -0.5, 2.6)];
        const below = await cover("hangs", -3.5, 0.54);
        assert.ok(near > 20 && near < 250 && near > 2 * below && near > 2 * far, `${near} of 255 at the edge, ${far} away from it, ${below} below what hangs`);
        await visitor.close();
    });
    rmSync(folder, { recursive: true });
});

// A plate that lies flat, in all formats that give normals at corners: without any, and with normals that lean outwards.
const plate = [[-0.5, 0, -0.5], [-0.5, 0, 0.5], [0.5, 0, 0.5], [0.5, 0, -0.5]] as const;
const leaning = plate.map(([x]) => [1.6 * x, 0.6, 0] as const);
const rows = (list: readonly (readonly number[])[], before = ""): string => list.map((row) => `${before}${row.join(" ")}\n`).join("");

function plateFiles(): Record<string, (hasNormals: boolean) => string> {
    const floats = (list: readonly (readonly number[])[]): string =>
        `data:application/octet-stream;base64,${Buffer.from(new Float32Array(list.flat()).buffer).toString("base64")}`;
    const accessor = (bufferView: number): object => ({ bufferView, componentType: 5126, count: 6, type: "VEC3" });
    const corners = [0, 1, 2, 0, 2, 3];
    const gltf = (hasNormals: boolean): string =>
        JSON.stringify({
            asset: { version: "2.0" },
            scenes: [{ nodes: [0] }],
            nodes: [{ mesh: 0 }],
            meshes: [{ primitives: [{ attributes: hasNormals ? { POSITION: 0, NORMAL: 1 } : { POSITION: 0 } }] }],
            accessors: [{ ...accessor(0), min: [-0.5, 0, -0.5], max: [0.5, 0, 0.5] }, accessor(1)],
            bufferViews: [0, 1].map((buffer) => ({ buffer, byteLength: 72 })),
            buffers: [plate, leaning].map((list) => ({ uri: floats(corners.map((i) => list[i]!)), byteLength: 72 })),
        });
    const set = (hasNormals: boolean, normal: string): string => (hasNormals ? normal : "");
    const x3d = (hasNormals: boolean): string =>
        `<X3D version="3.3"><Scene><Shape><IndexedFaceSet coordIndex="0 1 2 3 -1"><Coordinate point="${plate.flat().join(" ")}"/>` +
        `${set(hasNormals, `<Normal vector="${leaning.flat().join(" ")}"/>`)}</IndexedFaceSet></Shape></Scene></X3D>`;
    return {
        obj: (has) => rows(plate, "v ") + set(has, rows(leaning, "vn ")) + (has ? "f 1//1 2//2 3//3 4//4\n" : "f 1 2 3 4\n"),
        ply: (has) =>
            `ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n` +
            set(has, "property float nx\nproperty float ny\nproperty float nz\n") +
            `element face 1\nproperty list uchar int vertex_indices\nend_header\n` +
            `${rows(plate.map((p, i) => (has ? [...p, ...leaning[i]!] : p)))}4 0 1 2 3\n`,
        wrl: (has) =>
            `#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [${plate.flat().join(" ")}] } ` +
            `${set(has, `normal Normal { vector [${leaning.flat().join(" ")}] } `)}coordIndex [0 1 2 3 -1] } }\n`,
        x3d,
        gltf,
    };
}

test("surfaces are shaded by the normals of their files, and by their bend where a file gives none", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-normals-"));
    const objects = Object.entries(plateFiles()).flatMap(([kind, text], i) =>
        [false, true].map((has, k) => {
            writeFileSync(path.join(folder, `${k}.${kind}`), text(has));
            return { name: `${kind} ${k}`, model: `${k}.${kind}`, position: [1.5 * (i - 2), 0, 1.5 * k], color: [150, 150, 150] };
        }),
    );
    const view = { from: [0, 9, 1.5], to: [0, 0, 0.5] };
    writeFileSync(path.join(folder, "scene.json"), JSON.stringify({ fureai: 1, title: "Normals", step: 0.02, objects, view }));
    await serving(path.join(folder, "scene.json"), ["--paused"], async (own) => {
        const visitor = await Visitor.open(browser, { viewport: { width: 900, height: 640 } });
        await visitor.visit(own);
        await visitor.nextState();
        const light = async (name: string, x: number): Promise<number> => {
            const at = (await visitor.page.evaluate(([each, px]) => window.fureai.place(each, { x: px, y: 0, z: 0.1 }), [name, x] as const))!;
            return (await visitor.pixel(at.x, at.y))[1]!;
        };
        for (const kind of Object.keys(plateFiles())) {
            const [left, right] = [await light(`${kind} 0`, -0.4), await light(`${kind} 0`, 0.4)];
            assert.ok(Math.abs(left - right) < 5, `${kind} without normals: ${left} and ${right}`);
            const [dark, bright] = [await light(`${kind} 1`, -0.4), await light(`${kind} 1`, 0.4)];
            assert.ok(bright - dark > 14, `${kind} with normals: ${dark} and ${bright}`);
        }
        await visitor.close();
    });
    rmSync(folder, { recursive: true });
});
