"""Octree: cells of a mesh, set operations, moves and the DF code."""
import math
import unittest

import fureai


class OctreeTest(unittest.TestCase):
    def test_cells_of_a_box(self):
        tree = fureai.Octree.from_mesh(fureai.Mesh.box(size=(4, 4, 4)), rule="center", depth=4, min=(-8, -8, -8), edge=16)
        self.assertEqual(tree.count().black_voxels, 64)
        self.assertEqual((tree.at((0, 0, 0)), tree.at((3, 0, 0)), tree.at((99, 0, 0))), ("black", "white", "white"))
        voxels = sum(8 ** cell.level for cell in tree.leaves())
        self.assertEqual(voxels, 64)
        self.assertEqual(len(tree.leaves("gray")), tree.count().white + tree.count().black)
        self.assertEqual((tree.depth, tree.dimension, tree.min, tree.edge), (4, 3, (-8.0, -8.0, -8.0), 16.0))
        self.assertGreater(len(tree.overlap(((0, 0, 0), (1, 1, 1)))), 0)
        self.assertEqual(len(tree.overlap(((5, 5, 5), (6, 6, 6)))), 0)

    def test_operations(self):
        a, b = fureai.Octree(depth=3), fureai.Octree(depth=3)
        a.add_points([(0.5, 0.5, 0.5), (1.5, 0.5, 0.5)])
        b.add_points([(1.5, 0.5, 0.5), (7.5, 7.5, 7.5), (99, 99, 99)])
        count = lambda tree: tree.count().black_voxels
        self.assertEqual([count(t) for t in (a, b, a | b, a & b, a - b, a ^ b)], [2, 2, 3, 1, 1, 2])
        self.assertTrue(a.interferes(b))
        self.assertFalse((a - b).interferes(b))
        self.assertTrue(a != b and (a | b) == (b | a))
        self.assertRaises(fureai.ArgumentError, lambda: a | fureai.Octree(depth=4))
        self.assertRaises(TypeError, lambda: a | 5)
        self.assertRaises(fureai.NotFiniteError, a.add_points, [(float("nan"), 0, 0)])

    def test_moves_there_and_back(self):
        tree = fureai.Octree(depth=4)
        tree.add_points([(8.5, 8.5, 8.5), (9.5, 8.5, 8.5)])
        moved = tree.moved(travel=(2, -3, 0))
        self.assertEqual({(c.x, c.y, c.z) for c in moved.leaves()}, {(10, 5, 8), (11, 5, 8)})
        self.assertEqual(moved.moved(travel=(-2, 3, 0)), tree)

        self.assertEqual(tree.moved(angle=math.pi / 2).count().black_voxels, 2)

    def test_code(self):
        tree = fureai.Octree(depth=2)
        tree.add_points([(0.5, 0.5, 0.5)])
        self.assertEqual(tree.code(), "((BWWWWWWWWWWWWWW")
        self.assertEqual(fureai.Octree.from_code(tree.code(), depth=2), tree)
        with self.assertRaises(fureai.FormatError) as caught:
            fureai.Octree.from_code("(\nBX", depth=2)
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 2))
        self.assertRaises(fureai.ArgumentError, fureai.Octree, depth=99)
        tree.close()
        self.assertRaises(fureai.ClosedError, tree.code)


if __name__ == "__main__":
    unittest.main()
