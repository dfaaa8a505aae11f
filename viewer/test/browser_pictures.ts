// Draws the pictures of the documents: real scenes in a real browser, at rest at a certain tick, so that they come out alike.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { environment, khronosFiles, openBrowser, Server, Visitor } from "./browser_world";

interface Shot {
    name: string;
    demo: string; // or a scene that is written to a folder
    write?: (folder: string) => boolean; // false where what it needs is not here
    ticks: number; // after which it is looked at
    serve?: string[]; // more options of the program
    options: BrowserContextOptions;
    pose?: (visitor: Visitor) => Promise<void>;
}

const wide = { viewport: { width: 1080, height: 675 } };

const colors = [[205, 92, 80], [96, 160, 100], [142, 96, 170], [205, 205, 205], [240, 160, 50], [64, 120, 170]];

// Fifteen figures of Khronos that follow bones, turned a little, and a block at the arm of one.
function writeFigures(folder: string): boolean {
    const [model] = khronosFiles(["RiggedFigure"]) ?? [];
    if (model === undefined) {
        return false;
    }
    copyFileSync(model, path.join(folder, path.basename(model)));
    const figures = Array.from({ length: 15 }, (_, i) => ({
        name: `figure ${i + 1}`,
        model: path.basename(model),
        position: [0.9 * (i % 5) + 0.4 * (Math.floor(i / 5) % 2), 0, Math.floor(i / 5)],
        axis_angle_deg: [0, 1, 0, 25 * ((i % 4) - 1.5)],
        color: colors[(5 * i + Math.floor(i / 5)) % colors.length],
    }));
    const block = { name: "block", shape: "box", position: [3.02, 0.75, 2.05], scale: 0.25, color: [40, 90, 230] };
    const scene = { fureai: 1, title: "Figures", step: 0.02, objects: [...figures, block] };
    writeFileSync(path.join(folder, "figures.json"), JSON.stringify(scene));
    return true;
}

const shots: Shot[] = [
    {
        name: "viewer-room",
        demo: "room",
        ticks: 330,
        serve: ["--script", "../../examples/scenario.json"],
        options: { ...wide, colorScheme: "light" },
    },
    {
        name: "viewer-bones",
        demo: "figures",
        write: writeFigures,
        ticks: 14,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.waitForFunction(() => window.fureai.pairs > 0);
        },
    },
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

async function take({ name, demo, write, ticks, serve, options, pose }: Shot): Promise<void> {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-picture-"));
    if (write?.(folder) === false) {
        console.log(`did not draw ${name}.png: FUREAI_SHARED does not lead to its models`);
        rmSync(folder, { recursive: true });
        return;
    }
    const scenes = write === undefined ? "../../demos" : folder;
    const server = await Server.start(scenes, 0, "--first", demo, "--paused", ...(serve ?? []));
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
        rmSync(folder, { recursive: true });
    }
}

try {
    for (const shot of shots) {
        await take(shot);
    }
} finally {
    await close();
}
