// The viewport's colours, dark or light as the person's system is. The page's own colours are in style.css.

export interface Theme {
    sky: number;
    ground: number;
    key: number;
    ambience: number; // strength of the light from all around
    sun: number; // strength of the key light
    environment: number; // strength of the light that surfaces mirror, where finely drawn
    contactShadow: number; // how dark the ground is below what touches it
    grid: number;
    gridStrength: number;
    shadow: number;
    near: number;
    contact: number;
    normal: number;
    selected: number;
    ghost: number;
}

export const dark: Theme = {
    sky: 0xcfe0ff,
    ground: 0x2b2f3d,
    key: 0xfff3e2,
    ambience: 1.35,
    sun: 2.3,
    environment: 0.75,
    contactShadow: 0.75,
    grid: 0x9fb4d8,
    gridStrength: 0.34,
    shadow: 0.42,
    near: 0xd8b25a,
    contact: 0xffffff,
    normal: 0x59e0ff,
    selected: 0x6fb1ff,
    ghost: 0xffb454,
};

export const light: Theme = {
    ...dark,
    sky: 0xffffff,
    ground: 0xb9b6b0,
    ambience: 1.9,
    sun: 1.9,
    environment: 0.8,
    contactShadow: 0.5,
    grid: 0x3b4a66,
    gridStrength: 0.3,
    shadow: 0.22,
    near: 0xb98a1d,
    contact: 0x10151f,
    normal: 0x0077b6,
    selected: 0x0b63d8,
    ghost: 0xc45a00,
};

const query = (text: string): MediaQueryList => window.matchMedia(text);

// Paper is light.
export const currentTheme = (): Theme => (query("(prefers-color-scheme: light), print").matches ? light : dark);
export const wantsStillness = (): boolean => query("(prefers-reduced-motion: reduce)").matches;

// Calls back when the person changes either wish.
export function watchTheme(changed: () => void): void {
    query("(prefers-color-scheme: light), print").addEventListener("change", changed);
    query("(prefers-reduced-motion: reduce)").addEventListener("change", changed);
}
