// The fields that a motion asks for: how each is entered, and what a motion with them is for the server. What is wrong comes
// as a sentence.
import type { WireMotion, WirePrompt, WireRef } from "./protocol";
import type { Vec3 } from "./vector";

export type FieldKind = "place" | "angle" | "frames" | "number" | "pair" | "text";

export interface Field {
    name: string;
    label: string;
    kind: FieldKind;
    isNeeded: boolean;
}

const known: Record<string, readonly [FieldKind, string]> = {
    goal: ["place", "Goal"],
    facing: ["angle", "Facing (degrees)"],
    frames: ["frames", "Frames"],
    start: ["frames", "Start (frames)"],
    value: ["number", "Value"],
    point: ["pair", "Point u, v"],
    text: ["text", "Text"],
    posture: ["text", "Posture file"],
};

export const noObject: WireRef = { index1: 0, generation: 0 };
export const hands = ["", "right", "left", "nearest"] as const;
const givenGoal = 2; // of WireMotion.given
const givenFacing = 4;
const maxFrames = 1_000_000;

export function fieldsOf(prompts: readonly WirePrompt[]): Field[] {
    return prompts.map(({ name, isNeeded }) => {
        const [kind, label] = known[name] ?? (["text", name] as const);
        return { name, label, kind, isNeeded: isNeeded !== 0 };
    });
}

// Numbers with commas or blanks between; null where one is none.
export function readNumbers(text: string, count: number): number[] | null {
    const words = text.trim().split(/[\s,;]+/);
    const numbers = words.map(Number);
    return words.length === count && words.every((word) => word !== "") && numbers.every(Number.isFinite) ? numbers : null;
}

export const writePlace = ({ x, y, z }: Vec3): string => [x, y, z].map((value) => String(Number(value.toFixed(3)))).join(", ");

export interface Draft {
    name: string;
    object: WireRef;
    hand: string; // "": as the object says
    values: ReadonlyMap<string, string>; // what was entered, by the names of the fields
}

interface Numbers {
    count: number;
    low: number;
    high: number;
    isWhole: boolean;
    what: string;
}

const limits: Record<Exclude<FieldKind, "text">, Numbers> = {
    place: { count: 3, low: -1e6, high: 1e6, isWhole: false, what: "three numbers of metres, as 1, 0, 2" },
    angle: { count: 1, low: -360, high: 360, isWhole: false, what: "an angle from -360 to 360 degrees" },
    frames: { count: 1, low: 0, high: maxFrames, isWhole: true, what: `a whole number from 0 to ${maxFrames}` },
    number: { count: 1, low: -1e15, high: 1e15, isWhole: false, what: "a number" },
    pair: { count: 2, low: 0, high: 1, isWhole: false, what: "two numbers from 0 to 1, as 0.5, 0.5" },
};

// The numbers of a field, or what is wrong with them.
function checkNumbers(field: Field, text: string, kind: Exclude<FieldKind, "text">): number[] | string {
    const { count, low, high, isWhole, what } = limits[kind];
    const numbers = readNumbers(text, count);
    const isRight = numbers?.every((value) => value >= low && value <= high && (!isWhole || Number.isInteger(value)));
    return numbers !== null && isRight === true ? numbers : `${field.label.split(/[,(]/)[0]!.trim()} is ${what}`;
}

// A motion as the server takes it, or a sentence about what is missing or wrong.
export function makeMotion(draft: Draft, fields: readonly Field[]): WireMotion | string {
    const zero = { x: 0, y: 0, z: 0 };
    const motion: WireMotion = {
        name: draft.name,
        object: draft.object,
        given: 0,
        point: zero,
        goal: zero,
        facing: 0,
        frames: 0,
        start: 0,
        parameters: draft.hand === "" ? [] : [{ key: "hand", value: draft.hand }],
    };
    for (const field of fields) {
        const text = draft.values.get(field.name)?.trim() ?? "";
        if (text === "") {
            if (field.isNeeded) {
                return `${draft.name} needs ${field.name === "goal" ? "a goal" : `'${field.name}'`}`;
            }
            continue;
        }
        const numbers = field.kind === "text" ? [] : checkNumbers(field, text, field.kind);
        if (typeof numbers === "string") {
            return numbers;
        }
        const [first = 0, second = 0, third = 0] = numbers;
        if (field.name === "goal") {
            motion.given |= givenGoal;
            motion.goal = { x: first, y: second, z: third };
        } else if (field.name === "facing") {
            motion.given |= givenFacing;
            motion.facing = (first * Math.PI) / 180;
        } else if (field.name === "frames" || field.name === "start") {
            motion[field.name] = first;
        } else {
            motion.parameters = [...motion.parameters, { key: field.name, value: numbers.length > 0 ? numbers.join(",") : text }];
        }
    }
    return motion;
}
