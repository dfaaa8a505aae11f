"""The octree of a shuttle, turned by its cells alone; there and back is the same tree."""
import math

import fureai
from picture import Picture

tree = fureai.Octree.from_mesh(fureai.Mesh.named("shuttle_528"), depth=5)
turned = tree.moved(axis=(0, 0, 1), angle=math.radians(35), rule="overlap")
print(f"{tree.count().black_voxels} voxels, {turned.count().black_voxels} after the turn, {(tree & turned).count().black_voxels} shared")
assert tree.moved(angle=math.pi).moved(angle=-math.pi) == tree

picture = Picture(view=(0.7, 0.8, 1.6))
voxel = turned.edge / 2 ** turned.depth
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
SIDES = [(4, 5, 7, 6), (1, 3, 7, 5), (2, 6, 7, 3)]  # those that look to the eye
for cell in turned.leaves():
    width = 2 ** cell.level
    points = [tuple(turned.min[i] + voxel * ((cell.x, cell.y, cell.z)[i] + width * corner[i]) for i in range(3)) for corner in CORNERS]
    for a, b, c, d in SIDES:
        picture.triangle((points[a], points[b], points[c]), (120, 150, 200))
        picture.triangle((points[a], points[c], points[d]), (120, 150, 200))
picture.note(f"{len(turned.leaves())} black cells after a turn of 35 degrees")
picture.write("octree_turn.svg")
