#!/usr/bin/env python3
"""Makes the models of the classes in this folder: make_objects.py [FOLDER].

Twelve classes are those of the room in Ichiguchi's thesis, with as many polygons as its table 5.7 prints; seven are of a
control room, four of a machine whose cover is bolted on. Metres, Y up; the front of a thing is +Z, its origin is on the floor unless object.json says otherwise.
The same bytes come out on every machine: no coordinate has more than six digits behind the point.
"""
import math
import os
import sys


class Model:
    """Polygons in named parts, each part of one color."""

    def __init__(self):
        self.parts = []

    def part(self, name, color):
        self.parts.append((name, color, [], []))

    def polygons(self):
        return sum(len(faces) for _, _, _, faces in self.parts)

    def add(self, points, faces):
        """Adds polygons, whose corners count from 0 within `points`; counter-clockwise seen from outside."""
        _, _, all_points, all_faces = self.parts[-1]
        first = len(all_points)
        all_points.extend(points)
        all_faces.extend([first + i for i in face] for face in faces)

    def box(self, low, high, skip=()):
        """Six quads, but for those that `skip` names: -x +x -y +y -z +z."""
        (a, b, c), (d, e, f) = low, high
        p = [(x, y, z) for z in (c, f) for y in (b, e) for x in (a, d)]
        sides = {"-x": (0, 4, 6, 2), "+x": (1, 3, 7, 5), "-y": (0, 1, 5, 4), "+y": (2, 6, 7, 3),
                 "-z": (0, 2, 3, 1), "+z": (4, 5, 7, 6)}
        self.add(p, [quad for name, quad in sides.items() if name not in skip])

    def prism(self, outline, low, high):
        """An outline of (x, z), clockwise seen from above, from one height to another, with both ends."""
        n = len(outline)
        self.add([(x, low, z) for x, z in outline] + [(x, high, z) for x, z in outline],
                 [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)] +
                 [tuple(reversed(range(n))), tuple(range(n, 2 * n))])

    def tube(self, rings, ends=""):
        """Rings of equally many points one after another; `ends` names which are closed: "a", "b", "ab" or ""."""
        n = len(rings[0])
        faces = []
        for k in range(len(rings) - 1):
            a, b = k * n, (k + 1) * n
            faces += [(a + i, a + (i + 1) % n, b + (i + 1) % n, b + i) for i in range(n)]
        if "a" in ends:
            faces.append(tuple(reversed(range(n))))
        if "b" in ends:
            faces.append(tuple(range((len(rings) - 1) * n, len(rings) * n)))
        self.add([p for ring in rings for p in ring], faces)

    def turned(self, profile, sides, middle=(0, 0, 0), axis="y", ends=""):
        """A profile of (radius, along) turned about an axis, with growing `along` its outside is outside."""
        rings = []
        for radius, along in profile:
            ring = []
            for i in range(sides):
                a = 2 * math.pi * i / sides
                u, v = radius * math.cos(a), radius * math.sin(a)
                x, y, z = {"y": (v, along, u), "z": (u, v, along), "x": (along, u, v)}[axis]
                ring.append((middle[0] + x, middle[1] + y, middle[2] + z))
            rings.append(ring)
        self.tube(rings, ends)


def rounded(width, depth, radius, corners):
    """A rectangle about the origin with rounded corners, each of so many points; clockwise from above."""
    points = []
    for k, count in enumerate(corners):
        sx, sz = ((1, 1), (1, -1), (-1, -1), (-1, 1))[k]
        cx, cz = sx * (width / 2 - radius), sz * (depth / 2 - radius)
        for i in range(count):
            a = math.radians(90 * i / (count - 1) + 90 * k)
            points.append((cx + radius * math.sin(a), cz + radius * math.cos(a)))
    return points


def bent(path, radius, sides):
    """Rings about a path in the plane of y and z, from its first to its last point."""
    rings = []
    for k, (y, z) in enumerate(path):
        (y0, z0), (y1, z1) = path[max(k - 1, 0)], path[min(k + 1, len(path) - 1)]
        length = math.hypot(y1 - y0, z1 - z0)
        ny, nz = (z1 - z0) / length, -(y1 - y0) / length
        rings.append([(radius * math.cos(2 * math.pi * i / sides), y + radius * math.sin(2 * math.pi * i / sides) * ny,
                       z + radius * math.sin(2 * math.pi * i / sides) * nz) for i in range(sides)])
    return rings


WOOD, DARK_WOOD, LIGHT_WOOD = (0.62, 0.43, 0.26), (0.38, 0.25, 0.15), (0.80, 0.65, 0.45)
STEEL, WHITE, BLACK, GREY = (0.72, 0.74, 0.77), (0.92, 0.92, 0.90), (0.08, 0.08, 0.09), (0.45, 0.46, 0.48)
BRASS, RED, GREEN, BLUE, CREAM = (0.80, 0.64, 0.28), (0.75, 0.16, 0.14), (0.20, 0.52, 0.28), (0.20, 0.36, 0.66), (0.93, 0.88, 0.76)


def chair():
    m = Model()
    m.part("seat", WOOD)
    m.prism(rounded(0.44, 0.42, 0.05, (2, 2, 2, 2)), 0.42, 0.45)
    m.part("legs", DARK_WOOD)
    for x in (-0.18, 0.18):
        m.turned([(0.022, 0.0), (0.026, 0.42)], 8, (x, 0, 0.17), ends="ab")
        m.turned([(0.022, 0.0), (0.026, 0.42)], 8, (x, 0, -0.17), ends="ab")
        m.turned([(0.020, 0.45), (0.018, 0.92)], 8, (x, 0, -0.19), ends="ab")
        m.box((x - 0.012, 0.18, -0.15), (x + 0.012, 0.21, 0.15))
    m.box((-0.16, 0.24, -0.182), (0.16, 0.27, -0.158))
    m.part("back", WOOD)
    m.box((-0.17, 0.70, -0.205), (0.17, 0.88, -0.180))
    m.box((-0.17, 0.56, -0.203), (0.17, 0.61, -0.182), skip=("-x", "+x"))
    return m


def table():
    m = Model()
    m.part("top", WOOD)
    m.prism(rounded(0.70, 1.20, 0.06, (5, 6, 5, 6)), 0.715, 0.75)
    m.part("frame", DARK_WOOD)
    for z in (-0.50, 0.50):
        m.box((-0.25, 0.63, z - 0.012), (0.25, 0.715, z + 0.012), skip=("-x", "+x"))
    for x in (-0.26, 0.26):
        m.box((x - 0.012, 0.63, -0.48), (x + 0.012, 0.715, 0.48), skip=("-z", "+z"))
    m.part("legs", DARK_WOOD)
    profile = [(0.020, 0.0), (0.026, 0.06), (0.020, 0.10), (0.030, 0.30), (0.034, 0.48), (0.024, 0.56), (0.034, 0.62),
               (0.036, 0.715)]
    for x in (-0.27, 0.27):
        for z in (-0.51, 0.51):
            m.turned(profile, 10, (x, 0, z))
    return m


def door():
    """The hinge is at the origin, the leaf goes to -x, the room is at +z."""
    m = Model()
    m.part("leaf", LIGHT_WOOD)
    m.box((-0.797, 0.005, -0.02), (-0.003, 1.99, 0.02))
    m.part("panels", WOOD)
    for side in (-1, 1):
        for low, high in ((0.15, 0.85), (1.15, 1.85)):
            z, out = side * 0.02, side * 0.028
            a, b = (-0.68, low), (-0.12, high)
            p = [(a[0], a[1], z), (b[0], a[1], z), (b[0], b[1], z), (a[0], b[1], z)]
            p += [(x + (0.03 if x < -0.4 else -0.03), y + (0.03 if y == low else -0.03), out) for x, y, _ in p]
            faces = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
            m.add(p, faces if side > 0 else [tuple(reversed(f)) for f in faces])
    m.part("knobs", BRASS)
    profile = [(0.012, 0.028), (0.012, 0.042), (0.020, 0.047), (0.027, 0.054), (0.030, 0.063), (0.028, 0.072),
               (0.021, 0.079), (0.011, 0.083), (0.0, 0.084)]
    for side in (-1, 1):
        rings = [(r, side * z) for r, z in profile]
        m.turned(rings if side > 0 else list(reversed(rings)), 12, (-0.73, 1.0, 0), axis="z")
        low, high = sorted((side * 0.02, side * 0.028))
        m.box((-0.755, 0.90, low), (-0.705, 1.07, high))
    m.part("metal", STEEL)
    for y in (0.25, 1.0, 1.75):
        m.turned([(0.008, y - 0.05), (0.008, y + 0.05)], 8, (-0.012, 0, 0.029), ends="ab")
    m.box((-0.7985, 0.97, -0.008), (-0.797, 1.03, 0.008))
    m.part("keyholes", BLACK)
    for side in (-1, 1):
        z = side * 0.0285
        p = [(-0.734, 0.93, z), (-0.726, 0.93, z), (-0.726, 0.95, z), (-0.734, 0.95, z)]
        m.add(p, [(0, 1, 2, 3) if side > 0 else (3, 2, 1, 0)])
    return m


def sink():
    m = Model()
    m.part("cabinet", WHITE)
    m.box((-0.60, 0.0, -0.27), (0.60, 0.80, 0.255))
    m.part("doors", CREAM)
    m.box((-0.58, 0.06, 0.255), (-0.01, 0.77, 0.270))
    m.box((0.01, 0.06, 0.255), (0.58, 0.77, 0.270))
    m.part("handles", STEEL)
    m.box((-0.07, 0.60, 0.270), (-0.04, 0.72, 0.275))
    m.box((0.04, 0.60, 0.270), (0.07, 0.72, 0.275))
    m.part("counter", STEEL)
    outline = [(-0.60, 0.275), (0.60, 0.275), (0.60, -0.27), (-0.60, -0.27)]
    bottom = [(x, 0.80, z) for x, z in outline]
    top = [(x, 0.85, z) for x, z in outline]
    m.add(bottom + top, [(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)] + [(3, 2, 1, 0)])
    sides, middle = 12, (0.0, 0.0)
    inner, outer = [], []
    for i in range(sides):
        a = 2 * math.pi * (i + 0.5) / sides
        x, z = math.sin(a), math.cos(a)
        inner.append((middle[0] + 0.30 * x, middle[1] + 0.19 * z))
        reach = min(0.60 / abs(x), (0.275 if z > 0 else 0.27) / abs(z))
        corner = i in (2, 3, 8, 9)
        outer.append((math.copysign(0.60, x), 0.275 if z > 0 else -0.27) if corner else (reach * x, reach * z))
    m.tube([[(x, 0.85, z) for x, z in outer], [(x, 0.85, z) for x, z in inner],
            [(x * 0.96, 0.80, z * 0.96) for x, z in inner], [(x * 0.90, 0.72, z * 0.90) for x, z in inner],
            [(x * 0.75, 0.69, z * 0.75) for x, z in inner]], ends="b")
    m.box((-0.60, 0.85, -0.27), (0.60, 1.00, -0.257))
    m.part("tap", BRASS)
    m.turned([(0.016, 0.85), (0.016, 0.98)], 10, (0, 0, -0.225), ends="b")
    path = [(0.96, -0.225), (1.00, -0.16), (1.02, -0.05), (1.01, 0.06), (1.00, 0.13), (1.00, 0.15)]
    m.tube(bent(path, 0.013, 10), ends="b")
    m.part("handle", STEEL)
    m.turned([(0.014, 0.150), (0.014, 0.175)], 8, (0, 1.0, 0), axis="z", ends="b")
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        low = (min(dx * 0.012, dx * 0.036) - 0.004 * abs(dy), 1.0 + min(dy * 0.012, dy * 0.036) - 0.004 * abs(dx))
        high = (max(dx * 0.012, dx * 0.036) + 0.004 * abs(dy), 1.0 + max(dy * 0.012, dy * 0.036) + 0.004 * abs(dx))
        m.box((low[0], low[1], 0.160), (high[0], high[1], 0.168))
    return m


def tv():
    m = Model()
    m.part("stand", DARK_WOOD)
    m.box((-0.40, 0.0, -0.275), (0.40, 0.48, 0.255))
    m.box((-0.39, 0.03, 0.255), (-0.005, 0.30, 0.270))
    m.box((0.005, 0.03, 0.255), (0.39, 0.30, 0.270))
    m.part("recorder", BLACK)
    m.box((-0.20, 0.34, 0.255), (0.20, 0.42, 0.275))
    m.part("case", GREY)
    m.box((-0.38, 0.48, -0.25), (0.38, 1.02, 0.215), skip=("+z",))
    outer = [(-0.38, 0.48), (0.38, 0.48), (0.38, 1.02), (-0.38, 1.02)]
    inner = [(-0.30, 0.56), (0.18, 0.56), (0.18, 0.90), (-0.30, 0.90)]
    m.tube([[(x, y, 0.215) for x, y in outer], [(x, y, 0.215) for x, y in inner]])
    m.part("screen", (0.10, 0.16, 0.18))
    m.tube([[(x, y, 0.215) for x, y in inner], [(x, y, 0.195) for x, y in inner]], ends="b")
    m.part("switch", RED)
    m.turned([(0.018, 0.215), (0.018, 0.225)], 12, (0.0, 0.95, 0), axis="z", ends="b")
    m.part("knobs", STEEL)
    for y in (0.62, 0.70):
        m.turned([(0.022, 0.215), (0.018, 0.240)], 12, (0.28, y, 0), axis="z", ends="b")
    m.part("grille", BLACK)
    for i in range(12):
        y = 0.765 + 0.011 * i
        m.box((0.22, y, 0.215), (0.34, y + 0.006, 0.219), skip=("-z",))
    m.part("antenna", STEEL)
    m.turned([(0.04, 1.02), (0.03, 1.04), (0.0, 1.05)], 8)
    for side in (-1, 1):
        ring = [[(side * x + 0.004 * math.cos(a), y, 0.004 * math.sin(a))
                 for a in (-2 * math.pi * i / 6 for i in range(6))] for x, y in ((0.01, 1.045), (0.20, 1.35))]
        m.tube(ring, ends="b")
    return m


def bed():
    m = Model()
    m.part("frame", WOOD)
    m.box((-0.65, 0.22, -0.67), (-0.61, 0.34, 0.67))
    m.box((0.61, 0.22, -0.67), (0.65, 0.34, 0.67))
    m.box((-0.61, 0.22, -0.67), (0.61, 0.34, -0.63))
    m.box((-0.61, 0.22, 0.63), (0.61, 0.34, 0.67))
    for x in (-0.63, 0.63):
        for z in (-0.65, 0.65):
            m.box((x - 0.02, 0.0, z - 0.02), (x + 0.02, 0.22, z + 0.02))
    m.box((-0.65, 0.0, 0.67), (0.65, 0.95, 0.70))
    m.box((-0.65, 0.0, -0.70), (0.65, 0.50, -0.67))
    m.part("mattress", WHITE)
    m.prism(rounded(1.22, 1.26, 0.08, (4, 4, 4, 4)), 0.26, 0.46)
    m.part("pillow", CREAM)
    m.prism([(x, z + 0.43) for x, z in rounded(0.70, 0.30, 0.06, (2, 2, 2, 2))], 0.46, 0.55)
    m.part("blanket", BLUE)
    m.box((-0.62, 0.40, -0.64), (0.62, 0.48, 0.20))
    return m


def lamp():
    m = Model()
    m.part("foot", BLACK)
    m.turned([(0.14, 0.0), (0.15, 0.01), (0.145, 0.02), (0.11, 0.03), (0.06, 0.04), (0.03, 0.06), (0.018, 0.09),
              (0.014, 0.12)], 24, ends="a")
    m.part("pole", BRASS)
    m.turned([(0.010, 0.12), (0.010, 0.60), (0.014, 0.62), (0.010, 0.64), (0.010, 1.30)], 12)
    m.part("shade", CREAM)
    outside = [(0.23 - 0.022 * i, 1.20 + 0.055 * i) for i in range(7)]
    inside = [(r - 0.004, y) for r, y in reversed(outside)]
    m.turned(outside, 24)
    m.turned([outside[-1], inside[0]], 24)
    m.turned(inside, 24)
    m.turned([inside[-1], outside[0]], 24)
    m.part("bulb", (1.0, 0.96, 0.80))
    m.turned([(0.012, 1.30), (0.034, 1.36), (0.018, 1.41)], 7, ends="b")
    return m


def bookshelf():
    m = Model()
    m.part("shelf", WOOD)
    m.box((-0.60, 0.0, -0.15), (-0.58, 1.80, 0.15))
    m.box((0.58, 0.0, -0.15), (0.60, 1.80, 0.15))
    m.box((-0.58, 0.0, -0.15), (0.58, 0.06, 0.15))
    m.box((-0.58, 1.78, -0.15), (0.58, 1.80, 0.15))
    m.box((-0.58, 0.06, -0.15), (0.58, 1.78, -0.14))
    for y in (0.48, 0.92, 1.36):
        m.box((-0.58, y, -0.14), (0.58, y + 0.02, 0.14))
    rows = [(-0.56, 0.06, 0.30, 0.34, RED), (-0.20, 0.06, 0.26, 0.30, GREEN), (-0.56, 0.50, 0.44, 0.30, BLUE),
            (0.10, 0.50, 0.30, 0.26, CREAM), (-0.50, 0.94, 0.36, 0.28, DARK_WOOD), (0.05, 0.94, 0.24, 0.32, RED),
            (-0.40, 1.38, 0.50, 0.30, GREEN)]
    for i, (x, y, width, height, color) in enumerate(rows):
        m.part("books_%d" % (i + 1), color)
        m.box((x, y, -0.12), (x + width, y + height, 0.09))
    return m


def cup():
    """The origin is the middle of the cup."""
    m = Model()
    m.part("cup", WHITE)
    outside = [(0.026, -0.049), (0.031, -0.040), (0.034, -0.010), (0.035, 0.020), (0.035, 0.049)]
    inside = [(0.032, 0.049), (0.032, 0.020), (0.031, -0.010), (0.026, -0.043)]
    m.turned(outside, 18, ends="a")
    m.turned([outside[-1], inside[0]], 18)
    m.turned(inside, 18, ends="b")
    m.part("handle", BLUE)
    arc = [math.radians(100 - 200 * i / 7) for i in range(8)]
    path = [(0.026 * math.sin(a), 0.033 + 0.024 * math.cos(a)) for a in arc]
    m.tube([[(z, y, x) for x, y, z in reversed(ring)] for ring in bent(path, 0.0045, 10)])
    return m


def wall(width, height, gap=None):
    """A surface of two polygons in the plane of x and y, seen from +z; `gap` is (from, to, height) of a doorway."""
    m = Model()
    m.part("wall", CREAM)
    if gap is None:
        half = width / 2
        m.add([(0, 0, 0), (half, 0, 0), (width, 0, 0), (width, height, 0), (half, height, 0), (0, height, 0)],
              [(0, 1, 4, 5), (1, 2, 3, 4)])
    else:
        a, b, top = gap
        m.add([(0, 0, 0), (a, 0, 0), (a, height, 0), (0, height, 0), (a, top, 0), (b, top, 0), (b, 0, 0),
               (width, 0, 0), (width, height, 0)], [(0, 1, 4, 2, 3), (4, 5, 6, 7, 8, 2)])
    return m


def floor_text():
    """X 0 .. 5 and Z -1 .. 6 in 81 x 128 quads, as nine boards of VRML's ElevationGrid; a step down at Z -1."""
    lines = ["#VRML V2.0 utf8"]
    colors = ("0.62 0.46 0.30", "0.57 0.42 0.27", "0.66 0.50 0.33")
    heights = " ".join(["0"] * 10)
    for board in range(9):
        lines.append("Transform { translation %s 0 -1 children DEF board_%d Shape {" % (number(5 * board / 9, 9), board + 1))
        lines.append("  appearance Appearance { material Material { diffuseColor %s } }" % colors[board % 3])
        lines.append("  geometry ElevationGrid { xDimension 10 zDimension 129 xSpacing %s zSpacing %s height [" %
                     (number(5 / 81, 9), number(7 / 128, 9)))
        lines.append(heights.replace("0", "-0.05"))
        lines.extend([heights] * 128)
        lines.append("] } } }")
    return "\n".join(lines) + "\n"


def button():
    """The origin is in the panel's surface, the cap stands out to +z."""
    m = Model()
    m.part("cap", RED)
    m.turned([(0.015, -0.010), (0.015, 0.010), (0.013, 0.012)], 24, axis="z", ends="ab")
    return m


def lever():
    """The origin is the hinge in the panel's surface; the arm stands out to +z."""
    m = Model()
    m.part("arm", STEEL)
    m.box((-0.006, -0.010, 0.0), (0.006, 0.010, 0.13))
    m.part("grip", BLACK)
    m.turned([(0.012, -0.030), (0.015, -0.025), (0.015, 0.025), (0.012, 0.030)], 16, (0, 0, 0.14), axis="x", ends="ab")
    return m


def dial():
    m = Model()
    m.part("knob", BLACK)
    m.turned([(0.030, 0.0), (0.028, 0.022), (0.026, 0.024)], 32, axis="z", ends="ab")
    m.part("mark", WHITE)
    m.box((-0.002, 0.008, 0.024), (0.002, 0.025, 0.0255))
    return m


def meter():
    m = Model()
    m.part("case", GREY)
    m.turned([(0.070, 0.0), (0.070, 0.030), (0.062, 0.034), (0.060, 0.026)], 32, axis="z", ends="ab")
    m.part("scale", BLACK)
    for i in range(11):
        a = math.radians(225 - 27 * i)
        c, s = math.cos(a), math.sin(a)
        p = [(r * c - t * s, r * s + t * c, 0.0265) for r, t in ((0.044, 0.001), (0.044, -0.001), (0.054, -0.001),
                                                               (0.054, 0.001))]
        m.add(p, [(0, 1, 2, 3)])
    m.part("pointer", RED)
    m.add([(-0.003, -0.008, 0.028), (0.003, -0.008, 0.028), (0.0, 0.048, 0.028)], [(0, 1, 2)])
    return m


KEY_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl;", "zxcvbnm,./")


def key_middle(row, column):
    """The middle of a key's top, on a keyboard that lies flat with its front at +z."""
    return -0.0855 + 0.019 * column + 0.005 * row - 0.0075, 0.018, -0.0285 + 0.019 * row - 0.0095


def keyboard():
    m = Model()
    m.part("case", GREY)
    m.box((-0.12, 0.0, -0.06), (0.12, 0.012, 0.06))
    m.part("keys", WHITE)
    for row, keys in enumerate(KEY_ROWS):
        for column in range(len(keys)):
            x, y, z = key_middle(row, column)
            m.box((x - 0.008, 0.012, z - 0.008), (x + 0.008, y, z + 0.008), skip=("-y",))
    m.box((-0.05, 0.012, 0.039), (0.05, 0.018, 0.053), skip=("-y",))
    return m


def touch_panel():
    """The origin is the middle of the screen, which looks to +z."""
    m = Model()
    m.part("case", BLACK)
    m.box((-0.17, -0.11, -0.025), (0.17, 0.11, -0.001))
    m.part("screen", (0.16, 0.28, 0.40))
    m.add([(-0.16, -0.10, 0), (0.16, -0.10, 0), (0.16, 0.10, 0), (-0.16, 0.10, 0)], [(0, 1, 2, 3)])
    return m


def panel():
    """A console: a board that leans by 30 degrees, on a foot, and an upright board behind it."""
    m = Model()
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))

    def board(u, v, w):
        """A point so far to the right and up on the board, and over it."""
        return u, 0.98 + v * s + w * c, w * s - v * c

    def plate(low, high):
        p = [board(u, v, w) for w in (low[2], high[2]) for v in (low[1], high[1]) for u in (low[0], high[0])]
        m.add(p, [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)])

    m.part("board", (0.62, 0.66, 0.68))
    plate((-0.64, -0.27, -0.03), (0.64, 0.27, 0.0))
    m.part("wall", (0.50, 0.55, 0.58))
    m.box((-0.64, 0.0, -0.36), (0.64, 1.78, -0.32))
    m.part("foot", GREY)
    m.box((-0.60, 0.0, -0.32), (-0.56, 0.80, 0.06))
    m.box((0.56, 0.0, -0.32), (0.60, 0.80, 0.06))
    return m


BOLTS = ((0.13, 0.11), (0.13, -0.11), (-0.13, -0.11), (-0.13, 0.11))  # x and z on the machine and in its cover


def hexagon(across, turn=0.0):
    """Clockwise from above; `across` its flat sides."""
    r = across / math.sqrt(3)
    return [(r * math.sin(turn - k * math.pi / 3), r * math.cos(turn - k * math.pi / 3)) for k in range(6)]


def nut():
    m = Model()
    m.part("nut", (0.72, 0.70, 0.62))
    outer, inner = hexagon(0.030), [(x * 0.5, z * 0.5) for x, z in hexagon(0.030)]
    points = [(x, y, z) for y in (-0.007, 0.007) for ring in (outer, inner) for x, z in ring]
    faces = []
    for k in range(6):
        n = (k + 1) % 6
        faces += [(k, n, 12 + n, 12 + k), (6 + k, 18 + k, 18 + n, 6 + n), (k, 6 + k, 6 + n, n),
                  (12 + k, 12 + n, 18 + n, 18 + k)]
    m.add(points, faces)
    return m


def wrench():
    """Along x: the handle about the origin, the head 0.15 m from it and 0.035 m lower, about a vertical axis."""
    m = Model()
    m.part("handle", (0.55, 0.57, 0.60))
    m.turned([(0.011, -0.09), (0.013, -0.08), (0.013, 0.08), (0.011, 0.09)], 12, axis="x", ends="ab")
    m.part("head", (0.62, 0.64, 0.67))
    m.tube([[(x, y + h, z) for h, z in ((-0.006, -0.006), (-0.006, 0.006), (0.006, 0.006), (0.006, -0.006))]
            for x, y in ((0.088, 0.0), (0.128, -0.035))], "ab")
    rings = [[(0.15 + r * math.sin(2 * math.pi * i / 18), y, r * math.cos(2 * math.pi * i / 18)) for i in range(18)]
             for r, y in ((0.020, -0.043), (0.026, -0.043), (0.026, -0.027), (0.020, -0.027), (0.020, -0.043))]
    m.tube(rings)
    return m


def cover():
    """The origin is the middle of its lower side; a bow to take it by stands on it."""
    m = Model()
    m.part("plate", (0.36, 0.48, 0.42))
    m.prism(rounded(0.36, 0.30, 0.03, (3, 3, 3, 3)), 0.0, 0.012)
    m.part("bow", (0.20, 0.20, 0.21))
    m.turned([(0.012, -0.06), (0.012, 0.06)], 12, middle=(0, 0.060, 0), axis="x", ends="ab")
    m.box((-0.060, 0.012, -0.008), (-0.048, 0.060, 0.008))
    m.box((0.048, 0.012, -0.008), (0.060, 0.060, 0.008))
    return m


def machine():
    """The origin is on the floor; its top is at 0.85 m, and four bolts stand on it."""
    m = Model()
    m.part("housing", (0.40, 0.43, 0.47))
    m.box((-0.24, 0.0, -0.18), (0.24, 0.85, 0.18))
    m.part("bolts", (0.70, 0.71, 0.73))
    for x, z in BOLTS:
        m.turned([(0.007, 0.85), (0.007, 0.885)], 10, middle=(x, 0, z), ends="b")
    return m


SLOPE = math.tan(math.radians(20))  # of the board of the desk


def desk():
    """The origin is on the floor; people are at -z. A flat top at 0.74 m with a lock and a socket, a board that leans
    towards people with a ledge, a stand for a pen, and an open box below the flat top for a drawer."""
    m = Model()
    m.part("top", WOOD)
    m.box((-0.60, 0.72, -0.30), (0.60, 0.74, 0.30))
    for x in (-0.58, 0.58):
        m.box((x - 0.02, 0.0, -0.28), (x + 0.02, 0.72, 0.28))
    m.part("board", LIGHT_WOOD)
    low, high = 0.745, 0.745 + 0.50 * SLOPE
    p = [(x, y, z) for x in (0.02, 0.55) for y, z in ((0.74, -0.25), (low, -0.25), (high, 0.25), (0.74, 0.25))]
    m.add(p, [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    m.box((0.02, 0.74, -0.27), (0.55, 0.765, -0.25))
    m.part("stand", STEEL)
    for x in (-0.57, -0.47):
        m.box((x - 0.004, 0.74, 0.056), (x + 0.004, 0.7943, 0.064))
    m.part("box", DARK_WOOD)
    m.box((-0.52, 0.56, -0.27), (-0.50, 0.72, 0.27))
    m.box((-0.06, 0.56, -0.27), (-0.04, 0.72, 0.27))
    m.box((-0.50, 0.56, -0.27), (-0.06, 0.57, 0.27))
    return m


def drawer():
    """The origin is the middle of its front; it goes out along -z. A bow is in front of it."""
    m = Model()
    m.part("front", LIGHT_WOOD)
    m.box((-0.215, -0.065, -0.010), (0.215, 0.065, 0.0))
    m.part("tray", WOOD)
    m.box((-0.210, -0.060, 0.0), (0.210, -0.055, 0.44))
    m.box((-0.210, -0.055, 0.0), (-0.200, 0.040, 0.44))
    m.box((0.200, -0.055, 0.0), (0.210, 0.040, 0.44))
    m.box((-0.200, -0.055, 0.43), (0.200, 0.040, 0.44))
    m.part("bow", STEEL)
    m.turned([(0.006, -0.05), (0.006, 0.05)], 10, middle=(0, 0, -0.075), axis="x", ends="ab")
    m.box((-0.050, -0.005, -0.075), (-0.042, 0.005, -0.010))
    m.box((0.042, -0.005, -0.075), (0.050, 0.005, -0.010))
    return m


def lock():
    """The origin is the middle of its upper side, in the surface that it is let into; the axis goes up."""
    m = Model()
    m.part("cylinder", BRASS)
    m.turned([(0.016, -0.018), (0.016, 0.0)], 24, ends="a")
    ring = [[(r * math.sin(2 * math.pi * i / 24), 0.0, r * math.cos(2 * math.pi * i / 24)) for i in range(24)]
            for r in (0.016, 0.005)]
    m.tube(ring)
    m.part("mark", BLACK)
    m.box((-0.001, 0.0, 0.007), (0.001, 0.0005, 0.014))
    return m


def key():
    """As a box wrench: the handle along x about the origin, the bit 0.15 m from it and 0.035 m lower."""
    m = Model()
    m.part("handle", BRASS)
    m.turned([(0.011, -0.09), (0.013, -0.08), (0.013, 0.08), (0.011, 0.09)], 12, axis="x", ends="ab")
    m.box((0.090, -0.006, -0.006), (0.156, 0.006, 0.006))
    m.part("bit", STEEL)
    m.turned([(0.004, -0.047), (0.004, -0.006)], 10, middle=(0.15, 0, 0), ends="ab")
    return m


def socket():
    """The origin is in the surface that it is let into; two holes go down."""
    m = Model()
    m.part("socket", WHITE)
    m.turned([(0.026, 0.0), (0.026, 0.003)], 24, ends="b")
    m.part("holes", BLACK)
    for x in (-0.0095, 0.0095):
        m.turned([(0.003, 0.0029), (0.003, 0.0031)], 10, middle=(x, 0, 0), ends="b")
    return m


def plug():
    """The origin is the middle of its body; two pins go down, 0.038 m to their ends."""
    m = Model()
    m.part("body", WHITE)
    m.turned([(0.018, -0.019), (0.020, -0.010), (0.012, 0.028)], 20, ends="ab")
    m.part("pins", STEEL)
    for x in (-0.0095, 0.0095):
        m.turned([(0.0024, -0.038), (0.0024, -0.019)], 8, middle=(x, 0, 0), ends="ab")
    return m


def pen():
    """Along x; so many sides that it rolls on a board that leans by 20 degrees."""
    m = Model()
    m.part("pen", BLUE)
    m.turned([(0.001, -0.070), (0.0055, -0.058), (0.0055, 0.070)], 48, axis="x", ends="ab")
    return m


def number(value, digits=6):
    text = "%.*f" % (digits, value)
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def obj_text(name, m):
    lines, first = ["# Made by make_objects.py: %d polygons." % m.polygons(), "mtllib %s.mtl" % name], 1
    for part, _, points, faces in m.parts:
        lines += ["o %s" % part, "usemtl %s" % part]
        lines += ["v " + " ".join(number(c) for c in p) for p in points]
        lines += ["f " + " ".join(str(first + i) for i in face) for face in faces]
        first += len(points)
    return "\n".join(lines) + "\n"


def mtl_text(m):
    return "".join("newmtl %s\nKd %s\n" % (part, " ".join(number(c) for c in color)) for part, color, _, _ in m.parts)


# The class, its model, and the polygons of table 5.7 (those of a control room: none printed).
MODELS = {
    "chair": (chair, 98), "table": (table, 320), "door": (door, 268), "sink": (sink, 185), "tv": (tv, 167),
    "wall_1": (lambda: wall(6.0, 2.5), 2), "wall_2": (lambda: wall(5.0, 2.5, (0.6, 1.4, 2.0)), 2), "bed": (bed, 94),
    "lamp": (lamp, 568), "bookshelf": (bookshelf, 90), "cup": (cup, 216),
    "button": (button, None), "lever": (lever, None), "dial": (dial, None), "meter": (meter, None),
    "keyboard": (keyboard, None), "touch_panel": (touch_panel, None), "panel": (panel, None),
    "nut": (nut, None), "wrench": (wrench, None), "cover": (cover, None), "machine": (machine, None),
    "desk": (desk, None), "drawer": (drawer, None), "lock": (lock, None), "key": (key, None),
    "socket": (socket, None), "plug": (plug, None), "pen": (pen, None),
}


def put(folder, name, file, text):
    os.makedirs(os.path.join(folder, name), exist_ok=True)
    with open(os.path.join(folder, name, file), "w", encoding="ascii", newline="\n") as out:
        out.write(text)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, (make, printed) in MODELS.items():
        m = make()
        if printed is not None and m.polygons() != printed:
            sys.exit("%s has %d polygons, the table prints %d" % (name, m.polygons(), printed))
        put(folder, name, name + ".obj", obj_text(name, m))
        put(folder, name, name + ".mtl", mtl_text(m))
    put(folder, "floor", "floor.wrl", floor_text())


if __name__ == "__main__":
    main()
