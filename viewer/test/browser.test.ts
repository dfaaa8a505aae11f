// The page in a real browser, with the program that serves it. Nothing waits for time to pass: each step waits for what it
// needs to see. One browser, one test after another; each restarts the scene.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { encode, EventKind, type DrawMessage } from "../src/protocol";
import { openBrowser, Server, Visitor, type Side } from "./browser_world";
import { handEvent } from "./hand_event";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("browser_scene.json");
});

after(async () => {
    const status = await server.stop();
    await closeBrowser();
    assert.equal(status, 0, "the server stops cleanly");
});

type Visit = (first: Visitor, second: Visitor) => Promise<void>;

// Goes to a server with a visitor for each of the options, and ends with no complaint of their pages.
async function visiting(run: Visit, options: BrowserContextOptions[] = [{}], where = server): Promise<void> {
    const visitors: Visitor[] = [];
    try {
        for (const each of options) {
            const visitor = await Visitor.open(browser, each);
            visitors.push(visitor);
            await visitor.visit(where);
        }
        await visitors[0]!.restart();
        await run(visitors[0]!, visitors[1]!);
    } catch (error) {
        // Pages that are left open would slow the tests that follow.
        await Promise.all(visitors.map((visitor) => visitor.page.context().close()));
        throw error;
    }
    await Promise.all(visitors.map((visitor) => visitor.close()));
}

// The same with a server of its own.
async function serving(scene: string, run: Visit, options: BrowserContextOptions[] = [{}]): Promise<void> {
    const own = await Server.start(scene);
    try {
        await visiting(run, options, own);
    } finally {
        await own.stop();
    }
}

test("loads from one host, without a complaint, and lists the objects", () =>
    visiting(async ({ page, hosts }) => {
        assert.match(await page.title(), /Browser test/);
        assert.equal(await page.locator("#line").textContent(), "connected");
        const names = await page.locator(".row .name").allTextContents();
        assert.deepEqual(names, ["table", "ball", "block", "wheel"]);
        assert.equal(hosts.size, 1, `asked ${[...hosts].join(", ")}`);
    }));

test("shows the scene: each object in its colour, nothing beside them", () =>
    visiting(async (visitor) => {
        const ball = await visitor.grip("ball");
        const block = await visitor.grip("block");
        const [red, , blue] = await visitor.pixel(ball.x, ball.y);
        assert.ok(red! > 1.5 * blue!, `the ball is orange: ${red}, ${blue}`);
        const [red2, , blue2] = await visitor.pixel(block.x, block.y);
        assert.ok(blue2! > 1.5 * red2!, `the block is blue: ${red2}, ${blue2}`);
        const [, , , alpha] = await visitor.pixel(460, 70);
        assert.ok(alpha! < 128, `the sky is seen through: ${alpha}`);
    }));

test("a double click in the list looks at the object", () =>
    visiting(async (visitor) => {
        await visitor.row("ball").dblclick();
        await visitor.page.waitForFunction(() => {
            const { x, y } = window.fureai.project("ball")!;
            const { left, right, top, bottom } = window.fureai.framing().free;
            const [across, down] = [(x - left) / (right - left), (y - top) / (bottom - top)];
            return Math.abs(across - 0.5) < 0.15 && Math.abs(down - 0.5) < 0.15;
        });
    }));

test("a drag moves the object on the server and in a second browser", () =>
    visiting(
        async (first, second) => {
            const before = await second.position("ball");
            await first.drag("ball", -60, 0);
            await second.waitForAxis("ball", "x", "<", before.x - 0.2);
            // Let go, it stays, for both the same.
            await second.waitForHold("ball", 2);
            await first.waitForHold("ball", 2);
            assert.deepEqual(await second.position("ball"), await first.position("ball"));
            await first.row("ball").getByText("placed").waitFor();
        },
        [{}, {}],
    ));

test("what one user holds another cannot take, and a message says so", () =>
    visiting(
        async (first, second) => {
            await first.row("block").click();
            await first.page.locator("#stage").focus();
            await first.page.keyboard.press("Enter");
            await first.waitForMessage("block is held");
            await second.row("block").getByText("guest").waitFor();
            await second.drag("block", 40, 0);
            await second.waitForMessage("block cannot be taken");
            await first.page.keyboard.press("Enter");
            await second.row("block").getByText("placed").waitFor();
        },
        [{}, {}],
    ));

test("the keyboard alone takes, moves and puts down", () =>
    visiting(async (visitor) => {
        const { page } = visitor;
        await page.getByRole("grid", { name: "Objects" }).focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowDown");
        await page.getByRole("row", { name: "ball", selected: true }).waitFor();
        await page.locator("#stage").focus();
        await page.keyboard.press("Enter");
        await visitor.waitForMessage("ball is held");
        const { y } = await visitor.position("ball");
        await page.keyboard.press("PageUp");
        await visitor.waitForAxis("ball", "y", ">", y + 0.01);
        await page.keyboard.press("Escape");
        await visitor.row("ball").getByText("placed").waitFor();
        await page.getByRole("button", { name: "Give back" }).click();
        await visitor.waitForHold("ball", 0);
    }));

for (const reducedMotion of ["no-preference", "reduce"] as const) {
    test(`faces that collide ${reducedMotion === "reduce" ? "shine steadily where no motion is wanted" : "blink"}`, () =>
        visiting(
            async (visitor) => {
                const { page } = visitor;
                // What turns or goes by itself is hidden, so that only blinking can change the picture.
                await page.getByRole("button", { name: "Hide wheel" }).click();
                await page.getByLabel("Places of first contact").uncheck();
                await page.getByLabel("Whole faces that collide").check();
                await page.waitForFunction(() => window.fureai.pairs === 0 && window.fureai.blinking === 0);
                await visitor.dragOnto("ball", "block");
                await page.waitForFunction(() => window.fureai.blinking > 0);
                await visitor.waitForHold("ball", 2);
                await page.mouse.move(5, 300);
                await visitor.nextState();
                const { pairs, blinking } = await page.evaluate(() => window.fureai);
                assert.ok(pairs > 0 && blinking >= 2 && blinking <= 2 * pairs, `${pairs} pairs, ${blinking} triangles`);
                const pictures = await visitor.distinctPictures(6);
                assert.ok(reducedMotion === "reduce" ? pictures === 1 : pictures >= 3, `${pictures} pictures`);
                await visitor.restart();
                await page.waitForFunction(() => window.fureai.pairs === 0 && window.fureai.blinking === 0);
            },
            [{ reducedMotion }],
        ));
}

test("contacts are drawn when they are wanted", () =>
    visiting(async (visitor) => {
        const { page } = visitor;
        await visitor.dragOnto("ball", "block");
        await page.waitForFunction(() => window.fureai.crossings > 0);
        assert.equal(await page.evaluate(() => window.fureai.contacts), 0);
        await page.getByLabel("Contact points and normals").check();
        await page.waitForFunction(() => window.fureai.contacts > 0);
        await visitor.restart();
        await page.waitForFunction(() => window.fureai.contacts === 0);
    }));

test("a touch is a bar of the time line, and where it began is marked", () =>
    visiting(async (visitor) => {
        const { page } = visitor;
        // While time stands a mark stays, so nothing here is a race.
        await page.getByRole("button", { name: "Pause" }).click();
        await page.waitForFunction(() => window.fureai.paused);
        assert.deepEqual(await page.evaluate(() => [window.fureai.timeline(), window.fureai.firstContacts]), [[], 0]);
        const fold = page.getByRole("button", { name: "Touches" });
        assert.equal(await fold.getAttribute("aria-expanded"), "false");
        await page.keyboard.press("t");
        await page.getByText("Nothing touched").waitFor();
        await visitor.dragOnto("ball", "block");
        await page.waitForFunction(() => window.fureai.timeline().some(({ end }) => end === null));
        await page.waitForFunction(() => window.fureai.firstContacts > 0);
        const touches = await page.evaluate(() => window.fureai.timeline());
        const { a, b, begin } = touches.find(({ end }) => end === null)!;
        assert.deepEqual([a, b], ["ball", "block"]);
        await page.locator("#labels").getByText(`${begin.toFixed(3)} s`).first().waitFor();

        const row = page.getByRole("button", { name: `ball and block: touch since ${begin.toFixed(3)} s` });
        await row.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("row", { name: "ball", selected: true }).waitFor();
        await page.getByRole("row", { name: "block", selected: true }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("row", { selected: true }).first().waitFor({ state: "detached" });
        await row.click();
        assert.equal(await page.getByRole("row", { selected: true }).count(), 2);

        const box = page.getByLabel("Places of first contact");
        await box.uncheck();
        await page.waitForFunction(() => window.fureai.firstContacts === 0);
        await box.check();
        await page.waitForFunction(() => window.fureai.firstContacts > 0);
        // As time goes on the mark goes and the touch lasts, until the scene restarts.
        await page.getByRole("button", { name: "Play" }).click();
        await page.waitForFunction(() => window.fureai.firstContacts === 0);
        await row.waitFor();
        await visitor.restart();
        await page.waitForFunction(() => window.fureai.timeline().length === 0);
        await page.getByText("Nothing touched").waitFor();
        await fold.click();
        await row.waitFor({ state: "hidden" });
    }));

test("a touch that ends is shown with its end", () =>
    visiting(async (visitor) => {
        const { page } = visitor;
        await visitor.dragOnto("ball", "block");
        await page.waitForFunction(() => window.fureai.timeline().some(({ end }) => end === null));
        await visitor.drag("ball", -90, 0);
        const ended = await page.waitForFunction(() => {
            const touches = window.fureai.timeline();
            return touches.length > 0 && touches.every(({ end }) => end !== null) ? touches : null;
        });
        const touches = (await ended.jsonValue())!;
        assert.ok(touches.every(({ begin, end }) => begin > 0 && end! >= begin));
    }));

// A block of edge 1 flies 8 m through another in one step of a second: they touch from 3/8 s to 5/8 s, and in no state.
test("what passes through between two states is on the time line, with its times and its first contact", async () => {
    const own = await Server.start("browser_passing_scene.json", 0, "--paused");
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    try {
        await visitor.visit(own);
        assert.deepEqual(await page.evaluate(() => window.fureai.timeline()), []);
        await page.keyboard.press("t");
        await page.keyboard.press(".");
        await page.waitForFunction(() => window.fureai.tick === 1 && window.fureai.timeline().length > 0);
        const touches = await page.evaluate(() => window.fureai.timeline());
        assert.deepEqual(touches.map(({ a, b }) => [a, b]), [["wall", "block"]]);
        const { begin, end, faces } = touches[0]!;
        assert.ok(begin <= 0.375 && begin > 0.3749 && end! >= 0.625 && end! < 0.6251, `${begin} to ${end}`);
        assert.ok(faces > 8, `${faces} contacts of faces`);
        assert.equal(await page.evaluate(() => window.fureai.pairs), 0, "nothing collides now");
        await page.waitForFunction(() => window.fureai.firstContacts > 0 && window.fureai.passed > 8);
        assert.equal(await page.evaluate(() => window.fureai.blinking), 0);
        await page.locator("#labels").getByText("0.375 s").first().waitFor();
        await page.getByRole("button", { name: `wall and block: touched 0.375 to 0.625 s, ${faces} contacts of faces` }).waitFor();
        // A step later nothing more came, and what was reported stays.
        await page.keyboard.press(".");
        await page.waitForFunction(() => window.fureai.tick === 2);
        assert.deepEqual(await page.evaluate(() => window.fureai.timeline()), touches);
        await page.getByLabel("Places of first contact").uncheck();
        await page.waitForFunction(() => window.fureai.firstContacts === 0 && window.fureai.passed === 0);
    } finally {
        await own.stop();
        await visitor.close();
    }
});

test("time is paused, goes step by step, and goes on", () =>
    visiting(async (visitor) => {
        const { page } = visitor;
        await page.getByRole("button", { name: "Pause" }).click();
        await page.waitForFunction(() => window.fureai.paused);
        const tick = await page.evaluate(() => window.fureai.tick);
        await page.keyboard.press(".");
        await page.waitForFunction((before) => window.fureai.tick === before + 1, tick);
        await visitor.nextState();
        assert.equal(await page.evaluate(() => window.fureai.tick), tick + 1);
        await page.getByRole("button", { name: "Play" }).click();
        await page.waitForFunction((before) => window.fureai.tick > before + 2, tick);
    }));

const magenta = { r: 255, g: 0, b: 255, a: 255 };
const noItems = { lines: [], triangles: [], points: [], boxes: [], labels: [], images: [], faceColors: [] };
const noObject = { index1: 0, generation: 0 };
const unturned = { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, scale: 1 };
const layer: DrawMessage = {
    type: "draw",
    layer: 900,
    name: "path",
    object: noObject,
    lines: [{ color: magenta, width: 4, points: Float64Array.of(-1, 1.6, 0, 1, 1.6, 0) }],
    triangles: [{ color: { ...magenta, a: 90 }, points: Float64Array.of(-1, 0.1, 1, 1, 0.1, 1, 0, 0.1, 1.5) }],
    points: [{ color: magenta, size: 30, points: Float64Array.of(-1, 1.6, 0) }],
    boxes: [{ color: magenta, min: { x: -1, y: 0, z: -1 }, max: { x: 1, y: 1, z: 1 }, pose: unturned }],
    labels: [{ color: magenta, size: 12, point: { x: 1, y: 1.6, z: 0 }, text: "the goal" }],
    images: [
        {
            id: "image",
            width: 1,
            height: 1,
            rgba: Uint8Array.of(255, 0, 255, 255),
            corner: { x: 0.5, y: 1.2, z: 0 },
            right: { x: 0.3, y: 0, z: 0 },
            up: { x: 0, y: 0.3, z: 0 },
        },
    ],
    faceColors: [{ object: 3, color: magenta, triangles: Uint32Array.from({ length: 12 }, (_, i) => i) }],
};

// The sides of a cube about the origin, two triangles each.
function boxTriangles(half: number): Float64Array {
    const points: number[] = [];
    for (const [x, y, z] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]] as const) {
        for (const side of [-half, half]) {
            for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]] as const) {
                const point = [0, 0, 0];
                point[x] = side;
                point[y] = half * u;
                point[z] = half * v;
                points.push(...point);
            }
        }
    }
    return Float64Array.from(points);
}

test("a layer is drawn, listed, hidden by its check box, and removed", async () => {
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    const send = await visitor.speakForServer();
    await visitor.visit(server);
    const isMagenta = async (): Promise<boolean> => {
        await visitor.nextState();
        const { x, y } = await visitor.grip("block");
        const [r, g, b] = await visitor.pixel(x, y);
        return r! > 200 && g! < 60 && b! > 200;
    };
    assert.equal(await isMagenta(), false);

    send(encode(layer));
    const box = page.getByLabel("Path", { exact: true });
    await box.waitFor();
    assert.equal(await isMagenta(), true);
    await page.locator("#labels").getByText("the goal").waitFor();
    await box.uncheck();
    assert.equal(await isMagenta(), false);
    await box.check();
    assert.equal(await isMagenta(), true);
    send(encode({ ...noItems, type: "draw", layer: 900, name: "path", object: noObject }));
    await box.waitFor({ state: "detached" });
    assert.equal(await isMagenta(), false);

    // On an object a layer is drawn in its frame, and goes where it goes.
    const around = [{ color: magenta, points: boxTriangles(0.55) }];
    send(encode({ ...noItems, type: "draw", layer: 901, name: "shell", object: { index1: 3, generation: 0 }, triangles: around }));
    await page.getByLabel("Shell", { exact: true }).waitFor();
    assert.equal(await isMagenta(), true);
    await visitor.drag("block", 70, -20);
    await visitor.waitForHold("block", 2);
    assert.equal(await isMagenta(), true);
    await visitor.close();
});

test("a million metres away things are drawn and dragged as here", () =>
    serving("browser_far_scene.json", async (visitor) => {
        const { x, y } = await visitor.grip("ball");
        const [red, , blue] = await visitor.pixel(x, y);
        assert.ok(red! > 1.5 * blue!, `the ball is orange: ${red}, ${blue}`);
        const before = await visitor.position("ball");
        await visitor.drag("ball", 0, -50);
        await visitor.waitForAxis("ball", "y", ">", before.y + 0.02);
    }));

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, colorScheme: "light" } as const;

// Nothing is beside the page, and every button is large enough for a finger.
async function assertFingersReach(page: Page): Promise<void> {
    const { width, height } = page.viewportSize()!;
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    for (const button of await page.locator("#bar button:visible, #controls button, .fold").all()) {
        const box = (await button.boundingBox())!;
        const place = `${await button.getAttribute("aria-label")} at ${JSON.stringify(box)}`;
        assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, place);
        assert.ok(box.width >= 40 && box.height >= 40, place);
    }
}

test("on a phone all is within reach, and a finger drags", () =>
    visiting(
        async (visitor) => {
            const { page } = visitor;
            await assertFingersReach(page);
            const scene = page.getByRole("button", { name: "Scene", exact: true });
            await scene.tap();
            await visitor.row("ball").waitFor();
            assert.equal(await scene.getAttribute("aria-expanded"), "true");
            // A sheet is on the page as a whole, above the bar of tools, and what is in it can be scrolled to.
            for (const [name, panel] of [["Scene", "#left"], ["Details", "#right"]] as const) {
                const button = page.getByRole("button", { name, exact: true });
                if ((await button.getAttribute("aria-expanded")) === "false") {
                    await button.tap();
                }
                const sheet = (await page.locator(panel).boundingBox())!;
                const tools = (await page.locator("#controls").boundingBox())!;
                assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= 360 && sheet.y >= 0);
                assert.ok(sheet.y + sheet.height <= tools.y, `${name} ends above the tools`);
                const last = page.locator(`${panel} summary`).last();
                await last.scrollIntoViewIfNeeded();
                assert.ok((await last.boundingBox())!.y < sheet.y + sheet.height, `${name} can be scrolled to its end`);
            }
            assert.equal(await page.locator("#left").isVisible(), false, "one sheet at a time");
            await page.keyboard.press("Escape");
            assert.equal(await page.locator("#right").isVisible(), false);
            assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Details");

            const before = await visitor.position("ball");
            const { x, y } = await visitor.grip("ball");
            await visitor.finger("touchStart", x, y);
            for (const dx of [-15, -30, -45]) {
                await visitor.finger("touchMove", x + dx, y);
            }
            await visitor.waitForAxis("ball", "x", "<", before.x - 0.05);
            await visitor.finger("touchEnd", x, y);
            await visitor.waitForHold("ball", 2);

            // On its side the sheets leave the world to be seen beside them.
            await page.setViewportSize({ width: 740, height: 360 });
            await assertFingersReach(page);
            for (const [name, panel] of [["Scene", "#left"], ["Details", "#right"]] as const) {
                await page.getByRole("button", { name, exact: true }).tap();
                const sheet = (await page.locator(panel).boundingBox())!;
                const [bar, tools] = [(await page.locator("#bar").boundingBox())!, (await page.locator("#controls").boundingBox())!];
                assert.ok(sheet.y >= bar.y + bar.height && sheet.y + sheet.height <= tools.y && sheet.width < 450);
            }
        },
        [phone],
    ));

test("a lost server is announced, and found again", async () => {
    const lost = await Server.start("browser_scene.json");
    let again: Server | null = null;
    await visiting(
        async (visitor) => {
            const { page } = visitor;
            await lost.stop();
            await page.locator("#line.waiting").waitFor();
            assert.equal(await page.evaluate(() => window.fureai.connected), false);
            again = await Server.start("browser_scene.json", lost.port);
            await page.locator("#line.open").waitFor();
            await visitor.nextState();
            assert.equal((await page.evaluate(() => window.fureai.objects())).length, 4);
        },
        [{}],
        lost,
    );
    await (again as Server | null)?.stop();
});

test("the gallery, on a phone, opens another scene for everybody and closes its sheet", () =>
    serving(
        "../../demos",
        async ({ page }, second) => {
            const title = (await page.locator("#scene").textContent())!;
            await page.getByRole("button", { name: "Scene", exact: true }).tap();
            const other = page.locator(".demo[aria-current=false]").first();
            const name = (await other.locator("strong").textContent())!;
            assert.notEqual(name, title);
            await other.tap();
            await page.locator("#scene").getByText(name).waitFor();
            assert.equal(await page.locator("#left").isVisible(), false);
            await second.page.locator("#scene").getByText(name).waitFor();
            await second.page.waitForFunction(() => window.fureai.loaded);
        },
        [phone, {}],
    ));

// The objects of both scenes have the same numbers. The strip is drawn only when all of the second scene was reported.
test("the time line shows the names of the scene that is open", () =>
    serving("browser_two_scenes", async ({ page }) => {
        await page.keyboard.press("t");
        const names = page.locator(".touch .pair");
        await names.getByText("apple · pear").waitFor();
        await page.evaluate(() => {
            const { requestAnimationFrame: next } = window;
            const isOpen = (): boolean => window.fureai.timeline().some(({ a }) => a === "hammer");
            window.requestAnimationFrame = (draw) =>
                next(function wait(time) {
                    if (document.getElementById("scene")!.textContent === "First" && !isOpen()) {
                        next(wait);
                    } else {
                        draw(time);
                    }
                });
        });
        await page.locator(".demo").filter({ hasText: "Second" }).click();
        await page.waitForFunction(() => window.fureai.timeline().some(({ a }) => a === "hammer"));
        await names.getByText("hammer · anvil").waitFor();
        assert.deepEqual(await names.allTextContents(), ["hammer · anvil"]);
    }));

test("what an object sounds like is played when the user touched the page, and can be turned off", async () => {
    const own = await Server.start("browser_bell_scene.json");
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    const waitForState = (state: string) =>
        page.waitForFunction((wanted) => window.fureai.sounds()[0]?.state === wanted, state);
    try {
        await visitor.visit(own);
        await waitForState("muted");
        await page.locator("#stage").click({ position: { x: 400, y: 60 } });
        await waitForState("playing");
        const { object, at } = await page.evaluate(() => window.fureai.sounds()[0]!);
        assert.equal(object, "bell");
        assert.ok(Math.abs(at.y - 1.1) < 1e-6, `it hangs above the ground: ${at.y}`);
        await page.getByLabel("Sounds").uncheck();
        await waitForState("waiting");
        await visitor.close();
    } finally {
        await page.context().close();
        await own.stop();
    }
});

test("a model that moves by itself is seen to move", () =>
    serving("browser_bell_scene.json", async (visitor) => {
        const { page } = visitor;
        await page.waitForFunction(() => window.fureai.vertices("bell") !== null);
        const before = await page.evaluate(() => window.fureai.vertices("bell"));
        await page.waitForFunction((first) => {
            const now = window.fureai.vertices("bell");
            return now !== null && first !== null && Math.abs(now[0]! - first[0]!) > 0.2;
        }, before);
    }));

test("a model is shown in its materials, colours and pictures, unless the scene gives it a colour", () =>
    serving("browser_looks_scene.json", async (visitor) => {
        const { page } = visitor;
        await page.waitForFunction(() => window.fureai.pictures === 1);
        await visitor.nextState();
        // A place of an object, and the name of its colour.
        const seen = async (name: string, x: number, y: number, z = 0.5): Promise<string> => {
            const where = [name, { x, y, z }] as const;
            const at = await page.evaluate(([each, point]) => window.fureai.place(each, point), where);
            const [r, g, b] = (await visitor.pixel(at!.x, at!.y)) as [number, number, number];
            const largest = Math.max(r, g, b);
            return [r > 0.6 * largest ? "red" : "", g > 0.6 * largest ? "green" : "", b > 0.6 * largest ? "blue" : ""].join("");
        };
        assert.equal(await seen("thing", -0.5, 0), "green");
        assert.equal(await seen("thing", 0.5, 0), "blue");
        assert.equal(await seen("painted", -0.5, 0), "red");
        assert.equal(await seen("painted", 0.5, 0), "red");
        assert.equal(await seen("thing", 0, 1.3, 0), "redblue");
    }));

test("with a headset a controller takes hold of a body, moves it, feels what it touches, and lets go", async () => {
    const visitor = await Visitor.open(browser, { viewport: { width: 420, height: 300 } });
    const { page } = visitor;
    const send = await visitor.speakForServer();
    await visitor.putOnHeadset();
    await visitor.visit(server);
    await visitor.restart();
    await page.getByRole("button", { name: "Enter with a headset" }).click();
    await page.waitForFunction(() => window.fureai.immersive);
    const squeeze = (id: string, value: number, side: Side = "right"): Promise<void> =>
        page.evaluate(
            ([button, v, which]) => window.headset.controllers[which].updateButtonValue(button, v),
            [id, value, side] as const,
        );

    // It points at the ball from before it, and takes it where it is.
    const { x, y, z } = await visitor.position("ball");
    await visitor.holdController(x, y, z + 1);
    await visitor.nextState();
    await squeeze("trigger", 1);
    await visitor.waitForHold("ball", 1);
    assert.ok(Math.abs((await visitor.position("ball")).x - x) < 1e-6, "it does not jump");
    await visitor.holdController(x, y + 0.5, z + 1);
    await visitor.waitForAxis("ball", "y", ">", y + 0.49);
    assert.equal(await page.evaluate(() => window.fureai.pulses), 0);

    // The other hand takes the block, and each leads its own.
    const block = await visitor.position("block");
    await visitor.holdController(block.x, block.y, block.z + 1, "left");
    await visitor.nextState();
    await squeeze("trigger", 1, "left");
    await visitor.waitForHold("block", 1);
    await visitor.holdController(block.x, block.y + 0.8, block.z + 1, "left");
    await visitor.waitForAxis("block", "y", ">", block.y + 0.79);
    assert.ok(Math.abs((await visitor.position("ball")).y - y - 0.5) < 1e-6);
    await visitor.holdController(block.x, block.y, block.z + 1, "left");
    await visitor.waitForAxis("block", "y", "<", block.y + 0.01);
    await squeeze("trigger", 0, "left");
    await visitor.waitForHold("block", 2);

    // Then it takes the ball too: the middle of both leads it, also after the first has let go.
    await visitor.holdController(x, y + 0.5, z + 0.8, "left");
    await visitor.nextState();
    await squeeze("trigger", 1, "left");
    await visitor.nextState();
    await visitor.holdController(x, y + 0.9, z + 0.8, "left");
    await visitor.waitForAxis("ball", "y", ">", y + 0.6);
    await squeeze("trigger", 0);
    await visitor.nextState();
    await visitor.holdController(x, y + 1.4, z + 0.8, "left");
    await visitor.waitForAxis("ball", "y", ">", y + 1);
    await visitor.waitForHold("ball", 1);
    assert.equal(await page.evaluate(() => window.fureai.pulses), 0);

    // A force of 4 N on what it holds is half of what it can feel.
    const ball = (await page.evaluate(() => window.fureai.objects())).find(({ name }) => name === "ball")!;
    const force = handEvent(EventKind.force, { a: { index1: ball.index1, generation: 0 }, value: 4 });
    send(encode({ type: "events", events: [force] }));
    await page.waitForFunction(() => window.fureai.pulses > 0);
    assert.equal(await page.evaluate(() => window.fureai.pulse), 0.5);
    await squeeze("trigger", 0, "left");
    await visitor.waitForHold("ball", 2);
    const pulses = await page.evaluate(() => window.fureai.pulses);

    // With the first again, into the block, which is felt.
    const again = await visitor.position("ball");
    await visitor.holdController(again.x, again.y, again.z + 1);
    await visitor.nextState();
    await squeeze("trigger", 1);
    await visitor.waitForHold("ball", 1);
    await visitor.holdController(block.x, block.y, block.z + 1);
    await page.waitForFunction((before) => window.fureai.pairs > 0 && window.fureai.pulses > before, pulses);
    await squeeze("trigger", 0);
    await visitor.waitForHold("ball", 2);

    // The other button does the same; who leaves lets go.
    await visitor.holdController(block.x, block.y, block.z + 2);
    await visitor.nextState();
    await squeeze("squeeze", 1);
    await page.waitForFunction(() => window.fureai.objects().some(({ hold }) => hold === 1));
    await page.evaluate(() => window.headset.activeSession!.end());
    await page.waitForFunction(() => !window.fureai.immersive && window.fureai.objects().every(({ hold }) => hold !== 1));
    await visitor.nextState();
    await visitor.close();
});

type Point = { x: number; y: number; z: number };

// What is held is shown by prediction, which rounds.
function assertAt(found: Point, wanted: Point): void {
    const apart = Math.hypot(found.x - wanted.x, found.y - wanted.y, found.z - wanted.z);
    assert.ok(apart < 1e-9, `${JSON.stringify(found)} is not at ${JSON.stringify(wanted)}`);
}

test("a hand with the aid reads, hears and sees what holds, and undoes what it placed", () =>
    serving("browser_hands_scene.json", async (visitor) => {
        const { page } = visitor;
        await visitor.take("cube");
        const before = await visitor.position("cube");
        await visitor.pressUntilHeld("PageDown", "cube: held by one contact, 3 of 6 degrees of freedom left");
        await page.waitForFunction(() => window.fureai.layers().length >= 2 && window.fureai.handSounds > 0);
        await page.getByText("Events", { exact: true }).click();
        await page.locator("#events .held-1").getByText("cube snaps to table").first().waitFor();
        await page.locator("#stage").focus();
        await page.keyboard.press("Enter");
        await visitor.waitForHold("cube", 2);
        await page.locator("#holding").waitFor({ state: "hidden" });
        const placed = await visitor.position("cube");
        assert.ok(Math.abs(placed.y - 0.3) < 1e-3, `it stands on the table: ${placed.y}`);

        await page.keyboard.press("Control+z");
        await visitor.waitForAxis("cube", "y", ">", before.y - 1e-6);
        await visitor.nextState();
        assertAt(await visitor.position("cube"), before);
        await page.getByRole("button", { name: "Redo" }).click();
        await visitor.waitForAxis("cube", "y", "<", before.y - 0.1);
        await visitor.nextState(); // on its way there it may be seen between two states
        assertAt(await visitor.position("cube"), placed);
        await page.keyboard.press("Control+y");
        await visitor.waitForMessage("nothing was taken back");
    }));

test("a page is a wall of a room, with nothing before the world", () =>
    visiting(
        async (visitor) => {
            const { page } = visitor;
            await page.goto(`${server.address}/?wall=cube`);
            assert.equal(await page.locator("#cube a").count(), 6);
            await visitor.visit(server, "?wall=-2,-0.4,1.5,2,-0.4,1.5,-2,1.6,1.5&eye=0,0.6,3");
            assert.equal(await page.locator("#controls, #bar, .panel").filter({ visible: true }).count(), 0);
            // The line from the eye to the ball's middle meets the wall at (-0.5, 0.55).
            const { x, y } = (await page.evaluate(() => window.fureai.project("ball")))!;
            assert.ok(Math.abs(x - (1.5 / 4) * 480) < 0.1 && Math.abs(y - (1.05 / 2) * 240) < 0.1, `${x}, ${y}`);
            const [red, , blue] = await visitor.pixel(x, y);
            assert.ok(red! > 1.5 * blue!, `the ball is there: ${red}, ${blue}`);
            const [, , , alpha] = await visitor.pixel(x, 30);
            assert.ok(alpha! < 128, `nothing is above it: ${alpha}`);
        },
        [{ viewport: { width: 480, height: 240 } }],
    ));
