// A body in one hand that is tracked in space, or in two. No scene, no sockets, no headset.
import { handsPose, type HandPair } from "./two_hands";
import { compose, inverseTurn, multiply, unapplyPose, unitTurn, type Pose } from "./vector";

// The wanted pose of a body in a hand: its pose in the hand that took it stays, and it follows both hands while a second
// one helps.
export class Grip {
    private inHand: Pose;
    private both: { object: Pose; grasp: HandPair } | null = null;
    raw: Pose;

    constructor(hand: Pose, body: Pose) {
        this.inHand = placeIn(hand, body);
        this.raw = body;
    }

    // The hand is here now.
    follow(hand: Pose): Pose {
        const { rotation, position, scale } = compose(hand, this.inHand);
        this.raw = { rotation: unitTurn(rotation), position, scale };
        return this.raw;
    }

    // A second hand takes hold: the body goes on from where it is wanted.
    join(first: Pose, second: Pose): void {
        this.both = { object: this.raw, grasp: [first, second] };
    }

    get isInBoth(): boolean {
        return this.both !== null;
    }

    followBoth(first: Pose, second: Pose): Pose {
        if (this.both === null) {
            return this.follow(first);
        }
        this.raw = handsPose(this.both.object, this.both.grasp, [first, second]);
        return this.raw;
    }

    // This hand alone holds it from now on.
    leave(hand: Pose): void {
        this.both = null;
        this.inHand = placeIn(hand, this.raw);
    }
}

function placeIn(hand: Pose, body: Pose): Pose {
    return {
        rotation: multiply(inverseTurn(hand.rotation), body.rotation),
        position: unapplyPose(hand, body.position),
        scale: body.scale / hand.scale,
    };
}
