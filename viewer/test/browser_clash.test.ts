// The list of clashes in the page: choosing one shows it, what is decided by pointer, key or finger is in the file of notes, for
// everybody and for the command clash.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { environment, openBrowser, Server, Visitor } from "./browser_world";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const folder = mkdtempSync(path.join(tmpdir(), "fureai-clash-"));
const notes = path.join(folder, "notes.json");
const pictures = process.env["FUREAI_CLASH_PICTURES"]; // a folder for pictures of both pages
const wide = { viewport: pictures === undefined ? { width: 920, height: 480 } : { width: 1440, height: 900 } };

let browser: Browser;
let close: () => Promise<void>;
before(async () => ({ browser, close } = await openBrowser()));
after(async () => {
    await close();
    rmSync(folder, { recursive: true });
});

async function keep({ page }: Visitor, name: string): Promise<void> {
    if (pictures !== undefined) {
        await page.screenshot({ path: path.join(pictures, `${name}.png`) });
    }
}

test("clashes are shown and decided on a wide page and on a phone", async () => {
    const server = await Server.start("browser_clash.obj", 0, "--clash", "--notes", notes);
    const visitor = await Visitor.open(browser, wide);
    const other = await Visitor.open(browser, phone);
    try {
        await visitor.visit(server);
        const { page } = visitor;
        const list = page.getByRole("listbox", { name: "Clashes" });
        const options = list.getByRole("option");
        await page.getByText("7, 7 open").waitFor();
        assert.equal(await page.locator("#timeline").isVisible(), false, "parts that never move have no time line");
        assert.match((await options.first().textContent())!, /^bearing left and dowel pin100 mm deep, enclosedopen$/);
        // By pointer, with a note.
        await list.getByRole("option", { name: "gear and sensor" }).click();
        assert.equal(await list.getByRole("option", { selected: true }).count(), 1);
        await page.getByLabel("Note about this clash").fill("moved in the next version");
        await page.getByRole("button", { name: "Accept" }).click();
        await visitor.waitForMessage("gear and sensor: accepted");
        assert.match(readFileSync(notes, "utf8"), /"gear", "b": "sensor", "verdict": "accepted", "note": "moved in the next version"/);
        await keep(visitor, "wide");
        const seen = (await page.evaluate(() => window.fureai.project("sensor")))!;
        const { free } = await page.evaluate(() => window.fureai.framing());
        const isSeen = seen.x > free.left && seen.x < free.right && seen.y > free.top && seen.y < free.bottom;
        assert.ok(isSeen, `it is seen at ${seen.x}, ${seen.y}`);
        // All others let what is behind them through, until nothing is chosen; the camera stays.
        const place = await page.evaluate(() => {
            const { left, right, top, bottom } = window.fureai.framing().free;
            for (let y = top + 4; y < bottom; y += 4) {
                for (let x = left + 4; x < right; x += 4) {
                    const names = [[0, 0], [3, 0], [-3, 0], [0, 3], [0, -3]].map(([dx, dy]) => window.fureai.at(x + dx!, y + dy!));
                    if (names.every((name) => name !== null && name === names[0] && name !== "gear" && name !== "sensor")) {
                        return { x, y, name: names[0]! };
                    }
                }
            }
            return null;
        });
        assert.notEqual(place, null, "another part is seen");
        await visitor.nextState();
        const through = await visitor.pixel(place!.x, place!.y);
        await page.locator("#stage").press("Escape");
        await visitor.nextState();
        const opaque = await visitor.pixel(place!.x, place!.y);
        assert.equal(await page.evaluate(({ x, y }) => window.fureai.at(x, y), place!), place!.name);
        assert.ok(opaque[3] === 255 && Math.max(...opaque.map((value, i) => Math.abs(value - through[i]!))) > 24, `${place!.name}: ${through.join()}, then ${opaque.join()}`);
        // By keys: the one after it, ignored.
        await list.focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("i");
        await visitor.waitForMessage("bearing left and dowel pin: ignored");
        await page.getByLabel("Which clashes").selectOption("open");
        await page.getByText("5 of 7, 5 open").waitFor();
        // What was decided is there for others, who decide by a finger.
        await other.visit(server);
        await other.page.getByRole("button", { name: "Scene", exact: true }).tap();
        await other.page.getByText("7, 5 open").waitFor();
        const row = other.page.getByRole("option", { name: "shaft and gear" });
        await row.scrollIntoViewIfNeeded();
        await row.tap();
        await other.page.getByRole("button", { name: "Ignore" }).scrollIntoViewIfNeeded();
        await other.page.getByRole("button", { name: "Ignore" }).tap();
        await other.waitForMessage("shaft and gear: ignored");
        await keep(other, "phone");
        await page.getByText("4 of 7, 4 open").waitFor();
        assert.deepEqual([...visitor.errors, ...other.errors], []);
    } finally {
        await server.stop();
    }
    const said = spawnSync(environment("FUREAI_PROGRAM"), ["clash", path.resolve("test/browser_clash.obj"), "--notes", notes]);
    assert.match(said.stdout.toString(), /gear +sensor .*accepted {2}\(moved in the next version\)/);
    assert.match(said.stdout.toString(), /shaft +gear .*ignored/);
});
