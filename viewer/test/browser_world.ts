// The program that serves, and pages in a real browser that look at it. What went wrong on a page is an error of the test.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContextOptions, CDPSession, Locator, Page } from "playwright-core";

export function environment(name: string): string {
    const value = process.env[name];
    if (value === undefined) {
        throw new Error(`${name} is not set; this is run by run.mjs`);
    }
    return value;
}

const packages = createRequire(environment("FUREAI_PACKAGES"));
const { chromium } = packages("playwright-core") as typeof import("playwright-core");

// A headset that is not there, as the package iwer makes one; the parts of it that the tests use.
interface HeadsetController {
    position: { set(x: number, y: number, z: number): void };
    quaternion: { set(x: number, y: number, z: number, w: number): void };
    updateButtonValue(id: string, value: number): void;
    updateAxes(id: string, x: number, y: number): void;
}

export type Side = "left" | "right";

export interface Headset {
    position: { x: number; y: number; z: number };
    quaternion: { set(x: number, y: number, z: number, w: number): void };
    controllers: Record<Side, HeadsetController>;
    activeSession?: { end(): Promise<void> };
}

declare global {
    interface Window {
        headset: Headset;
    }
}

export class Server {
    private constructor(
        readonly address: string,
        private readonly child: ChildProcess,
        private readonly ended: Promise<number | null>,
    ) {}

    // Serves a scene, or a folder of them, or none of its own, and is ready when it says where.
    static async start(scene: string | null, port = 0, ...more: string[]): Promise<Server> {
        const where = ["--port", String(port), "--viewer", environment("FUREAI_PAGE")];
        const args = ["serve", ...(scene !== null ? [path.resolve("test", scene)] : []), ...where, ...more];
        const child = spawn(environment("FUREAI_PROGRAM"), args, { stdio: ["ignore", "pipe", "pipe"] });
        const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
        let said = "";
        const address = new Promise<string>((resolve) => {
            const listen = (piece: Buffer): void => {
                said += piece.toString();
                const found = /https?:\/\/[0-9a-zA-Z.:[\]]+/.exec(said);
                if (found !== null) {
                    resolve(found[0]);
                }
            };
            child.stdout.on("data", listen);
            child.stderr.on("data", listen);
        });
        const failed = ended.then((status) => {
            throw new Error(`the server ended with ${status}: ${said}`);
        });
        failed.catch(() => undefined);
        return new Server(await Promise.race([address, failed]), child, ended);
    }

    get port(): number {
        return Number(new URL(this.address).port);
    }

    get pid(): number {
        return this.child.pid!;
    }

    // Asks it to end, and returns its exit status.
    stop(): Promise<number | null> {
        this.child.kill("SIGINT");
        return this.ended;
    }

    // Ends it without a word.
    async kill(): Promise<void> {
        this.child.kill("SIGKILL");
        await this.ended;
    }
}

export class Visitor {
    readonly errors: string[] = [];
    readonly hosts = new Set<string>();
    private touch: CDPSession | null = null;

    private constructor(readonly page: Page) {
        page.on("pageerror", (error) => this.errors.push(error.message));
        page.on("console", (message) => {
            // Chromium notes that it draws without a graphics card, and lost connections; both are no errors of ours.
            const text = message.text();
            // A request that the server refuses is noted by Chromium; the page says it to people.
            const isOfLine = text.includes("WebSocket connection to") || text.includes("responded with a status of");
            if (message.type() === "error" && !isOfLine) {
                this.errors.push(text);
            }
            if (message.type() === "warning" && !text.includes("GPU stall") && !text.includes("WebGL-")) {
                this.errors.push(text);
            }
        });
        page.on("request", (request) => this.hosts.add(new URL(request.url()).host));
    }

    static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
        const context = await browser.newContext({ viewport: { width: 920, height: 480 }, ...options });
        const visitor = new Visitor(await context.newPage());
        visitor.page.setDefaultTimeout(60_000);
        return visitor;
    }

    // Goes to a server and waits until all of its scene is drawn.
    async visit(server: { readonly address: string }, search = ""): Promise<void> {
        const address = new URL(search, server.address);
        if (!address.searchParams.has("fine")) {
            address.searchParams.set("quick", "");
        }
        await this.page.goto(address.href);
        await this.page.waitForFunction(() => window.fureai.connected && window.fureai.loaded);
    }

    // Waits for a frame of a state that is newer than what the page has now.
    async nextState(): Promise<void> {
        await this.page.evaluate(() => window.fureai.drawn(window.fureai.received() + 1));
    }

    // Where something is on the page, as soon as that stays the same for a quarter of a second, or after two seconds.
    private async atRest<P extends { x: number; y: number }>(look: () => Promise<P | null>): Promise<P | null> {
        let point: P | null = null;
        for (let i = 0, still = 0; i < 40 && still < 5; i++) {
            await this.page.waitForTimeout(i === 0 ? 0 : 50);
            const now = await look();
            const isStill = now !== null && point !== null && Math.hypot(now.x - point.x, now.y - point.y) < 0.5;
            still = isStill ? still + 1 : 0;
            point = now;
        }
        return point;
    }

    async boxAtRest(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
        return (await this.atRest(() => element.boundingBox()))!;
    }

    // Where an object can be taken, as soon as it is shown at rest for a while: what was let go is still on its way to
    // where it is. What never rests is taken where it was seen last.
    async grip(name: string): Promise<{ x: number; y: number }> {
        const point = await this.atRest(() => this.page.evaluate((each) => window.fureai.grip(each), name));
        if (point === null) {
            throw new Error(`${name} is not seen`);
        }
        return point;
    }

    async position(name: string): Promise<{ x: number; y: number; z: number }> {
        const objects = await this.page.evaluate(() => window.fureai.objects());
        return objects.find((object) => object.name === name)!.position;
    }

    async waitForAxis(name: string, axis: "x" | "y" | "z", sense: "<" | ">", limit: number): Promise<void> {
        await this.page.waitForFunction(
            ([each, which, than, value]) => {
                const { position } = window.fureai.objects().find((object) => object.name === each)!;
                return than === "<" ? position[which] < value : position[which] > value;
            },
            [name, axis, sense, limit] as const,
        );
    }

    async waitForHold(name: string, hold: number): Promise<void> {
        await this.page.waitForFunction(
            ([each, value]) => window.fureai.objects().find((object) => object.name === each)!.hold === value,
            [name, hold] as const,
        );
    }

    // A message that people were shown, now or before.
    async waitForMessage(text: string): Promise<void> {
        await this.page.waitForFunction((wanted) => window.fureai.messages.some((each) => each.includes(wanted)), text);
    }

    // The scene restarts, and no client holds anything of it.
    async restart(): Promise<void> {
        await this.page.getByRole("button", { name: "Restart" }).click();
        await this.page.waitForFunction(() => window.fureai.objects().every(({ hold }) => hold === 0));
        await this.nextState();
    }

    row(name: string): Locator {
        return this.page.getByRole("row", { name });
    }

    // Takes an object by the keyboard.
    async take(name: string): Promise<void> {
        await this.row(name).click();
        await this.page.locator("#stage").focus();
        await this.page.keyboard.press("Enter");
        await this.waitForMessage(`${name} is held`);
    }

    // Moves what is held by a key, step by step, until the line says so of what holds it.
    async pressUntilHeld(key: string, words: string, most = 60): Promise<void> {
        const line = this.page.locator("#holding");
        for (let i = 0; i < most; i++) {
            await this.page.keyboard.press(key);
            await this.nextState();
            if ((await line.textContent())?.includes(words) === true) {
                return;
            }
        }
        throw new Error(`${key} does not lead to ${words}: ${await line.textContent()}`);
    }

    // Drags from a place of an object, in steps, and lets go.
    async drag(name: string, dx: number, dy: number): Promise<void> {
        const { x, y } = await this.grip(name);
        await this.page.mouse.move(x, y);
        await this.page.mouse.down();
        await this.page.mouse.move(x + dx, y + dy, { steps: 8 });
        await this.page.mouse.up();
    }

    // Along the ground, so far that the two surely overlap.
    async dragOnto(name: string, other: string): Promise<void> {
        const [from, to] = await this.page.evaluate(
            ([a, b]) => [window.fureai.project(a)!, window.fureai.project(b)!] as const,
            [name, other] as const,
        );
        await this.page.keyboard.down("Shift");
        await this.drag(name, 0.7 * (to.x - from.x), 0.7 * (to.y - from.y));
        await this.page.keyboard.up("Shift");
    }

    async finger(type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number): Promise<void> {
        this.touch ??= await this.page.context().newCDPSession(this.page);
        const touchPoints = type === "touchEnd" ? [] : [{ x, y }];
        await this.touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    }

    // To be called before the visit: what is sent reaches the page as if the server had said it.
    async speakForServer(): Promise<(bytes: Uint8Array) => void> {
        let send: (bytes: Uint8Array) => void = () => undefined;
        await this.page.routeWebSocket(/.*/, (route) => {
            const real = route.connectToServer();
            real.onMessage((message) => route.send(message));
            route.onMessage((message) => real.send(message));
            send = (bytes) => route.send(Buffer.from(bytes));
        });
        return (bytes) => send(bytes);
    }

    // To be called before the visit: the browser has a headset.
    async putOnHeadset(): Promise<void> {
        const folder = path.join(path.dirname(environment("FUREAI_PACKAGES")), "node_modules/iwer/build");
        await this.page.addInitScript({ content: readFileSync(path.join(folder, "iwer.min.js"), "utf8") });
        await this.page.addInitScript(() => {
            const { XRDevice, metaQuest3 } = (window as never as { IWER: typeof import("iwer") }).IWER;
            const device = new XRDevice(metaQuest3);
            device.installRuntime({ forceInstall: true });
            window.headset = device as never as Headset;
        });
    }

    // Holds a controller at a place in the world, pointing along -z there.
    async holdController(x: number, y: number, z: number, side: Side = "right"): Promise<void> {
        await this.page.evaluate(
            ([px, py, pz, which]) => {
                const { rotation, position } = window.fureai.floor();
                // Into the room of the person, which is turned about y alone.
                const [dx, dz] = [px - position.x, pz - position.z];
                const [c, s] = [rotation.w ** 2 - rotation.y ** 2, 2 * rotation.w * rotation.y];
                const controller = window.headset.controllers[which];
                controller.position.set(c * dx - s * dz, py - position.y, s * dx + c * dz);
                controller.quaternion.set(0, -rotation.y, 0, rotation.w);
            },
            [x, y, z, side] as const,
        );
    }

    // How many pictures differ among those of so many states.
    distinctPictures(states: number): Promise<number> {
        return this.page.evaluate(async (count) => {
            const seen = new Set<string>();
            for (let i = 0; i < count; i++) {
                await window.fureai.drawn(window.fureai.sequence + 1);
                seen.add(document.querySelector("canvas")!.toDataURL());
            }
            return seen.size;
        }, states);
    }

    // The colour of a pixel of the picture: red, green, blue, alpha.
    pixel(x: number, y: number): Promise<number[]> {
        return this.page.evaluate(
            ([px, py]) => {
                const stage = document.querySelector("canvas")!;
                const copy = document.createElement("canvas");
                copy.width = stage.width;
                copy.height = stage.height;
                const context = copy.getContext("2d")!;
                context.drawImage(stage, 0, 0);
                const scale = stage.width / stage.clientWidth;
                return [...context.getImageData(Math.round(px * scale), Math.round(py * scale), 1, 1).data];
            },
            [x, y] as const,
        );
    }

    // Ends the visit. What the page complained of is an error.
    async close(): Promise<void> {
        const { errors } = this;
        const reported = await this.page.evaluate(() => window.fureai.errors).catch(() => []);
        await this.page.context().close();
        if (errors.length + reported.length > 0) {
            throw new Error(`the page complains: ${[...errors, ...reported].join("; ")}`);
        }
    }
}

// The files of models of Khronos in the shared data; null where they are not here.
export function khronosFiles(names: readonly string[]): string[] | null {
    const shared = process.env["FUREAI_SHARED"] ?? "";
    const files = names.map((name) => path.join(shared, "data/gltf-khronos", name, "glTF-Binary", `${name}.glb`));
    return shared !== "" && files.every((file) => existsSync(file)) ? files : null;
}

// Its profile is in a folder of its own, removed with it.
export async function openBrowser(): Promise<{ browser: Browser; close: () => Promise<void> }> {
    const folder = mkdtempSync(path.join(tmpdir(), "fureai-browser-"));
    const browser = await chromium.launch({
        executablePath: environment("FUREAI_CHROMIUM"),
        args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--hide-scrollbars"],
        env: { ...process.env, HOME: folder } as Record<string, string>,
    });
    const close = async (): Promise<void> => {
        await browser.close();
        rmSync(folder, { recursive: true, force: true });
    };
    return { browser, close };
}
