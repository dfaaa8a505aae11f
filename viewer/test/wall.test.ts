// A wall of a room is a window into the world.
import assert from "node:assert/strict";
import { test } from "node:test";
import { add, subtract, times, vec3, type Vec3 } from "../src/vector";
import { cubeWalls, parseEye, parseWall, viewOf, WallCamera, wallText, type Wall } from "../src/wall";
import { cubeLinks } from "../src/wall_page";

type Side = "left" | "right" | "bottom" | "top";

const cube = cubeWalls(3);

function cameraOf(wall: Wall, eye: Vec3): WallCamera {
    const camera = new WallCamera(wall);
    camera.width = 800;
    camera.height = 800;
    camera.setEye(eye);
    return camera;
}

const upperRight = ({ lowerLeft, lowerRight, upperLeft }: Wall): Vec3 => add(lowerRight, subtract(upperLeft, lowerLeft));

// A point through the projection by hand: the eye's axes, then the frustum's matrix, then the division.
function clip(camera: WallCamera, point: Vec3): [number, number] {
    const { left, right, bottom, top } = camera.window();
    const offset = subtract(point, camera.eye());
    const along = (axis: Vec3): number => offset.x * axis.x + offset.y * axis.y + offset.z * axis.z;
    const [x, y, z] = [along(camera.right()), along(camera.up()), along(camera.backward())];
    const near = 0.1;
    const across = ((2 * near) / (near * (right - left))) * x + ((right + left) / (right - left)) * z;
    const upwards = ((2 * near) / (near * (top - bottom))) * y + ((top + bottom) / (top - bottom)) * z;
    return [across / -z, upwards / -z];
}

const isNear = (got: readonly number[], wanted: readonly number[], slack = 1e-12): boolean =>
    got.every((value, i) => Math.abs(value - wanted[i]!) < slack);

test("the corners of a wall are the corners of its picture, for every wall and eye", () => {
    for (const [name, wall] of cube) {
        for (const eye of [vec3(0, 1.6, 0), vec3(0.9, 1.1, -1.2), vec3(-1.4, 0.2, 1.3)]) {
            const camera = cameraOf(wall, eye);
            assert.ok(isNear(clip(camera, wall.lowerLeft), [-1, -1]), name);
            assert.ok(isNear(clip(camera, wall.lowerRight), [1, -1]), name);
            assert.ok(isNear(clip(camera, wall.upperLeft), [-1, 1]), name);
            assert.ok(isNear(clip(camera, upperRight(wall)), [1, 1]), name);
            // And so in pixels, from the top.
            const { x, y, depth } = camera.project(wall.upperLeft);
            assert.ok(isNear([x, y], [0, 0], 1e-9) && depth > 0, name);
            const { origin, direction } = camera.ray(800, 800);
            const away = camera.project(wall.lowerRight).depth / camera.project(add(origin, direction)).depth;
            const { x: px, y: py, z: pz } = subtract(add(origin, times(direction, away)), wall.lowerRight);
            assert.ok(Math.hypot(px, py, pz) < 1e-12, name);
        }
    }
});

test("what is behind a wall is seen where the line to the eye meets it, at true size", () => {
    const camera = cameraOf(cube[0]![1], vec3(0, 1.6, 0));
    // Twice as far as the wall: half as large. A metre wide at the wall is a third of its picture.
    const [a] = clip(camera, vec3(-1, 1.6, -3));
    const [b] = clip(camera, vec3(1, 1.6, -3));
    assert.ok(Math.abs(b - a - (2 * 1) / 3) < 1e-12);
    const [c] = clip(camera, vec3(-0.5, 1.6, -1.5));
    assert.ok(Math.abs(c - a) < 1e-12);
    assert.ok(Math.abs(camera.metresPerPixel(1.5) - 3 / 800) < 1e-12);
});

test("walls that share an edge agree along it, for everything that is seen there", () => {
    const eye = vec3(0.4, 1.3, -0.3);
    const walls = new Map(cube.map(([name, wall]) => [name, cameraOf(wall, eye)]));
    // The edge of the first wall at a side of its picture is that of the second at a side of its own.
    const edges: readonly (readonly [string, Side, string, Side, isTurned: boolean])[] = [
        ["front", "right", "right", "left", false],
        ["right", "right", "back", "left", false],
        ["back", "right", "left", "left", false],
        ["left", "right", "front", "left", false],
        ["front", "bottom", "floor", "top", false],
        ["front", "top", "ceiling", "bottom", false],
        ["right", "bottom", "floor", "right", true],
        ["left", "top", "ceiling", "left", true],
    ];
    const place = { left: [-1, null], right: [1, null], bottom: [null, -1], top: [null, 1] } as const;
    for (const [one, side, other, otherSide, isTurned] of edges) {
        const [first, second] = [walls.get(one)!, walls.get(other)!];
        const { lowerLeft, lowerRight, upperLeft } = first.wall;
        const from = { left: lowerLeft, right: lowerRight, bottom: lowerLeft, top: upperLeft }[side];
        const along = side === "left" || side === "right" ? subtract(upperLeft, lowerLeft) : subtract(lowerRight, lowerLeft);
        for (const [part, far] of [[0.1, 1], [0.5, 4], [0.8, 20]] as const) {
            // Behind the edge, on the line from the eye through a point of it.
            const onEdge = add(from, times(along, part));
            const point = add(eye, times(subtract(onEdge, eye), far));
            const [a, b] = [clip(first, point), clip(second, point)];
            for (const [got, [x, y]] of [[a, place[side]], [b, place[otherSide]]] as const) {
                assert.ok(Math.abs(x === null ? got[1] - y : got[0] - x) < 1e-9, `${one} ${side}, ${other}: ${got.join(" ")}`);
            }
            const free = (got: readonly [number, number], at: Side): number =>
                at === "left" || at === "right" ? got[1] : got[0];
            const sign = isTurned ? -1 : 1;
            assert.ok(Math.abs(free(a, side) - sign * free(b, otherSide)) < 1e-9, `${one} and ${other} at ${part}`);
        }
    }
});

test("an eye that is in the wall or behind it is taken to be just before it", () => {
    const camera = cameraOf(cube[0]![1], vec3(0.5, 1, -7));
    const { left, right } = camera.window();
    assert.ok(Number.isFinite(left) && right - left > 0);
    assert.ok(Math.abs(camera.eye().z + 1.49) < 1e-12);
    assert.equal(camera.setEye(vec3(0, 1, 0)), true);
    assert.equal(camera.setEye(vec3(0, 1, 0)), false);
});

test("what an address asks for is read, and refused where it is no wall", () => {
    const [, wall] = cube[2]!;
    assert.deepEqual(parseWall(wallText(wall)), wall);
    for (const bad of ["", "1,2,3", "0,0,0,1,0,0,0,1,x", "0,0,0,0,0,0,0,1,0", "0,0,0,1,0,0,1,1,0", "0,0,0,1,0,0,0,1,", "1,1,1,1,1,1,1,1,1e999"]) {
        assert.equal(typeof parseWall(bad), "string", bad);
    }
    assert.deepEqual(parseEye(null), vec3(0, 1.6, 0));
    assert.deepEqual(parseEye("1,2,-3"), vec3(1, 2, -3));
    assert.equal(parseEye("head"), "head");
    assert.equal(viewOf(new URLSearchParams("fine")), null);
    assert.throws(() => viewOf(new URLSearchParams("wall=2")), /nine numbers/);
});

test("an eye follows the object of a name", () => {
    const view = viewOf(new URLSearchParams(`wall=${wallText(cube[0]![1])}&eye=head`))!;
    const head = { pose: { position: vec3(1, 1, 1) }, isShown: true };
    const objects = {
        findByName: (name: string) => (name === "head" ? head : undefined),
        show: (body: typeof head, isShown: boolean) => void (body.isShown = isShown),
    };
    assert.equal(view.follow({ ...objects, findByName: () => undefined }), false);
    assert.deepEqual(view.camera.eye(), vec3(0, 1.6, 0));
    assert.equal(view.follow(objects), true);
    assert.equal(view.follow(objects), false);
    assert.deepEqual(view.camera.eye(), vec3(1, 1, 1));
    assert.equal(head.isShown, false, "an eye does not see the head around it");
});

test("a cube has a link to each wall, with the eye", () => {
    const links = cubeLinks(new URLSearchParams("wall=cube&eye=0.1,1.7,0"));
    assert.deepEqual(links.map(({ name }) => name), ["front", "right", "back", "left", "floor", "ceiling"]);
    assert.equal(links[0]!.link, "?wall=-1.5,0,-1.5,1.5,0,-1.5,-1.5,3,-1.5&eye=0.1,1.7,0");
    assert.ok(cubeLinks(new URLSearchParams("wall=cube&edge=4"))[0]!.link.startsWith("?wall=-2,0,-2,2,0,-2,-2,4,-2"));
});
