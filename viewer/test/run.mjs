// Runs the tests of the viewer: run.mjs KIND WORK [FUREAI PAGE [PICTURES]] in the viewer's folder. WORK is where its packages
// were installed. KIND is types (the compiler's check), unit, browser or browser_NAME, a suite of the table `kinds` below (against
// the program FUREAI, which serves PAGE; browser_page WORK PAGE MODULE has none), or pictures (the same, and draws the pictures of the documents into PICTURES). Three more
// measure: bench WORK [CSV], by Node alone, bench_module WORK MODULE [CSV], the module in a browser, and bench_page WORK FUREAI PAGE [CSV], in a browser. Ends with 77 where something is
// not here.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

const [kind, work, fureai, page, pictures] = process.argv.slice(2);
const packages = path.join(work, "node_modules");

function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

function run(program, args, env = {}) {
    const { status } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
    return status ?? 1;
}

if (!existsSync(path.join(packages, ".installed.json"))) {
    skip("the packages of the viewer could not be installed when it was built");
}

// The compiler looks for packages beside the files, so it gets a copy of them there.
function types() {
    const copy = path.join(work, "types");
    rmSync(copy, { recursive: true, force: true });
    for (const part of ["src", "test", "tsconfig.json", "vite.config.ts", "vite.page.config.ts"]) {
        cpSync(part, path.join(copy, part), { recursive: true });
    }
    const status = run(process.execPath, [path.join(packages, "typescript/bin/tsc"), "--noEmit", "-p", copy]);
    console.log(status === 0 ? "types: no complaints" : "types: wrong");
    return status;
}

async function bundle(names) {
    const { build } = createRequire(path.join(work, "package.json"))("esbuild");
    const out = path.join(work, "tests", kind);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    await build({
        entryPoints: names.map((name) => path.join("test", name)),
        outdir: out,
        outExtension: { ".js": ".mjs" },
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node18",
        nodePaths: [packages],
        external: ["playwright-core"],
        logLevel: "warning",
    });
    return names.map((name) => path.join(out, name.replace(/\.ts$/, ".mjs")));
}

// One file after another, in processes of their own.
function runTests(files, env) {
    return files.reduce((worst, file) => Math.max(worst, run(process.execPath, ["--test", file], env)), 0);
}

async function unit() {
    const names = readdirSync("test").filter((name) => name.endsWith(".test.ts") && !name.startsWith("browser"));
    return runTests(await bundle(names.sort()), {});
}

function findChromium() {
    const chromium = process.env.FUREAI_CHROMIUM ?? "/usr/bin/chromium";
    if (!existsSync(chromium)) {
        skip(`${chromium} is not installed (FUREAI_CHROMIUM names another)`);
    }
    return chromium;
}

// The page without a server, which is the third argument then, and the folder of the package for JavaScript.
async function local(name) {
    const env = {
        FUREAI_CHROMIUM: findChromium(),
        FUREAI_PAGE: fureai,
        FUREAI_MODULE: page,
        FUREAI_PACKAGES: path.join(work, "package.json"),
    };
    if (!existsSync(path.join(fureai, "index.html"))) {
        skip("the page without a server was not built: make page");
    }
    return runTests(await bundle([name]), env);
}

async function browser(name) {
    const chromium = findChromium();
    if (!existsSync(path.join(page, "index.html"))) {
        skip("the viewer was not built");
    }
    if (spawnSync(fureai, ["help", "serve"]).status !== 0) {
        skip("this build has no server");
    }
    const env = {
        FUREAI_CHROMIUM: chromium,
        FUREAI_PROGRAM: fureai,
        FUREAI_PAGE: page,
        FUREAI_PACKAGES: path.join(work, "package.json"),
        FUREAI_PICTURES: pictures ?? "",
        FUREAI_RESULTS: pictures ?? "",
    };
    const files = await bundle([name]);
    return name.endsWith(".test.ts") ? runTests(files, env) : run(process.execPath, files, env);
}

// The least of several rounds on a machine that does other things too is nearest to what the work takes.
async function bench() {
    const [file] = await bundle(["bench.ts"]);
    return run(process.execPath, [file], { FUREAI_RESULTS: fureai ?? "" });
}

// The module of WebAssembly in a browser; the third argument is its folder.
async function benchModule() {
    if (!existsSync(path.join(fureai, "fureai.wasm"))) {
        skip("the package for JavaScript was not built: make wasm");
    }
    const env = { FUREAI_CHROMIUM: findChromium(), FUREAI_MODULE: fureai, FUREAI_PACKAGES: path.join(work, "package.json"), FUREAI_RESULTS: page ?? "" };
    const [file] = await bundle(["bench_module.ts"]);
    return run(process.execPath, [file], env);
}

const kinds = {
    types,
    unit,
    bench,
    bench_module: benchModule,
    bench_page: () => browser("bench_page.ts"),
    browser: () => browser("browser.test.ts"),
    browser_access: () => browser("browser_access.test.ts"),
    browser_bad_files: () => browser("browser_bad_files.test.ts"),
    browser_bones: () => browser("browser_bones.test.ts"),
    browser_clash: () => browser("browser_clash.test.ts"),
    browser_edge: () => browser("browser_edge.test.ts"),
    browser_files: () => browser("browser_files.test.ts"),
    browser_framing: () => browser("browser_framing.test.ts"),
    browser_headset: () => browser("browser_headset.test.ts"),
    browser_measure: () => browser("browser_measure.test.ts"),
    browser_notes: () => browser("browser_notes.test.ts"),
    browser_people: () => browser("browser_people.test.ts"),
    browser_playout: () => browser("browser_playout.test.ts"),
    browser_prediction: () => browser("browser_prediction.test.ts"),
    browser_time: () => browser("browser_time.test.ts"),
    browser_token: () => browser("browser_token.test.ts"),
    browser_version: () => browser("browser_version.test.ts"),
    browser_views: () => browser("browser_views.test.ts"),
    browser_page: () => local("browser_page.test.ts"),
    pictures: () => browser("browser_pictures.ts"),
};
process.exit(await kinds[kind]());
