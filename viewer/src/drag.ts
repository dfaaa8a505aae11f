// Where a held body is wanted: RAW, from the pose it was taken at and the pointer's displacement since. No scene, no sockets.
import type { Camera, Ray } from "./camera";
import {
    add,
    applyPose,
    dot,
    multiply,
    rotate,
    samePose,
    shiftPose,
    subtract,
    times,
    turnAbout,
    unitTurn,
    vec3,
    type Pose,
    type Vec3,
} from "./vector";

// In the plane of the view, along the ground, up and down, or turning about its middle.
export type DragMode = "view" | "ground" | "lift" | "turn";

// Radians a pixel when turning.
const turnSpeed = 0.01;

export class Drag {
    private mode: DragMode;
    private base: Pose; // where the present mode began
    private anchor: Vec3; // point of the body under the pointer, then
    private x: number;
    private y: number;
    raw: Pose;

    constructor(
        private readonly camera: Camera,
        pose: Pose,
        point: Vec3,
        readonly pivot: Vec3, // what it turns about, in the body
        x: number,
        y: number,
        mode: DragMode,
    ) {
        this.base = pose;
        this.raw = pose;
        this.anchor = point;
        this.x = x;
        this.y = y;
        this.mode = mode;
    }

    // The pointer is here now. A change of mode goes on from where the body is.
    moveTo(x: number, y: number, mode: DragMode): Pose {
        if (mode !== this.mode) {
            this.anchor = add(this.anchor, subtract(this.raw.position, this.base.position));
            this.base = this.raw;
            this.x = x;
            this.y = y;
            this.mode = mode;
        }
        this.raw = mode === "turn" ? this.turned(x, y) : shiftPose(this.base, this.offset(x, y, mode));
        return this.raw;
    }

    // Away from the eye or towards it, by a part of the distance.
    push(part: number): Pose {
        const away = subtract(this.anchor, this.camera.eye());
        const step = times(away, part);
        this.anchor = add(this.anchor, step);
        this.base = shiftPose(this.base, step);
        this.raw = shiftPose(this.raw, step);
        return this.raw;
    }

    // By steps of the keyboard, in metres along the camera's axes.
    step(right: number, up: number, away: number): Pose {
        const { camera } = this;
        const level = vec3(camera.forward().x, 0, camera.forward().z);
        const size = Math.hypot(level.x, level.z) || 1;
        const step = add(
            add(times(camera.right(), right), vec3(0, up, 0)),
            times(level, away / size),
        );
        this.anchor = add(this.anchor, step);
        this.base = shiftPose(this.raw, step);
        this.raw = this.base;
        return this.raw;
    }

    private offset(x: number, y: number, mode: DragMode): Vec3 {
        const { camera } = this;
        const from = camera.ray(this.x, this.y);
        const to = camera.ray(x, y);
        const eyeToAnchor = subtract(this.anchor, camera.eye());
        const depth = Math.max(dot(eyeToAnchor, camera.forward()), 1e-6);

        if (mode === "ground") {
            const start = meetPlane(from, this.anchor, vec3(0, 1, 0));
            const end = meetPlane(to, this.anchor, vec3(0, 1, 0));
            const reach = 50 * Math.max(depth, camera.distance);
            // Near the horizon a pixel is kilometres: beyond the reach the body stays where it was last.
            if (start === null || end === null || Math.hypot(end.x - start.x, end.z - start.z) > reach) {
                return subtract(this.raw.position, this.base.position);
            }
            return vec3(end.x - start.x, 0, end.z - start.z);
        }
        const metres = camera.metresPerPixel(depth);
        if (mode === "lift") {
            return vec3(0, -(y - this.y) * metres, 0);
        }
        return add(times(camera.right(), (x - this.x) * metres), times(camera.up(), -(y - this.y) * metres));
    }

    private turned(x: number, y: number): Pose {
        const { camera, base } = this;
        const across = turnAbout(camera.up(), (x - this.x) * turnSpeed);
        const along = turnAbout(camera.right(), (y - this.y) * turnSpeed);
        const turn = unitTurn(multiply(multiply(along, across), base.rotation));
        // The pivot stays where it is.
        const middle = applyPose(base, this.pivot);
        const position = subtract(middle, rotate(turn, times(this.pivot, base.scale)));
        return { rotation: turn, position, scale: base.scale };
    }
}

function meetPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
    const slope = dot(ray.direction, normal);
    const distance = dot(subtract(point, ray.origin), normal) / slope;
    return Number.isFinite(distance) && distance > 0 ? add(ray.origin, times(ray.direction, distance)) : null;
}

// The poses that were wanted lately. A body that is shown at a pose wanted within the last moment only lags; one that is
// elsewhere was corrected.
export class RawTrail {
    private readonly poses: { pose: Pose; time: number }[] = [];
    constructor(private readonly lagMs = 400) {}

    add(pose: Pose, time: number): void {
        this.poses.push({ pose, time });
    }

    isCorrected(shown: Pose, size: number, time: number): boolean {
        // The newest always counts, however old.
        while (this.poses.length > 1 && this.poses[0]!.time < time - this.lagMs) {
            this.poses.shift();
        }
        const slack = 1e-6 * Math.max(1, size);
        return this.poses.length > 0 && !this.poses.some((entry) => samePose(entry.pose, shown, size, slack));
    }
}
