"""A rod turns by two thirds of a turn in one step and hits a post that is free of it at both ends of the step."""
import fureai
from picture import Picture

with fureai.Space() as space, fureai.Collide() as collide:
    rod = space.add(fureai.Mesh.box(size=(2.4, 0.1, 0.1)), (0, 0, 0), pivot=(-1.2, 0, 0))
    post = space.add(fureai.Mesh.cylinder(radius=0.15, length=1.0, slices=24), (-1.2, 0, -1.5))
    motion = fureai.Motion(rod.pose, turn=(0, 4.2, 0), pivot=(-1.2, 0, 0))
    rod.motion = motion
    space.update()
    result = collide.continuous(space, want="contacts")
    print("at the ends of the step:", len(collide.static(space).pairs), "pairs")
    print(f"over the step: {len(result.pairs)} pairs, free until {result.free_time:.4f} of it")

    picture = Picture(view=(0.3, 1.6, 1.2))
    for t in (0.0, 0.25 * result.free_time, 0.5 * result.free_time, 0.75 * result.free_time, result.free_time, 1.0):
        rod.pose = motion.pose(t)
        picture.object(rod, (220, 40, 40) if t == result.free_time else (120, 150, 200), opacity=0.6 if t == result.free_time else 0.35)
    picture.object(post, (150, 190, 140), set(result.pairs["triangle_b"]))
    picture.note(f"contact at {result.free_time:.4f} of the step")
    picture.write("between_frames.svg")
