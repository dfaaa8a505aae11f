// People of a world in a real browser: commands by the panel, objects that are added, a person who is posed by hand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;
let library: string; // a copy, to which a class is added

before(async () => {
    library = mkdtempSync(path.join(tmpdir(), "fureai-objects-"));
    for (const name of ["floor", "chair", "cup"]) {
        cpSync(path.resolve("../objects", name), path.join(library, name), { recursive: true });
    }
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("browser_people_scene.json", 0, "--objects", library);
});

after(async () => {
    const status = await server.stop();
    await closeBrowser();
    rmSync(library, { recursive: true, force: true });
    assert.equal(status, 0, "the server stops cleanly");
});

const wrong = (page: Page, panel = "#people"): Promise<string | null> => page.locator(`${panel} .wrong`).textContent();
const hasText = (page: Page, selector: string, text: string): Promise<unknown> =>
    page.waitForFunction(([at, wanted]) => document.querySelector(at)?.textContent?.includes(wanted), [selector, text] as const);

async function choose(page: Page, object: string, motion: string): Promise<void> {
    await page.getByLabel("Object", { exact: true }).selectOption({ label: object });
    await page.getByLabel("Motion", { exact: true }).selectOption(motion);
}

async function visit(options = {}): Promise<Visitor> {
    const visitor = await Visitor.open(browser, { viewport: { width: 1000, height: 760 }, ...options });
    await visitor.visit(server);
    await visitor.page.waitForFunction(() => !document.querySelector<HTMLElement>("#people")!.hidden);
    return visitor;
}

test("the panel shows what an object affords, with its sentence and fields", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.getByLabel("Object", { exact: true }).selectOption({ label: "cup" });
    await page.waitForFunction(() => document.querySelectorAll("#people option").length > 10);
    const motions = await page.getByLabel("Motion", { exact: true }).locator("option").allTextContents();
    assert.deepEqual(motions, ["choose a motion", "reach", "take", "pick up", "put down", "carry", "drink", "look", "point"]);
    await page.getByLabel("Motion", { exact: true }).selectOption("drink");
    assert.match((await page.locator("#people .about").textContent())!, /mouth/);
    assert.deepEqual(await page.locator("#people .fields label").allTextContents(), ["Frames", "Start (frames)"]);
    await page.getByLabel("Object", { exact: true }).selectOption({ label: "stone" });
    await hasText(page, "#people", "it affords nothing now");
    await page.getByRole("button", { name: "Go" }).click();
    assert.equal(await wrong(page), "Choose what is to be done with stone");
    await visitor.close();
});

test("a walk to a point that is clicked on the floor, fused with a look, is waited for and done", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await visitor.restart();
    await choose(page, "floor", "walk");
    await page.getByRole("button", { name: "Go" }).click();
    assert.equal(await wrong(page), "walk needs a goal");
    await page.getByRole("button", { name: "Pick on the floor" }).click();
    const spot = await page.evaluate(() => window.fureai.place("floor", { x: 1.3, y: 0, z: 2 })!);
    await page.mouse.click(spot.x, spot.y);
    const goal = (await page.getByLabel("Goal *").inputValue()).split(",").map(Number);
    assert.ok(Math.abs(goal[0]! - 1.3) < 0.05 && Math.abs(goal[1]!) < 0.02 && Math.abs(goal[2]! - 2) < 0.05, goal.join());
    await page.getByLabel("Facing (degrees) *").fill("0");
    await page.getByRole("button", { name: "Fuse another" }).click();
    await choose(page, "cup", "look");
    assert.deepEqual(await page.locator("#people .fused li span").allTextContents(), ["walk (floor)"]);
    await page.getByRole("button", { name: "Go" }).click();
    await hasText(page, "#people .given", "walk (floor) + look (cup)");
    await page.locator("#people .tag.doing, #people .tag.done").first().waitFor();
    assert.equal(await page.locator("#people .fused li").count(), 0);
    await page.waitForFunction(() => document.querySelector("#people .tag")?.classList.contains("done"));
    const mai = await visitor.position("Mai");
    assert.ok(Math.hypot(mai.x - goal[0]!, mai.z - goal[2]!) < 0.3, `she stands at ${mai.x}, ${mai.z}`);
    await visitor.close();
});

test("a command that is refused says why in its place; one that is stopped says so", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await visitor.restart();
    await choose(page, "floor", "walk");
    await page.getByLabel("Goal *").fill("1.2, 0, 1e7");
    await page.getByLabel("Facing (degrees) *").fill("0");
    await page.getByRole("button", { name: "Go" }).click();
    assert.match((await wrong(page))!, /^Goal is three numbers/);
    await choose(page, "cup", "look");
    await page.getByLabel("Frames", { exact: true }).fill("100000"); // so long that no slow page comes too late
    await page.getByRole("button", { name: "Go" }).click();
    await hasText(page, "#people .given", "Mai: look");
    await page.getByRole("button", { name: "Stop Mai" }).click();
    await hasText(page, "#people .reason", "a command stopped it");
    await visitor.close();
});

test("a class whose folder is copied meanwhile is listed, added where the floor is clicked, and removed", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.locator("#add summary").click();
    await hasText(page, "#add", "Chair");
    assert.equal(await page.locator("#add .class", { hasText: "Floor lamp" }).count(), 0);
    cpSync(path.resolve("../objects/lamp"), path.join(library, "lamp"), { recursive: true });
    await page.locator("#add summary").click();
    await visitor.nextState();
    await page.locator("#add summary").click();
    await hasText(page, "#add", "Floor lamp");
    await page.getByLabel("Find a class").fill("LAM");
    await page.waitForFunction(() => document.querySelectorAll("#add .class").length === 1);
    await page.locator("#add .class").click();
    const spot = await page.evaluate(() => window.fureai.place("floor", { x: 2.6, y: 0, z: 1.6 })!);
    await page.mouse.click(spot.x, spot.y);
    await page.waitForFunction(() => window.fureai.objects().some(({ name }) => name === "lamp 1"));
    const at = await visitor.position("lamp 1");
    assert.ok(Math.hypot(at.x - 2.6, at.z - 1.6) < 0.1, `it stands at ${at.x}, ${at.z}`);
    await page.getByLabel("Object", { exact: true }).selectOption({ label: "lamp 1" });
    await hasText(page, "#people", "switch");
    await visitor.row("floor").click();
    await page.getByRole("button", { name: "Remove floor" }).click();
    await hasText(page, "#add .wrong", "only what was added can be removed");
    await visitor.row("lamp 1").click();
    await page.getByRole("button", { name: "Remove lamp 1" }).click();
    await page.waitForFunction(() => window.fureai.objects().every(({ name }) => name !== "lamp 1"));
    await visitor.close();
});

test("a new class brings its motions to the panel, and a class that is there a motion more, while the program runs", async () => {
    const visitor = await visit();
    const { page } = visitor;
    const motions = (): Promise<string[]> => page.getByLabel("Motion", { exact: true }).locator("option").allTextContents();
    const waitForMotion = (name: string): Promise<unknown> =>
        page.waitForFunction((wanted) => [...document.querySelectorAll("#people option")].some((one) => one.textContent === wanted), name);

    // A class of its own, with a motion that no other has.
    const folder = path.join(library, "gong");
    cpSync(path.resolve("../objects/cup"), folder, { recursive: true });
    const gong = JSON.parse(readFileSync(path.join(folder, "object.json"), "utf8"));
    gong.title = "Temple gong";
    gong.affords = [{ motion: "admire", human: [{ skill: "look_at" }], asks: ["frames"] }];
    writeFileSync(path.join(folder, "object.json"), JSON.stringify(gong));
    await page.locator("#add summary").click();
    await hasText(page, "#add", "Temple gong");
    await page.getByLabel("Find a class").fill("gong");
    await page.waitForFunction(() => document.querySelectorAll("#add .class").length === 1);
    await page.locator("#add .class").click();
    const spot = await page.evaluate(() => window.fureai.place("floor", { x: 2.4, y: 0, z: 1.8 })!);
    await page.mouse.click(spot.x, spot.y);
    await page.waitForFunction(() => window.fureai.objects().some(({ name }) => name === "gong 1"));
    await page.getByLabel("Object", { exact: true }).selectOption({ label: "gong 1" });
    await waitForMotion("admire");
    assert.deepEqual(await motions(), ["choose a motion", "admire"]);

    // A class that an object has already.
    const file = path.join(library, "cup/object.json");
    const before = readFileSync(file, "utf8");
    const cup = JSON.parse(before);
    cup.affords.push({ motion: "toast", human: [{ skill: "look_at" }], asks: ["frames"] });
    writeFileSync(file, JSON.stringify(cup));
    await visitor.nextState();
    await page.getByLabel("Object", { exact: true }).selectOption({ label: "cup" });
    await waitForMotion("toast");
    await page.getByLabel("Motion", { exact: true }).selectOption("toast");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await hasText(page, "#people .given", "toast (cup)");
    writeFileSync(file, before);
    await visitor.row("gong 1").click();
    await page.getByRole("button", { name: "Remove gong 1" }).click();
    await page.waitForFunction(() => window.fureai.objects().every(({ name }) => name !== "gong 1"));
    rmSync(folder, { recursive: true });
    await visitor.close();
});

test("a class that is broken is refused with its place in the file", async () => {
    const visitor = await visit();
    const { page } = visitor;
    cpSync(path.resolve("../objects/lamp"), path.join(library, "torch"), { recursive: true });
    await page.locator("#add summary").click();
    await page.getByLabel("Find a class").fill("torch");
    await page.waitForFunction(() => document.querySelectorAll("#add .class").length === 1);
    const file = path.join(library, "torch/object.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"size"', '"sise"'));
    await page.locator("#add .class").click();
    await page.keyboard.press("Enter");
    await hasText(page, "#add .wrong", "did you mean 'size'?");
    rmSync(path.join(library, "torch"), { recursive: true });
    await visitor.close();
});

test("a person is posed by dragging palms and head, and saved as a clip that the tool reads", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await visitor.restart();
    await page.getByRole("button", { name: "Pose by hand" }).click();
    const handle = page.getByRole("button", { name: "Right palm of Mai" });
    await handle.waitFor();
    await visitor.nextState();
    const from = await visitor.boxAtRest(handle);
    await page.mouse.move(from.x + 14, from.y + 14);
    await page.mouse.down();
    await page.mouse.move(from.x + 14, from.y - 90, { steps: 6 });
    await page.waitForFunction(
        ([x, y]) => {
            const box = document.querySelectorAll(".handle")[1]!.getBoundingClientRect();
            return Math.hypot(box.x - x, box.y - y) < 12;
        },
        [from.x, from.y - 104] as const,
    );
    await page.mouse.up();
    const head = page.getByRole("button", { name: "Head of Mai" });
    const before = await visitor.boxAtRest(head);
    await head.focus();
    for (let i = 0; i < 10; i++) {
        await page.keyboard.press("ArrowDown");
    }
    await page.waitForFunction((y) => document.querySelectorAll(".handle")[0]!.getBoundingClientRect().y > y + 8, before.y);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save posture" }).click();
    const saved = await download;
    assert.equal(saved.suggestedFilename(), "Mai.ahmc");
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-posture-"));
    const file = path.join(folder, "Mai.ahmc");
    await saved.saveAs(file);
    assert.match(readFileSync(file, "utf8"), /^AHMC 1\n/);
    const read = spawnSync(environment("FUREAI_PROGRAM"), ["motion", file, "--json"], { encoding: "utf8" });
    assert.equal(read.status, 0, read.stderr);
    assert.equal((JSON.parse(read.stdout) as { frames: number }).frames, 1);
    rmSync(folder, { recursive: true });
    await page.getByRole("button", { name: "Pose by hand" }).click();
    assert.equal(await handle.isVisible(), false);
    await visitor.close();
});

test("it all works by keys, and by fingers on a phone", async () => {
    const visitor = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = visitor;
    await visitor.restart();
    await page.getByRole("button", { name: "Details" }).tap();
    await choose(page, "floor", "walk");
    await page.getByLabel("Facing (degrees) *").fill("0");
    for (const button of await page.locator("#people button:visible, #people select:visible, #people input:visible").all()) {
        const { height, x, width } = (await button.boundingBox())!;
        assert.ok(height >= 40, `${await button.textContent()} is ${height} pixels high`);
        assert.ok(x >= 0 && x + width <= 390, "it is on the page");
    }
    await page.getByRole("button", { name: "Pick on the floor" }).tap();
    assert.equal(await page.locator("#right").isVisible(), false, "the sheet is out of the way");
    const spot = await page.evaluate(() => window.fureai.place("floor", { x: 1.2, y: 0, z: 1.8 })!);
    await page.touchscreen.tap(spot.x, spot.y);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#people .place input")!.value !== "");
    assert.equal(await page.locator("#right").isVisible(), true);
    await page.getByRole("button", { name: "Pick on the floor" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#choosing").isVisible(), false);
    await page.getByRole("button", { name: "Pick on the floor" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#choosing")!.hasAttribute("hidden"));
    await page.getByLabel("Goal *").fill("1.2, 0, 1.6");
    await page.getByRole("button", { name: "Go" }).focus();
    await page.keyboard.press("Enter");
    await hasText(page, "#people .given", "Mai: walk");
    await visitor.close();
});
