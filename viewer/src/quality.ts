// How finely to draw: a processor that stands in for a graphics card draws less. `?fine` in the address asks for
// all of it anyway, as for pictures.

export function drawsFinely(): boolean {
    if (new URLSearchParams(window.location.search).has("fine")) {
        return true;
    }
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info") ?? null;
    const name = gl === null || info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return !/swiftshader|llvmpipe|software/i.test(name);
}
