#!/usr/bin/env python3
"""A commander: any program that writes lines of JSON can say what people do, and hears how each motion ended.

    commander.py FUREAI SCRIPT [SCENE]

gives the commands of a script (examples/scenario.json) one after another to `fureai act --lines` and prints the replies.
It ends with status 1 where one was not done. Python 3, standard library alone.
"""
import json
import os
import subprocess
import sys


class Commander:
    """The people of a scene, at the other end of two pipes."""

    def __init__(self, fureai, scene):
        arguments = [fureai, "act", "--lines", "--scene", scene]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, **line):
        """Sends one line and returns the reply to it."""
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if reply == "":
            raise SystemExit("the people have gone")
        return json.loads(reply)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    fureai, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        script = json.load(file)
    scene = sys.argv[3] if len(sys.argv) == 4 else os.path.join(os.path.dirname(path), script["scene"])
    people = Commander(fureai, scene)
    names = [person["name"] for person in people.say(do="people")["people"]]
    print("people:", ", ".join(names))
    cup = people.say(do="affords", object="cup")
    print("cup affords:", ", ".join(motion["motion"] for motion in cup.get("affords", [])))

    failures = 0
    for command in script["commands"]:
        reply = people.say(**command)
        what = " + ".join(each["motion"] for each in [command] + command.get("fused", []))
        if reply.get("done"):
            print(f"{what}: done in {reply['frames']} frames")
        else:
            print(f"{what}: {reply.get('reason') or reply.get('error')}")
            failures += 1
    status = people.close()
    return 1 if failures > 0 or status != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
