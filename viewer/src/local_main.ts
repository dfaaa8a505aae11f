// The page without a server begins here: the module first, then the page as everywhere.
import { byId } from "./element";
import { setHost } from "./host";
import { LocalHost } from "./local_host";
import "./local.css";

// A module of nine instructions that is valid where vectors of 128 bits are known.
const simdProbe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const line = byId("line");

// Nothing goes on; what was drawn stays.
function fail(sentence: string): void {
    window.fureai?.errors.push(sentence);
    line.className = "waiting";
    line.textContent = "stopped";
    const note = byId("failure");
    note.textContent = sentence;
    note.hidden = false;
}

// A model of the scene that the page has a link to, as a server would send it.
function followLinks(host: LocalHost): void {
    const follow = (event: MouseEvent): void => {
        const link = (event.target as Element | null)?.closest?.("a");
        const found = link === null || link === undefined ? null : /(\/models\/[^/?#]+)$/.exec(link.pathname);
        if (found !== null) {
            event.preventDefault();
            event.stopPropagation();
            host.download(found[1]!).catch((error: unknown) => {
                line.textContent = error instanceof Error ? error.message : String(error);
            });
        }
    };
    document.addEventListener("click", follow, { capture: true });
}

async function begin(): Promise<void> {
    if (typeof WebAssembly !== "object" || !WebAssembly.validate(simdProbe)) {
        throw new Error(
            "This browser has no SIMD for WebAssembly, which this page computes with: Chrome 91, Firefox 89 and Safari 16.4 have it.",
        );
    }
    document.body.classList.add("loading-page");
    line.textContent = "loading the module …";
    const worker = new Worker(new URL("./local_worker.ts", import.meta.url), { type: "module" });
    const first = new URLSearchParams(window.location.search).get("scene") ?? "";
    const host = await LocalHost.load(worker, document.baseURI, first, fail);
    setHost(host);
    followLinks(host);
    await import("./main");
    document.body.classList.remove("loading-page");
}

// What was loaded once is there without a network.
if ("serviceWorker" in navigator && window.isSecureContext) {
    navigator.serviceWorker.register("./service_worker.js").catch(() => undefined);
}
begin().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
