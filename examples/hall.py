#!/usr/bin/env python3
"""A hall of people: writes a scene of as many people as one likes, each with a cup, and a script in which they walk.

    hall.py COUNT FOLDER

makes FOLDER/hall.json and FOLDER/script.json, for up to 4,000 people; `fureai serve FOLDER/hall.json` opens it in the
viewer, `fureai act FOLDER/script.json` carries it out. People of three bodies share their meshes. Python 3, standard
library alone.
"""
import json
import os
import random
import sys

COLUMNS = 32
CELL = 3.0  # metres of the hall for each person
BODIES = 3
WALKS = 3
MAX_PEOPLE = 4000


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=0)


def hall(count, objects):
    """The scene and the commands of a hall; `objects` is the library, from the folder of the scene."""
    chance = random.Random(3)
    people, cups, commands = [], [], []
    for i in range(count):
        x, z = CELL * (i % COLUMNS + 0.5), CELL * (i // COLUMNS + 0.5)
        kind = i % BODIES
        people.append({"name": f"p{i}", "stature": 1.6 + 0.08 * kind, "curves": kind % 2, "seed": kind,
                       "detail": "coarse", "position": [x, 0, z]})
        cup = f"cup {i}"
        cups.append({"name": cup, "class": "cup", "position": [x - 0.2, 0.9, z + 0.3]})
        for _ in range(WALKS):
            goal = [x + chance.uniform(-5, 5), 0, z + chance.uniform(-5, 5)]
            commands.append({"person": f"p{i}", "motion": "walk", "goal": goal,
                             "fused": [{"motion": "carry", "object": cup}]})
    width, depth = CELL * min(count, COLUMNS), CELL * ((count - 1) // COLUMNS + 1)
    middle = [width / 2, 0, depth / 2]
    view = {"from": [middle[0], 8 + 0.35 * width, depth + 10], "to": middle}
    scene = {"fureai": 1, "title": f"A hall of {count} people", "about": "Each walks with a cup and gives way to others.",
             "step": 0.02, "steps": 3000, "view": view, "library": objects, "script": "script.json",
             "objects": cups, "people": people}
    return scene, {"fureai": 1, "scene": "hall.json", "commands": commands}


def main(arguments):
    if len(arguments) != 3 or not arguments[1].isdigit() or not 1 <= int(arguments[1]) <= MAX_PEOPLE:
        print(__doc__.split("\n\n")[1].strip() + f"\n\nwith a COUNT of 1 to {MAX_PEOPLE}", file=sys.stderr)
        return 2
    folder = arguments[2]
    os.makedirs(folder, exist_ok=True)
    library = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "objects")
    scene, script = hall(int(arguments[1]), os.path.relpath(library, os.path.realpath(folder)))
    write(os.path.join(folder, "hall.json"), scene)
    write(os.path.join(folder, "script.json"), script)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
