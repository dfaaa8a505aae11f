"""What would a body touch along a motion, and where does it end if it slides along?"""
import fureai
from picture import Picture

with fureai.Space() as space:
    chair = space.add(fureai.Mesh.named("chair"))
    low, high = fureai.Mesh.named("chair").bounds
    space.update()
    body = fureai.Mesh.capsule(radius=0.12, length=0.4, stacks=8, slices=16)
    start = fureai.Pose((low[0] - 0.6, (low[1] + high[1]) / 2, 0.05))
    motion = fureai.Motion(start, travel=(high[0] - low[0] + 1.2, 0, 0.25))
    move = space.move(body, motion)
    slide = space.slide(body, motion)
    print(f"touches at {move.free_time:.4f} of the motion, {len(move.contacts)} contacts; sliding it ends '{slide.end}' after {slide.rounds} rounds")

    picture = Picture(view=(0.6, 1.0, 1.4))
    picture.object(chair, (150, 190, 140), {contact.triangle_b for contact in move.contacts})
    for pose, color in ((start, (120, 150, 200)), (motion.pose(move.free_time), (220, 40, 40)), (slide.pose, (230, 150, 30))):
        picture.object(space.add(body, pose), color, opacity=0.5)
    picture.note("blue: start, red: stopped, orange: slid")
    picture.write("what_if.svg")
