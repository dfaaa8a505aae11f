// What a frame costs the page but for the graphics card: a thousand bodies of 43 bones, each of which turned. BONES are read,
// bones put together, and what moves vertices, with the place of each body, written to what is drawn. The last argument is a
// file of results, as the benchmarks in bench/ write them.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { Bodies } from "../src/body";
import { Mirror } from "../src/mirror";
import { decodeForClient, encode } from "../src/protocol";
import { vec3 } from "../src/vector";
import { bentBones, bodyBytes, bonesMessage, meshMessages, objectMessage, person } from "./figure";

const bodyCount = 1000;
const warm = 60;
const repeats = 200;
const origin = vec3(0, 0, 0);

interface Case {
    name: string;
    isDual: boolean;
    isNew: boolean; // places and scales come too
}

const cases: Case[] = [
    { name: "1000 bodies of 43 bones that turn, linear", isDual: false, isNew: false },
    { name: "1000 bodies of 43 bones that turn, dual quaternions", isDual: true, isNew: false },
    { name: "1000 bodies of 43 bones that turn and travel, linear", isDual: false, isNew: true },
];

// The bytes of two states, between which every bone turns.
function frames({ isNew }: Case): Uint8Array[] {
    return [0, 1].map((phase) => {
        const bytes = Array.from({ length: bodyCount }, (_, i) => {
            const pose = { rotation: { w: 1, x: 0, y: 0, z: 0 }, position: vec3(i % 40, 0, Math.floor(i / 40)), scale: 1 };
            return bodyBytes(1, pose, bentBones(person, phase + (i % 7)), isNew);
        }).flat();
        return encode(bonesMessage(1 + phase, bytes));
    });
}

function run(each: Case): { minMs: number; medianMs: number; cpuMs: number; bytes: number } {
    const mirror = new Mirror();
    const bodies = new Bodies(true, 4096, { changed: () => undefined, say: (text) => console.log(text) });
    meshMessages({ ...person, isDual: each.isDual }).forEach((message) => mirror.apply(message));
    for (let i = 1; i <= bodyCount; i++) {
        mirror.apply(objectMessage(person, i, origin));
    }
    const [first] = frames({ ...each, isNew: true });
    decodeForClient(first!).forEach((message) => mirror.apply(message));
    bodies.rebuild(mirror, origin);
    mirror.takeChanges();
    const states = frames(each);
    const samples: number[] = [];
    const cpu: number[] = [];
    for (let i = 0; i < warm + repeats; i++) {
        const [begin, cpuBegin] = [performance.now(), process.cpuUsage()];
        decodeForClient(states[i % 2]!).forEach((message) => mirror.apply(message));
        mirror.takeChanges().poses.forEach((body) => bodies.place(body, origin));
        bodies.flush();
        const { user, system } = process.cpuUsage(cpuBegin);
        if (i >= warm) {
            samples.push(performance.now() - begin);
            cpu.push((user + system) / 1000);
        }
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
    return { medianMs: median(samples), minMs: samples[0]!, cpuMs: median(cpu), bytes: states[0]!.length };
}

const out = process.env["FUREAI_RESULTS"];
if (out !== undefined && out !== "") {
    appendFileSync(out, "who,name,threads,repeats,min_ms,median_ms,counters\n");
}
for (const each of cases) {
    const { minMs, medianMs, cpuMs, bytes } = run(each);
    console.log(`${each.name}: ${minMs.toFixed(2)} ms at least, ${medianMs.toFixed(2)} in the middle, processor ${cpuMs.toFixed(2)} ms`);
    if (out !== undefined && out !== "") {
        const counters = `cpu_ms=${cpuMs.toFixed(3)};bytes=${bytes}`;
        appendFileSync(out, `fureai,"${each.name}",1,${repeats},${minMs.toFixed(4)},${medianMs.toFixed(4)},${counters}\n`);
    }
}
