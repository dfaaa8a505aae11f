// A page of another protocol than its server, in a real browser: one that stayed open while the server became a newer one.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { PROTOCOL_NAME } from "../src/protocol";
import { openBrowser, Server, Visitor } from "./browser_world";

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

test("a page of another protocol says so, and others go on", async () => {
    const calm = await Visitor.open(browser);
    await calm.page.goto(`${server.address}/?quick`);
    await calm.page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);

    const old = await Visitor.open(browser);
    const { page } = old;
    let replaced = 0;
    await page.route("**/*.js", async (route) => {
        const response = await route.fetch();
        const body = await response.text();
        replaced += body.split(PROTOCOL_NAME).length - 1;
        await route.fulfill({ response, body: body.replaceAll(PROTOCOL_NAME, "fureai-0") });
    });
    await page.goto(`${server.address}/?quick`);
    const sentence = `The server speaks ${PROTOCOL_NAME}, this page fureai-0: load the page again.`;
    await page.locator("#line.waiting").getByText(sentence).waitFor();
    assert.ok(replaced > 0);
    assert.equal(await page.evaluate(() => window.fureai.connected), false);
    await old.page.context().close();

    await calm.nextState();
    assert.equal(await calm.page.evaluate(() => window.fureai.connected), true);
    await calm.close();
});
