// What a hand holds over a line that delays by 50 ms each way and scatters by 10, in a real browser: it is shown where the hand
// is, stops where the library's aid stops it, and is where the server has it in the end.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";
import { DelayLine } from "./delay_line";

let browser: Browser;
let closeBrowser: () => Promise<void>;
const folder = mkdtempSync(path.join(tmpdir(), "fureai-prediction-"));

before(async () => ({ browser, close: closeBrowser } = await openBrowser()));

after(async () => {
    await closeBrowser();
    rmSync(folder, { recursive: true });
});

const objects = [
    { name: "table", shape: "box", position: [0, -2, 0], scale: 4, static: true },
    { name: "cube", shape: "box", position: [-0.8, 0.7, 0.4], scale: 0.6 },
];

interface Drawn {
    frame: number;
    raw: { x: number; y: number; z: number };
    shown: { x: number; y: number; z: number };
    predicted: boolean;
    corrections: number;
}

// Serves a scene over the line, and lets a visitor look at it.
async function visiting(scene: object, run: (visitor: Visitor) => Promise<void>): Promise<void> {
    const file = path.join(folder, "scene.json");
    writeFileSync(file, JSON.stringify({ fureai: 1, title: "Held", step: 1 / 60, steps: 100000, objects, ...scene }));
    const line = await DelayLine.open(50, 10);
    const server = await Server.start(file, 0, "--origin", line.address);
    line.port = server.port;
    const visitor = await Visitor.open(browser, { viewport: { width: 480, height: 360 } });
    try {
        await visitor.visit(line);
        await run(visitor);
        await visitor.close();
    } finally {
        await visitor.page.context().close();
        await line.close();
        assert.equal(await server.stop(), 0);
    }
}

// Begins to note each frame in which something is held; what came of it is fetched by the function that it gives back.
async function watch({ page }: Visitor): Promise<() => Promise<Drawn[]>> {
    await page.evaluate(() => {
        const state = window as never as { drawn: Drawn[] };
        state.drawn = [];
        const look = (): void => {
            const { held, frame } = window.fureai;
            if (held !== null && state.drawn.at(-1)?.frame !== frame) {
                const { raw, shown, predicted, corrections } = held;
                state.drawn.push({ frame, raw, shown: { ...shown }, predicted, corrections });
            }
            window.requestAnimationFrame(look);
        };
        look();
    });
    return () => page.evaluate(() => (window as never as { drawn: Drawn[] }).drawn);
}

// The longest step of what is shown over that of the hand, in metres.
function worstJump(drawn: readonly Drawn[]): number {
    const step = (i: number, which: "raw" | "shown"): number => {
        const [a, b] = [drawn[i - 1]![which], drawn[i]![which]];
        return Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z);
    };
    return drawn.slice(1).reduce((worst, _, i) => Math.max(worst, step(i + 1, "shown") - step(i + 1, "raw")), 0);
}

// Takes the cube and goes there and back again, in steps of the mouse.
async function swing(visitor: Visitor, dx: number, dy: number, turns: number): Promise<void> {
    const { page } = visitor;
    const { x, y } = await visitor.grip("cube");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 6 * Math.sign(dx), y, { steps: 3 }); // a press that does not move is a click
    await page.waitForFunction(() => window.fureai.held !== null);
    for (let i = 1; i <= 40 * turns; i++) {
        const share = Math.sin((i / 40) * Math.PI) ** 2;
        await page.mouse.move(x + dx * share, y + dy * share);
        await page.waitForTimeout(12);
    }
}

test("without an aid it is where the hand is, and no step is over 2 mm that the hand did not make", async (t) => {
    await visiting({}, async (visitor) => {
        await swing(visitor, 5, 0, 1); // the server's first word about how hands are helped
        await visitor.page.mouse.up();
        await visitor.waitForHold("cube", 2);
        const drawn = await watch(visitor);
        await swing(visitor, 90, -20, 4);
        const frames = await drawn();
        const apart = frames.map(({ raw, shown }) => Math.hypot(raw.x - shown.x, raw.y - shown.y, raw.z - shown.z));
        const went = Math.max(...frames.map(({ raw }) => raw.x)) - Math.min(...frames.map(({ raw }) => raw.x));
        t.diagnostic(`${frames.length} frames, ${went.toFixed(2)} m to and fro, ${(1000 * Math.max(...apart)).toFixed(3)} mm beside the hand, worst step ${(1000 * worstJump(frames)).toFixed(3)} mm, ${frames.at(-1)!.corrections} corrections`);
        assert.ok(frames.length > 20 && went > 0.3);
        assert.ok(frames.every(({ predicted }) => predicted));
        assert.ok(worstJump(frames) <= 0.002);
        assert.ok(Math.max(...apart) <= 0.002);
        // Let go in full swing: it stays where it was shown, and that is where the server has it.
        const end = frames.at(-1)!.shown;
        await visitor.page.mouse.up();
        await visitor.page.waitForTimeout(800);
        const at = await visitor.position("cube");
        assert.ok(Math.hypot(at.x - end.x, at.y - end.y, at.z - end.z) < 0.02, `${JSON.stringify(at)} ${JSON.stringify(end)}`);
    });
});

test("the aid stops it on the table at once, where the server stops it, too", async (t) => {
    if (!existsSync(path.join(environment("FUREAI_PAGE"), "fureai.wasm"))) {
        t.skip("the page was built without the module of WebAssembly: make wasm, then make build");
        return;
    }
    // Without magnets, whose hold ends with a jump of its own.
    await visiting({ aid: { mode: 3, blend: 0, magnet: 0 } }, async (visitor) => {
        await swing(visitor, 5, 0, 1);
        await visitor.page.mouse.up();
        await visitor.waitForHold("cube", 2);
        await visitor.page.waitForTimeout(500);
        const drawn = await watch(visitor);
        await swing(visitor, 30, 120, 1.5);
        const frames = await drawn();
        const lowest = Math.min(...frames.map(({ shown }) => shown.y));
        const wanted = Math.min(...frames.map(({ raw }) => raw.y));
        t.diagnostic(`${frames.length} frames, down to ${lowest.toFixed(4)} m where the hand went to ${wanted.toFixed(3)}, worst step ${(1000 * worstJump(frames)).toFixed(3)} mm, ${frames.at(-1)!.corrections} corrections`);
        assert.ok(frames.filter(({ predicted }) => predicted).length > 0.9 * frames.length);
        assert.ok(wanted < 0.2, "the hand went into the table");
        assert.ok(worstJump(frames) <= 0.002);
        assert.ok(lowest > 0.3 - 0.002, "and the cube did not"); // half of its height
        // Where it rests is where the server has it.
        await visitor.page.waitForTimeout(400);
        const shown = (await drawn()).at(-1)!.shown;
        await visitor.page.mouse.up();
        await visitor.page.waitForTimeout(800);
        const at = await visitor.position("cube");
        assert.ok(Math.hypot(at.x - shown.x, at.y - shown.y, at.z - shown.z) < 0.002, `${JSON.stringify(at)} ${JSON.stringify(shown)}`);
    });
});
