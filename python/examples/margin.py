"""Faces that come nearer than a margin, before anything touches."""
import fureai
from picture import Picture

with fureai.Space() as space, fureai.Collide() as collide:
    knot = space.add(fureai.Mesh.named("knot_1920"))
    low, high = fureai.Mesh.named("knot_1920").bounds
    ball = space.add(fureai.Mesh.sphere(radius=0.5, stacks=24, slices=48), (high[0] + 0.55, 0, 0))
    space.update()
    touching = collide.static(space).pairs
    near = collide.static(space, margin=0.15, want="contacts")
    closest = min(contact.distance for contact in near.contacts)
    print(f"{len(touching)} pairs touch, {len(near.pairs)} are within 0.15 m, the closest {closest:.4f} m")
    print(f"distance of the surfaces: {space.distance(knot, ball).distance:.4f} m")

    picture = Picture(view=(0.4, 0.9, 1.8))
    picture.object(knot, (120, 150, 200), set(near.pairs["triangle_a"]), mark=(230, 150, 30))
    picture.object(ball, (150, 190, 140), set(near.pairs["triangle_b"]), mark=(230, 150, 30))
    picture.note(f"{len(near.pairs)} pairs within 0.15 m")
    picture.write("margin.svg")
