// A rod that turns past a post within one step: node between_frames.mjs FOLDER, that of the package.
import { pathToFileURL } from "node:url";

const { load } = await import(pathToFileURL(`${process.argv[2]}/fureai.mjs`).href);
const fureai = await load();
const space = fureai.space();
const box = fureai.named("box");
const rod = space.add([0, 1, 2].map((x) => ({ mesh: box, pose: { position: [x, 0, 0] } })));
const post = space.add(box, { position: [0, 0, 2.5], scale: 0.5 });

space.setMotion(rod, { turn: [0, 2 * Math.PI, 0] });
const still = space.collide();
const step = space.collideStep({ want: "contacts" });
console.log(`at rest ${still.count} pairs; over the step ${step.count}, free until ${step.freeTime.toFixed(4)}`);
const [first] = step.contacts;
console.log(`object ${rod} meets ${post} at ${first?.point.map((x) => x.toFixed(3)).join(", ")}`);
if (still.count !== 0 || step.count === 0 || !(step.freeTime > 0 && step.freeTime < 1)) {
    throw new Error("the rod meets the post between the two frames");
}
