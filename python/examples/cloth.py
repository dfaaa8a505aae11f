"""A cloth that folds onto itself within one step: which of its own triangles meet, and when."""
import math

import fureai
from picture import Picture

N = 24
vertices = [(x / N, 0.0, z / N) for z in range(N + 1) for x in range(N + 1)]
at = lambda x, z: z * (N + 1) + x
triangles = [face for z in range(N) for x in range(N)
             for face in ((at(x, z), at(x, z + 1), at(x + 1, z)), (at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)))]


def folded(point):
    """One side of the cloth is laid over the other, and a little through it."""
    x, y, z = point
    if x <= 0.5:
        return point
    angle = math.pi * 1.04 * min(1.0, (x - 0.5) / 0.1)
    arm = max(0.0, x - 0.6)
    return (0.5 + 0.032 * math.sin(angle) + arm * math.cos(angle), 0.032 * (1 - math.cos(angle)) + arm * math.sin(angle), z)


with fureai.Space() as space, fureai.Collide() as collide:
    cloth = space.add(fureai.Mesh(vertices, triangles), flags=fureai.SELF)
    cloth.set_next_vertices([folded(point) for point in vertices])
    space.update()
    result = collide.continuous(space, want="times")
    space.commit()
    space.update()
    print(f"{len(result.pairs)} pairs of its own triangles meet, the first at {result.free_time:.3f} of the step")

    picture = Picture(view=(0.8, 0.7, 1.5))
    picture.object(cloth, (120, 150, 200), {*result.pairs["triangle_a"], *result.pairs["triangle_b"]}, opacity=0.8)
    picture.note(f"{len(result.pairs)} pairs of its own triangles")
    picture.write("cloth.svg")
