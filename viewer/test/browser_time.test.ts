// Time, in a real browser: the past of the session and a record that is served, by mouse, finger and keys.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

let browser: Browser;
let closeBrowser: () => Promise<void>;
const folder = mkdtempSync(path.join(tmpdir(), "fureai-time-"));
const scene = path.join(folder, "scene.json");
const recordFile = path.join(folder, "meeting.record");
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

// A ball goes along x, one metre a second, and through another from about 1.6 s to 5.4 s.
const objects = [
    { name: "go", shape: "sphere_168", velocity: [1, 0, 0] },
    { name: "stay", shape: "sphere_168", position: [3.5, 0, 0] },
];

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    writeFileSync(scene, JSON.stringify({ fureai: 1, title: "Meeting", step: 0.02, steps: 400, objects }));
    const { status } = spawnSync(environment("FUREAI_PROGRAM"), ["sweep", scene, "--record", recordFile, "--quiet"]);
    assert.equal(status, 0);
});

after(async () => {
    await closeBrowser();
    rmSync(folder, { recursive: true });
});

async function visiting(file: string, options: BrowserContextOptions, run: (visitor: Visitor) => Promise<void>, ...more: string[]): Promise<void> {
    const server = await Server.start(file, 0, ...more);
    const visitor = await Visitor.open(browser, options);
    try {
        await visitor.visit(server);
        await run(visitor);
        await visitor.close();
    } finally {
        await visitor.page.context().close();
        assert.equal(await server.stop(), 0);
    }
}

const x = async (visitor: Visitor): Promise<number> => (await visitor.position("go")).x;
const waitForX = (visitor: Visitor, from: number, to: number): Promise<unknown> =>
    visitor.page.waitForFunction(
        ([low, high]) => {
            const at = window.fureai.objects().find(({ name }) => name === "go")?.position.x;
            return at !== undefined && at >= low && at <= high;
        },
        [from, to] as const,
    );
// The first state in which they touch; a page on a busy machine is not sent every state.
const waitForContact = (visitor: Visitor): Promise<unknown> => waitForX(visitor, 1.59, 2.1);
const isPast = (visitor: Visitor): Promise<boolean> => visitor.page.evaluate(() => window.fureai.past);

// Opens the strip of time where a page keeps it folded.
async function openStrip(visitor: Visitor): Promise<void> {
    const fold = visitor.page.locator("#timeline .fold");
    if ((await fold.getAttribute("aria-expanded")) === "false") {
        await fold.click();
    }
}

// The page sees the world from its beginning, and until the two touch.
async function playing(options: BrowserContextOptions, run: (visitor: Visitor) => Promise<void>): Promise<void> {
    await visiting(scene, options, async (visitor) => {
        await visitor.page.getByRole("button", { name: "Play" }).click();
        await waitForX(visitor, 2.6, 100);
        await run(visitor);
    }, "--paused");
}

test("by keys: back to the contact, a state further, played slowly, and live again", () =>
    playing(desk, async (visitor) => {
        const { page } = visitor;
        await page.locator("#stage").focus();
        await page.keyboard.press("Shift+ArrowLeft");
        await waitForContact(visitor);
        assert.equal(await isPast(visitor), true);
        await page.locator("#show-faces").evaluate((box) => (box as HTMLInputElement).click());
        await page.waitForFunction(() => window.fureai.blinking > 0); // faces that collide then are shown
        const first = await x(visitor);
        await page.keyboard.press(",");
        await waitForX(visitor, 0, first - 0.01);
        await page.waitForFunction(() => window.fureai.pairs === 0);
        await page.keyboard.press(".");
        await waitForX(visitor, first - 1e-9, first + 1e-9);
        await page.getByLabel("Speed").selectOption("0.25");
        await page.locator("#stage").focus();
        await page.keyboard.press("Space");
        await waitForX(visitor, first + 0.05, 100);
        await page.keyboard.press("Space");
        const stood = await x(visitor);
        assert.equal(await x(visitor), stood);
        // The world went on, and what it did is kept.
        await page.keyboard.press("l");
        await page.waitForFunction(() => !window.fureai.past);
        await waitForX(visitor, 2.5, 100);
    }));

test("the slider has keys of its own", () =>
    playing(desk, async (visitor) => {
        const { page } = visitor;
        const slider = page.getByRole("slider", { name: "Time that is shown" });
        await slider.focus();
        await page.keyboard.press("ArrowLeft");
        await waitForContact(visitor);
        await page.keyboard.press("Home");
        await waitForX(visitor, -0.01, 1);
        assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^\d+\.\d\d s of \d+\.\d\d s$/);
        await page.keyboard.press("ArrowRight");
        await waitForContact(visitor);
        await page.keyboard.press("End");
        await page.waitForFunction(() => !window.fureai.past);
    }));

test("by mouse: the slider, the buttons of contacts, nothing can be taken in the past", () =>
    playing(desk, async (visitor) => {
        const { page } = visitor;
        await page.getByRole("button", { name: "Pause" }).click();
        await page.waitForFunction(() => window.fureai.paused);
        const end = await x(visitor);
        const box = (await page.locator(".scrub").boundingBox())!;
        const [left, middle, y] = [box.x + 4, box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(box.x + box.width - 6, y);
        await page.mouse.down();
        await page.mouse.move(middle, y, { steps: 5 });
        await page.waitForFunction(() => window.fureai.past);
        const half = await x(visitor);
        assert.ok(half > 0.3 * end && half < 0.7 * end, `${half} in the middle, ${end} at the end`);
        await page.mouse.move(left, y, { steps: 5 });
        await page.mouse.up();
        await waitForX(visitor, -0.01, 1);
        const { x: gx, y: gy } = await visitor.grip("go");
        await page.mouse.move(gx, gy);
        await page.mouse.down();
        await page.mouse.move(gx + 60, gy, { steps: 4 });
        await page.mouse.up();
        await visitor.waitForMessage("an earlier time is shown");
        await page.getByRole("button", { name: "Contact after" }).click();
        await waitForContact(visitor);
        await page.getByRole("button", { name: "Live" }).click();
        await waitForX(visitor, 2.5, 100);
        assert.match((await page.locator(".kept").textContent()) ?? "", /s kept, \d+\.\d of 64 MB/);
    }));

test("by a finger, on a phone", () =>
    playing(phone, async (visitor) => {
        const { page } = visitor;
        await openStrip(visitor);
        const box = (await page.locator(".scrub").boundingBox())!;
        assert.ok(box.width >= 100 && box.height >= 40, JSON.stringify(box));
        // Before the contact, however long the page has seen the world.
        await page.touchscreen.tap(box.x + box.width / 20, box.y + box.height / 2);
        await page.waitForFunction(() => window.fureai.past);
        assert.ok((await x(visitor)) < 1.59);
        await page.getByRole("button", { name: "Contact after" }).tap();
        await waitForContact(visitor);
        await page.getByRole("button", { name: "Live" }).tap();
        await page.waitForFunction(() => !window.fureai.past);
    }));

for (const [name, options] of [["a wide page", desk], ["a phone", phone]] as const) {
    test(`a record opens in ${name} with the same controls`, () =>
        visiting(recordFile, options, async (visitor) => {
            const { page } = visitor;
            const slider = page.getByRole("slider", { name: "Time that is shown" });
            assert.match((await slider.getAttribute("aria-valuetext")) ?? "", / of 8\.00 s$/);
            await page.waitForFunction(() => window.fureai.timeline().length === 1);
            await slider.focus();
            await page.keyboard.press("ArrowRight");
            await waitForX(visitor, 1.59, 1.63);
            await page.locator("#show-faces").evaluate((box) => (box as HTMLInputElement).click());
            await page.waitForFunction(() => window.fureai.blinking > 0);
            await page.keyboard.press("End");
            await waitForX(visitor, 7.99, 8.01);
            await page.waitForFunction(() => window.fureai.blinking === 0);
            const box = (await page.locator(".scrub").boundingBox())!;
            const place = [box.x + box.width / 2, box.y + box.height / 2] as const;
            if (options.hasTouch === true) {
                await page.touchscreen.tap(...place);
            } else {
                await page.mouse.click(...place);
            }
            await waitForX(visitor, 3.2, 4.8);
            await page.locator("#stage").focus();
            const before = await x(visitor);
            await page.keyboard.press(",");
            await waitForX(visitor, before - 0.03, before - 0.01);
            await page.getByLabel("Speed").selectOption("8");
            await page.getByRole("button", { name: "Play" }).click();
            await waitForX(visitor, 7.99, 8.01);
            await page.waitForFunction(() => window.fureai.paused);
            assert.equal(await page.getByRole("button", { name: "Live" }).isVisible(), false);
            await slider.focus();
            await page.keyboard.press("Home");
            await waitForX(visitor, -0.01, 0.01);
            await visitor.drag("go", 30, 0);
            await visitor.waitForMessage("nothing of it can be moved");
        }, "--paused"));
}

test("a record of another version is a sentence, in the page and for the caller", async () => {
    const other = path.join(folder, "other.record");
    writeFileSync(other, "FRWORLD\n\u0007\0\0\0");
    const { status, stderr } = spawnSync(environment("FUREAI_PROGRAM"), ["serve", other, "--port", "0"]);
    assert.equal(status, 3);
    assert.match(stderr.toString(), /other\.record: .*version 7, this library reads 1/);
    await visiting(folder, desk, async (visitor) => {
        await visitor.page.locator("details:has(.demo)").evaluate((section) => ((section as HTMLDetailsElement).open = true));
        await visitor.page.locator(".demo", { hasText: "other" }).click();
        await visitor.waitForMessage("version 7");
        assert.ok((await visitor.page.evaluate(() => window.fureai.objects().length)) > 0, "what was shown is there");
    }, "--first", "meeting");
});
