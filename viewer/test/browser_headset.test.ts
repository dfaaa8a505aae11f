// Going about with a headset, in a real browser with one that the package iwer makes up: the lesson, teleporting, what the aid
// holds, and all of it over TLS from another machine's point of view: a certificate of the test's own, and a token.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { openBrowser, Server, Visitor, type Side } from "./browser_world";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("browser_scene.json");
});

after(async () => {
    await closeBrowser();
    assert.equal(await server.stop(), 0);
});

async function wearing(options: BrowserContextOptions, run: (visitor: Visitor) => Promise<void>, at = server): Promise<void> {
    const visitor = await Visitor.open(browser, { viewport: { width: 420, height: 300 }, ...options });
    try {
        await visitor.putOnHeadset();
        await visitor.visit(at);
        await visitor.restart();
        await enter(visitor);
        await run(visitor);
        await visitor.close();
    } finally {
        await visitor.page.context().close();
    }
}

async function enter({ page }: Visitor): Promise<void> {
    await page.getByRole("button", { name: "Enter with a headset" }).click();
    await page.waitForFunction(() => window.fureai.immersive);
}

async function leave({ page }: Visitor): Promise<void> {
    await page.evaluate(() => window.headset.activeSession!.end());
    await page.waitForFunction(() => !window.fureai.immersive);
}

const press = ({ page }: Visitor, id: string, value: number, side: Side = "right"): Promise<void> =>
    page.evaluate(([button, v, which]) => window.headset.controllers[which].updateButtonValue(button, v), [id, value, side] as const);

const push = ({ page }: Visitor, x: number, y: number, side: Side = "right"): Promise<void> =>
    page.evaluate(([px, py, which]) => window.headset.controllers[which].updateAxes("thumbstick", px, py), [x, y, side] as const);

const turnHead = ({ page }: Visitor, degrees: number): Promise<void> =>
    page.evaluate((angle) => window.headset.quaternion.set(0, Math.sin(angle / 2), 0, Math.cos(angle / 2)), (degrees * Math.PI) / 180);

const waitForStep = async ({ page }: Visitor, step: string): Promise<void> => {
    await page.waitForFunction((wanted) => window.fureai.lesson === wanted, step);
};

test("the lesson: look, grab, place; then it is over, also for the next visit", () =>
    wearing({}, async (visitor) => {
        await waitForStep(visitor, "look");
        await turnHead(visitor, 40);
        await waitForStep(visitor, "grab");
        const { x, y, z } = await visitor.position("ball");
        await visitor.holdController(x, y, z + 1);
        await visitor.nextState();
        await press(visitor, "trigger", 1);
        await waitForStep(visitor, "place");
        await visitor.holdController(x, y + 0.3, z + 1);
        await visitor.waitForAxis("ball", "y", ">", y + 0.29);
        await press(visitor, "trigger", 0);
        await waitForStep(visitor, "end");
        await waitForStep(visitor, "");
        await leave(visitor);
        await enter(visitor);
        await visitor.nextState();
        assert.equal(await visitor.page.evaluate(() => window.fureai.lesson), "");
        await leave(visitor);
        await visitor.page.reload();
        await visitor.page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
        await enter(visitor);
        await visitor.nextState();
        assert.equal(await visitor.page.evaluate(() => window.fureai.lesson), "");
        await leave(visitor);
    }));

test("the lesson is skipped by a button", () =>
    wearing({}, async (visitor) => {
        await waitForStep(visitor, "look");
        await press(visitor, "x-button", 1, "left");
        await waitForStep(visitor, "");
        await press(visitor, "x-button", 0, "left");
        await leave(visitor);
        await enter(visitor);
        await visitor.nextState();
        assert.equal(await visitor.page.evaluate(() => window.fureai.lesson), "");
        await leave(visitor);
    }));

const floorOf = async ({ page }: Visitor): Promise<{ x: number; y: number; z: number }> => (await page.evaluate(() => window.fureai.floor())).position;

// Lets the stick go, and returns where the room is in the frames from then on, until it stays somewhere else for a while.
const placesAfterGoing = ({ page }: Visitor): Promise<string[]> =>
    page.evaluate(async () => {
        const place = (): string => JSON.stringify(window.fureai.floor().position);
        const seen = [place()];
        window.headset.controllers.right.updateAxes("thumbstick", 0, 0);
        for (let still = 0; still < 20; ) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
            still = seen.at(-1) === place() && seen[0] !== place() ? still + 1 : 0;
            seen.push(place());
        }
        return seen;
    });

for (const reducedMotion of ["no-preference", "reduce"] as const) {
    test(`a stick that is pushed forward aims at the floor, and goes there (reduced motion: ${reducedMotion})`, () =>
        wearing({ reducedMotion }, async (visitor) => {
            const { page } = visitor;
            const from = await floorOf(visitor);
            // Level, one metre over the floor, along -z of the world.
            await visitor.holdController(from.x, from.y + 1, from.z);
            await visitor.nextState();
            await push(visitor, 0, -1);
            await page.waitForFunction(() => window.fureai.aimed() !== null);
            const aimed = (await page.evaluate(() => window.fureai.aimed()))!;
            assert.ok(Math.abs(aimed.z - (from.z - 6 * Math.sqrt(2 / 9.81))) < 1e-3 && Math.abs(aimed.x - from.x) < 1e-3, JSON.stringify(aimed));
            assert.deepEqual(await floorOf(visitor), from, "not before it is let go");
            const places = new Set(await placesAfterGoing(visitor));
            assert.equal(await page.evaluate(() => window.fureai.aimed()), null);
            // The head, which is at the middle of the room but for a little, stands over the place.
            const to = await floorOf(visitor);
            const head = await page.evaluate(() => ({ x: window.headset.position.x, z: window.headset.position.z }));
            assert.ok(Math.hypot(to.x - aimed.x, to.z - aimed.z) < Math.hypot(head.x, head.z) + 1e-3, `${JSON.stringify(to)} for ${JSON.stringify(aimed)}`);
            assert.equal(to.y, from.y);
            if (reducedMotion === "reduce") {
                assert.equal(places.size, 2, "nothing between");
            }
            // The other stick walks.
            await push(visitor, 0, -1, "left");
            await page.waitForFunction(({ x, z }) => {
                const { position } = window.fureai.floor();
                return Math.hypot(position.x - x, position.z - z) > 0.05;
            }, to);
            await push(visitor, 0, 0, "left");
            await leave(visitor);
        }));
}

test("a cube that is lowered by a controller snaps to the table: it is said, and felt", async () => {
    const hands = await Server.start("browser_hands_scene.json");
    const lowering = wearing({}, async (visitor) => {
        const { page } = visitor;
        const { x, y, z } = await visitor.position("cube");
        await visitor.holdController(x, y, z + 1);
        await visitor.nextState();
        await press(visitor, "trigger", 1);
        await visitor.waitForHold("cube", 1);
        assert.equal(await page.evaluate(() => window.fureai.pulses), 0, "nothing is felt in the air");
        const line = page.locator("#holding");
        let lowered = 0;
        for (; lowered < 0.6; lowered += 0.02) {
            if ((await line.textContent())?.includes("cube: held by one contact, 3 of 6 degrees of freedom left") === true) {
                break;
            }
            await visitor.holdController(x, y - lowered, z + 1);
            await visitor.nextState();
        }
        assert.match((await line.textContent())!, /^cube: held by one contact, 3 of 6/);
        await page.waitForFunction(() => window.fureai.pulses > 0);
        // Held by the table it stays on it, whatever the hand does below; it goes along it.
        await visitor.holdController(x + 0.2, y - lowered - 0.05, z + 1);
        await visitor.waitForAxis("cube", "x", ">", x + 0.19);
        assert.ok(Math.abs((await visitor.position("cube")).y - 0.3) < 1e-3, JSON.stringify(await visitor.position("cube")));
        await press(visitor, "trigger", 0);
        await visitor.waitForHold("cube", 2);
        await leave(visitor);
    }, hands);
    await lowering.finally(() => hands.stop());
});

test("over the server's own TLS, with a token, a headset enters and takes hold", async (t) => {
    if (spawnSync("openssl", ["version"]).status !== 0) {
        t.skip("openssl is not installed");
        return;
    }
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-headset-"));
    const [certificate, key, tokens] = ["certificate.pem", "key.pem", "tokens"].map((name) => path.join(folder, name)) as [string, string, string];
    const subject = ["-subj", "/CN=fureai", "-addext", "subjectAltName=IP:127.0.0.1"];
    const made = spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject, "-keyout", key, "-out", certificate]);
    assert.equal(made.status, 0, made.stderr.toString());
    const token = "t".repeat(32);
    writeFileSync(tokens, `direct ${token}\n`, { mode: 0o600 });
    const secure = await Server.start("browser_scene.json", 0, "--certificate", certificate, "--key", key, "--token", tokens);
    const visitor = await Visitor.open(browser, { viewport: { width: 420, height: 300 }, ignoreHTTPSErrors: true });
    const careful = await Visitor.open(browser);
    try {
        assert.match(secure.address, /^https:/);
        const { page } = visitor;
        await visitor.putOnHeadset();
        await page.goto(`${secure.address}/?quick`);
        await page.getByLabel("Token", { exact: true }).last().fill(token);
        await page.getByRole("button", { name: "Enter", exact: true }).click();
        await page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
        assert.equal(await page.evaluate(() => window.isSecureContext && window.location.protocol), "https:");
        await enter(visitor);
        const { x, y, z } = await visitor.position("ball");
        await visitor.holdController(x, y, z + 1);
        await visitor.nextState();
        await press(visitor, "trigger", 1);
        await visitor.waitForHold("ball", 1);
        await visitor.holdController(x, y + 0.3, z + 1);
        await visitor.waitForAxis("ball", "y", ">", y + 0.29);
        await press(visitor, "trigger", 0);
        await visitor.waitForHold("ball", 2);
        await leave(visitor);
        await visitor.close();
        // Who does not trust the certificate sees nothing.
        await assert.rejects(careful.page.goto(secure.address), /ERR_CERT/);
    } finally {
        await visitor.page.context().close();
        await careful.page.context().close();
        await secure.stop();
        rmSync(folder, { recursive: true });
    }
});
