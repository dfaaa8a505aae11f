"""A small writer of pictures (SVG) for the examples, with the standard library alone."""
import math


class Picture:
    """Triangles, lines and texts of the world, seen from a direction, the far ones first."""

    def __init__(self, view=(1.0, 0.8, 1.6), width=640, height=480):
        length = math.hypot(*view)
        self.back = [x / length for x in view]
        side = math.hypot(self.back[0], self.back[2])
        self.right = [self.back[2] / side, 0.0, -self.back[0] / side]
        b, r = self.back, self.right
        self.up = [b[1] * r[2] - b[2] * r[1], b[2] * r[0] - b[0] * r[2], b[0] * r[1] - b[1] * r[0]]
        self.size = (width, height)
        self.shapes = []  # (depth, kind, points of the plane, colour, opacity)
        self.notes = []

    def _flat(self, point):
        dot = lambda axis: sum(a * x for a, x in zip(axis, point))
        return dot(self.right), dot(self.up), dot(self.back)

    def triangle(self, corners, color, opacity=1.0):
        flat = [self._flat(point) for point in corners]
        (ax, ay, _), (bx, by, _), (cx, cy, _) = flat
        depth = sum(point[2] for point in flat) / 3
        edges = [[flat[k][i] - flat[0][i] for i in range(3)] for k in (1, 2)]
        normal = [edges[0][1] * edges[1][2] - edges[0][2] * edges[1][1], edges[0][2] * edges[1][0] - edges[0][0] * edges[1][2],
                  edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0]]
        light = abs(normal[2]) / (math.hypot(*normal) or 1.0)
        shade = [int(part * (0.45 + 0.55 * light)) for part in color]
        self.shapes.append((depth, "polygon", [point[:2] for point in flat], shade, opacity))

    def object(self, thing, color, marked=(), mark=(220, 40, 40), opacity=1.0):
        """Every triangle of an object, those that are marked in a colour of their own."""
        marked = set(marked)
        for number in range(thing.triangle_count):
            is_marked = number in marked
            self.triangle(thing.corners(number), mark if is_marked else color, 1.0 if is_marked else opacity)

    def line(self, points, color, width=2.0):
        flat = [self._flat(point) for point in points]
        for a, b in zip(flat, flat[1:]):
            self.shapes.append(((a[2] + b[2]) / 2 + 1e-3, "line", [a[:2], b[:2]], color, width))

    def note(self, text):
        self.notes.append(text)

    def write(self, path):
        points = [point for shape in self.shapes for point in shape[2]]
        low = [min(point[i] for point in points) for i in (0, 1)]
        high = [max(point[i] for point in points) for i in (0, 1)]
        width, height = self.size
        scale = min((width - 40) / (high[0] - low[0] or 1), (height - 70) / (high[1] - low[1] or 1))
        place = lambda p: (width / 2 + scale * (p[0] - (low[0] + high[0]) / 2), height / 2 + 12 - scale * (p[1] - (low[1] + high[1]) / 2))
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
               f'<rect width="{width}" height="{height}" fill="#fbfbfd"/>']
        for depth, kind, corners, color, value in sorted(self.shapes, key=lambda shape: shape[0]):
            name = "#%02x%02x%02x" % tuple(color)
            spots = [place(corner) for corner in corners]
            if kind == "polygon":
                text = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
                out.append(f'<polygon points="{text}" fill="{name}" fill-opacity="{value:g}" stroke="{name}" stroke-width="0.4" '
                           f'stroke-opacity="{value:g}"/>')
            else:
                (x0, y0), (x1, y1) = spots
                out.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{name}" stroke-width="{value:g}" '
                           'stroke-linecap="round"/>')
        for row, text in enumerate(self.notes):
            out.append(f'<text x="14" y="{22 + 18 * row}" fill="#333">{text}</text>')
        out.append("</svg>")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(out))
