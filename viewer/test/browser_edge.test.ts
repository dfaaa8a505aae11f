// An edge server in a real browser: its page shows the world of the home, handles it, and says so while the home is gone.
// Skipped where redis-server is not installed, or the program was built without Redis.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

function reasonToSkip(): string | false {
    if (spawnSync("redis-server", ["--version"]).status !== 0) {
        return "redis-server is not installed";
    }
    // A build without Redis says so; one that has it does not find the page.
    const tried = spawnSync(environment("FUREAI_PROGRAM"), ["serve", "--edge", "unix:none", "--port", "0", "--viewer", "/nowhere"]);
    return tried.stderr.toString().includes("this build has no Redis") ? "this build has no Redis" : false;
}

const skip = reasonToSkip();
let browser: Browser;
let closeBrowser: () => Promise<void>;
let folder: string;
let redis: ChildProcess;
let url: string;

before(async () => {
    if (skip !== false) {
        return;
    }
    folder = mkdtempSync(path.join(tmpdir(), "fureai-edge-"));
    const socket = path.join(folder, "socket");
    url = `unix:${socket}`;
    redis = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder], { stdio: "ignore" });
    while (!existsSync(socket)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    ({ browser, close: closeBrowser } = await openBrowser());
});

after(async () => {
    if (skip !== false) {
        return;
    }
    await closeBrowser();
    const ended = new Promise((resolve) => redis.on("exit", resolve));
    redis.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
});

test("the page of an edge says while its home is gone that it is read only", { skip }, async () => {
    const home = await Server.start("browser_scene.json", 0, "--broadcast", url);
    const edge = await Server.start(null, 0, "--edge", url);
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    await page.goto(`${edge.address}/?quick`);
    await page.waitForFunction(() => window.fureai.connected && window.fureai.loaded && window.fureai.objects().length > 0);
    await page.locator("#role").waitFor({ state: "hidden" });
    await visitor.restart(); // at the home, by the edge

    await home.kill();
    await page.locator("#role", { hasText: "read only" }).waitFor();
    await visitor.waitForMessage("the home server is gone");
    const isInert = (): Promise<boolean> =>
        page.locator("#controls button[aria-label^=Restart]").evaluate((each) => (each as HTMLElement).closest("[inert]") !== null);
    assert.ok(await isInert());
    assert.match((await page.locator("#role").getAttribute("title"))!, /the home server is gone/);
    assert.ok((await page.evaluate(() => window.fureai.objects().length)) > 0); // the last state is still shown

    const again = await Server.start("browser_scene.json", 0, "--broadcast", url);
    await page.locator("#role").waitFor({ state: "hidden" });
    await visitor.waitForMessage("The home server is back.");
    await page.waitForFunction(() => window.fureai.loaded && window.fureai.objects().length > 0);
    assert.ok(!(await isInert()));
    await visitor.restart();
    assert.deepEqual(visitor.errors, []);
    await visitor.close();
    assert.equal(await edge.stop(), 0);
    assert.equal(await again.stop(), 0);
});
