// Whether everybody can use the page: axe-core looks at it on a desk and on a phone, in the dark and in the light, with every
// panel open, and at the pages beside it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const axe = readFileSync(path.join(path.dirname(environment("FUREAI_PACKAGES")), "node_modules/axe-core/axe.min.js"), "utf8");

let browser: Browser;
let closeBrowser: () => Promise<void>;
let server: Server;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await Server.start("../../demos", 0, "--first", "people", "--paused");
});

after(async () => {
    assert.equal(await server.stop(), 0);
    await closeBrowser();
});

// What axe finds wrong, a line each: the rule, and the first elements that break it.
async function complaints(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => (window as never as { axe: { run(): Promise<AxeResults> } }).axe.run());
    return violations.map(({ id, help, nodes }) => {
        const where = nodes.slice(0, 4).map(({ target, any }) => `${target.join(" ")} (${any[0]?.message ?? ""})`);
        return `${id}: ${help}: ${nodes.length}, ${where.join(", ")}`;
    });
}

const lookers: [string, BrowserContextOptions][] = [
    ["on a desk, dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
    ["on a desk, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
    ["on a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];
for (const [name, options] of lookers) {
    test(`the page has nothing that axe complains of, ${name}`, async () => {
        const visitor = await Visitor.open(browser, options);
        await visitor.visit(server);
        assert.deepEqual(await complaints(visitor.page), []);
        await visitor.page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
        await visitor.nextState().catch(() => undefined);
        assert.deepEqual(await complaints(visitor.page), [], "with every panel open");
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
