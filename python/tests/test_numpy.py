"""With numpy, where the user has it: arrays come and go without a copy."""
import importlib.util
import unittest

import fureai

numpy = importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None


@unittest.skipIf(numpy is None, "numpy is not installed")
class NumpyTest(unittest.TestCase):
    def test_a_mesh_comes_and_goes(self):
        sphere = fureai.Mesh.sphere(stacks=20, slices=40)
        vertices, triangles = numpy.asarray(sphere.vertices), numpy.asarray(sphere.triangles)
        self.assertEqual((vertices.dtype, vertices.shape), (numpy.float32, (sphere.vertex_count, 3)))
        self.assertFalse(vertices.flags.writeable)
        self.assertFalse(vertices.flags.owndata)
        for kind in (numpy.float32, numpy.float64):
            for order in "CF":
                for whole in (numpy.uint32, numpy.int64, numpy.uint8 if sphere.vertex_count < 256 else numpy.int32):
                    again = fureai.Mesh(numpy.array(vertices, kind, order=order), numpy.array(triangles, whole, order=order))
                    self.assertTrue((numpy.asarray(again.vertices) == vertices).all())
                    self.assertTrue((numpy.asarray(again.triangles) == triangles).all())
        every_second = numpy.repeat(triangles, 2, axis=0)[::2]
        self.assertEqual(fureai.Mesh(vertices, every_second).triangle_count, len(triangles))

    def test_wrong_arrays(self):
        good = numpy.zeros((3, 3))
        for bad in (numpy.zeros((3, 4)), numpy.zeros((2, 3, 3)), numpy.zeros((3, 3), complex), good.astype(">f8"),
                    numpy.zeros((3, 3), object), numpy.zeros((3, 3), numpy.float16)):
            with self.assertRaises((fureai.ArgumentError, TypeError)):
                fureai.Mesh(bad, [(0, 1, 2)])
        with self.assertRaises(fureai.ArgumentError):
            fureai.Mesh(good, numpy.array([[0, 1, 2]], float))

    def test_pairs_are_a_structured_array_in_the_same_memory(self):
        with fureai.Space() as space, fureai.Collide() as collide:
            a = space.add(fureai.Mesh.named("sphere_960"))
            space.add(fureai.Mesh.named("sphere_960"), (1.0, 0.3, 0.0))
            a.next = (0.2, 0, 0)
            space.update()
            result = collide.continuous(space, want="intervals")
        pairs = numpy.asarray(result.pairs)
        self.assertEqual(pairs.dtype.names, ("a", "b", "triangle_a", "triangle_b", "time", "flags"))
        self.assertEqual(pairs.itemsize, 24)
        self.assertFalse(pairs.flags.owndata)
        self.assertGreater(len(pairs), 50)
        self.assertEqual([tuple(row) for row in result.pairs], [tuple(row.tolist()) for row in pairs])
        self.assertEqual(numpy.asarray(result.pairs["time"]).tolist(), pairs["time"].tolist())
        contacts = numpy.asarray(result.contacts)
        self.assertEqual(contacts["normal"].shape, (len(pairs), 3))
        self.assertEqual([row.point for row in result.contacts], [tuple(point) for point in contacts["point"].tolist()])
        self.assertEqual([row.b for row in result.contacts], [tuple(b) for b in contacts["b"].tolist()])
        self.assertEqual(numpy.asarray(result.contacts["normal"]).tolist(), contacts["normal"].tolist())
        intervals = numpy.asarray(result.intervals)
        self.assertTrue((intervals["begin"] <= intervals["end"]).all())
        self.assertEqual([tuple(row) for row in result.intervals], [tuple(row.tolist()) for row in intervals])
        objects = numpy.asarray(result.object_pairs)
        self.assertEqual(int(objects["count"].sum()), len(pairs))


if __name__ == "__main__":
    unittest.main()
