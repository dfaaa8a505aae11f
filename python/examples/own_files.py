"""Your own two files: which parts clash, how deep, and where their surfaces meet. own_files.py [A B]"""
import sys

import fureai
from picture import Picture

paths = sys.argv[1:3]
if len(paths) < 2:  # nothing at hand: two files are made first
    paths = ["part.stl", "other.obj"]
    fureai.Model.from_mesh(fureai.Mesh.torus(radius=0.8, tube=0.3, slices=48, sides=24)).write(paths[0])
    fureai.Model.from_mesh(fureai.Mesh(fureai.Pose((0.8, 0.1, 0)).apply_many(fureai.Mesh.box().vertices), fureai.Mesh.box().triangles)).write(paths[1])

parts = [part for path in paths for part in fureai.Model.read(path).parts()]
clashes = fureai.clash(parts)
for clash in clashes:
    depth = "unknown" if clash.depth is None else f"{clash.depth:.4f} m"
    print(f"parts {clash.a} and {clash.b}: {clash.kind}, depth {depth}, {len(clash.pairs)} pairs, {len(clash.lines)} lines")

with fureai.Space() as space:
    picture = Picture()
    for number, (name, mesh, pose) in enumerate(parts):
        picture.object(space.add(mesh, pose), ((120, 150, 200), (150, 190, 140))[number % 2], opacity=0.35)
    for clash in clashes:
        for line in clash.lines:
            picture.line(line, (220, 40, 40), 2.5)
    picture.note(f"{len(clashes)} clash: the lines where the surfaces meet")
    picture.write("own_files.svg")
