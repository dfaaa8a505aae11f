"""What calls from Python cost: bench_python.py [--rounds N] [--c PROGRAM] [--csv FILE].

The cases of bench_python.c on the same arrays, by turns with that program (--c build-bench/bin/bench_python), so that a machine
that is slow for a while is slow for both. Prints the ratio, and what a call costs beside its work.
"""
import argparse
import array
import csv
import os
import subprocess
import tempfile
import time

import fureai

CALLS = 1000
PAIRS, POINTS = "1M + 1M triangles, arrays to pairs", "1000 closest points"


def arrays_to_pairs(vertices, triangles):
    start = time.perf_counter()
    with fureai.Space() as space, fureai.Collide() as collide:
        space.add(fureai.Mesh(vertices, triangles))
        space.add(fureai.Mesh(vertices, triangles), (1.0, 0.1, 0.05))
        space.update()
        pairs = collide.static(space).pairs
        ms = 1e3 * (time.perf_counter() - start)
    return ms, len(pairs)


def per_call(function):
    """Milliseconds of CALLS calls, that of the loop included."""
    start = time.perf_counter()
    for _ in range(CALLS):
        function()
    return 1e3 * (time.perf_counter() - start)


def c_times(program, name):
    """Minimum and median of a case of the program in C, milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.csv")
        subprocess.run([program, "--repeats", "3", "--csv", path, name], check=True, stdout=subprocess.DEVNULL)
        with open(path) as file:
            row = next(csv.DictReader(file))
    return float(row["min_ms"]), float(row["median_ms"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slices", type=int, default=1000)
    parser.add_argument("--c")
    parser.add_argument("--csv")
    options = parser.parse_args()

    sphere = fureai.Mesh.sphere(radius=1.0, stacks=options.slices // 2 + 1, slices=options.slices)
    vertices = array.array("f", bytes(memoryview(sphere.vertices)))
    triangles = array.array("I", bytes(memoryview(sphere.triangles)))
    space = fureai.Space()
    box = space.add(fureai.Mesh.box())
    space.update()
    pose = fureai.Pose((1, 2, 3))
    calls = {
        POINTS: lambda: space.closest((2.0, 0.1, 0.2)),
        "1000 poses read": lambda: box.pose,
        "1000 points by a pose": lambda: pose.apply((1.0, 2.0, 3.0)),
        "1000 lengths of a space": lambda: len(space),
    }
    samples = {PAIRS: [], **{name: [] for name in calls}}
    c_samples = {PAIRS: [], POINTS: []}
    pairs = 0
    for _ in range(options.rounds):
        ms, pairs = arrays_to_pairs(vertices, triangles)
        samples[PAIRS].append(ms)
        for name, function in calls.items():
            samples[name].append(min(per_call(function) for _ in range(5)))
        for name in c_samples if options.c else ():
            c_samples[name].append(c_times(options.c, name)[0])

    rows = []
    for who, table in (("python", samples), ("fureai", c_samples)):
        for name, times in table.items():
            if times:
                times.sort()
                counter = f"pairs={pairs}" if name == PAIRS else f"calls={CALLS}"
                rows.append([who, name, 1, len(times), f"{times[0]:.6g}", f"{times[len(times) // 2]:.6g}", counter])
                print(f"{who:8} {name:36} min {times[0]:10.4f} ms")
    if options.c:
        print(f"python over C, arrays to pairs: {samples[PAIRS][0] / c_samples[PAIRS][0]:.3f}")
        print(f"overhead of a call: {samples[POINTS][0] - c_samples[POINTS][0]:.3f} us")
    if options.csv:
        is_new = not os.path.exists(options.csv) or os.path.getsize(options.csv) == 0
        with open(options.csv, "a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow("who,name,threads,repeats,min_ms,median_ms,counters".split(","))
            writer.writerows(rows)


if __name__ == "__main__":
    main()
