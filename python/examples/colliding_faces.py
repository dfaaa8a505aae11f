"""Which faces of two gears touch: all of them, by number."""
import fureai
from picture import Picture

with fureai.Space() as space, fureai.Collide() as collide:
    gear = fureai.Mesh.named("gear")
    low, high = gear.bounds
    left = space.add(gear)
    right = space.add(gear, fureai.Pose.from_axis_angle((0, 1, 0), 0.05, position=(0.93 * (high[0] - low[0]), 0, 0)))
    space.update()
    pairs = collide.static(space).pairs
    print(f"{len(pairs)} pairs of {left.triangle_count} x {right.triangle_count} triangles touch")

    picture = Picture(view=(0.4, 1.6, 1.0))
    picture.object(left, (120, 150, 200), set(pairs["triangle_a"]), opacity=0.8)
    picture.object(right, (150, 190, 140), set(pairs["triangle_b"]), opacity=0.8)
    picture.note(f"{len(pairs)} pairs of triangles touch")
    picture.write("colliding_faces.svg")
