// The view cube and the measure between two places, in a real browser: by mouse, finger and keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser, Server, Visitor } from "./browser_world";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desk: BrowserContextOptions = { viewport: { width: 1000, height: 600 } };

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("browser_views_scene.json", 0, "--paused");
});

after(async () => {
    assert.equal(await server.stop(), 0);
    await closeBrowser();
});

async function visiting(options: BrowserContextOptions, run: (page: Page, visitor: Visitor) => Promise<void>): Promise<void> {
    const visitor = await Visitor.open(browser, options);
    await visitor.visit(server);
    await run(visitor.page, visitor);
    await visitor.close();
}

// The two boxes are level and side by side as seen from the front, and one above the other from above.
const isInFront = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => {
        const [a, b] = [window.fureai.project("left")!, window.fureai.project("right")!];
        return Math.abs(a.y - b.y) < 2 && b.x - a.x > 100 && window.fureai.place("left", { x: 0, y: 0.5, z: 0 })!.y < a.y - 10;
    });
const isAbove = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => window.fureai.place("left", { x: 0, y: 0, z: 0.5 })!.y > window.fureai.project("left")!.y + 10);

const face = (page: Page, name: string) => page.locator("#view-cube").getByRole("button", { name: `Look from: ${name}`, exact: true });
const measured = (page: Page): Promise<{ kind: string; distance: number; angle: number | null; text: string }> =>
    page.waitForFunction(() => window.fureai.measured()).then((handle) => handle.jsonValue() as never);
const near = (a: number, b: number, slack: number): void => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

test("the cube looks from its faces, by mouse and by keys, and a drag of it looks around", () =>
    visiting(desk, async (page) => {
        await face(page, "top").click();
        await isAbove(page);
        // Straight from above its other faces are not seen, and not in the way of Tab.
        const stops = await page.locator('#view-cube button[tabindex="0"]').allTextContents();
        assert.deepEqual(stops, ["Top"]);
        const { x, y, width, height } = (await page.locator("#view-cube").boundingBox())!;
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width / 2, y + height / 2 - 40, { steps: 4 });
        await page.mouse.up();
        await page.waitForFunction(() => document.querySelectorAll('#view-cube button[tabindex="0"]').length > 1);
        await face(page, "front").focus();
        await page.keyboard.press("Enter");
        await isInFront(page);
    }));

test("the cube takes fingers", () =>
    visiting(phone, async (page) => {
        await face(page, "top").tap();
        await isAbove(page);
        const { width, height } = (await face(page, "top").boundingBox())!;
        assert.ok(width >= 40 && height >= 40, `${width} x ${height}`);
    }));

test("points and faces are measured by mouse, and the measure goes with the bodies", () =>
    visiting(desk, async (page, visitor) => {
        await face(page, "front").click();
        await isInFront(page);
        await page.locator("#view summary").click();
        await page.getByRole("button", { name: "Measure (M)" }).click();
        for (const name of ["left", "right"]) {
            const { x, y } = await page.evaluate((each) => window.fureai.project(each)!, name);
            await page.mouse.click(x, y);
        }
        const points = await measured(page);
        assert.equal(points.kind, "points");
        near(points.distance, 2.3, 0.3);
        assert.match(points.text, /^2\.\d+ m \(x 2\.\d+ m, y .*m, z .*m\)$/);
        await page.getByLabel("What is measured").selectOption("faces");
        const faces = await measured(page);
        // The front faces lie in one plane; their nearest edges are 1.5 m apart.
        near(faces.distance, 1.5, 1e-6);
        near(faces.angle!, 0, 1e-6);
        assert.equal(faces.text, "1.5 m at the nearest; parallel, planes 0 mm apart");
        await page.getByText(faces.text).waitFor();
        await page.getByRole("button", { name: "Close" }).click();
        assert.equal(await page.evaluate(() => window.fureai.measured()), null);
        // A click selects again.
        const { x, y } = await visitor.grip("right");
        await page.mouse.click(x, y);
        await page.getByRole("row", { name: "right", selected: true }).waitFor();
    }));

test("a finger measures", () =>
    visiting(phone, async (page) => {
        await face(page, "front").tap();
        await isInFront(page);
        await page.locator("#panels").getByRole("button", { name: "Scene", exact: true }).tap();
        await page.locator("#view summary").tap();
        await page.getByRole("button", { name: "Measure (M)" }).tap();
        await page.locator("#measuring").waitFor();
        for (const name of ["left", "right"]) {
            const { x, y } = await page.evaluate((each) => window.fureai.project(each)!, name);
            await page.touchscreen.tap(x, y);
        }
        near((await measured(page)).distance, 2.3, 0.3);
        await page.getByRole("button", { name: "Again" }).tap();
        assert.equal(await page.evaluate(() => window.fureai.measured()), null);
    }));

test("keys measure: a mark goes there, Enter takes it, Escape ends", () =>
    visiting(desk, async (page) => {
        await page.locator("#stage").focus();
        await page.keyboard.press("5");
        await isInFront(page);
        await page.keyboard.press("m");
        let [x, y] = [500, 300];
        for (const name of ["left", "right"]) {
            const goal = await page.evaluate((each) => window.fureai.project(each)!, name);
            for (; Math.abs(goal.x - x) > 8; x += Math.sign(goal.x - x) * 12) {
                await page.keyboard.press(goal.x > x ? "ArrowRight" : "ArrowLeft");
            }
            for (; Math.abs(goal.y - y) > 8; y += Math.sign(goal.y - y) * 12) {
                await page.keyboard.press(goal.y > y ? "ArrowDown" : "ArrowUp");
            }
            await page.keyboard.press("Enter");
        }
        near((await measured(page)).distance, 2.3, 0.3);
        await page.keyboard.press("Escape");
        await page.locator("#measuring").waitFor({ state: "hidden" });
    }));
