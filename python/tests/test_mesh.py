"""Mesh: arrays in, arrays out, primitives, queries, bad input."""
import array
import ctypes
import gc
import unittest

import fureai

TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def flat(code, rows):
    return array.array(code, [number for row in rows for number in row])


class MeshTest(unittest.TestCase):
    def test_from_sequences_and_buffers_is_the_same(self):
        meshes = [fureai.Mesh(TETRAHEDRON, FACES)]
        for positions in "fd":
            for indices in "IilLqQhHBb":
                meshes.append(fureai.Mesh(flat(positions, TETRAHEDRON), flat(indices, FACES)))
        vertices = memoryview(flat("d", TETRAHEDRON)).cast("B").cast("d", (4, 3))
        meshes.append(fureai.Mesh(vertices, memoryview(flat("I", FACES)).cast("B").cast("I", (4, 3))))
        for mesh in meshes:
            self.assertEqual(mesh.vertices.tolist(), [tuple(map(float, row)) for row in TETRAHEDRON])
            self.assertEqual(mesh.triangles.tolist(), FACES)

    def test_strided_arrays_are_read_as_their_strides_say(self):
        wide = flat("d", [(*row, 99.0) for row in TETRAHEDRON for _ in range(2)])
        view = memoryview(wide).cast("B").cast("d", (8, 4))[::2]  # every second row, of 4 numbers
        with self.assertRaisesRegex(fureai.ArgumentError, "4 x 4"):
            fureai.Mesh(view, FACES)
        backwards = memoryview(flat("I", FACES)).cast("B").cast("I", (4, 3))[::-1]
        self.assertEqual(fureai.Mesh(TETRAHEDRON, backwards).triangles.tolist(), FACES[::-1])

    def test_the_mesh_has_its_own_copy(self):
        vertices = flat("f", TETRAHEDRON)
        mesh = fureai.Mesh(vertices, FACES)
        vertices[0] = 5.0
        self.assertEqual(mesh.vertices[0], (0.0, 0.0, 0.0))
        vertices.append(1.0)  # the export ended with the call

    def test_wrong_arrays_are_refused_with_their_name(self):
        cases = [
            (([(0, 0)], FACES), "vertices: row 0 has 2 numbers"),
            ((flat("d", TETRAHEDRON)[:-1], FACES), "vertices: a flat array of 11"),
            ((TETRAHEDRON, flat("d", FACES)), "triangles: numbers of the format 'd'; whole"),
            ((TETRAHEDRON, [(0, 1, -1)]), "triangles: number 2 is no index"),
            ((TETRAHEDRON, array.array("q", [0, 1, 2**32])), "triangles: number 2 is no index"),
            ((TETRAHEDRON, []), "no triangle"),
            ((memoryview(bytes(16)).cast("c"), FACES), "format 'c'"),
            ((memoryview(bytes(8)).cast("B", (2, 2, 2)), FACES), "3 dimensions"),
            ((TETRAHEDRON, FACES, [0, 1]), "faces: 2 numbers for 4"),
        ]
        for arguments, message in cases:
            with self.subTest(message=message), self.assertRaisesRegex(fureai.ArgumentError, message):
                fureai.Mesh(*arguments)
        with self.assertRaisesRegex(fureai.CorruptError, "vertex 4 of only 4"):
            fureai.Mesh(TETRAHEDRON, [(0, 1, 4)])
        with self.assertRaises(fureai.NotFiniteError):
            fureai.Mesh([(0, 0, float("nan")), *TETRAHEDRON[1:]], FACES)
        with self.assertRaises(TypeError):
            fureai.Mesh(TETRAHEDRON, FACES, is_doble=True)
        with self.assertRaises(TypeError):
            fureai.Mesh(5, FACES)
        with self.assertRaises(TypeError):
            fureai.Mesh([("a", 0, 0)], FACES)

    def test_other_byte_orders_are_refused(self):
        swapped = (ctypes.c_double.__ctype_be__ * 12)()
        with self.assertRaisesRegex(fureai.ArgumentError, "format '>d'"):
            fureai.Mesh(swapped, FACES)

    def test_arrays_outlive_the_mesh(self):
        mesh = fureai.Mesh(TETRAHEDRON, FACES, is_double=True)
        vertices = memoryview(mesh.vertices)
        self.assertEqual((vertices.format, vertices.shape, vertices.readonly), ("d", (4, 3), True))
        mesh.close()
        del mesh
        gc.collect()
        self.assertEqual(vertices[3, 2], 1.0)
        with self.assertRaises(TypeError):
            vertices[0, 0] = 1.0

    def test_array_rows_slices_and_errors(self):
        triangles = fureai.Mesh(TETRAHEDRON, FACES).triangles
        self.assertEqual(len(triangles), 4)
        self.assertEqual(triangles[-1], (1, 2, 3))
        self.assertEqual(triangles[1:3].tolist(), FACES[1:3])
        self.assertEqual(triangles[::-1].tolist(), FACES[::-1])
        self.assertEqual(triangles.shape, (4, 3))
        self.assertEqual([tuple(row) for row in triangles], FACES)
        self.assertEqual(memoryview(triangles[::2]).tolist(), [list(row) for row in FACES[::2]])
        self.assertRaises(IndexError, lambda: triangles[4])
        self.assertRaises(KeyError, lambda: triangles["x"])
        self.assertRaises(TypeError, fureai.Array)
        self.assertIn("4 x 3", repr(triangles))

    def test_faces(self):
        self.assertEqual(fureai.Mesh(TETRAHEDRON, FACES).faces.tolist(), [0, 1, 2, 3])
        mesh = fureai.Mesh(TETRAHEDRON, FACES, [7, 7, 2, 2])
        self.assertEqual(mesh.faces.tolist(), [7, 7, 2, 2])
        self.assertEqual(mesh.face_count, 8)

    def test_primitives(self):
        self.assertAlmostEqual(fureai.Mesh.box(size=(1, 2, 3)).mass().volume, 6.0)
        counts = {
            "sphere": fureai.Mesh.sphere(stacks=4, slices=8).triangle_count,
            "capsule": fureai.Mesh.capsule(stacks=4, slices=8).triangle_count,
            "cylinder": fureai.Mesh.cylinder(slices=8).triangle_count,
            "cone": fureai.Mesh.cone(slices=8).triangle_count,
            "torus": fureai.Mesh.torus(slices=8, sides=4).triangle_count,
        }
        self.assertEqual(counts, {"sphere": 48, "capsule": 64, "cylinder": 32, "cone": 16, "torus": 64})
        for name in fureai.Mesh.names():
            if ":" not in name:
                self.assertTrue(fureai.Mesh.named(name).topology(is_welded=True).is_closed, name)
        self.assertRaises(fureai.ArgumentError, fureai.Mesh.named, "spere")
        self.assertRaisesRegex(fureai.ArgumentError, "did you mean", lambda: fureai.Mesh.cone(axis="xx"))
        self.assertRaises(fureai.ArgumentError, fureai.Mesh.sphere, radius=-1)
        self.assertRaises(fureai.ArgumentError, fureai.Mesh.sphere, stacks=-1)
        self.assertRaises(TypeError, fureai.Mesh.sphere, 1.0)

    def test_queries(self):
        box = fureai.Mesh.box()
        self.assertTrue(box.contains((0, 0, 0)))
        self.assertFalse(box.contains((1, 0, 0)))
        self.assertAlmostEqual(box.winding((0.1, 0.2, 0.3)), 1.0)
        self.assertEqual(box.bounds, ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
        self.assertRaises(fureai.ArgumentError, box.contains, (0, 0))
        self.assertRaises(TypeError, box.contains, "abc")

    def test_close(self):
        with fureai.Mesh(TETRAHEDRON, FACES) as mesh:
            self.assertFalse(mesh.closed)
        self.assertTrue(mesh.closed)
        self.assertRaises(fureai.ClosedError, lambda: mesh.vertices)
        self.assertRaises(fureai.ClosedError, mesh.contains, (0, 0, 0))
        self.assertRaises(fureai.ClosedError, mesh.__enter__)
        self.assertIn("closed", repr(mesh))
        mesh.close()


if __name__ == "__main__":
    unittest.main()
