// A server with tokens in a real browser: the form that asks, a token that is wrong, and what each role may do on the page.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser, Server, Visitor } from "./browser_world";

const tokens = { watch: "w".repeat(32), handle: "h".repeat(32), direct: "d".repeat(32) };
let browser: Browser;
let closeBrowser: () => Promise<void>;
let folder: string;
let server: Server;

before(async () => {
    ({ browser, close: closeBrowser } = await openBrowser());
    folder = mkdtempSync(path.join(tmpdir(), "fureai-tokens-"));
    const file = path.join(folder, "tokens");
    writeFileSync(file, Object.entries(tokens).map(([role, token]) => `${role} ${token}\n`).join(""), { mode: 0o600 });
    server = await Server.start("browser_people_scene.json", 0, "--token", file);
});

after(async () => {
    assert.equal(await server.stop(), 0);
    await closeBrowser();
    rmSync(folder, { recursive: true, force: true });
});

// Opens the page and enters tokens, one after another, until one is taken.
async function enter(...entered: string[]): Promise<Visitor> {
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    await page.goto(`${server.address}/?quick`);
    for (const token of entered) {
        await page.getByLabel("Token", { exact: true }).last().fill(token);
        await page.getByRole("button", { name: "Enter" }).click();
    }
    await page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
    return visitor;
}

test("the form asks again after a wrong token, and the token is not in the address", async () => {
    const visitor = await Visitor.open(browser);
    const { page } = visitor;
    await page.goto(`${server.address}/?quick`);
    const field = page.getByLabel("Token", { exact: true }).last();
    await field.waitFor();
    await page.keyboard.press("Escape"); // there is nothing behind it
    await field.fill("x".repeat(32));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("the token is not known here").waitFor();
    await field.fill(tokens.direct);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
    assert.ok(!page.url().includes(tokens.direct));
    await page.reload(); // the tab keeps it
    await page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
    assert.equal(await page.locator("#token-form").count(), 0);
    await visitor.close();
});

test("who watches finds what is for others out of use, with the reason", async () => {
    const visitor = await enter(tokens.watch);
    const { page } = visitor;
    await page.locator("#role", { hasText: "watching" }).waitFor();
    const inert = (selector: string): Promise<boolean> =>
        page.locator(selector).evaluate((each) => (each as HTMLElement).closest("[inert]") !== null);
    assert.ok(await inert("#controls button[aria-label^=Restart]"));
    assert.ok(await inert("#people .go"));
    assert.ok(!(await inert("#controls button[aria-label*='selected object']")));
    assert.match((await page.locator("#people").getAttribute("title"))!, /You watch/);
    // What is pressed all the same is refused by the server, with a sentence.
    await page.locator("#stage").press(" ");
    await visitor.waitForMessage("this is for those who direct");
    await visitor.close();
});

test("who handles may command people, and not time; who directs may do all", async () => {
    const handler = await enter(tokens.handle);
    const director = await enter(tokens.direct);
    for (const [{ page }, mayDirect] of [[handler, false], [director, true]] as const) {
        const uses = await page.evaluate(() =>
            ["#people .go", "#controls button[aria-label^=Restart]"].map(
                (selector) => document.querySelector(selector)!.closest("[inert]") === null,
            ),
        );
        assert.deepEqual(uses, [true, mayDirect]);
        assert.ok(await page.locator("#role").isHidden());
    }
    await director.restart();
    await handler.close();
    await director.close();
});
