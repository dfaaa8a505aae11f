// What the page costs in a real browser but for the graphics card: script a frame and draw calls for a thousand objects that
// all move, and how long a model of two million triangles takes from the drop until it is drawn. Times of script are processor
// times of the page's thread, so that they do not grow where a machine does other things too. FUREAI_RESULTS names a file of
// results, as the benchmarks in bench/ write them.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const objectCount = 1000;
const warmFrames = 60;
const rounds = 10;
const framesARound = 20;
const drops = 3;
const gigabyte = 2 ** 30;

const folder = mkdtempSync(path.join(tmpdir(), "fureai-bench-page-"));
const results = process.env["FUREAI_RESULTS"] ?? "";

interface Result {
    name: string;
    repeats: number;
    minMs: number;
    medianMs: number;
    counters: Record<string, number>;
}

function report({ name, repeats, minMs, medianMs, counters }: Result): void {
    const text = Object.entries(counters).map(([key, value]) => `${key}=${Number(value.toPrecision(5))}`);
    console.log(`${name}: ${minMs.toFixed(2)} ms at least, ${medianMs.toFixed(2)} in the middle, ${text.join(", ")}`);
    if (results !== "") {
        appendFileSync(results, `fureai,"${name}",1,${repeats},${minMs.toFixed(4)},${medianMs.toFixed(4)},${text.join(";")}\n`);
    }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

// Seconds that the page's thread has worked: all of its tasks, and scripts alone.
async function watchThread({ page }: Visitor): Promise<() => Promise<{ task: number; script: number }>> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    return async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
        return { task: of("TaskDuration"), script: of("ScriptDuration") };
    };
}

// Processor seconds, and the most memory that a process has had.
function processUse(pid: number): { cpu: number; peakBytes: number } {
    const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) | /);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, peakBytes: 1024 * Number(peak?.[1] ?? 0) };
}

// A thousand objects of ten shapes, each of which goes and turns, far enough apart to touch nothing.
function writeObjects(): string {
    const shapes = ["box", "sphere_24", "sphere_48", "sphere_80", "sphere_168", "chair", "cone", "cylinder", "piston_pin", "piston_bolt"];
    const objects = Array.from({ length: objectCount }, (_, i) => ({
        name: `object ${i + 1}`,
        shape: shapes[i % shapes.length],
        position: [6 * (i % 10), 6 * (Math.floor(i / 10) % 10), 6 * Math.floor(i / 100)],
        velocity: [0.05, 0, 0],
        angular_velocity_deg: [0, 20 + (i % 7), 0],
        color: [60 + (i * 37) % 190, 60 + (i * 53) % 190, 60 + (i * 71) % 190],
    }));
    const file = path.join(folder, "thousand.json");
    writeFileSync(file, JSON.stringify({ fureai: 1, title: "A thousand", step: 0.02, steps: 100000, objects }));
    return file;
}

async function benchObjects(visitor: Visitor): Promise<void> {
    const server = await Server.start(writeObjects(), 0, "--sense", "static");
    try {
        const { page } = visitor;
        await page.setViewportSize({ width: 160, height: 120 }); // a processor draws: the less, the more frames
        await visitor.visit(server, "?quick");
        const read = await watchThread(visitor);
        const frames = (count: number): Promise<number> =>
            page.evaluate(async (wanted) => {
                const first = window.fureai.frame;
                while (window.fureai.frame < first + wanted) {
                    await window.fureai.drawn(window.fureai.sequence + 1);
                }
                return window.fureai.frame - first;
            }, count);
        await frames(warmFrames);
        const [script, task]: [number[], number[]] = [[], []];
        for (let i = 0; i < rounds; i++) {
            const before = await read();
            const drawn = await frames(framesARound);
            const after = await read();
            script.push((1000 * (after.script - before.script)) / drawn);
            task.push((1000 * (after.task - before.task)) / drawn);
        }
        const draws = await page.evaluate(() => window.fureai.draws);
        const counters = { page_cpu_ms: median(task), draws, objects: objectCount };
        report({ name: "1000 objects that move, script a frame", repeats: rounds * framesARound, minMs: Math.min(...script), medianMs: median(script), counters });
    } finally {
        await server.stop();
    }
}

// Seconds of processor that all processes of the browser have taken, which draw too where there is no graphics card.
async function watchBrowser(): Promise<() => Promise<number>> {
    const session = await browser.newBrowserCDPSession();
    return async () => (await session.send("SystemInfo.getProcessInfo")).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

// The room of the demonstration, with a person whose skills run in the server, as the page draws it: pictures and states a
// second by the clock, and how many states behind what came last a picture is.
async function benchRoom(visitor: Visitor): Promise<void> {
    const server = await Server.start("../../demos/room.json");
    try {
        const { page } = visitor;
        await page.setViewportSize({ width: 640, height: 480 });
        await visitor.visit(server, "?quick");
        const [read, readAll] = [await watchThread(visitor), await watchBrowser()];
        const [before, beforeAll] = [await read(), await readAll()];
        const seen = await page.evaluate(async (seconds) => {
            const [frame, sequence, began] = [window.fureai.frame, window.fureai.sequence, performance.now()];
            const behind: number[] = [];
            while (performance.now() < began + 1000 * seconds) {
                await new Promise(requestAnimationFrame);
                behind.push(window.fureai.received() - window.fureai.shown);
            }
            const took = (performance.now() - began) / 1000;
            return { pictures: (window.fureai.frame - frame) / took, states: (window.fureai.sequence - sequence) / took, behind };
        }, 10);
        const [spent, spentAll] = [await read(), await readAll()];
        const counters = {
            pictures_a_second: seen.pictures,
            states_a_second: seen.states,
            states_behind: median(seen.behind),
            script_ms_a_picture: (1000 * (spent.script - before.script)) / (10 * seen.pictures),
            cpu_ms_a_picture: (1000 * (spentAll - beforeAll)) / (10 * seen.pictures),
        };
        report({ name: "the room of the demonstration, a picture", repeats: 1, minMs: 1000 / seen.pictures, medianMs: 1000 / seen.pictures, counters });
    } finally {
        await server.stop();
    }
}

interface Dropped {
    shownMs: number;
    counters: Record<string, number>;
}

async function benchDrop(format: string): Promise<void> {
    const all: Dropped[] = [];
    for (let i = 0; i < drops; i++) {
        const visitor = await Visitor.open(browser);
        visitor.page.setDefaultTimeout(300_000);
        all.push(await dropOnce(visitor, format));
        await visitor.page.context().close();
    }
    all.sort((a, b) => a.shownMs - b.shownMs);
    const middle = all[Math.floor(all.length / 2)]!;
    const name = `2 million triangles dropped as ${format.toUpperCase()} until drawn`;
    report({ name, repeats: drops, minMs: all[0]!.shownMs, medianMs: middle.shownMs, counters: middle.counters });
}

async function dropOnce(visitor: Visitor, format: string): Promise<Dropped> {
    const model = path.join(folder, `large.${format}`);
    const made = spawnSync(environment("FUREAI_PROGRAM"), ["shape", "sphere:1000x1001", model]);
    if (made.status !== 0) {
        throw new Error(String(made.stderr));
    }
    const server = await Server.start("browser_scene.json", 0, "--paused");
    try {
        const { page } = visitor;
        await page.setViewportSize({ width: 160, height: 120 });
        await visitor.visit(server, "?quick");
        const read = await watchThread(visitor);
        const session = await page.context().newCDPSession(page);
        const data = { items: [], files: [model], dragOperationsMask: 1 };
        await session.send("Input.dispatchDragEvent", { type: "dragEnter", x: 80, y: 60, data });
        await session.send("Input.dispatchDragEvent", { type: "dragOver", x: 80, y: 60, data });
        const [before, used] = [await read(), processUse(server.pid)];
        const begin = performance.now();
        const replied = page.waitForResponse(/models$/, { timeout: 300_000 }).then(() => performance.now() - begin);
        await session.send("Input.dispatchDragEvent", { type: "drop", x: 80, y: 60, data });
        const readMs = await replied;
        // What a frame says that was drawn when the object was known already counts.
        const isKnown = (): number => (window.fureai.objects().some(({ name }) => name.startsWith("large")) ? window.fureai.frame + 1 : 0);
        const known = await (await page.waitForFunction(isKnown, null, { polling: 20, timeout: 300_000 })).jsonValue();
        await page.waitForFunction((frame) => window.fureai.loaded && window.fureai.frame > frame, known, { polling: 20, timeout: 300_000 });
        const shownMs = performance.now() - begin;
        const [after, spent] = [await read(), processUse(server.pid)];
        const counters = {
            read_ms: readMs,
            server_cpu_ms: 1000 * (spent.cpu - used.cpu),
            page_cpu_ms: 1000 * (after.task - before.task),
            script_ms: 1000 * (after.script - before.script),
            server_peak_mb: spent.peakBytes / 1e6,
            file_mb: statSync(model).size / 1e6,
        };
        if (spent.peakBytes > 1.25 * gigabyte) {
            throw new Error(`the server took ${spent.peakBytes} bytes`);
        }
        return { shownMs, counters };
    } finally {
        await server.stop();
    }
}

// All that a browser loads for the page.
function benchSize(): void {
    const root = environment("FUREAI_PAGE");
    const files = ["index.html", "favicon.svg", ...readdirSync(path.join(root, "assets")).map((name) => path.join("assets", name))];
    const bytes = files.reduce((sum, name) => sum + statSync(path.join(root, name)).size, 0);
    report({ name: "the page", repeats: 1, minMs: 0, medianMs: 0, counters: { bytes } });
}

const { browser, close } = await openBrowser();
const wanted = (process.env["FUREAI_BENCH"] ?? "size,objects,room,stl,glb,obj").split(",");
try {
    for (const each of wanted) {
        if (each === "size") {
            benchSize();
        } else if (each === "objects" || each === "room") {
            const visitor = await Visitor.open(browser);
            visitor.page.setDefaultTimeout(300_000);
            await (each === "room" ? benchRoom(visitor) : benchObjects(visitor));
            await visitor.page.context().close();
        } else {
            await benchDrop(each);
        }
    }
} finally {
    await close();
    rmSync(folder, { recursive: true });
}
