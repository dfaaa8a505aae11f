"""Sector: sweeps that hold every sample, and tests against plain geometry."""
import math
import random
import unittest

import fureai


class SectorTest(unittest.TestCase):
    def test_points(self):
        sector = fureai.Sector(inner=1, outer=2, half_thickness=0.5, half_angle=math.pi / 4)
        self.assertTrue(sector.contains((1.5, 0, 0)))
        self.assertFalse(sector.contains((0.5, 0, 0)))
        self.assertAlmostEqual(sector.distance((0.5, 0, 0)), 0.5)
        self.assertAlmostEqual(sector.distance((1.5, 2.5, 0)), 2.0)
        self.assertAlmostEqual(math.dist(sector.closest((3, 0, 0)), (2, 0, 0)), 0)
        self.assertTrue(sector.overlaps([(2.2, 0, 0)], radius=0.25))
        self.assertFalse(sector.overlaps([(2.2, 0, 0)], radius=0.15))
        self.assertTrue(sector.overlaps(fureai.Sector(outer=1.2)))
        self.assertFalse(sector.overlaps(fureai.Sector(center=(9, 9, 9))))
        self.assertEqual((sector.inner, sector.axis), (1.0, (0.0, 1.0, 0.0)))
        self.assertIn("1.0", repr(sector))

    def test_a_sweep_holds_every_sample(self):
        mesh = fureai.Mesh.box(size=(0.2, 0.1, 1.0))
        pose = fureai.Pose((0, 0, 1.5))
        sector = fureai.Sector.of(mesh, pose=pose, axis=(0, 1, 0), angle=1.2)
        corners = fureai.Sector.of([pose.apply(v) for v in mesh.vertices], axis=(0, 1, 0), angle=1.2)
        generator = random.Random(5)
        for _ in range(200):
            turn = fureai.Pose.from_axis_angle((0, 1, 0), generator.uniform(0, 1.2))
            point = turn.apply(pose.apply(mesh.vertices[generator.randrange(8)]))
            self.assertLess(sector.distance(point), 1e-9)
            self.assertLess(corners.distance(point), 1e-9)

    def test_bad_input(self):
        self.assertRaises(fureai.ArgumentError, fureai.Sector, inner=3, outer=2)
        self.assertRaises(fureai.ArgumentError, fureai.Sector, axis=(0, 0, 0))
        self.assertRaises(fureai.ArgumentError, fureai.Sector().overlaps, [(0, 0, 0)] * 65)
        self.assertRaises(fureai.ArgumentError, fureai.Sector().overlaps, [], 1.0)
        self.assertRaises(fureai.Error, fureai.Sector.of, [], angle=1.0)
        self.assertRaises(TypeError, fureai.Sector, 5)


if __name__ == "__main__":
    unittest.main()
