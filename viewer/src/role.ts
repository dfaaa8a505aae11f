// What people may do by their token, and which parts of the page that leaves: an element says by `data-needs` for whom it is,
// and is put out of use for the others, with the reason as its title. While a server can carry nothing out, it is so for all.
import type { ServerMessage } from "./protocol";

export type Need = "handle" | "change" | "direct";

const watches = 1;
const handles = 2;
const directs = 3;
const roleOf: Record<Need, number> = { handle: handles, change: handles, direct: directs };

// Why a role does not do; "" where it does. A locked server lets nobody change what there is, nor direct.
export function reasonAgainst(need: Need, role: number, isLocked: boolean): string {
    if (isLocked && need !== "handle") {
        return "This server is locked.";
    }
    if (role >= roleOf[need]) {
        return "";
    }
    return need === "direct" ? "This is for those who direct." : "You watch: this is for those who handle objects.";
}

export class RoleGate {
    private role = directs; // until the server says something else
    private isLocked = false;
    private readOnly = ""; // why nothing can be handled or changed now, in a sentence; "": it can

    constructor(
        private readonly root: ParentNode,
        private readonly badge: HTMLElement,
    ) {}

    apply(message: ServerMessage): void {
        switch (message.type) {
            case "welcome":
                this.readOnly = "";
                break;
            case "service":
                this.readOnly = message.isReadOnly !== 0 ? message.message : "";
                break;
            case "role":
                this.role = message.role;
                this.isLocked = message.isLocked !== 0;
                break;
            default:
                return;
        }
        this.badge.textContent = this.readOnly !== "" ? "read only" : this.role === watches ? "watching" : this.isLocked ? "locked" : "";
        this.badge.title = this.readOnly;
        this.badge.hidden = this.badge.textContent === "";
        this.root.querySelectorAll<HTMLElement>("[data-needs]").forEach((each) => this.gate(each));
    }

    // The summary of a section stays in use: what it holds may be looked at.
    private gate(part: HTMLElement): void {
        const reason = this.readOnly !== "" ? this.readOnly : reasonAgainst(part.dataset["needs"] as Need, this.role, this.isLocked);
        const inner = part instanceof HTMLDetailsElement ? [...part.children].filter((each) => each.tagName !== "SUMMARY") : [part];
        for (const each of inner as HTMLElement[]) {
            each.inert = reason !== "";
            each.classList.toggle("denied", reason !== "");
        }
        part.title = reason;
    }
}
