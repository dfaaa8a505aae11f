"""World, Snapshot and Server: ticks, events, scene files, a page over HTTP."""
import gc
import json
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

import fureai

SCENE = {
    "fureai": 1, "step": 0.1, "steps": 20,
    "objects": [
        {"name": "left", "shape": "sphere_80", "position": [-3, 0, 0], "velocity": [2, 0, 0]},
        {"name": "wall", "shape": "box", "position": [0, 0, 0], "static": True},
    ],
}


class WorldTest(unittest.TestCase):
    def test_touches_begin_and_end(self):
        with fureai.World(sense="continuous", want="intervals", step=0.5) as world:
            ball = world.space.add(fureai.Mesh.sphere(radius=0.5, stacks=8, slices=16), (-2, 0, 0))
            wall = world.space.add(fureai.Mesh.box())
            world.set_name(wall, "wall")
            first = world.tick()
            self.assertEqual([(e.kind, e.a) for e in first.events], [("added", ball.id), ("added", wall.id)])
            self.assertEqual(first.tick, 1)
            through = world.tick([(ball, fureai.Motion(ball.pose, travel=(4, 0, 0)))])
            kinds = [event.kind for event in through.events]
            self.assertEqual(kinds, ["touch begin", "touch end"])
            begin, end = through.events
            self.assertAlmostEqual(begin.fraction, 1 / 4, 3)
            self.assertAlmostEqual(end.fraction, 3 / 4, 2)
            self.assertEqual((begin.a, begin.b, begin.id), (ball.id, wall.id, end.id))
            self.assertAlmostEqual(begin.time, 0.5 + 0.5 / 4, 3)
            self.assertGreater(len(through.step_pairs), 0)
            self.assertEqual((len(through.pairs), len(through.touches)), (0, 0))
            self.assertEqual(ball.pose.position, (2.0, 0.0, 0.0))
            still = world.tick([(ball, (0.4, 0.1, 0.1))])
            self.assertEqual([touch.relation for touch in still.touches], ["crossing"])
            self.assertEqual(still.objects[0].pose.position, (0.4, 0.1, 0.1))
            self.assertEqual(world.find("wall"), wall)
            self.assertEqual((world.name(wall), world.name(ball)), ("wall", ""))
            self.assertIsNone(world.find("nothing"))

    def test_holds_and_states(self):
        world = fureai.World()
        box = world.space.add(fureai.Mesh.box())
        world.tick()
        world.drag(box, (1, 0, 0))
        world.set_state(box, "open", 0.5)
        events = {event.kind: event for event in world.tick().events}
        self.assertEqual(set(events), {"held", "state"})
        self.assertEqual((events["state"].name, events["state"].value), ("open", 0.5))
        self.assertEqual(world.snapshot.objects[0].hold, "held")
        self.assertEqual(box.pose.position, (1.0, 0.0, 0.0))
        world.let_go(box)
        self.assertIn("released", [event.kind for event in world.tick().events])
        self.assertEqual(world.state(box, "open"), 0.5)
        self.assertIsNone(world.state(box, "shut"))
        self.assertEqual(world.tick(is_paused=True).tick, 3)
        self.assertAlmostEqual(world.time, 0.03)

    def test_bad_input(self):
        world = fureai.World()
        box = world.space.add(fureai.Mesh.box())
        self.assertRaises(TypeError, world.tick, [5])
        self.assertRaises(TypeError, world.tick, [(5, (0, 0, 0))])
        self.assertRaises(fureai.ArgumentError, world.tick, [(box, (0, 0))])
        self.assertRaises(fureai.ArgumentError, world.tick, [(box, fureai.Motion((9, 9, 9)))])
        self.assertRaises(fureai.ArgumentError, fureai.World, step=0)
        self.assertRaises(fureai.StaleIdError, world.drag, fureai.Space().add(fureai.Mesh.box()), (0, 0, 0))
        self.assertEqual(world.tick().tick, 1)

    def test_a_space_and_arrays_outlive_their_world(self):
        world = fureai.World()
        space = world.space
        self.assertIs(world.space, space)
        box = space.add(fureai.Mesh.box(), (1, 2, 3))
        events = world.tick().events
        world.close()
        self.assertRaises(fureai.ClosedError, world.tick)
        del world
        gc.collect()
        self.assertEqual(box.pose.position, (1.0, 2.0, 3.0))
        self.assertEqual(events[0].kind, "added")
        del space
        gc.collect()
        self.assertEqual(box.triangle_count, 12)

    def test_two_worlds_give_the_same_hash(self):
        def run():
            world = fureai.World(sense="continuous")
            ball = world.space.add(fureai.Mesh.named("sphere_80"), (-2, 0, 0))
            world.space.add(fureai.Mesh.box())
            return [world.tick([(ball, (-2 + 0.3 * i, 0, 0))]).hash for i in range(8)]

        self.assertEqual(run(), run())


class SceneTest(unittest.TestCase):
    def setUp(self):
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "scene.json"
        self.path.write_text(json.dumps(SCENE))

    def test_a_scene_file(self):
        with fureai.World.read(self.path) as world:
            left = world.find("left")
            self.assertEqual(world.step, 0.1)
            begins = []
            for _ in range(20):
                begins += [event.time for event in world.tick().events if event.kind == "touch begin"]
            self.assertEqual(len(begins), 1)
            self.assertAlmostEqual(left.pose.position[0], 1.0)
            self.assertTrue(0.7 < begins[0] < 1.0, begins)

    def test_errors_have_their_place(self):
        self.path.write_text('{"fureai": 1, "objects": [],\n "step": "fast"}')
        with self.assertRaises(fureai.Error) as caught:
            fureai.World.read(self.path)
        self.assertEqual((caught.exception.line, caught.exception.path), (2, str(self.path)))
        self.assertRaises(fureai.FileError, fureai.World.read, self.path.with_name("nothing.json"))
        self.assertRaises(fureai.Error, fureai.Server, self.path)

    def test_a_server(self):
        viewer = self.path.parent / "page"
        viewer.mkdir()
        (viewer / "index.html").write_text("<p>the page</p>")
        with fureai.Server(self.path, viewer_folder=str(viewer)) as server:
            thread = threading.Thread(target=server.run)
            thread.start()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=60) as page:
                    self.assertIn(b"the page", page.read())
                self.assertRaises(fureai.BusyError, server.close)
            finally:
                server.stop()
                thread.join()
        self.assertRaises(fureai.ClosedError, server.run)
        self.assertRaises(fureai.ClosedError, server.stop)
        self.assertRaises(fureai.ArgumentError, fureai.Server, self.path, port=70000)


if __name__ == "__main__":
    unittest.main()
