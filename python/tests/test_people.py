"""People: bodies, motions from files, commands and scripts in a scene with a person."""
import json
import math
import os
import tempfile
import unittest
from pathlib import Path

import fureai

ROOT = Path(__file__).resolve().parent.parent.parent
ROOM = ROOT / "demos" / "room.json"

BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Chest
  {
    OFFSET 0 0.5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 0.5 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 1 0 0 0 0 0 0 0
1 1 0 0 0 0 0 0 0
2 1 0 90 0 0 0 0 0
"""


class HumanTest(unittest.TestCase):
    def test_a_body_stands_upright(self):
        with fureai.Skeleton(stature=1.8) as body:
            poses = body.rest()
            self.assertEqual(poses.shape, (43, 8))
            self.assertEqual((len(body.names), body.parents[0]), (43, None))
            heights = [row[5] for row in poses]
            self.assertTrue(0.0 <= min(heights) and 1.4 < max(heights) < 1.8)
        self.assertRaises(fureai.ArgumentError, fureai.Skeleton, stature=9)
        self.assertRaises(fureai.ClosedError, body.rest)

    def test_a_clip_is_read_and_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "motion.bvh"
            path.write_text(BVH)
            clip = fureai.Clip.read(path, unit=1.0)
            self.assertEqual((clip.frame_count, clip.link_count, clip.frame_rate, clip.duration), (3, 2, 2.0, 1.0))
            self.assertEqual(clip.skeleton.names, ["Hips", "Chest"])
            w, x, y, z, *place, scale = clip.poses(0.25)[0]
            self.assertAlmostEqual(math.dist(place, (0.5, 1, 0)), 0, 5)
            chest = clip.poses(1.0)[1][4:7]
            self.assertAlmostEqual(math.dist(chest, (1.5, 1, 0)), 0, 5)  # turned about z by a quarter
            clip.write(path.with_name("again.bvh"))
            again = fureai.Clip.read(path.with_name("again.bvh"), unit=1.0)
            self.assertAlmostEqual(math.dist(again.poses(1.0)[1][4:7], chest), 0, 4)
            path.write_text(BVH.replace("Frames: 3", "Frames: three"))
            with self.assertRaises(fureai.FormatError) as caught:
                fureai.Clip.read(path)
            self.assertEqual((caught.exception.path, caught.exception.line), (str(path), 17))
            self.assertRaises(fureai.FileError, fureai.Clip.read, path.with_name("nothing.bvh"))
            self.assertRaises(fureai.FileError, clip.write, Path(folder) / "no" / "such.bvh")


@unittest.skipUnless(ROOM.exists(), "the checkout is not here")
class ActTest(unittest.TestCase):
    def test_commands(self):
        with fureai.World.read(ROOM, sense="static", want="pairs") as world:
            self.assertEqual([person.name for person in world.people], ["Mai"])
            door, cup = world.find("door"), world.find("cup")
            self.assertIn("open", world.affords(door))
            self.assertIn("take", world.affords(cup))
            before = world.people[0].head
            ticket = world.command("open", person="Mai", object=door)
            ends = []
            for _ in range(3000):
                world.tick()
                ends += world.ended()
                if ends:
                    break
            self.assertEqual([(end.ticket, end.is_done, end.reason) for end in ends], [(ticket, True, "")])
            self.assertGreater(world.people[0].head[2] - before[2], 1.0)  # she went through it
            with self.assertRaises(fureai.Error):
                world.command("fly", person="Mai", object=door)
            with self.assertRaises(fureai.Error):
                world.command("open", person="Nobody", object=door)
            self.assertRaises(TypeError, world.command, "open", {"hand": 5}, object=door)

    def test_a_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.json"
            script.write_text(json.dumps({"fureai": 1, "scene": os.path.relpath(ROOM, folder), "commands": [
                {"person": "Mai", "motion": "open", "object": "door"},
                {"person": "Mai", "motion": "fly", "object": "door"}]}))
            with fureai.World.read(ROOM, sense="static", want="pairs") as world:
                results = world.carry_out(script)
                self.assertEqual([result.is_done for result in results], [True, False])
                self.assertTrue(results[1].reason)
                self.assertGreater(results[0].end, results[0].begin)
                self.assertRaises(fureai.FileError, world.carry_out, script.with_name("nothing.json"))
                script.write_text('{"fureai": 1,\n "commands": 5}')
                with self.assertRaises(fureai.Error) as caught:
                    world.carry_out(script)
                self.assertEqual(caught.exception.line, 2)

    def test_a_world_without_people(self):
        world = fureai.World()
        self.assertEqual(world.people, [])
        self.assertRaises(fureai.ArgumentError, world.command, "open")
        self.assertRaises(fureai.ArgumentError, world.ended)


if __name__ == "__main__":
    unittest.main()
