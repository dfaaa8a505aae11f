// Made by tools/protocol_text from include/fureai/hand.h and hand_sound.h, where the numbers are described; not edited
// by hand.

// Modes of fr_aid_mode that have sound, and those that have the aid.
export const modesWithSound: readonly number[] = [4, 5, 6];
export const modesWithAid: readonly number[] = [3, 4, 5];
export const modeAidBoth = 5;

// Between hands nearer than this, metres, there is no line (fr_hands_pose).
export const handsApart = 0.001;

// The colours of an object by the number of faces that hold it (fr_hand_color).
export const heldColors = ["#a0a0a0", "#20c040", "#20c8d8", "#e030d0"] as const;

export const handSound = {
    volume: 0.5,
    hold: 0.1,
    deadAfter: 12,
    fullSpeed: 0.3,
    faintest: 0.0625,
} as const;

export const contactSound = {
    pause: 0.01,
    frequency: 500,
    level: 0.5,
} as const;

export const snapSound = {
    frequency: 400,
    area: 0.0049,
    lowest: 200,
    highest: 2000,
    second: 1.189207115002721,
    third: 1.4983070768766815,
} as const;

export const slideSound = {
    speed: 0.002,
    level: 0.1,
    width: 0.5,
    smooth: 0.005,
    frequency: 300,
    rise: 4000,
    highest: 8000,
} as const;

export const pullSound = {
    from: 0.5,
    rate: 2,
    rise: 26,
    frequency: 1500,
    level: 0.25,
} as const;

export const releaseSound = {
    first: 600,
    last: 200,
    seconds: 0.08,
    level: 0.5,
} as const;

export const doneSound = {
    first: 600,
    second: 800,
    later: 0.15,
    level: 0.4,
} as const;

export const fittedSound = {
    first: 880,
    second: 1320,
    later: 0.12,
    level: 0.6,
} as const;

// Frequency over that of the tone, part of its level, and seconds until 1 / e is left.
export type TonePartial = readonly [ratio: number, part: number, decay: number];

export const contactPartials: readonly TonePartial[] = [
    [1, 1, 0.015],
];

export const snapPartials: readonly TonePartial[] = [
    [1, 0.5714285714285714, 0.06],
    [2.3, 0.2857142857142857, 0.06],
    [3.9, 0.14285714285714285, 0.06],
];

export const pullPartials: readonly TonePartial[] = [
    [1, 1, 0.008],
];

export const donePartials: readonly TonePartial[] = [
    [1, 1, 0.1],
];

export const fittedPartials: readonly TonePartial[] = [
    [1, 0.5, 0.5],
    [2, 0.2, 0.35],
    [2.4, 0.2, 0.25],
    [3.8, 0.1, 0.12],
];
