// The page of a cube of walls: a link to each, to be opened on its screen.
import { element } from "./element";
import { cubeWalls, wallText } from "./wall";

const defaultEdge = 3; // metres

// Links to the walls, from the same place, with the same eye.
export function cubeLinks(search: URLSearchParams): { name: string; link: string }[] {
    const given = Number(search.get("edge") ?? defaultEdge);
    const edge = given > 0 && Number.isFinite(given) ? given : defaultEdge;
    const rest = [...search].filter(([key]) => key !== "wall" && key !== "edge");
    const more = rest.map(([key, value]) => `&${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("");
    return cubeWalls(edge).map(([name, wall]) => ({ name, link: `?wall=${wallText(wall)}${more}` }));
}

export function showCube(search: URLSearchParams): void {
    const items = cubeLinks(search).map(({ name, link }) =>
        element("li", {}, element("a", { href: link, target: "_blank" }, name), element("code", {}, link)),
    );
    const about = "One page for each screen, as wide and as high as it. The eye is at ";
    const eye = search.get("eye") ?? "0,1.6,0";
    document.body.replaceChildren(
        element("main", { id: "cube" }, element("h1", {}, "The walls of a cube"), element("p", {}, about, eye), element("ol", {}, ...items)),
    );
}
