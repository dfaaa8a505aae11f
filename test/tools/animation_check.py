#!/usr/bin/env python3
"""Reads the GLB files that the tool writes of people who move, with a reader of its own: animation_check.py TOOL FOLDER.

Checks what glTF 2.0 asks of them (chunks, views, accessors, nodes, skins, animations), and that the postures of
`fureai motion` are those that it writes as a clip file, within 1e-6. FOLDER has the script scenario.json.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

SIZES = {5121: 1, 5123: 2, 5125: 4, 5126: 4}
CODES = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def check(is_right, what):
    if not is_right:
        sys.exit("animation_check: " + what)


class Glb:
    """A file with one binary chunk."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, version, length = struct.unpack_from("<4sII", data)
        check(magic == b"glTF" and version == 2 and length == len(data), path + ": a wrong header")
        size, kind = struct.unpack_from("<I4s", data, 12)
        check(kind == b"JSON" and size % 4 == 0, path + ": no JSON")
        self.json = json.loads(data[20:20 + size])
        rest = data[20 + size:]
        size, kind = struct.unpack_from("<I4s", rest)
        check(kind == b"BIN\0" and size % 4 == 0 and len(rest) == 8 + size, path + ": a wrong binary part")
        self.bytes = rest[8:]
        check(len(self.json["buffers"]) == 1, "one buffer")
        check(self.json["buffers"][0]["byteLength"] <= size, "the buffer is longer than its bytes")
        self.cache = {}

    def get(self, index):
        """All numbers of an accessor, a tuple an element."""
        if index in self.cache:
            return self.cache[index]
        a = self.json["accessors"][index]
        view = self.json["bufferViews"][a["bufferView"]]
        width, size = WIDTHS[a["type"]], SIZES[a["componentType"]]
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        bytes_used = a["count"] * width * size
        check(a["count"] > 0 and a.get("byteOffset", 0) + bytes_used <= view["byteLength"], "an accessor beyond its view")
        check(view.get("byteOffset", 0) + view["byteLength"] <= len(self.bytes), "a view beyond the buffer")
        check(start % size == 0 and "byteStride" not in view, "an accessor that is not aligned")
        flat = struct.unpack_from("<%d%s" % (a["count"] * width, CODES[a["componentType"]]), self.bytes, start)
        rows = [flat[i:i + width] for i in range(0, len(flat), width)]
        if "min" in a:
            low, high = (tuple(struct.unpack("<f", struct.pack("<f", v))[0] for v in a[k]) for k in ("min", "max"))
            check(tuple(map(min, zip(*rows))) == low and tuple(map(max, zip(*rows))) == high, "wrong bounds")
        self.cache[index] = rows
        return rows


def check_nodes(glb):
    nodes = glb.json["nodes"]
    parents = [None] * len(nodes)
    for i, node in enumerate(nodes):
        for child in node.get("children", []):
            check(parents[child] is None and child != i, "a node with two parents")
            parents[child] = i
        check(not ("matrix" in node and "translation" in node), "a matrix and parts in one node")
    for i in range(len(nodes)):
        seen = set()
        while i is not None:
            check(i not in seen, "a node below itself")
            seen.add(i)
            i = parents[i]
    for root in glb.json["scenes"][glb.json["scene"]]["nodes"]:
        check(parents[root] is None, "a scene with a node that has a parent")
    return parents


def check_meshes(glb):
    for node in glb.json["nodes"]:
        if "mesh" not in node:
            continue
        for part in glb.json["meshes"][node["mesh"]]["primitives"]:
            lists = {name: glb.get(at) for name, at in part["attributes"].items()}
            count = len(lists["POSITION"])
            check("min" in glb.json["accessors"][part["attributes"]["POSITION"]], "positions without bounds")
            check(all(len(rows) == count for rows in lists.values()), "lists of different lengths")
            check(max(row[0] for row in glb.get(part["indices"])) < count, "a triangle without a vertex")
            for normal in lists.get("NORMAL", []):
                check(abs(math.hypot(*normal) - 1) < 1e-4, "a normal that is not unit")
            if "skin" not in node:
                continue
            bones = len(glb.json["skins"][node["skin"]]["joints"])
            for joints, weights in zip(lists["JOINTS_0"], lists["WEIGHTS_0"]):
                check(max(joints) < bones and abs(sum(weights) - 1) < 1e-5, "wrong influences")


def check_skins(glb, parents):
    for skin in glb.json.get("skins", []):
        check(len(set(skin["joints"])) == len(skin["joints"]), "a joint twice")
        check(len(glb.get(skin["inverseBindMatrices"])) == len(skin["joints"]), "inverse binds")
        tops = set()
        for joint in skin["joints"]:
            while parents[joint] is not None:
                joint = parents[joint]
            tops.add(joint)
        check(len(tops) == 1, "joints without a common root")


def check_animations(glb):
    """The channels: (node, path) -> (times, values)."""
    found = {}
    for animation in glb.json["animations"]:
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times, values = glb.get(sampler["input"]), glb.get(sampler["output"])
            target = channel["target"]
            key = (target["node"], target["path"])
            check(key not in found, "two channels for one thing")
            check(len(times) == len(values), "as many times as values")
            check("min" in glb.json["accessors"][sampler["input"]], "times without bounds")
            check(times[0][0] >= 0 and all(a[0] < b[0] for a, b in zip(times, times[1:])), "times that do not rise")
            check("matrix" not in glb.json["nodes"][target["node"]], "a moving node with a matrix")
            if target["path"] == "rotation":
                check(all(abs(math.hypot(*q) - 1) < 1e-5 for q in values), "a rotation that is not unit")
                check(all(sum(x * y for x, y in zip(a, b)) >= 0 for a, b in zip(values, values[1:])), "a longer turn")
            found[key] = ([t[0] for t in times], values)
    return found


def check_file(path):
    glb = Glb(path)
    parents = check_nodes(glb)
    check_meshes(glb)
    check_skins(glb, parents)
    return glb, check_animations(glb)


def person_bvh():
    """A person of few joints in centimetres who walks badly, and turns."""
    channels = "CHANNELS 3 Zrotation Yrotation Xrotation\n"
    text = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    text += "JOINT Spine1\n{\nOFFSET 0 10 0\n" + channels + "End Site\n{\nOFFSET 0 60 0\n}\n}\n"
    for side, x in (("Left", 9), ("Right", -9)):
        text += "JOINT %sUpLeg\n{\nOFFSET %d 0 0\n%sJOINT %sLeg\n{\nOFFSET 0 -42 0\n%s" % (side, x, channels, side, channels)
        text += "JOINT %sFoot\n{\nOFFSET 0 -42 0\n%sEnd Site\n{\nOFFSET 0 -6 15\n}\n}\n}\n}\n" % (side, channels)
    frames = 90
    text += "}\nMOTION\nFrames: %d\nFrame Time: 0.0166667\n" % frames
    for f in range(frames):
        s = math.sin(0.15 * f)
        row = [0.3 * f, 90, 1.1 * f, 0, 5.0 * f, 0, 0, 8 * s, 3]
        row += [0, 0, -25 * s, 0, 0, 15 + 15 * s, 0, 0, 5 * s, 0, 0, 25 * s, 0, 0, 15 - 15 * s, 0, 0, -5 * s]
        text += " ".join("%.6f" % v for v in row) + "\n"
    return text


def read_clip(path):
    """Rate, places and turns (w, x, y, z) of the frames of a clip file as text."""
    rate, links, frames, is_data = 0.0, 0, [], False
    with open(path) as file:
        for line in file:
            words = line.split()
            if is_data:
                numbers = list(map(float, words))
                frames.append((numbers[:3], [numbers[3 + 4 * i:7 + 4 * i] for i in range(links)]))
            elif words[0] == "fps":
                rate = float(words[1])
            elif words[0] == "links":
                links = int(words[1])
            is_data = is_data or words[0] == "data"
    return rate, frames


def angle(a, b):
    """Between two rotations of four numbers each, small ones without loss."""
    sign = 1 if sum(x * y for x, y in zip(a, b)) >= 0 else -1
    return 2 * math.hypot(*(x - sign * y for x, y in zip(a, b)))


def rest_turn(node):
    """The rotation (x, y, z, w) of a node that does not move."""
    if "rotation" in node:
        return node["rotation"]
    m = node.get("matrix", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    rows = [[m[4 * c + r] for c in range(3)] for r in range(3)]
    # Each column of this symmetric matrix is a multiple of the quaternion; the longest one is the most precise.
    (a, b, c), (d, e, f), (g, h, i) = rows
    columns = [[1 + a - e - i, b + d, c + g, h - f], [b + d, 1 - a + e - i, f + h, c - g],
               [c + g, f + h, 1 - a - e + i, d - b], [h - f, c - g, d - b, 1 + a + e + i]]
    best = max(columns, key=lambda column: math.hypot(*column))
    return [v / math.hypot(*best) for v in best]


def compare(glb, channels, clip):
    rate, frames = read_clip(clip)
    joints = glb.json["skins"][0]["joints"]
    check(len(joints) == 43 and len(frames) > 50, "a body and a motion")
    worst_turn = worst_place = worst_time = 0.0
    for f, (place, turns) in enumerate(frames):
        for joint, turn in zip(joints, turns):
            if (joint, "rotation") in channels:
                times, values = channels[joint, "rotation"]
                check(len(times) == len(frames), "a key a frame")
                worst_time = max(worst_time, abs(times[f] - f / rate))
                q = values[f]
            else:
                q = rest_turn(glb.json["nodes"][joint])
            worst_turn = max(worst_turn, angle((q[3], q[0], q[1], q[2]), turn))
        moved = channels[joints[0], "translation"][1][f]
        worst_place = max(worst_place, math.dist(moved, place))
    print("postures within %.1e rad and %.1e m, times within %.1e s" % (worst_turn, worst_place, worst_time))
    check(worst_turn < 1e-6 and worst_place < 1e-6 and worst_time < 1e-6, "postures that differ from the clip's")


def main(tool, folder):
    def run(*words):
        subprocess.run([tool, *words], check=True, stdout=subprocess.DEVNULL)

    with tempfile.TemporaryDirectory() as scratch:
        at = lambda name: os.path.join(scratch, name)
        with open(at("person.bvh"), "w") as file:
            file.write(person_bvh())
        run("motion", at("person.bvh"), at("person.glb"), "--clean", "--body=1.5")
        run("motion", at("person.bvh"), at("person.ahmc"), "--clean", "--body=1.5", "--text")
        glb, channels = check_file(at("person.glb"))
        compare(glb, channels, at("person.ahmc"))

        run("act", os.path.join(folder, "scenario.json"), "--out", at("scenario.glb"))
        glb, channels = check_file(at("scenario.glb"))
        names = {glb.json["nodes"][node].get("name") for node, _ in channels}
        check({"cup", "door", "hip"} <= names, "a scenario whose cup, door and person move: " + str(sorted(names)))
        check(not {"table", "floor", "bed"} & names, "furniture that moves")
        print("scenario: %d channels, %d nodes" % (len(channels), len(glb.json["nodes"])))


main(*sys.argv[1:])
