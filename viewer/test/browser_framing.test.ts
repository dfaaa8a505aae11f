// Every scene of the gallery, on the page of a desk and of a phone: its subject takes a third of the part that panels leave
// free. Every fourth scene, or all of them where FUREAI_LONG is set, or those that FUREAI_DEMOS names. FUREAI_SHOTS names a
// folder for pictures of what was seen.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser, Server, Visitor } from "./browser_world";

const demos = "../../demos";
const chosen = process.env["FUREAI_DEMOS"]?.split(",");
const names = readdirSync(path.resolve("test", demos))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""))
    .filter((name, i) => chosen?.includes(name) ?? (process.env["FUREAI_LONG"] !== undefined || i % 4 === 0));
const wanted = 1 / 3;
const shots = process.env["FUREAI_SHOTS"] ?? "";

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;
let visitors: Record<string, Visitor>;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start(demos, 0, "--first", names[0]!, "--paused");
    const desk = await Visitor.open(browser, { viewport: { width: 1440, height: 900 } });
    const phone = await Visitor.open(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    visitors = { desk, phone };
    await phone.visit(server);
    if (shots !== "") {
        mkdirSync(shots, { recursive: true });
    }
});

after(async () => {
    await Promise.all(Object.values(visitors).map((visitor) => visitor.close()));
    assert.equal(await server.stop(), 0);
    await closeBrowser();
});

for (const name of names) {
    test(`${name} is seen`, async () => {
        // The desk opens the scene by a link; the phone, which looked at another, follows.
        await visitors["desk"]!.visit(server, `?scene=${name}`);
        for (const [kind, { page }] of Object.entries(visitors)) {
            await page.waitForFunction((scene) => window.fureai.scene === scene && window.fureai.loaded, name);
            const { free, covered } = await page.evaluate(() => window.fureai.framing());
            if (shots !== "") {
                await page.screenshot({ path: path.join(shots, `${name}-${kind}.png`) });
                console.log(`${name} ${kind} ${covered.toFixed(3)}`);
            }
            assert.ok(free.right - free.left > 300 && free.bottom - free.top > 300, JSON.stringify(free));
            assert.ok(covered >= wanted && covered <= 1, `${kind}: ${covered} of the free part`);
        }
    });
}
