// The pose of one object in two hands, as fr_hands_pose of the library computes it; its results are the cases of the test.
// The line between the hands says where the object points; it turns about that line by the mean of the hands' own turns.
import { handsApart } from "./hand_table";
import {
    add,
    cross,
    dot,
    inverseTurn,
    length,
    multiply,
    rotate,
    subtract,
    times,
    turnAbout,
    unit,
    unitTurn,
    vec3,
    type Pose,
    type Quat,
    type Vec3,
} from "./vector";

export type HandPair = readonly [Pose, Pose];


// Any unit vector across a unit one.
function across(a: Vec3): Vec3 {
    const [x, y, z] = [Math.abs(a.x), Math.abs(a.y), Math.abs(a.z)];
    const axis = x <= y && x <= z ? vec3(1, 0, 0) : y <= z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    return unit(cross(a, axis));
}

// The shortest turn from one unit vector to another.
export function turnBetween(from: Vec3, to: Vec3): Quat {
    const sum = add(from, to);
    if (length(sum) < 1e-12) {
        const { x, y, z } = across(from);
        return { w: 0, x, y, z };
    }
    // Half the turn takes `from` to the unit vector between the two.
    const half = unit(sum);
    const { x, y, z } = cross(from, half);
    return unitTurn({ w: dot(from, half), x, y, z });
}

const middle = ([a, b]: HandPair): Vec3 => times(add(a.position, b.position), 0.5);

// An angle within half a turn of 0.
const wrapped = (angle: number): number => angle - 2 * Math.PI * Math.floor((angle + Math.PI) / (2 * Math.PI));

const turnSince = (grasp: Pose, now: Pose): Quat => multiply(now.rotation, inverseTurn(grasp.rotation));

// How far a hand has turned about `axis` beyond the swing.
function twist(grasp: Pose, now: Pose, swing: Quat, axis: Vec3): number {
    const { w, x, y, z } = multiply(inverseTurn(swing), turnSince(grasp, now));
    return wrapped(2 * Math.atan2(dot(vec3(x, y, z), axis), w));
}

function turnOf(grasp: HandPair, now: HandPair): Quat {
    const was = subtract(grasp[1].position, grasp[0].position);
    const is = subtract(now[1].position, now[0].position);
    if (!(length(was) >= handsApart && length(is) >= handsApart)) {
        return turnSince(grasp[0], now[0]);
    }
    const line = unit(was);
    const swing = turnBetween(line, unit(is));
    const first = twist(grasp[0], now[0], swing, line);
    const second = twist(grasp[1], now[1], swing, line);
    return multiply(swing, turnAbout(line, first + 0.5 * wrapped(second - first)));
}

// `object` is its pose when the second hand took hold, `grasp` the hands' poses at that time and `now` those at present.
// Where the hands are together, then or now, the object turns as the first hand does. The scale stays.
export function handsPose(object: Pose, grasp: HandPair, now: HandPair): Pose {
    const turn = turnOf(grasp, now);
    const arm = subtract(object.position, middle(grasp));
    return {
        rotation: unitTurn(multiply(turn, object.rotation)),
        position: add(middle(now), rotate(turn, arm)),
        scale: object.scale,
    };
}
