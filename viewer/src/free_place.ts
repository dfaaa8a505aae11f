// The part of the page that no panel covers: what is looked at is put there.
import { byId } from "./element";
import type { Rectangle } from "./camera";

// A margin about what is framed, as a part of the free place.
const margin = 0.05;

// As in style.css: pixels of a page whose panels are sheets, which come and go.
const narrowPage = 900;

const shown = (id: string): DOMRect | null => {
    const box = byId(id).getBoundingClientRect();
    return box.width > 0 && box.height > 0 ? box : null;
};

export function freePlace(width: number, height: number): Rectangle {
    const isNarrow = width <= narrowPage;
    const left = isNarrow ? 0 : (shown("left")?.right ?? 0);
    const right = isNarrow ? width : (shown("right")?.left ?? width);
    const top = Math.max(shown("bar")?.bottom ?? 0, shown("caption")?.bottom ?? 0);
    const bottom = Math.min(shown("controls")?.top ?? height, shown("timeline")?.top ?? height);
    const isUseful = right - left > 0.2 * width && bottom - top > 0.2 * height;
    return isUseful ? { left, top, right, bottom } : { left: 0, top: 0, right: width, bottom: height };
}

// The part of a free place that a sheet of a narrow page leaves, where that is enough to see something in.
export function aboveSheet(place: Rectangle, height: number): Rectangle {
    const top = shown("left")?.top ?? height;
    const isSheet = document.documentElement.clientWidth <= narrowPage && top - place.top > 0.2 * height;
    return isSheet ? { ...place, bottom: Math.min(place.bottom, top) } : place;
}

export function inset({ left, top, right, bottom }: Rectangle): Rectangle {
    const [x, y] = [(right - left) * margin, (bottom - top) * margin];
    return { left: left + x, top: top + y, right: right - x, bottom: bottom - y };
}
