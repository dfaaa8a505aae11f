"""Balls bounce through a world between walls: when they touch, as a chart over time."""
import fureai

with fureai.World(sense="continuous", want="intervals", step=0.05) as world:
    balls = [world.space.add(fureai.Mesh.sphere(radius=0.2, stacks=8, slices=16), (-1.5 + i, 0.05 * i, 0)) for i in range(4)]
    world.space.add(fureai.Mesh.box(size=(0.1, 1, 1)), (-2.2, 0, 0), flags=fureai.STATIC)
    world.space.add(fureai.Mesh.box(size=(0.1, 1, 1)), (2.2, 0, 0), flags=fureai.STATIC)
    speeds = [1.5, -1.0, 0.7, -2.1]
    spans, open_ones = [], {}
    for _ in range(80):
        moves = []
        for number, ball in enumerate(balls):
            x, y, z = ball.pose.position
            if abs(x) > 1.95 and x * speeds[number] > 0:
                speeds[number] = -speeds[number]
            moves.append((ball, (x + world.step * speeds[number], y, z)))
        for event in world.tick(moves).events:
            if event.kind == "touch begin":
                open_ones[event.id] = (event.time, event.a[0] - 1, event.b[0] - 1)
            elif event.kind == "touch end":
                spans.append((*open_ones.pop(event.id), event.time))
    end = world.time
print(f"{len(spans)} touches in {end:.1f} s, the longest {max(last - first for first, a, b, last in spans):.3f} s")

rows = sorted({(a, b) for _, a, b, _ in spans})
with open("world_events.svg", "w") as file:
    height = 40 + 22 * len(rows)
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="12">\n'
               f'<rect width="640" height="{height}" fill="#fbfbfd"/>\n')
    for number, pair in enumerate(rows):
        file.write(f'<text x="8" y="{34 + 22 * number}" fill="#333">{pair[0]} and {pair[1]}</text>\n')
    for first, a, b, last in spans:
        x, width = 90 + 530 * first / end, max(1.5, 530 * (last - first) / end)
        file.write(f'<rect x="{x:.1f}" y="{22 + 22 * rows.index((a, b))}" width="{width:.1f}" height="14" fill="#dc2828"/>\n')
    file.write("</svg>\n")
