"""A depth image by many rays at once, drawn as tiles."""
import fureai

SIZE = 72
with fureai.Space() as space:
    space.add(fureai.Mesh.named("head_1816"))
    low, high = space.objects[0].parts[0][0].bounds
    space.update()
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    reach = 0.6 * max(b - a for a, b in zip(low, high))
    origins = [(middle[0] + reach * (2 * x / SIZE - 1), middle[1] + reach * (1 - 2 * y / SIZE), high[2] + 1)
               for y in range(SIZE) for x in range(SIZE)]
    hits = space.ray_many(origins, [(0, 0, -1)] * len(origins))
    seen = [hit.distance if hit.object else None for hit in hits]
    found = [distance for distance in seen if distance is not None]
    print(f"{len(found)} of {len(seen)} rays hit, {min(found):.3f} .. {max(found):.3f} m away")

with open("depth_image.svg", "w") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" shape-rendering="crispEdges">\n')
    for number, distance in enumerate(seen):
        if distance is not None:
            shade = int(235 - 180 * (distance - min(found)) / (max(found) - min(found)))
            file.write(f'<rect x="{number % SIZE}" y="{number // SIZE}" width="1" height="1" fill="rgb({shade},{shade},{min(255, shade + 20)})"/>\n')
    file.write("</svg>\n")
