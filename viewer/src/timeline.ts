// When objects touched, lately or in all of a session or record: rows of bars by the events, and begin and end of each
// contact of two faces, where the world senses whole steps. A client that came late or was too slow missed some events; then the colliding pairs say
// which touches there are. All of it is bounded. No drawing.
import type { Mirror } from "./mirror";
import { EventKind, PairFlags, StateFlags, TouchPhase, WirePair } from "./protocol";
import type { FaceTouchesMessage, PairsMessage, RecordMessage, ServerMessage, StateMessage } from "./protocol";
import type { WireContact, WireEvent, WireFaceTouch, WireRecordTouch, WireRef } from "./protocol";
import type { Vec3 } from "./vector";

export const secondsShown = 10;
export const secondsMarked = 2;
export const maxRows = 64;
export const maxBars = 4000;
export const maxSpans = 4000; // of faces
export const maxMarks = 32; // that are shown
const maxKeptMarks = 500;
export const maxPassed = 256; // faces of a mark, about
export const maxPoints = 4; // of a mark: more rings would hide what they are about

const whereItBegan = TouchPhase.began | TouchPhase.point;
const firstPart = 1e-3; // of a step after the first contact, in which others are first contacts too
const latePlace = 2; // ticks after a touch began in which its place may still be reported

export interface Bar {
    id: number; // of the touch; 0 while its begin was not reported
    begin: number; // seconds
    end: number | null; // null: it lasts
}

// Two faces in contact.
export interface Span {
    readonly key: string; // of the row of their objects
    begin: number; // seconds
    end: number | null; // null: it lasts
}

export interface Row {
    readonly key: string; // of two objects of one scene, never used again in another
    readonly a: WireRef;
    readonly b: WireRef;
    readonly titleA: string;
    readonly titleB: string;
    readonly bars: Bar[]; // by begin
}

// A face of a body.
export interface Face {
    readonly index1: number;
    readonly triangle: number;
}

// A first contact; without points where none was reported.
export interface Mark {
    readonly a: number; // index1
    readonly b: number;
    readonly time: number;
    points: readonly Vec3[];
    passed: readonly Face[]; // that touched, where the two were apart again in the same step: no state shows them
}

export class Timeline {
    rows: Row[] = []; // newest first
    marks: Mark[] = []; // that are shown, oldest first
    passedVersion = 0; // another one when other faces passed
    since: number | null = null; // what ended before is forgotten; null: what ended before the last ten seconds
    isJump = false; // the state of a record that came last is not the one after that before it
    length = 0; // seconds of the record; 0: it is none
    spans = new Map<number, Span>(); // by id, in the order of their reports
    now = 0;
    version = 0; // another one when there are other rows, bars or spans
    private recorded: number[] = []; // when touches of the record begin
    private kept: Mark[] = []; // of all that is not forgotten
    private shown: number | null = null; // a time before now
    private scenes = 0; // that were opened so far: objects of several have the same numbers
    private barCount = 0;
    private isSure = false; // whether the touches there are are those that last here
    private heardUntil = 0; // the time of the state before the gap
    private sequence = 0;
    private met: { sequence: number; list: readonly WireFaceTouch[] } = { sequence: 0, list: [] };
    private contacts: { sequence: number; list: readonly WireContact[] } = { sequence: 0, list: [] };

    constructor(private readonly mirror: Mirror) {}

    // The time that is shown.
    get at(): number {
        return this.length > 0 ? this.mirror.time : (this.shown ?? this.now);
    }

    get isLive(): boolean {
        return this.length === 0 && this.shown === null;
    }

    // Shows an earlier time; null: now.
    showAt(time: number | null): void {
        if (time !== this.shown) {
            this.shown = time;
            this.version++;
            this.chooseMarks();
        }
    }

    // When touches began, in no order.
    *begins(): Iterable<number> {
        if (this.length > 0) {
            yield* this.recorded;
            return;
        }
        for (const { bars } of this.rows) {
            for (const { begin } of bars) {
                yield begin;
            }
        }
    }

    // Takes what the mirror took just before.
    apply(message: ServerMessage): void {
        switch (message.type) {
            case "welcome":
            case "reset":
                this.scenes++;
                this.length = 0;
                this.clear(0);
                break;
            case "record":
                this.beginRecord(message);
                break;
            case "recordTouches":
                message.touches.forEach((touch) => this.takeRecorded(touch));
                break;
            case "state":
                this.moveTo(message);
                break;
            case "pairs":
                if (this.length === 0) {
                    this.makeSure(message);
                }
                break;
            case "contacts":
                this.contacts = { sequence: message.sequence, list: message.contacts };
                this.kept.forEach((mark) => this.placeLate(mark));
                break;
            case "faceTouches":
                this.takeFaces(message);
                break;
            case "events":
                message.events.forEach((event) => this.take(event));
                break;
            default:
                break;
        }
    }

    private clear(now: number): void {
        this.rows = [];
        this.kept = [];
        this.recorded = [];
        this.chooseMarks();
        this.spans.clear();
        this.barCount = 0;
        this.now = now;
        this.isSure = false;
        this.heardUntil = now;
        this.version++;
    }

    // The touches of a record come by themselves, for all of its length; to one who comes late before this.
    private beginRecord({ ticks }: RecordMessage): void {
        this.length = ticks * this.mirror.step;
        this.now = this.length;
        this.version++;
    }

    private takeRecorded({ id, isEnd, at, a, b }: WireRecordTouch): void {
        const key = `${this.scenes}:${a}\n${b}`;
        const none = { index1: 0, generation: 0 };
        const known = this.rows.find((row) => row.key === key);
        const row = known ?? { key, a: none, b: none, titleA: a, titleB: b, bars: [] };
        const time = at * this.mirror.step;
        const bar = row.bars.find((each) => each.id === id);
        if (isEnd === 0) {
            this.recorded.push(time);
        }
        if (isEnd === 0 && bar === undefined) {
            this.add(row, { id, begin: time, end: null });
        } else if (bar !== undefined && isEnd !== 0) {
            bar.end = time;
        }
        this.version++;
    }

    private moveTo({ time, sequence, flags }: StateMessage): void {
        if (this.length > 0) {
            this.sequence = sequence;
            this.kept = this.isJump ? [] : this.kept.filter((mark) => time - mark.time < secondsMarked);
            this.version++;
            this.chooseMarks();
            return;
        }
        if (time < this.now) {
            this.clear(time);
        }
        if ((flags & StateFlags.complete) !== 0) {
            this.isSure = false;
            this.heardUntil = this.now;
            this.dropSpans(({ end }) => end === null); // an end that was missed is not reported again; one that comes is whole
        }
        this.sequence = sequence;
        this.now = time;
        const oldest = Math.min(this.since ?? Infinity, time - secondsShown);
        this.kept = this.kept.filter((mark) => mark.time >= (this.since ?? time - secondsMarked));
        this.chooseMarks();
        this.dropSpans(({ end }) => end !== null && end < oldest);
        for (const row of this.rows) {
            while (row.bars.length > 0 && (row.bars[0]!.end ?? Infinity) < oldest) {
                this.dropFirst(row);
            }
        }
    }

    // After a gap: touches that are not there any more ended in it, at an unknown time; others began in it.
    private makeSure({ pairs, total }: PairsMessage): void {
        if (this.isSure) {
            return;
        }
        this.isSure = true;
        const touching = this.touching(pairs);
        const isWhole = total * WirePair.size === pairs.length;
        for (const { key, bars } of this.rows) {
            const last = bars[bars.length - 1]!;
            if (last.end === null && isWhole && !touching.has(key)) {
                last.end = Math.max(last.begin, this.heardUntil);
            }
        }
        for (const [a, b] of touching.values()) {
            const row = this.rowOf(a, b);
            if (lasting(row) === null) {
                this.add(row, { id: 0, begin: this.now, end: null });
            }
        }
        this.version++;
    }

    private touching(pairs: Uint32Array): Map<string, readonly [WireRef, WireRef]> {
        const found = new Map<string, readonly [WireRef, WireRef]>();
        let [lastA, lastB] = [0, 0];
        for (let at = 0; at < pairs.length; at += WirePair.size) {
            const a = pairs[at + WirePair.a]!;
            const b = pairs[at + WirePair.b]!;
            // They are sorted: those of two objects follow each other.
            if (a === b || (a === lastA && b === lastB) || (pairs[at + WirePair.flags]! & PairFlags.near) !== 0) {
                continue;
            }
            [lastA, lastB] = [a, b];
            const bodies = [this.mirror.bodies.get(a), this.mirror.bodies.get(b)] as const;
            if (bodies[0] !== undefined && bodies[1] !== undefined) {
                found.set(this.keyOf(bodies[0].ref, bodies[1].ref), [bodies[0].ref, bodies[1].ref]);
            }
        }
        return found;
    }

    private takeFaces({ sequence, faceTouches }: FaceTouchesMessage): void {
        this.met = { sequence, list: faceTouches };
        if (this.length > 0) {
            return;
        }
        for (const { a, b, id, phase, begin, end } of faceTouches) {
            const bodies = [this.mirror.bodies.get(a), this.mirror.bodies.get(b)] as const;
            const isLasting = (phase & TouchPhase.ended) === 0;
            if (bodies[0] !== undefined && bodies[1] !== undefined) {
                const key = this.keyOf(bodies[0].ref, bodies[1].ref);
                this.spans.set(id, { key, begin, end: isLasting ? null : end });
            }
        }
        for (const id of this.spans.keys()) {
            if (this.spans.size <= maxSpans) {
                break;
            }
            this.spans.delete(id);
        }
        this.version++;
    }

    private dropSpans(isOver: (span: Span) => boolean): void {
        for (const [id, span] of this.spans) {
            if (isOver(span)) {
                this.spans.delete(id);
                this.version++;
            }
        }
    }

    // How many contacts of faces a bar of a row is made of.
    countSpans({ key }: Row, { begin, end }: Bar): number {
        let count = 0;
        for (const span of this.spans.values()) {
            const isWithin = span.begin <= (end ?? Infinity) && (span.end ?? Infinity) >= begin;
            count += span.key === key && isWithin ? 1 : 0;
        }
        return count;
    }

    private take(event: WireEvent): void {
        if (event.kind === EventKind.touchBegin) {
            this.begin(event);
        } else if (event.kind === EventKind.touchEnd) {
            this.end(event);
        }
    }

    private begin({ a, b, id, time }: WireEvent): void {
        if (this.length === 0 && !this.beginBar(a, b, id, time)) {
            return;
        }
        this.kept.push({ a: a.index1, b: b.index1, time, points: this.pointsOf(a.index1, b.index1), passed: [] });
        this.kept.splice(0, this.kept.length - maxKeptMarks);
        this.chooseMarks();
        this.version++;
    }

    // False: it is known already.
    private beginBar(a: WireRef, b: WireRef, id: number, time: number): boolean {
        const row = this.rowOf(a, b);
        const last = lasting(row);
        if (last?.id === id) {
            return false;
        }
        if (last !== null && last.id === 0 && last.begin === this.now) {
            // The pairs of this state reported it already.
            last.id = id;
            last.begin = Math.min(time, this.now);
        } else {
            if (last !== null) {
                last.end = Math.max(last.begin, time);
            }
            this.add(row, { id, begin: time, end: null });
        }
        return true;
    }

    // A touch whose begin was dropped or never reported is not shown.
    private end({ a, b, id, time }: WireEvent): void {
        const bars = this.rows.find(({ key }) => key === this.keyOf(a, b))?.bars ?? [];
        const bar = bars.find((each) => each.id === id) ?? bars.find((each) => each.id === 0 && each.end === null);
        if (bar !== undefined) {
            bar.id = id;
            bar.end = Math.max(bar.begin, time);
            this.version++;
            this.notePassed(a.index1, b.index1, bar.begin);
        }
    }

    // A touch that began and ended in one step: its faces, for the mark.
    private notePassed(a: number, b: number, begin: number): void {
        const mark = this.kept.find((each) => each.a === a && each.b === b && each.time === begin);
        if (mark === undefined || begin < this.now - this.mirror.step || this.met.sequence !== this.sequence) {
            return;
        }
        const met = this.met.list.filter((each) => each.a === a && each.b === b).slice(0, maxPassed / 2);
        mark.passed = met.flatMap(({ triangleA, triangleB }) => [
            { index1: a, triangle: triangleA },
            { index1: b, triangle: triangleB },
        ]);
        this.passedVersion++;
    }

    // Those of the time that is shown.
    private chooseMarks(): void {
        const { at } = this;
        const isShown = ({ time }: Mark): boolean => at - time < secondsMarked && time <= at + this.mirror.step;
        const before = this.marks;
        this.marks = this.kept.filter(isShown).slice(-maxMarks);
        const others = before.filter((mark) => !this.marks.includes(mark));
        const isOther = [...others, ...this.marks.filter((mark) => !before.includes(mark))].some(({ passed }) => passed.length > 0);
        this.passedVersion += isOther ? 1 : 0;
    }

    // Where two objects met: by the contacts of the step, else by where they are in contact after it.
    private pointsOf(a: number, b: number): readonly Vec3[] {
        const met = this.met.sequence === this.sequence ? this.met.list : [];
        const began = met.filter((each) => each.a === a && each.b === b && (each.phase & whereItBegan) === whereItBegan);
        if (began.length > 0) {
            const first = began.reduce((earliest, { begin }) => Math.min(earliest, begin), Infinity);
            const last = first + firstPart * this.mirror.step;
            return spread(began.filter(({ begin }) => begin <= last).map(({ point }) => point));
        }
        if (this.contacts.sequence !== this.sequence) {
            return [];
        }
        const all = this.contacts.list.filter(
            (contact) => (contact.a === a && contact.b === b) || (contact.a === b && contact.b === a),
        );
        return spread(all.map(({ point }) => point));
    }

    private placeLate(mark: Mark): void {
        if (mark.points.length === 0 && this.now - mark.time <= latePlace * this.mirror.step) {
            mark.points = this.pointsOf(mark.a, mark.b);
        }
    }

    // The same whichever comes first.
    private keyOf(a: WireRef, b: WireRef): string {
        const [low, high] = a.index1 <= b.index1 ? [a, b] : [b, a];
        return `${this.scenes}:${low.index1}.${low.generation}-${high.index1}.${high.generation}`;
    }

    private rowOf(a: WireRef, b: WireRef): Row {
        const key = this.keyOf(a, b);
        const known = this.rows.find((row) => row.key === key);
        if (known !== undefined) {
            return known;
        }
        const title = (ref: WireRef): string => this.mirror.find(ref)?.title ?? `object ${ref.index1}`;
        return { key, a, b, titleA: title(a), titleB: title(b), bars: [] };
    }

    private add(row: Row, bar: Bar): void {
        if (row.bars.length === 0) {
            this.rows.unshift(row);
        }
        row.bars.push(bar);
        this.barCount++;
        // The row, or the bar, that began first makes room.
        if (this.rows.length > maxRows) {
            const oldest = this.rows.reduce((first, each) => (newest(each) < newest(first) ? each : first));
            this.barCount -= oldest.bars.length;
            this.rows = this.rows.filter((each) => each !== oldest);
        }
        if (this.barCount > maxBars) {
            this.dropFirst(this.rows.reduce((first, each) => (each.bars[0]!.begin < first.bars[0]!.begin ? each : first)));
        }
    }

    private dropFirst(row: Row): void {
        row.bars.shift();
        this.barCount--;
        if (row.bars.length === 0) {
            this.rows = this.rows.filter((each) => each !== row);
        }
        this.version++;
    }
}

// As many as a mark may have, from all over the list.
function spread(points: readonly Vec3[]): readonly Vec3[] {
    const count = Math.min(points.length, maxPoints);
    return Array.from({ length: count }, (_, i) => points[Math.floor((i * points.length) / count)]!);
}

const newest = ({ bars }: Row): number => bars[bars.length - 1]!.begin;

function lasting({ bars }: Row): Bar | null {
    const last = bars[bars.length - 1];
    return last?.end === null ? last : null;
}
