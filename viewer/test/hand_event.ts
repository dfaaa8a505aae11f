// Events of handling for tests.
import type { ServerMessage, WireEvent } from "../src/protocol";

export const handEvent = (kind: number, more: Partial<WireEvent> = {}): WireEvent => ({
    kind,
    a: { index1: 3, generation: 1 },
    b: { index1: 4, generation: 1 },
    id: 0,
    tick: 1,
    time: 1,
    value: 0,
    second: 0,
    name: "",
    speed: 0,
    area: 0,
    pull: 0,
    count: 0,
    point: { x: 0, y: 0, z: 0 },
    ...more,
});

export const handEvents = (...events: WireEvent[]): ServerMessage => ({ type: "events", events });

export const hello: ServerMessage = {
    type: "welcome",
    version: 5,
    client: 1,
    step: 0.01,
    server: "test",
    scene: "Scene",
    maxMessageBytes: 65536,
};
