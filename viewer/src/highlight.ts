// The colour that shows what collides: of a few that are seen on dark and on light, the one whose hue is farthest from the hues
// of what is shown, so that no object hides it by its own colour.
import { Color } from "three";
import type { Mirror } from "./mirror";

// Bright hues, the one that stands for a collision everywhere first.
export const highlights = [0xff2d3f, 0xffd21f, 0x19e3ff, 0xff35d8, 0x5dff3b] as const;

// Colours below this saturation have no hue to keep away from.
const leastSaturation = 0.22;

// Another one must be so much better than the first, in parts of the whole circle.
const advantage = 0.08;

const between = (a: number, b: number): number => Math.min(Math.abs(a - b), 1 - Math.abs(a - b));

// Of hues, 0 .. 1.
export function chooseHighlight(hues: readonly number[]): number {
    const hsl = { h: 0, s: 0, l: 0 };
    const free = highlights.map((color) => {
        new Color(color).getHSL(hsl);
        return Math.min(0.5, ...hues.map((hue) => between(hue, hsl.h)));
    });
    const best = free.indexOf(Math.max(...free));
    return highlights[free[best]! > free[0]! + advantage ? best : 0]!;
}

// The hues of what is shown: of objects and of the materials of their meshes.
export function huesOf(mirror: Mirror): number[] {
    const hsl = { h: 0, s: 0, l: 0 };
    const hues = new Set<number>();
    const add = ({ r, g, b }: { r: number; g: number; b: number }): void => {
        new Color().setRGB(r / 255, g / 255, b / 255).getHSL(hsl);
        if (hsl.s >= leastSaturation && hsl.l > 0.08) {
            hues.add(Math.round(72 * hsl.h) / 72);
        }
    };
    for (const { isShown, isPlain, parts, color } of mirror.bodies.values()) {
        if (isShown && (isPlain || parts.some(({ mesh }) => (mirror.meshes.get(mesh)?.material ?? 0) === 0))) {
            add(color);
        }
    }
    mirror.materials.forEach(({ color }) => add(color));
    return [...hues];
}
