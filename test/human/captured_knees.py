#!/usr/bin/env python3
"""Reads knees of captured walks without the library: captured_knees.py FOLDER > captured_knees.h

FOLDER has the BVH files of CMU. The angle of a knee is that between thigh and shin, from positions of hip, knee and
ankle by the file's own offsets and rotations, frame by frame; nothing is retargeted, corrected or smoothed. The first
frame is a T-pose and left out. With --check FILE nothing is printed, and the exit status says whether FILE is what
would be printed; with --standing the knees of people who stand still are printed."""
import math
import sys

WALKS = ("002/02_01", "007/07_01", "007/07_02", "007/07_03", "008/08_01", "008/08_03", "035/35_01", "039/39_01",
         "039/39_02", "104/104_02")
STANDING = ("013/13_09", "022/22_13", "023/23_13", "062/62_19", "079/79_40", "104/104_02")
SIDES = ("Right", "Left")
UNIT = 0.0254 / 0.45  # metres
HEADER = """// Knees of ten captured walks, degrees between thigh and shin: what the files say, without the library.
//
// Made by test/human/captured_knees.py.
#ifndef FUREAI_TEST_CAPTURED_KNEES_H
#define FUREAI_TEST_CAPTURED_KNEES_H

// Right, then left.
typedef struct captured_knee {
    const char *walk;
    double least[2], largest[2];
    int straight[2]; // frames in which the knee is straight to 0.01 degrees
} captured_knee;

// clang-format off
static const captured_knee captured_knees[10] = {
"""


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {"X": ((1, 0, 0), (0, c, -s), (0, s, c)), "Y": ((c, 0, s), (0, 1, 0), (-s, 0, c)),
            "Z": ((c, -s, 0), (s, c, 0), (0, 0, 1))}[axis]


def multiply(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def apply(m, v):
    return tuple(sum(m[i][k] * v[k] for k in range(3)) for i in range(3))


def length(v):
    return math.sqrt(sum(x * x for x in v))


def between(a, b):
    return tuple(y - x for x, y in zip(a, b))


def bend(hip, knee, ankle):
    thigh, shin = between(hip, knee), between(knee, ankle)
    cosine = sum(x * y for x, y in zip(thigh, shin)) / length(thigh) / length(shin)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def read(path):
    """Joints of the hips and legs with offset, channels and parent; rows of numbers; seconds a frame."""
    with open(path, encoding="latin-1") as file:
        words = file.read().split()
    joints, stack, channels, i, name = {}, [], 0, 0, ""
    while words[i] != "MOTION":
        if words[i] in ("ROOT", "JOINT", "End"):
            name = words[i + 1] + (stack[-1] if words[i] == "End" else "")
        elif words[i] == "{":
            joints[name] = {"parent": stack[-1] if stack else None, "channels": [], "first": 0}
            stack.append(name)
        elif words[i] == "}":
            stack.pop()
        elif words[i] == "OFFSET":
            joints[stack[-1]]["offset"] = tuple(float(x) for x in words[i + 1:i + 4])
        elif words[i] == "CHANNELS":
            count = int(words[i + 1])
            joints[stack[-1]].update(channels=words[i + 2:i + 2 + count], first=channels)
            channels += count
        i += 1
    seconds = float(words[i + 5])
    numbers = [float(x) for x in words[i + 6:]]
    rows = [numbers[k:k + channels] for k in range(0, len(numbers) - channels + 1, channels)]
    return joints, rows, seconds


def place(joints, row, name, known):
    """Position and rotation of a joint in the world."""
    if name not in known:
        joint, rotation = joints[name], ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        position = list(joint["offset"])
        for k, channel in enumerate(joint["channels"]):
            value = row[joint["first"] + k]
            if channel.endswith("position"):
                position["XYZ".index(channel[0])] += value
            else:
                rotation = multiply(rotation, turn(channel[0], value))
        if joint["parent"] is not None:
            at, turned = place(joints, row, joint["parent"], known)
            position = tuple(a + b for a, b in zip(at, apply(turned, position)))
            rotation = multiply(turned, rotation)
        known[name] = tuple(position), rotation
    return known[name]


def legs(path):
    """Hip, knee and ankle of both legs in every frame but the first, and seconds a frame."""
    joints, rows, seconds = read(path)
    frames = []
    for row in rows[1:]:
        known = {}
        frames.append([[place(joints, row, side + joint, known)[0] for joint in ("UpLeg", "Leg", "Foot")]
                       for side in SIDES])
    return frames, seconds


def table(folder):
    text = HEADER
    for walk in WALKS:
        frames, _ = legs(folder + "/" + walk + ".bvh")
        angles = [[bend(*frame[side]) for frame in frames] for side in (0, 1)]
        text += "    {\"%s\", {%.2f, %.2f}, {%.2f, %.2f}, {%d, %d}},\n" % (
            walk, *(min(a) for a in angles), *(max(a) for a in angles), *(sum(x < 0.01 for x in a) for a in angles))
    return text + "};\n// clang-format on\n\n#endif\n"


def standing(folder):
    """Knees where neither ankle moves faster than 0.04 m/s, nor the hips than 0.08, over half a second."""
    for name in STANDING:
        frames, seconds = legs(folder + "/" + name + ".bvh")
        half, sums, count, straight = int(0.25 / seconds), [0.0, 0.0], 0, [0, 0]
        for i in range(half, len(frames) - half):
            speed = [max(length(between(frames[i - half][side][k], frames[i + half][side][k])) for side in (0, 1)) *
                     UNIT / (2 * half * seconds) for k in (0, 2)]
            if speed[0] < 0.08 and speed[1] < 0.04:
                angles = [bend(*frames[i][side]) for side in (0, 1)]
                sums, count = [a + b for a, b in zip(sums, angles)], count + 1
                straight = [a + (b < 0.01) for a, b in zip(straight, angles)]
        print("%s: %.1f s; right %.1f, left %.1f degrees in the mean; exactly straight in %d and %d of %d frames" % (
            name, count * seconds, sums[0] / count, sums[1] / count, *straight, count))


def main():
    if sys.argv[2:] == ["--standing"]:
        standing(sys.argv[1])
        return
    made = table(sys.argv[1])
    if len(sys.argv) == 4 and sys.argv[2] == "--check":
        with open(sys.argv[3], encoding="utf-8") as file:
            same = file.read() == made
        print("captured_knees: the table %s the figures of the captures" % ("has" if same else "does not have"))
        sys.exit(0 if same else 1)
    sys.stdout.write(made)


main()
