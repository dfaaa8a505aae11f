// Draws the pictures of the documents and of the gallery: real scenes in a real browser, at rest at a certain tick, so that
// they come out alike.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
        ticks: 235,
        serve: ["--script", path.resolve("../examples/scenario.json")],
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
            await page.getByLabel("Octree of orange knot").waitFor();
            await page.locator("#events summary").click();
        },
    },
    {
        name: "ahead",
        demo: "ahead",
        ticks: 75,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("Ahead", { exact: true }).waitFor();
        },
    },
    {
        name: "seek",
        demo: "seek",
        ticks: 150,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("Search tree", { exact: true }).waitFor();
        },
    },
    {
        name: "viewer-path",
        demo: "window",
        ticks: 270,
        options: { ...wide, colorScheme: "dark" },
        pose: async ({ page }) => {
            await page.getByLabel("Path", { exact: true }).waitFor();
            await page.getByRole("button", { name: "Close the caption" }).click();
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
        },
    },
    {
        name: "viewer-phone",
        demo: "knots",
        ticks: 110,
        options: { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
    },
];

// Rows of the scenario: what is seen from where, and in which tick. The eye and what it looks at are points of the room.
interface Row {
    words: string;
    tick: number;
    eye: readonly [number, number, number];
    at: readonly [number, number, number];
}

const rows: readonly Row[] = [
    { words: "1 opens and closes the door", tick: 95, eye: [-0.6, 1.7, -1.6], at: [0.95, 1.0, 0.1] },
    { words: "2 walks", tick: 1090, eye: [2.6, 1.6, 1.2], at: [0.95, 0.9, 3.05] },
    { words: "3 presses the switch", tick: 1226, eye: [0.5, 1.6, 5.0], at: [0.75, 1.0, 3.2] },
    { words: "4 walks", tick: 1400, eye: [3.9, 1.7, 2.0], at: [1.3, 0.9, 3.5] },
    { words: "5 reaches for the cup while walking", tick: 1556, eye: [3.6, 1.7, 2.5], at: [2.3, 0.95, 3.9] },
    { words: "5 grasps it while walking", tick: 1580, eye: [4.0, 1.6, 3.1], at: [2.45, 0.9, 3.75] },
    { words: "6 walks, cup in hand", tick: 1775, eye: [4.75, 1.6, 4.1], at: [3.6, 0.9, 2.1] },
    { words: "7 turns the tap", tick: 1965, eye: [3.3, 1.8, 3.0], at: [4.3, 1.0, 1.2] },
    { words: "8 walks, cup in hand", tick: 2165, eye: [2.2, 1.5, 0.45], at: [3.85, 0.9, 1.4] },
    { words: "9 drinks while walking", tick: 2376, eye: [0.5, 1.7, 1.6], at: [1.95, 1.05, 2.9] },
    { words: "10 walks, cup in hand", tick: 2590, eye: [3.7, 1.7, 2.6], at: [1.75, 0.95, 3.9] },
    { words: "11 sits down", tick: 2823, eye: [3.4, 1.4, 3.2], at: [1.5, 0.75, 4.5] },
];

const { browser, close } = await openBrowser();

// The address of a page that is a square window in the room, a metre before the eye.
function windowAt({ eye, at }: Row): string {
    const [x, y, z] = [0, 1, 2].map((i) => at[i]! - eye[i]!) as [number, number, number];
    const flat = Math.hypot(x, z);
    const whole = Math.hypot(flat, y);
    const right = [-z / flat, 0, x / flat];
    const up = [(-x * y) / (flat * whole), flat / whole, (-z * y) / (flat * whole)];
    const half = 0.42;
    const corner = (u: number, v: number): number[] =>
        [0, 1, 2].map((i) => eye[i]! + (at[i]! - eye[i]!) / whole + half * (u * right[i]! + v * up[i]!));
    const corners = [...corner(-1, -1), ...corner(1, -1), ...corner(-1, 1)].map((value) => value.toFixed(4));
    return `?wall=${corners.join(",")}&eye=${eye.join(",")}&fine`;
}

// One picture of all rows of the scenario, which is taken from one tick to the next.
async function drawScenario(): Promise<void> {
    const script = path.resolve("../examples/scenario.json");
    const server = await Server.start("../../demos", 0, "--first", "room", "--paused", "--sense", "static", "--script", script);
    try {
        const stepper = await Visitor.open(browser, { viewport: { width: 240, height: 160 } });
        stepper.page.setDefaultTimeout(600_000);
        await stepper.visit(server);
        const sheet: string[] = [];
        let now = 0;
        for (const row of rows) {
            await step(stepper, now, row.tick);
            now = row.tick;
            const looker = await Visitor.open(browser, { viewport: { width: 300, height: 300 }, reducedMotion: "reduce", colorScheme: "light" });
            looker.page.setDefaultTimeout(600_000);
            await looker.visit(server, windowAt(row));
            await looker.nextState();
            const picture = await looker.page.screenshot();
            sheet.push(`<figure><img src="data:image/png;base64,${picture.toString("base64")}"><figcaption>${row.words}</figcaption></figure>`);
            await looker.close();
        }
        await stepper.close();
        const { page } = await Visitor.open(browser, { viewport: { width: 1232, height: 1000 } });
        await page.setContent(`<style>body{margin:0;padding:8px;display:grid;grid-template-columns:repeat(4,300px);gap:4px;background:#fff;font:14px sans-serif}
            figure{margin:0}img{display:block}figcaption{padding:3px 2px;color:#222}</style>${sheet.join("")}`);
        await page.screenshot({ path: path.join(environment("FUREAI_PICTURES"), "scenario.png"), fullPage: true });
        console.log("drew scenario.png");
    } finally {
        await server.stop();
    }
}

// Takes a scene that stands still to a tick, by a small page that is drawn quickly.
async function stepTo(server: Server, ticks: number): Promise<void> {
    const visitor = await Visitor.open(browser, { viewport: { width: 240, height: 160 } });
    visitor.page.setDefaultTimeout(300_000);
    await visitor.visit(server);
    await step(visitor, 0, ticks);
    await visitor.close();
}

// A long part of it is played, and only its end is gone step by step.
async function play(visitor: Visitor, from: number, to: number): Promise<number> {
    const margin = 400; // ticks that a busy machine may go on before it hears of the pause
    if (to - from < 2 * margin) {
        return from;
    }
    const { page } = visitor;
    await page.keyboard.press("Space");
    await page.waitForFunction((wanted) => window.fureai.tick >= wanted, to - margin, { polling: 20 });
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.fureai.paused);
    return page.evaluate(() => window.fureai.tick);
}

async function step(visitor: Visitor, first: number, to: number): Promise<void> {
    const from = await play(visitor, first, to);
    if (from > to) {
        throw new Error(`the scene went on to tick ${from}, beyond ${to}`);
    }
    for (let tick = from + 1; tick <= to; tick++) {
        await visitor.page.keyboard.press(".");
        await visitor.page.waitForFunction((wanted) => window.fureai.tick >= wanted, tick, { polling: 10 });
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

// Small pictures of all demos, for the gallery: the world alone, at the tick where it shows most.
const ticksOf: Record<string, number> = {
    ahead: 75, blocks: 5, control: 5, door: 140, gears: 60, grasp: 150, knots: 110, meeting: 500, octree: 60, people: 150, piston: 5, room: 5,
    search: 360, seek: 330, spheres: 560, swing: 30, ten_people: 5, touch: 90, traffic: 120, tree: 5, window: 270,
};
// Where walls would hide what a demo is about: as a link of the page has it.
const looksOf: Record<string, string> = {
    meeting: "0.1,0.1,2.4,0.8,1.1,-0.65,0",
    search: "0.95,0.4,6,1.1,-0.1,8,0",
    seek: "0.3,0.95,11.5,0,0,0,0",
    swing: "0.5,0.6,3.6,0,1,0,0",
    traffic: "-0.35,0.3,5.4,0,1.6,0,0",
};
const usualTicks = 50;
const gallerySize = { width: 320, height: 200 };

// A demo is taken to its tick by steps, so that it comes out alike on a busy machine.
async function takeSmall(folder: string, demo: string): Promise<void> {
    const server = await Server.start("../../demos", 0, "--first", demo, "--paused");
    const visitor = await Visitor.open(browser, { viewport: gallerySize, reducedMotion: "reduce", colorScheme: "dark" });
    const { page } = visitor;
    page.setDefaultTimeout(300_000);
    try {
        await stepTo(server, ticksOf[demo] ?? usualTicks);
        const look = looksOf[demo];
        await visitor.visit(server, look === undefined ? "?fine" : `?fine&look=${look}`);
        const hidden = "#bar, #notes, #controls, #timeline, .panel, #messages, #labels .first { display: none !important; }";
        await page.addStyleTag({ content: hidden });
        if (look === undefined) {
            await page.locator("#stage").press("f");
        }
        await visitor.nextState();
        const file = path.join(folder, "pictures", `${demo}.jpg`);
        writeFileSync(file, Buffer.from(await smallPicture(page), "base64"));
        console.log(`drew ${file}`);
        await visitor.close();
    } finally {
        await server.stop();
    }
}

async function takeGallery(): Promise<void> {
    const folder = path.join(environment("FUREAI_PICTURES"), "../../demos");
    const demos = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => path.basename(name, ".json"));
    mkdirSync(path.join(folder, "pictures"), { recursive: true });
    for (const demo of process.env["FUREAI_DEMOS"]?.split(",") ?? demos.sort()) {
        await takeSmall(folder, demo);
    }
}

// What the canvas shows before the colours of the page, as a JPEG.
function smallPicture(page: Visitor["page"]): Promise<string> {
    return page.evaluate(() => {
        const stage = document.querySelector("canvas")!;
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [320, 200];
        const context = copy.getContext("2d")!;
        const back = context.createLinearGradient(0, 0, 0, 200);
        back.addColorStop(0, "#263248");
        back.addColorStop(1, "#10151f");
        context.fillStyle = back;
        context.fillRect(0, 0, 320, 200);
        context.imageSmoothingQuality = "high";
        context.drawImage(stage, 0, 0, 320, 200);
        return copy.toDataURL("image/jpeg", 0.8).split(",")[1]!;
    });
}

const isWanted = (name: string): boolean => (process.env["FUREAI_SHOTS"] ?? name).split(",").includes(name);

try {
    if (isWanted("gallery")) {
        await takeGallery();
    }
    for (const shot of shots.filter(({ name }) => isWanted(name))) {
        await take(shot);
    }
    if (isWanted("scenario")) {
        await drawScenario();
    }
} finally {
    await close();
}
