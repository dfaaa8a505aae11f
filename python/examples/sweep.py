"""What a bat sweeps in one swing, as one sector of a cylinder, and which balls are in its reach."""
import math

import fureai
from picture import Picture

bat = fureai.Mesh.capsule(radius=0.08, length=0.7, axis="x", stacks=8, slices=16)
pose, swing = fureai.Pose((1.0, 0, 0)), 1.4
sector = fureai.Sector.of(bat, pose=pose, axis=(0, 1, 0), angle=swing)
balls = [(0.9 * math.cos(a), 0.01 * k, -0.9 * math.sin(a)) for k, a in enumerate(x * 0.35 for x in range(-3, 10))]
hits = [sector.overlaps([ball], radius=0.05) for ball in balls]
print(f"radii {sector.inner:.3f} .. {sector.outer:.3f}, half angle {sector.half_angle:.3f}; {sum(hits)} of {len(balls)} balls may be hit")

with fureai.Space() as space:
    picture = Picture(view=(0.2, 1.8, 0.9))
    for t in range(8):
        turn = fureai.Pose.from_axis_angle((0, 1, 0), swing * t / 7)
        picture.object(space.add(bat, turn * pose), (120, 150, 200), opacity=0.3)
    for ball, is_hit in zip(balls, hits):
        picture.object(space.add(fureai.Mesh.sphere(radius=0.05, stacks=8, slices=16), ball), (220, 40, 40) if is_hit else (150, 190, 140))
    picture.note(f"{sum(hits)} of {len(balls)} balls in the sector")
    picture.write("sweep.svg")
