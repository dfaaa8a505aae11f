// Commands to the people of a world: who there is, what can be done with an object, what was commanded from this page and how
// far each of it is. Knows no element of the page.
import type { Connection } from "./connection";
import type { ServerMessage, WireAffordance, WireMotion, WirePerson, WireRef } from "./protocol";

export type CommandState = "waiting" | "doing" | "done" | "ended";

export interface GivenCommand {
    request: number;
    person: string; // as it was named; "": any
    text: string; // what is done, for people
    state: CommandState;
    reason: string; // why it ended where it was not done
}

export type CommandLine = Pick<Connection, "ask" | "askFor" | "isOpen">;

const pollMs = 500;
const maxGiven = 30;

export class Commands {
    people: readonly WirePerson[] = [];
    readonly given: GivenCommand[] = []; // the newest last
    private readonly early = new Map<number, GivenCommand["reason"] | null>(); // ends that came before their reply was read
    private lastPoll = -Infinity;
    private isPolling = false;

    constructor(
        private readonly line: CommandLine,
        private readonly changed: () => void,
    ) {}

    apply(message: ServerMessage): void {
        if (message.type === "welcome" || message.type === "reset") {
            this.people = [];
            this.given.length = 0;
            this.early.clear();
            this.lastPoll = -Infinity;
            this.changed();
        } else if (message.type === "ended") {
            const reason = message.status === 0 ? null : message.message;
            const command = this.given.find(({ request }) => request === message.request);
            if (command === undefined) {
                this.early.set(message.request, reason);
            } else {
                this.end(command, reason);
            }
        }
    }

    // Asks for the people from time to time, more often while something is to be seen of it.
    update(now: number): void {
        const isBusy = this.given.some(({ state }) => state === "waiting" || state === "doing");
        if (this.line.isOpen && !this.isPolling && now - this.lastPoll > (isBusy ? pollMs : 4 * pollMs)) {
            this.lastPoll = now;
            void this.refresh();
        }
    }

    async refresh(): Promise<void> {
        this.isPolling = true;
        const reply = await this.line.askFor({ type: "people" }, "peopleList");
        this.isPolling = false;
        if (reply.type !== "peopleList") {
            return;
        }
        this.people = reply.people;
        const doing = new Set(reply.people.map((person) => person.doing));
        for (const command of this.given) {
            if (command.state === "waiting" && doing.has(command.request)) {
                command.state = "doing";
            }
        }
        this.changed();
    }

    // What an object affords now; a sentence where that cannot be known.
    async affords(object: WireRef): Promise<readonly WireAffordance[] | string> {
        const reply = await this.line.askFor({ type: "affords", object }, "affordances");
        return reply.type === "affordances" ? reply.affordances : reply.message;
    }

    // Gives a command; "" where it was accepted, else the sentence why not.
    async give(person: string, motions: WireMotion[], text: string): Promise<string> {
        const reply = await this.line.ask({ type: "command", person, motions });
        if (reply.status !== 0) {
            return reply.message;
        }
        const command: GivenCommand = { request: reply.request, person, text, state: "waiting", reason: "" };
        this.given.push(command);
        if (this.given.length > maxGiven) {
            this.given.shift();
        }
        const early = this.early.get(reply.request);
        this.early.clear();
        if (early !== undefined) {
            this.end(command, early);
        } else {
            void this.refresh();
        }
        this.changed();
        return "";
    }

    // Ends all that a person does and was to do.
    async stop(person: string): Promise<string> {
        const object = { index1: 0, generation: 0 };
        const zero = { x: 0, y: 0, z: 0 };
        const motion = { name: "stop", object, given: 0, point: zero, goal: zero, facing: 0, frames: 0, start: 0, parameters: [] };
        return (await this.line.ask({ type: "command", person, motions: [motion] })).message;
    }

    private end(command: GivenCommand, reason: string | null): void {
        command.state = reason === null ? "done" : "ended";
        command.reason = reason ?? "";
        this.changed();
    }
}
