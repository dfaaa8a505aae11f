// What the module of WebAssembly takes of a frame in a real browser: a thousand bodies that move, turn and meet, all pairs of faces
// that collide found over the whole step. Times are processor times of the page's thread, so that they do not grow where a
// machine does other things too. bench_module WORK MODULE [CSV] (run.mjs); CSV as the benchmarks in bench/ write them.
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { environment, openBrowser } from "./browser_world";
import { StaticFolder } from "./static_folder";

const bodies = 1000;
const rounds = 12;
const framesARound = 20;

const folder = mkdtempSync(path.join(tmpdir(), "fureai-bench-module-"));
const module = environment("FUREAI_MODULE");
for (const name of ["fureai.mjs", "fureai.wasm"]) {
    copyFileSync(path.join(module, name), path.join(folder, name));
}
writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>bench</title>");
const server = await StaticFolder.open(folder);
const { browser, close } = await openBrowser();
const page = await browser.newPage();
await page.goto(`${server.address}/index.html`);

// Balls, boxes and cylinders in a cube, so near to one another that many meet; they swing about their places.
await page.evaluate(async (count) => {
    interface Space {
        add(mesh: object, pose: { position: number[] }): number;
        setMotion(object: number, motion: { travel: number[]; turn: number[] }): void;
        collideStep(): { count: number };
        commit(): void;
    }
    interface Module {
        load(): Promise<{ space(): Space; named(name: string): object }>;
    }
    const { load } = (await import(`${window.location.origin}/fureai.mjs`)) as Module;
    const fureai = await load();
    const shapes = ["sphere_168", "box", "cylinder", "sphere_80"].map((name) => fureai.named(name));
    const space = fureai.space();
    const side = Math.ceil(Math.cbrt(count));
    for (let i = 0; i < count; i++) {
        const at = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
        space.add(shapes[i % shapes.length]!, { position: at.map((k) => 2.1 * k) });
    }
    let frame = 0;
    const state = window as never as { step: (frames: number) => number };
    state.step = (frames) => {
        let pairs = 0;
        for (let k = 0; k < frames; k++, frame++) {
            for (let i = 0; i < count; i++) {
                const speed = 0.03 * Math.cos(frame / 20 + i);
                space.setMotion(i, { travel: [speed, -speed, 0.5 * speed], turn: [0, 0.05, 0.02] });
            }
            pairs = space.collideStep().count;
            space.commit();
        }
        return pairs;
    };
}, bodies);

const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });
const worked = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
};
const run = (frames: number): Promise<number> => page.evaluate((count) => (window as never as { step: (frames: number) => number }).step(count), frames);

await run(framesARound);
const times: number[] = [];
let pairs = 0;
for (let round = 0; round < rounds; round++) {
    const before = await worked();
    pairs = await run(framesARound);
    times.push(((await worked()) - before) / framesARound);
}
times.sort((a, b) => a - b);
const [least, middle] = [times[0]!, times[rounds / 2]!];
const name = "1000 bodies in Chromium, a step with its colliding faces";
console.log(`${name}: ${least.toFixed(2)} ms at least, ${middle.toFixed(2)} in the middle, ${(1000 / middle).toFixed(0)} steps a second, ${pairs} pairs of triangles`);
const results = process.env["FUREAI_RESULTS"] ?? "";
if (results !== "") {
    appendFileSync(results, `fureai,"${name}",1,${rounds},${least.toFixed(4)},${middle.toFixed(4)},pairs=${pairs}\n`);
}
await close();
await server.close();
rmSync(folder, { recursive: true });
