"""A path for a box through a gap, every motion of it proven free, and its proof once more."""
import fureai
from picture import Picture

with fureai.Space() as space:
    walls = [space.add(fureai.Mesh.box(size=(0.2, 1.0, 2.0)), (0, y, 0)) for y in (-1.0, 1.0)]
    walls += [space.add(fureai.Mesh.box(size=(0.2, 3.0, 2.0)), (0, 0, z)) for z in (-1.6, 1.6)]
    space.update()
    body, bounds = fureai.Mesh.box(size=(1.2, 0.7, 0.2)), ((-2.5, -1.5, -1.5), (2.5, 1.5, 1.5))
    path = fureai.plan(space, body, (-1.8, 0.6, 0), fureai.Pose((1.8, -0.6, 0)), bounds=bounds, objective="shortest")
    check = fureai.check_path(space, body, path.states, bounds=bounds)
    print(f"{path.outcome}: {len(path.states)} states, {path.length:.2f} m, turned by {path.turning:.2f}; proven: {check.is_valid}")

    picture = Picture(view=(0.5, 0.5, 1.8))
    for wall in walls:
        picture.object(wall, (150, 190, 140), opacity=0.25)
    for a, b in zip(path.states, path.states[1:]):
        motion = fureai.Motion.between(a, b)
        for t in (0.0, 0.5):
            thing = space.add(body, motion.pose(t))
            picture.object(thing, (120, 150, 200), opacity=0.35)
            thing.remove()
    picture.line([state.position for state in path.states], (220, 40, 40), 2.5)
    picture.note(f"{len(path.states)} states, {path.length:.2f} m")
    picture.write("path.svg")
