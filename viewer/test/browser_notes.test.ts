// What the page says of a scene: caption, gallery with pictures, lines where surfaces cross with their legend, labels, layers.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const demos = path.resolve("../demos");
const wide = { viewport: { width: 1100, height: 700 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let close: () => Promise<void>;
before(async () => ({ browser, close } = await openBrowser()));
after(() => close());

async function visiting(scene: string, options: BrowserContextOptions, look: (visitor: Visitor) => Promise<void>, ...more: string[]): Promise<void> {
    const server = await Server.start(scene, 0, ...more);
    const visitor = await Visitor.open(browser, options);
    visitor.page.setDefaultTimeout(120_000);
    try {
        await visitor.visit(server);
        await look(visitor);
        await visitor.close();
    } finally {
        await server.stop();
    }
}

for (const [name, options] of [["a wide page", wide], ["a phone", phone]] as const) {
    test(`on ${name} a scene opens with its caption, which closes and comes back, by pointer and by key`, () =>
        visiting("browser_notes_scene.json", options, async ({ page }) => {
            const caption = page.locator("#caption");
            await caption.getByText("A red block and a blue one.").waitFor();
            await caption.getByText("Drag the red block into the blue one.").waitFor();
            const { free, covered } = await page.evaluate(() => window.fureai.framing());
            const box = (await caption.boundingBox())!;
            assert.ok(free.top >= box.y + box.height - 1, "the scene is framed below it");
            assert.ok(box.height < 0.3 * page.viewportSize()!.height, `${box.height} pixels high`);
            assert.ok(covered > 0.1, `${covered}`);
            await page.getByRole("button", { name: "Close the caption" }).click();
            await caption.waitFor({ state: "hidden" });
            const button = page.getByRole("button", { name: "About this scene" });
            assert.equal(await button.getAttribute("aria-expanded"), "false");
            await button.click();
            await caption.waitFor();
            await page.locator("#stage").focus();
            await page.keyboard.press("h");
            await caption.waitFor({ state: "hidden" });
            await page.keyboard.press("h");
            await caption.waitFor();
        }));
}

test("what crosses is a line of a colour away from both, with a legend; whole faces and labels by choice", () =>
    visiting("browser_notes_scene.json", wide, async (visitor) => {
        const { page } = visitor;
        const legend = page.locator("#legend");
        assert.equal(await legend.isVisible(), false, "nothing crosses yet");
        // Labels go after two seconds of the world: each is noted when it comes.
        await page.evaluate(() => {
            const noted = ((window as never as { noted: string[] }).noted = [] as string[]);
            const note = (): void => document.querySelectorAll("#labels .first").forEach((label) => noted.push(label.textContent ?? ""));
            new MutationObserver(note).observe(document.getElementById("labels")!, { childList: true });
        });
        await visitor.take("red block");
        await page.locator("#caption").waitFor({ state: "hidden" }); // who handles something has read it
        for (let i = 0; i < 60 && (await page.evaluate(() => window.fureai.crossings)) === 0; i++) {
            await page.keyboard.press("ArrowRight");
            await visitor.nextState();
        }
        await page.keyboard.press("Enter");
        await visitor.waitForHold("red block", 2);
        await page.waitForFunction(() => window.fureai.crossings > 0);
        await legend.getByText("surfaces cross").waitFor();
        assert.equal(await page.evaluate(() => window.fureai.blinking), 0, "no whole faces");
        await page.waitForFunction(() => (window as never as { noted: string[] }).noted.length > 0);
        const [label] = await page.evaluate(() => (window as never as { noted: string[] }).noted);
        assert.match(label!, /^red block and blue block, \d+\.\d{3} s$/);
        const color = await legend.evaluate((element) => element.style.getPropertyValue("--highlight"));
        assert.ok(!["#ff2d3f"].includes(color), `${color} is not the red of the block`);
        await page.getByLabel("Whole faces that collide").check();
        await page.waitForFunction(() => window.fureai.blinking >= 2);
        await page.getByLabel("Whole faces that collide").uncheck();
        await page.waitForFunction(() => window.fureai.blinking === 0);
        await page.getByRole("button", { name: "Restart" }).click();
        await page.waitForFunction(() => window.fureai.crossings === 0);
        await legend.waitFor({ state: "hidden" });
    }));

test("six first contacts at once have five labels, none over another", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-notes-"));
    const balls = [0, 1, 2, 3, 4, 5].map((i) => ({ name: `ball ${i}`, shape: "sphere_168", position: [2.6 * i - 6.5, 1.25, 0], velocity: [0, -1, 0] }));
    // The flat side of a box of 20 is at y = 0.
    const objects = [{ name: "ground", shape: "box", scale: 20, position: [0, -10, 0], static: true }, ...balls];
    writeFileSync(path.join(folder, "scene.json"), JSON.stringify({ fureai: 1, title: "Six", step: 0.1, steps: 100, objects }));
    await visiting(path.join(folder, "scene.json"), wide, async (visitor) => {
        const { page } = visitor;
        await page.locator("#stage").focus();
        for (let i = 0; i < 10 && (await page.evaluate(() => window.fureai.firstContacts)) < 6; i++) {
            await page.keyboard.press(".");
            await visitor.nextState();
        }
        assert.ok((await page.evaluate(() => window.fureai.firstContacts)) >= 6, "six rings");
        const labels = page.locator("#labels .first:not([hidden])");
        assert.equal(await labels.count(), 5);
        const boxes = await labels.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
        boxes.forEach((a, i) => {
            for (const b of boxes.slice(i + 1)) {
                assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, JSON.stringify([a, b]));
            }
        });
        assert.equal(new Set(await labels.allTextContents()).size, 5);
    }, "--paused");
    rmSync(folder, { recursive: true });
});

test("layers of a scene's octree and radar are drawn, and named with a capital letter", () =>
    visiting("browser_notes_scene.json", wide, async ({ page }) => {
        for (const name of ["Octree of blue block", "Radar of eye"]) {
            const box = page.getByLabel(name, { exact: true });
            await box.waitFor();
            assert.ok(await box.isChecked());
        }
        const names = await page.locator("#layers .check span").allTextContents();
        assert.ok(names.every((name) => name.charAt(0) === name.charAt(0).toUpperCase()), names.join(", "));
    }));

test("the frame of the keyboard is not shown after a drag, and is after Tab", () =>
    visiting("browser_notes_scene.json", wide, async ({ page }) => {
        const stage = page.locator("#stage");
        const outline = (): Promise<string> => stage.evaluate((element) => getComputedStyle(element).outlineStyle);
        await page.keyboard.press("Tab");
        await stage.focus();
        assert.equal(await outline(), "solid", "focused by the keyboard");
        await page.mouse.move(560, 500);
        await page.mouse.down();
        await page.mouse.move(600, 520, { steps: 3 });
        await page.mouse.up();
        await page.keyboard.press("ArrowLeft");
        assert.equal(await outline(), "none", "after a drag");
    }));

test("the gallery is open, with a picture of each demo; statistics are folded; every demo has its words", () =>
    visiting("../../demos", wide, async ({ page }) => {
        const count = readdirSync(demos).filter((name) => name.endsWith(".json")).length;
        const entries = page.locator(".demo");
        await entries.first().waitFor();
        assert.equal(await entries.count(), count);
        assert.equal(await page.locator("#statistics").getAttribute("open"), null);
        assert.ok((await page.locator("#gallery").getAttribute("open")) !== null);
        const pictures = page.locator(".demo img");
        const folder = path.join(demos, "pictures");
        assert.equal(await pictures.count(), existsSync(folder) ? readdirSync(folder).length : 0, "each picture is shown");
        await pictures.first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => {
            const image = document.querySelector<HTMLImageElement>(".demo img")!;
            return image.complete && image.naturalWidth === 320 && image.naturalHeight === 200;
        });
        const isPlain = (words: string): boolean => words.length > 25 && !/fureai |--[a-z]|\$ |command|terminal|make /.test(words);
        for (const about of await entries.evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).title))) {
            assert.ok(isPlain(about), `plain words, no command line: ${about}`);
        }
        for (const name of readdirSync(demos).filter((each) => each.endsWith(".json"))) {
            const hint = (JSON.parse(readFileSync(path.join(demos, name), "utf8")) as { try: string }).try;
            assert.ok(isPlain(hint), `${name}: plain words, no command line: ${hint}`);
        }
        assert.ok(!isPlain("Start it with fureai serve --device udp:localhost:9000"));
        // By the keyboard another scene opens, with its own caption.
        await page.locator('[data-name="swing"]').focus();
        await page.keyboard.press("Enter");
        await page.locator("#caption").getByText("A bat turns once in two seconds").waitFor();
        await page.getByLabel("Ahead", { exact: true }).waitFor();
    }));

test("pictures of the gallery are small", () => {
    const folder = path.join(demos, "pictures");
    const sizes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
    assert.ok(Math.max(...sizes) <= 16_384, `the largest has ${Math.max(...sizes)} bytes`);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 250_000);
});

test("the page is under 900 kB", () => {
    const folder = path.join(environment("FUREAI_PAGE"), "assets");
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    console.log(`the page has ${bytes} bytes`);
    assert.ok(bytes < 900_000, `${bytes} bytes`);
});

test("on paper there is the world on white, without panels", () =>
    visiting("browser_notes_scene.json", { ...wide, colorScheme: "dark" }, async ({ page }) => {
        await page.emulateMedia({ media: "print" });
        for (const part of ["#left", "#right", "#controls", "#panels"]) {
            assert.equal(await page.locator(part).isVisible(), false, part);
        }
        assert.ok(await page.locator("#stage").isVisible());
        assert.ok(await page.locator("#scene").isVisible());
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundImage);
        assert.equal(background, "none");
    }));
