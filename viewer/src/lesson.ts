// A short lesson for those who put a headset on for the first time: look, grab, place. It says one thing at a time and goes
// on when that was done, or is skipped; then it is over for good. No headset, no drawing.
import { dot, rotate, vec3, type Quat, type Vec3 } from "./vector";

export type LessonStep = "look" | "grab" | "place" | "end";

// What a panel says.
export interface LessonText {
    readonly title: string;
    readonly lines: readonly string[];
}

const texts: Record<LessonStep, LessonText> = {
    look: { title: "1 of 3: look", lines: ["Turn your head, to the left and to the right.", "This is the world in its true size."] },
    grab: { title: "2 of 3: grab", lines: ["Point at an object, or reach into it.", "Hold the trigger: it is in your hand."] },
    place: { title: "3 of 3: place", lines: ["Bring it where it should be.", "Let the trigger go."] },
    end: { title: "Well done", lines: ["Right stick forward: go where the arc ends.", "Left stick: walk."] },
};

export const skipText = "A or X: skip";

const lookedFor = Math.cos((30 * Math.PI) / 180); // turned by so much it has looked around
const endMs = 4000;

// What the lesson takes in once a frame.
export interface LessonInput {
    readonly head: Quat;
    readonly isHolding: boolean;
    readonly isSkipped: boolean;
}

export class Lesson {
    step: LessonStep | null = "look"; // null: it is over
    private ahead: Vec3 | null = null; // where the head looked first
    private endsMs = 0;

    // `isOver`: it was seen before.
    constructor(isOver: boolean, private readonly over: () => void) {
        this.step = isOver ? null : "look";
    }

    get text(): LessonText | null {
        return this.step === null ? null : texts[this.step];
    }

    // True when another step is shown, or none.
    update({ head, isHolding, isSkipped }: LessonInput, nowMs: number): boolean {
        const before = this.step;
        if (before === null) {
            return false;
        }
        this.step = isSkipped ? null : this.next(before, head, isHolding, nowMs);
        if (this.step === "end" && before !== "end") {
            this.endsMs = nowMs + endMs;
            this.over();
        } else if (isSkipped && before !== "end") {
            this.over();
        }
        return this.step !== before;
    }

    private next(step: LessonStep, head: Quat, isHolding: boolean, nowMs: number): LessonStep | null {
        const ahead = rotate(head, vec3(0, 0, -1));
        this.ahead ??= ahead;
        switch (step) {
            case "look":
                return dot(ahead, this.ahead) <= lookedFor ? "grab" : step;
            case "grab":
                return isHolding ? "place" : step;
            case "place":
                return isHolding ? step : "end";
            case "end":
                return nowMs < this.endsMs ? step : null;
        }
    }
}

const key = "fureai-lesson";

// Whether the lesson was over in this browser before.
export function wasTaught(): boolean {
    try {
        return window.localStorage.getItem(key) === "over";
    } catch {
        return false; // storage that is closed to us: once a page
    }
}

export function noteTaught(): void {
    try {
        window.localStorage.setItem(key, "over");
    } catch {
        // It is over for this page.
    }
}
