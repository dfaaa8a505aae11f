#!/usr/bin/env python3
"""A plug-in in Python with its standard library alone: the person shakes the head.

It reads messages from its input and writes to its output, one JSON text a line. The field "frames" says how long it
takes, 60 by default; the parameter "angle" how far the head turns, 0.5 radians by default.
"""
import json
import math
import sys

TURNS = 3  # from side to side


def multiply(a, b):
    """The product of two quaternions w, x, y, z."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Motion:
    """One motion: the head turns about the axis of the neck, the rest of the body is left to others."""

    def __init__(self, message, model):
        names = [link["name"].lower() for link in model["links"]]
        self.head = names.index("head")
        self.count = len(names)
        self.frames = int(message.get("frames", 60))
        self.angle = float(message.get("params", {}).get("angle", 0.5))
        self.pose = message["pose"]
        tip = model["links"][self.head]["tip"]
        length = math.sqrt(sum(x * x for x in tip)) or 1.0
        self.axis = [x / length for x in tip] if any(tip) else [0.0, 1.0, 0.0]
        at = 4 * self.head
        self.begin = self.pose["q"][at:at + 4]

    def frame(self, k):
        phase = min(k / self.frames, 1.0)
        angle = self.angle * math.sin(2.0 * math.pi * TURNS * phase) * math.sin(math.pi * phase)
        turn = [math.cos(angle / 2.0)] + [math.sin(angle / 2.0) * x for x in self.axis]
        turns = list(self.pose["q"])
        turns[4 * self.head:4 * self.head + 4] = multiply(self.begin, turn)
        weights = [0.0] * (self.count + 1)
        weights[self.head] = 100.0
        done = k >= self.frames
        return {"t": "frame", "k": k, "hip": self.pose["hip"], "q": turns, "w": weights, "done": int(done),
                "events": [{"name": "shaken"}] if done else []}


def main():
    motion, model = None, None
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "init":
            model = message.get("model", model)
            try:
                motion = Motion(message, model)
                say({"t": "ready", "frames": motion.frames, "again": 1})
            except (KeyError, ValueError, TypeError) as wrong:
                say({"t": "ready", "frames": 0, "error": "shake_head cannot begin: %s" % wrong, "again": 1})
        elif message["t"] == "step":
            say(motion.frame(message["k"]))
        elif message["t"] == "stop":
            return


if __name__ == "__main__":
    main()
