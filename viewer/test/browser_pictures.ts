// Draws the pictures of the documents: real scenes in a real browser, at rest at a certain tick, so that they come out alike.
import path from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

interface Shot {
    name: string;
    demo: string;
    ticks: number; // after which it is looked at
    serve?: string[]; // more options of the program
    options: BrowserContextOptions;
    pose?: (visitor: Visitor) => Promise<void>;
}

const wide = { viewport: { width: 1080, height: 675 } };

const shots: Shot[] = [
    {
        name: "viewer-knots",
        demo: "knots",
        ticks: 110,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByText("Gallery").click();
            await page.locator("#statistics summary").click();
            await page.locator("#events summary").click();
        },
    },
    {
        name: "viewer-door",
        demo: "door",
        ticks: 20,
        options: { ...wide, colorScheme: "dark" },
        // The door is pulled along the ground: it turns on its hinge, and where the hand is stays an outline.
        pose: async (visitor) => {
            const { page } = visitor;
            await visitor.row("door").dblclick();
            await visitor.nextState();
            const { x, y } = await visitor.grip("door");
            await page.mouse.move(x, y);
            await page.keyboard.down("Shift");
            await page.mouse.down();
            await page.mouse.move(x - 90, y + 80, { steps: 8 });
            await page.waitForFunction(() => window.fureai.ghost);
            await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        },
    },
    {
        name: "viewer-gears",
        demo: "gears",
        ticks: 60,
        options: { ...wide, colorScheme: "light" },
        pose: async ({ page }) => {
            await page.getByLabel("Contact points and normals").check();
            await page.waitForFunction(() => window.fureai.contacts > 0);
        },
    },
    {
        name: "viewer-timeline",
        demo: "knots",
        ticks: 28,
        options: { ...wide, colorScheme: "dark" },
        // The knots come together: their first contact is marked, and the strip shows the rest.
        pose: async (visitor) => {
            await visitor.page.keyboard.press("t");
            await step(visitor, 28, 60);
        },
    },
    {
        name: "viewer-octree",
        demo: "knots",
        ticks: 60,
        serve: ["--octree", "orange knot:5"],
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("octree of orange knot").waitFor();
            await page.locator("#statistics summary").click();
            await page.locator("#events summary").click();
        },
    },
    {
        name: "ahead",
        demo: "ahead",
        ticks: 75,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("ahead", { exact: true }).waitFor();
            await page.locator("#statistics summary").click();
        },
    },
    {
        name: "seek",
        demo: "seek",
        ticks: 150,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("search tree", { exact: true }).waitFor();
            await page.locator("#statistics summary").click();
        },
    },
    {
        name: "viewer-way",
        demo: "window",
        ticks: 270,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("path", { exact: true }).waitFor();
            await page.locator("#statistics summary").click();
            await page.locator("#events summary").click();
        },
    },
    {
        name: "viewer-blocks",
        demo: "blocks",
        ticks: 1,
        options: { ...wide, colorScheme: "dark" },
        // One cube is pressed on the table, then along it against another: what holds it, and the directions that are left.
        pose: async (visitor) => {
            const { page } = visitor;
            await visitor.row("yellow cube").dblclick();
            await visitor.take("green cube");
            await visitor.pressUntilHeld("PageDown", "one contact");
            await visitor.pressUntilHeld("ArrowDown", "two contacts");
            await page.locator("#statistics summary").click();
            await page.locator("#events summary").click();
        },
    },
    {
        name: "viewer-piston",
        demo: "piston",
        ticks: 1,
        options: { ...wide, colorScheme: "light" },
        // The piston is in the hand, and where it belongs is shown.
        pose: async (visitor) => {
            const { page } = visitor;
            await visitor.row("piston").dblclick();
            await page.mouse.move(540, 340);
            for (let i = 0; i < 3; i++) {
                await page.mouse.wheel(0, 200);
            }
            await page.mouse.down({ button: "right" });
            await page.mouse.move(390, 350, { steps: 3 });
            await page.mouse.up({ button: "right" });
            await visitor.take("piston");
            for (const key of [...Array<string>(7).fill("PageUp"), ...Array<string>(7).fill("ArrowRight")]) {
                await page.keyboard.press(key);
                await visitor.nextState();
            }
            await page.locator("#statistics summary").click();
        },
    },
    {
        name: "viewer-phone",
        demo: "knots",
        ticks: 110,
        options: { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
    },
];

const { browser, close } = await openBrowser();

// Takes a scene that stands still to a tick, by a small page that is drawn quickly.
async function stepTo(server: Server, ticks: number): Promise<void> {
    const visitor = await Visitor.open(browser, { viewport: { width: 240, height: 160 } });
    await visitor.visit(server);
    await step(visitor, 0, ticks);
    await visitor.close();
}

async function step(visitor: Visitor, from: number, to: number): Promise<void> {
    for (let tick = from + 1; tick <= to; tick++) {
        await visitor.page.keyboard.press(".");
        await visitor.page.waitForFunction((wanted) => window.fureai.tick >= wanted, tick);
    }
}

async function take({ name, demo, ticks, serve, options, pose }: Shot): Promise<void> {
    const server = await Server.start("../../demos", 0, "--first", demo, "--paused", ...(serve ?? []));
    try {
        await stepTo(server, ticks);
        // Faces shine steadily, so that no picture is taken between two blinks.
        const visitor = await Visitor.open(browser, { reducedMotion: "reduce", ...options });
        const { page } = visitor;
        page.setDefaultTimeout(120_000);
        await visitor.visit(server, "?fine");
        await page.keyboard.press("f");
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await visitor.nextState();
        await pose?.(visitor);
        await visitor.nextState();
        await page.screenshot({ path: path.join(environment("FUREAI_PICTURES"), `${name}.png`) });
        console.log(`drew ${name}.png`);
        await visitor.close();
    } finally {
        await server.stop();
    }
}

try {
    for (const shot of shots) {
        await take(shot);
    }
} finally {
    await close();
}
