// How finely to draw: a processor that stands in for a graphics card draws less. `?fine` in the address asks for
// all of it anyway, as for pictures; `?quick` for every other pixel at most there, also of what stands still, as for tests.

const asks = (word: string): boolean => new URLSearchParams(window.location.search).has(word);

export const drawsQuickly = (): boolean => asks("quick");

export function drawsFinely(): boolean {
    if (asks("fine")) {
        return true;
    }
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info") ?? null;
    const name = gl === null || info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return !/swiftshader|llvmpipe|software/i.test(name);
}
