// Places for labels beside their points, so that none covers another, all are seen whole, and none is far from its point.
import type { Rectangle } from "./camera";

export interface Label {
    x: number; // of its point, pixels
    y: number;
    width: number;
    height: number;
}

// The left upper corner of a label.
export interface Place {
    x: number;
    y: number;
}

const gap = 12; // between a label and its point
const between = 4; // two labels

// Directions to try, the usual one first: right above the point, then the other corners, then above, below and beside.
const directions = [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]] as const;
const rings = 3; // and how many times farther

const covers = (a: Rectangle, b: Rectangle): boolean =>
    a.left < b.right + between && b.left < a.right + between && a.top < b.bottom + between && b.top < a.bottom + between;

const holds = (outer: Rectangle, inner: Rectangle): boolean =>
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

// For each label its place, in the order of their importance; null where none is left for it.
export function placeLabels(labels: readonly Label[], free: Rectangle): (Place | null)[] {
    const taken: Rectangle[] = [];
    return labels.map(({ x, y, width, height }) => {
        for (let ring = 1; ring <= rings; ring++) {
            for (const [toX, toY] of directions) {
                const far = gap + (ring - 1) * (height + between);
                const left = x + toX * far + (toX === 0 ? -width / 2 : toX < 0 ? -width : 0);
                const top = y + toY * far + (toY === 0 ? -height / 2 : toY < 0 ? -height : 0);
                const place = { left, top, right: left + width, bottom: top + height };
                if (holds(free, place) && !taken.some((each) => covers(each, place))) {
                    taken.push(place);
                    return { x: left, y: top };
                }
            }
        }
        return null;
    });
}
