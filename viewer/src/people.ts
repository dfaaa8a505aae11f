// People of the world, put together: commands to them, the panels, points of the floor, and posing by hand.
import type { Camera } from "./camera";
import { Commands } from "./commands";
import type { Connection } from "./connection";
import { byId, element } from "./element";
import { FloorPick } from "./floor_pick";
import type { Body, Mirror } from "./mirror";
import { AddPanel } from "./panel_add";
import { PeoplePanel } from "./panel_people";
import type { Hit } from "./pick";
import { PoseHandles } from "./pose_handles";
import type { ServerMessage, WirePerson } from "./protocol";

export interface PeopleScene {
    camera: Camera;
    mirror: Mirror;
    connection: Connection;
    ground(): number;
    pick(x: number, y: number): Hit<Body> | null;
    say(text: string): void;
    lookAt(body: Body): void;
}

export class People {
    private readonly commands: Commands;
    private readonly floor: FloorPick;
    private readonly handles: PoseHandles;
    private readonly panel: PeoplePanel;
    private readonly adding: AddPanel;

    constructor(private readonly scene: PeopleScene) {
        const { camera, mirror, connection } = scene;
        this.commands = new Commands(connection, () => this.changed());
        this.floor = new FloorPick(scene);
        const pickPoint = this.floor.ask.bind(this.floor);
        this.panel = new PeoplePanel(mirror, this.commands, {
            pickPoint,
            pose: (person) => this.handles.show(person),
            save: (person) => this.save(person),
            look: ({ object }) => {
                const body = mirror.find(object);
                if (body !== undefined) {
                    scene.lookAt(body);
                }
            },
        });
        this.handles = new PoseHandles(camera, this.commands, connection, (sentence) => this.panel.say(sentence));
        this.adding = new AddPanel(mirror, connection, pickPoint, (text) => scene.say(text));
        byId("right").prepend(this.panel.root);
        byId("left").append(this.adding.root);
    }

    apply(message: ServerMessage): void {
        this.commands.apply(message);
        if (message.type === "welcome" || message.type === "reset") {
            this.handles.show(null);
            this.panel.stopPosing();
        } else if (message.type === "gallery") {
            void this.adding.refresh(); // the scene may have another library
        }
    }

    takeClick(x: number, y: number, hit: Hit<Body> | null): boolean {
        return this.floor.takeClick(x, y, hit);
    }

    select(body: Body | null): void {
        this.panel.choose(body);
        this.adding.show(body);
    }

    // Objects came or went.
    rebuild(): void {
        this.panel.rebuild();
    }

    update(now: number): void {
        this.commands.update(now);
        this.floor.update();
        this.handles.update();
    }

    private changed(): void {
        this.panel.update();
        this.handles.update();
    }

    // The posture of a person becomes a file of the user's.
    private async save({ name }: WirePerson): Promise<string> {
        const reply = await this.scene.connection.askFor({ type: "posture", person: name }, "postureFile");
        if (reply.type !== "postureFile") {
            return reply.message;
        }
        const address = URL.createObjectURL(new Blob([reply.text], { type: "text/plain" }));
        element("a", { href: address, download: `${name}.ahmc` }).click();
        URL.revokeObjectURL(address);
        return "";
    }
}
