// The clashes of an assembly, as the server lists them: which two parts meet, how, and what was decided about it. Knows no
// element of the page.
import { lengthText } from "./length_text";
import type { ServerMessage, WireClash } from "./protocol";
import { reasonAgainst } from "./role";

export const verdicts = ["open", "accepted", "ignored"] as const;
export type Verdict = (typeof verdicts)[number];

const kinds = ["touching", "protrusion", "piercing", "enclosed", "duplicate", "clearance"] as const;

export interface Clash extends Omit<WireClash, "verdict" | "note"> {
    readonly number: number; // by which the server knows it
    verdict: Verdict;
    note: string;
}

export const orders = ["depth", "faces", "name"] as const;
export type Order = (typeof orders)[number];

export interface Wanted {
    text: string; // that a name or a note holds; "": any
    verdict: Verdict | "all";
    order: Order;
}

export class ClashList {
    readonly all: Clash[] = [];
    isListed = false; // the scene has a list, perhaps an empty one
    version = 0; // grows with every change
    private mayNote = false;
    private role = 0;
    private isLocked = false;

    apply(message: ServerMessage): void {
        switch (message.type) {
            case "welcome":
            case "reset":
                this.all.length = 0;
                this.isListed = false;
                break;
            case "role":
                this.role = message.role;
                this.isLocked = message.isLocked === 1;
                break;
            case "clashes":
                this.isListed = true;
                this.mayNote = message.mayNote === 1;
                message.clashes.forEach((clash, i) => {
                    const number = message.first + i;
                    this.all[number] = { ...clash, number, verdict: verdicts[clash.verdict] ?? "open" };
                });
                break;
            case "clashNote": {
                const clash = this.all[message.clash];
                if (clash !== undefined) {
                    clash.verdict = verdicts[message.verdict] ?? "open";
                    clash.note = message.note;
                }
                break;
            }
            default:
                return;
        }
        this.version++;
    }

    // Why nothing can be decided at this page; "": it can.
    get refusal(): string {
        if (!this.mayNote) {
            return "Nothing is stored here: the server was started without --notes FILE.";
        }
        return reasonAgainst("change", this.role, this.isLocked);
    }

    count(verdict: Verdict): number {
        return this.all.reduce((sum, clash) => sum + (clash.verdict === verdict ? 1 : 0), 0);
    }

    // Those that are wanted, in the wanted order; equal ones in that of the server.
    wanted({ text, verdict, order }: Wanted): Clash[] {
        const part = text.trim().toLowerCase();
        const holds = ({ nameA, nameB, note }: Clash): boolean =>
            part === "" || [nameA, nameB, note].some((each) => each.toLowerCase().includes(part));
        const list = this.all.filter((clash) => (verdict === "all" || clash.verdict === verdict) && holds(clash));
        if (order === "depth") {
            list.sort((a, b) => b.depth - a.depth || b.kind - a.kind || b.pairs - a.pairs);
        } else if (order === "faces") {
            list.sort((a, b) => b.pairs - a.pairs);
        } else {
            const { compare } = new Intl.Collator("en", { numeric: true });
            list.sort((a, b) => compare(a.nameA, b.nameA) || compare(a.nameB, b.nameB));
        }
        return list;
    }
}

// How two parts meet, in words.
export function clashText({ kind, depth, pairs }: Pick<Clash, "kind" | "depth" | "pairs">): string {
    const deep = depth > 0 ? [`${lengthText(depth)} deep`] : [];
    const faces = pairs > 0 ? [`${pairs.toLocaleString("en")} face ${pairs === 1 ? "pair" : "pairs"}`] : [];
    return [...deep, kinds[kind] ?? "", ...faces].join(", ");
}

// The place about a clash that is looked at: a ball about where the parts meet, with some of the parts about it.
export function clashReach(radius: number, partRadii: readonly number[]): number {
    const smallest = partRadii.length === 0 ? 0 : Math.min(...partRadii);
    return Math.max(2 * radius, 0.9 * smallest, 1e-6);
}
