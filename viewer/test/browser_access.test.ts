// Whether everybody can use the page: axe-core looks at the scenes of the gallery on a desk and on a phone, in the dark and in
// the light, with every panel open, and at the pages beside them; and each scene is opened, played and looked through by the
// keyboard alone. Every fourth scene, or all of them where FUREAI_LONG is set, or those that FUREAI_DEMOS names.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const axe = readFileSync(path.join(path.dirname(environment("FUREAI_PACKAGES")), "node_modules/axe-core/axe.min.js"), "utf8");
const demos = "../../demos";
const isLong = process.env["FUREAI_LONG"] !== undefined;
const chosen = process.env["FUREAI_DEMOS"]?.split(",");
const all = readdirSync(path.resolve("test", demos))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""));
// Another quarter than that of which the framing is tested.
const names = all.filter((name, i) => chosen?.includes(name) ?? (isLong || i % 4 === 1));
const folder = mkdtempSync(path.join(tmpdir(), "fureai-access-"));

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start(demos, 0, "--first", "people", "--paused");
});

after(async () => {
    assert.equal(await server.stop(), 0);
    await closeBrowser();
    rmSync(folder, { recursive: true, force: true });
});

// What axe finds wrong, a line each: the rule, and the first elements that break it.
async function complaints(page: Page): Promise<string[]> {
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.evaluate(axe);
    }
    const { violations } = await page.evaluate(() => (window as never as { axe: { run(): Promise<AxeResults> } }).axe.run());
    return violations.map(({ id, help, nodes }) => {
        const where = nodes.slice(0, 4).map(({ target, any }) => `${target.join(" ")} (${any[0]?.message ?? ""})`);
        return `${id}: ${help}: ${nodes.length}, ${where.join(", ")}`;
    });
}

// As it opens, and with every panel open.
async function check(visitor: Visitor, of: string): Promise<void> {
    const { page } = visitor;
    assert.deepEqual(await complaints(page), [], of);
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    assert.deepEqual(await complaints(page), [], `${of}, with every panel open`);
}

const desk = { width: 1440, height: 900 };
const lookers: [string, BrowserContextOptions][] = [
    ["on a desk, dark", { viewport: desk, colorScheme: "dark" }],
    ["on a desk, light", { viewport: desk, colorScheme: "light" }],
    ["on a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

// Opens one page after another in the same window, for each looker.
async function checkAll(of: string, address: () => string, isReady: (page: Page) => Promise<unknown>): Promise<void> {
    for (const [name, options] of lookers) {
        const visitor = await Visitor.open(browser, options);
        await visitor.page.goto(address());
        await isReady(visitor.page);
        await check(visitor, `${of}, ${name}`);
        await visitor.close();
    }
}

const isWhole = (page: Page): Promise<unknown> => page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);

for (const [name, options] of lookers) {
    test(`the scenes have nothing that axe complains of, ${name}`, async (t) => {
        const visitor = await Visitor.open(browser, options);
        for (const scene of names) {
            await t.test(scene, async () => {
                await visitor.visit(server, `?scene=${scene}`);
                await visitor.page.waitForFunction((each) => window.fureai.scene === each && window.fureai.loaded, scene);
                await check(visitor, scene);
            });
        }
        await visitor.close();
    });
}

test("the list of clashes has nothing that axe complains of", async () => {
    const clash = await Server.start("browser_clash.obj", 0, "--clash", "--notes", path.join(folder, "notes.json"));
    await checkAll("clashes", () => `${clash.address}/?quick`, async (page) => {
        await isWhole(page);
        const row = page.getByRole("option", { name: "gear and sensor", includeHidden: true });
        await row.evaluate((each) => (each as HTMLElement).click());
    });
    assert.equal(await clash.stop(), 0);
});

test("a record has nothing that axe complains of", async () => {
    const [scene, record] = [path.join(folder, "scene.json"), path.join(folder, "scene.record")];
    const objects = [
        { name: "go", shape: "sphere_168", velocity: [1, 0, 0] },
        { name: "stay", shape: "sphere_168", position: [1.5, 0, 0] },
    ];
    writeFileSync(scene, JSON.stringify({ fureai: 1, title: "Meeting", step: 0.02, steps: 100, objects }));
    assert.equal(spawnSync(environment("FUREAI_PROGRAM"), ["sweep", scene, "--record", record, "--quiet"]).status, 0);
    const replay = await Server.start(record, 0);
    await checkAll("a record", () => `${replay.address}/?quick`, isWhole);
    assert.equal(await replay.stop(), 0);
});

test("the form that asks for a token has nothing that axe complains of", async () => {
    const file = path.join(folder, "tokens");
    writeFileSync(file, `direct ${"d".repeat(32)}\n`, { mode: 0o600 });
    const guarded = await Server.start("browser_scene.json", 0, "--token", file);
    await checkAll("the form", () => `${guarded.address}/?quick`, async (page) => {
        await page.getByLabel("Token", { exact: true }).last().fill("x".repeat(32));
        await page.getByRole("button", { name: "Enter" }).click();
        await page.getByRole("alert").getByText("the token is not known here").waitFor();
    });
    assert.equal(await guarded.stop(), 0);
});

test("the API reference has nothing that axe complains of", async (t) => {
    const reply = await fetch(`${server.address}/reference/index.html`);
    if (reply.status === 404) {
        t.skip("the page was built without Python");
        return;
    }
    assert.equal(reply.status, 200);
    assert.match(await reply.text(), /collide\.html/);
    const found = (page: Page): Promise<void> => page.locator("#found a", { hasText: "fr_collide_static" }).first().waitFor();
    for (const name of ["index.html", "collide.html"]) {
        await checkAll(name, () => `${server.address}/reference/${name}`, async (page) => {
            await page.getByRole("searchbox").fill("fr_collide_sta");
            await found(page);
        });
    }
});

// Redis on a socket of its own; null where it is not installed.
async function startRedis(): Promise<{ url: string; child: ChildProcess } | null> {
    if (spawnSync("redis-server", ["--version"]).status !== 0) {
        return null;
    }
    const socket = path.join(folder, "socket");
    const options = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder];
    const child = spawn("redis-server", options, { stdio: "ignore" });
    while (!existsSync(socket)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { url: `unix:${socket}`, child };
}

test("an edge that is read only has nothing that axe complains of", async (t) => {
    const tried = spawnSync(environment("FUREAI_PROGRAM"), ["serve", "--edge", "unix:none", "--port", "0", "--viewer", "/nowhere"]);
    const redis = tried.stderr.toString().includes("this build has no Redis") ? null : await startRedis();
    if (redis === null) {
        t.skip("no Redis here, or in this build");
        return;
    }
    const home = await Server.start("browser_scene.json", 0, "--broadcast", redis.url);
    const edge = await Server.start(null, 0, "--edge", redis.url);
    const visitor = await Visitor.open(browser, lookers[0]![1]);
    await visitor.page.goto(`${edge.address}/?quick`);
    await visitor.page.waitForFunction(() => window.fureai.loaded && window.fureai.objects().length > 0);
    await home.kill();
    await visitor.page.locator("#role", { hasText: "read only" }).waitFor();
    await check(visitor, "an edge");
    await visitor.page.emulateMedia({ colorScheme: "light" });
    await check(visitor, "an edge, light");
    await visitor.close();
    assert.equal(await edge.stop(), 0);
    const ended = new Promise((resolve) => redis.child.on("exit", resolve));
    redis.child.kill("SIGKILL");
    await ended;
});

// Tab leads to an element, which shows that it has the focus, in so many steps at most.
async function tabTo(page: Page, selector: string, most = 150): Promise<void> {
    for (let i = 0; i < most; i++) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate((wanted) => {
            const active = document.activeElement;
            if (active === null || !active.matches(wanted)) {
                return null;
            }
            const { outlineStyle, outlineWidth } = getComputedStyle(active);
            const { width, height } = active.getBoundingClientRect();
            return { isMarked: outlineStyle !== "none" && parseFloat(outlineWidth) > 0, isSeen: width > 0 && height > 0 };
        }, selector);
        if (found !== null) {
            assert.deepEqual(found, { isMarked: true, isSeen: true }, selector);
            return;
        }
    }
    assert.fail(`Tab does not lead to ${selector}`);
}

for (const reducedMotion of ["no-preference", "reduce"] as const) {
    test(`each scene is opened, played and looked through by the keyboard alone (reduced motion: ${reducedMotion})`, async (t) => {
        const visitor = await Visitor.open(browser, { viewport: desk, reducedMotion });
        const { page } = visitor;
        await visitor.visit(server);
        for (const scene of reducedMotion === "reduce" && chosen === undefined ? names.slice(-1) : names) {
            await t.test(scene, async () => {
                await tabTo(page, `.demo[data-name="${scene}"]`);
                await page.keyboard.press("Enter");
                await page.waitForFunction((each) => window.fureai.scene === each && window.fureai.loaded, scene);
                assert.equal(await page.locator(`.demo[data-name="${scene}"]`).getAttribute("aria-current"), "true");
                // An object, and another.
                await tabTo(page, "[role=grid]");
                const selected = page.locator("[role=row][aria-selected=true]");
                await page.keyboard.press("Home");
                const first = await selected.textContent();
                await page.keyboard.press("ArrowDown");
                assert.notEqual(await selected.textContent(), first);
                assert.equal(await page.locator("[role=grid]").getAttribute("aria-activedescendant"), await selected.getAttribute("id"));
                // Time.
                await tabTo(page, "#controls button.main");
                const isPaused = (): Promise<boolean> => page.evaluate(() => window.fureai.paused);
                const was = await isPaused();
                for (const wanted of [!was, was]) {
                    await page.keyboard.press(wanted ? "Enter" : "Space");
                    await page.waitForFunction((state) => window.fureai.paused === state, wanted);
                    await page.locator(`#controls button.main[aria-label=${wanted ? "Play" : "Pause"}]`).waitFor();
                }
                if (reducedMotion === "reduce") {
                    const moving = await page.evaluate(() =>
                        document.getAnimations().filter((each) => Number(each.effect?.getComputedTiming().duration ?? 0) > 10).length,
                    );
                    assert.equal(moving, 0, "nothing of the page moves by itself");
                }
            });
        }
        await visitor.close();
    });
}

test("all that the page loads is under 900 kB", async () => {
    const visitor = await Visitor.open(browser);
    const sizes: Promise<number>[] = [];
    visitor.page.on("response", (response) => {
        const isPage = /\/(assets\/[^/]*|favicon.svg|)(\?.*)?$/.test(response.url());
        if (isPage && response.ok()) {
            sizes.push(response.body().then(({ length }) => length));
        }
    });
    await visitor.visit(server);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 100_000 && bytes < 900_000, `${bytes} bytes`);
    await visitor.close();
});

// The check can fail.
test("axe complains of a picture without words", async () => {
    const visitor = await Visitor.open(browser);
    await visitor.page.setContent("<!doctype html><html lang=en><title>a</title><main><h1>a</h1><img src='data:,'></main>");
    assert.match((await complaints(visitor.page)).join(), /^image-alt: /);
    await visitor.page.context().close();
});
