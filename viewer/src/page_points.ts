// Points of bodies in pixels of the page.
import { ballAbout, bodyBox } from "./bounds";
import type { Camera } from "./camera";
import type { Body, Mirror } from "./mirror";
import { pick, type Target } from "./pick";
import type { Picture } from "./picture";
import { add, applyPose, times, vec3, type Vec3 } from "./vector";

export interface PagePoint {
    x: number;
    y: number;
}

export class PagePoints {
    constructor(
        private readonly camera: Camera,
        private readonly mirror: Mirror,
        private readonly picture: Picture,
    ) {}

    // The middle of a body, in pixels of the page.
    project(name: string): PagePoint | null {
        const body = this.mirror.findByName(name);
        const box = body === undefined ? null : bodyBox(body, this.mirror);
        return box === null ? null : this.onPage(this.camera.project(ballAbout(box).center));
    }

    // A point in the frame of a body.
    place(name: string, point: Vec3): PagePoint | null {
        const body = this.mirror.findByName(name);
        return body === undefined ? null : this.onPage(this.camera.project(applyPose(body.pose, point)));
    }

    // A place of it that nothing hides: looks over its triangles for one whose middle is seen.
    grip(name: string): PagePoint | null {
        const body = this.mirror.findByName(name);
        for (const target of this.picture.targets()) {
            const { length } = target.mesh.triangles;
            const stride = 3 * Math.max(1, Math.floor(length / 3 / 400));
            for (let corner = 0; target.thing === body && corner < length; corner += stride) {
                const { x, y, depth } = this.camera.project(triangleMiddle(target, corner));
                const hit = depth > 0 ? pick(this.camera.ray(x, y), this.picture.targets()) : null;
                const point = this.onPage({ x, y });
                if (hit?.thing === body && this.isFree(point)) {
                    return point;
                }
            }
        }
        return null;
    }

    // The object that is picked there; null where there is none.
    at({ x, y }: PagePoint): string | null {
        const { left, top } = this.picture.viewport.canvas.getBoundingClientRect();
        return pick(this.camera.ray(x - left, y - top), this.picture.targets())?.thing.title ?? null;
    }

    private isFree({ x, y }: PagePoint): boolean {
        return document.elementFromPoint(x, y) === this.picture.viewport.canvas;
    }

    private onPage({ x, y }: PagePoint): PagePoint {
        const { left, top } = this.picture.viewport.canvas.getBoundingClientRect();
        return { x: x + left, y: y + top };
    }
}

function triangleMiddle(target: Target<Body>, firstCorner: number): Vec3 {
    const { mesh } = target;
    const positions = target.positions();
    let sum = vec3(0, 0, 0);
    for (let k = 0; k < 3; k++) {
        const v = 3 * mesh.triangles[firstCorner + k]!;
        sum = add(sum, vec3(positions[v]!, positions[v + 1]!, positions[v + 2]!));
    }
    return applyPose(target.objectPose, applyPose(target.partPose, times(sum, 1 / 3)));
}
