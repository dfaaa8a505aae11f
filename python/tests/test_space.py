"""Space and Object: adding, moving, looking up; objects that are gone."""
import gc
import unittest

import fureai


class SpaceTest(unittest.TestCase):
    def test_objects(self):
        with fureai.Space() as space:
            box = space.add(fureai.Mesh.box(), (1, 2, 3), flags=fureai.STATIC, layers=2, group=-1)
            self.assertEqual((box.pose.position, box.flags, box.layers, box.group), ((1.0, 2.0, 3.0), fureai.STATIC, 2, -1))
            self.assertEqual((box.index, box.triangle_count, box.part_count), (0, 12, 1))
            self.assertEqual(space.object(0), box)
            self.assertEqual(space.object(box.id), box)
            self.assertEqual(space.objects, [box])
            self.assertEqual(len({box, space.object(0)}), 1)
            self.assertFalse(space.is_current)
            space.update()
            self.assertTrue(space.is_current)
            low, high = box.bounds
            self.assertTrue(all(low[i] <= (0.5, 1.5, 2.5)[i] and high[i] >= (1.5, 2.5, 3.5)[i] for i in range(3)))
            box.mask = 4
            self.assertEqual(box.mask, 4)
            self.assertEqual(box.corners(0), tuple(box.pose.apply(p) for p in
                                                   (fureai.Mesh.box().vertices[i] for i in fureai.Mesh.box().triangles[0])))
            self.assertEqual(box.face(3), fureai.Mesh.box().faces[3])
            self.assertRaises(fureai.ArgumentError, box.corners, 12)
            self.assertRaises(fureai.ArgumentError, box.face, 12)

    def test_motion_and_commit(self):
        space = fureai.Space()
        box = space.add(fureai.Mesh.box())
        box.next = fureai.Pose((1, 0, 0))
        self.assertTrue(box.is_moving)
        space.update()
        space.commit()
        self.assertEqual(box.pose.position, (1.0, 0.0, 0.0))
        box.motion = fureai.Motion(box.pose, travel=(0, 1, 0), turn=(0, 7.0, 0))
        self.assertEqual(box.motion.turn, (0.0, 7.0, 0.0))
        self.assertRaises(fureai.ArgumentError, setattr, box, "motion", fureai.Motion((9, 9, 9), travel=(0, 1, 0)))
        self.assertRaises(fureai.NotFiniteError, setattr, box, "pose", (float("nan"), 0, 0))
        self.assertRaises(TypeError, setattr, box, "pose", 5)
        self.assertRaises(fureai.ArgumentError, setattr, box, "layers", 2**32)

    def test_parts(self):
        space = fureai.Space()
        mesh = fureai.Mesh.box()
        one = space.add([(mesh, (0, 0, 0)), ("name", mesh, fureai.Pose((3, 0, 0))), mesh])
        self.assertEqual((one.part_count, one.triangle_count), (3, 36))
        self.assertEqual(one.parts[1][1].position, (3.0, 0.0, 0.0))
        mesh.close()  # the space has a reference of its own
        space.update()
        self.assertEqual(one.parts[0][0].triangle_count, 12)
        for bad in (5, [5], [(1, 2, 3, 4)], [("a", "b", None)]):
            self.assertRaises(TypeError, space.add, bad)
        self.assertRaises(fureai.ArgumentError, space.add, [])
        self.assertRaises(fureai.ClosedError, space.add, mesh)

    def test_what_is_gone(self):
        space = fureai.Space()
        box = space.add(fureai.Mesh.box())
        box.remove()
        self.assertFalse(box.exists)
        self.assertRaises(fureai.StaleIdError, box.remove)
        self.assertRaises(LookupError, lambda: box.pose)
        self.assertRaises(fureai.StaleIdError, space.object, 0)
        self.assertRaises(fureai.StaleIdError, space.object, 99)
        self.assertRaises(fureai.StaleIdError, space.object, -1)
        self.assertIn("gone", repr(box))
        again = space.add(fureai.Mesh.box())
        self.assertEqual(again.index, box.index)
        self.assertNotEqual(again, box)
        space.close()
        self.assertFalse(again.exists)
        self.assertRaises(fureai.ClosedError, lambda: again.pose)
        self.assertRaises(fureai.ClosedError, len, space)
        self.assertIn("closed", repr(space))

    def test_an_object_keeps_its_space(self):
        box = fureai.Space().add(fureai.Mesh.box())
        gc.collect()
        self.assertEqual(box.triangle_count, 12)
        self.assertEqual(len(box.space), 1)


if __name__ == "__main__":
    unittest.main()
