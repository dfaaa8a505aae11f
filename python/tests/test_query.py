"""Queries of a space, what-if motions and clashes, against plain geometry written here."""
import math
import random
import unittest

import fureai


class QueryTest(unittest.TestCase):
    def setUp(self):
        self.space = fureai.Space()
        self.box = self.space.add(fureai.Mesh.box(size=(2, 2, 2)))
        self.ball = self.space.add(fureai.Mesh.sphere(radius=1, stacks=40, slices=80), (5, 0, 0), layers=2)
        self.space.update()

    def test_rays(self):
        hit = self.space.ray((-5, 0.1, 0.2), (2, 0, 0))
        self.assertEqual((hit.object, hit.distance, hit.normal), (self.box.id, 2.0, (-1.0, 0.0, 0.0)))
        self.assertAlmostEqual(math.dist(hit.point, (-1.0, 0.1, 0.2)), 0.0)
        self.assertIsNone(self.space.ray((-5, 3, 0), (1, 0, 0)).object)
        self.assertIsNone(self.space.ray((-5, 0, 0), (1, 0, 0), limit=3.9).object)
        self.assertEqual(self.space.ray((-5, 0.1, 0), (1, 0, 0), ignore=self.box).object, self.ball.id)
        self.assertEqual(self.space.ray((-5, 0.1, 0), (1, 0, 0), mask=2).object, self.ball.id)
        generator = random.Random(3)
        origins = [[generator.uniform(-8, 8) for _ in range(3)] for _ in range(200)]
        directions = [[generator.uniform(-1, 1) for _ in range(3)] for _ in range(200)]
        with fureai.TaskPool(3) as tasks:
            many = self.space.ray_many(origins, directions, tasks=tasks)
        self.assertEqual(many.tolist(), [self.space.ray(o, d) for o, d in zip(origins, directions)])
        for origin, direction, hit in zip(origins, directions, many):
            length = self.box_ray(origin, direction)
            if hit.object == self.box.id:
                self.assertAlmostEqual(hit.distance, length)
            elif hit.object is None:
                self.assertEqual(length, math.inf)
        self.assertRaises(fureai.ArgumentError, self.space.ray, (0, 0, 0), (0, 0, 0))
        self.assertRaises(fureai.ArgumentError, self.space.ray_many, origins, directions[1:])

    def box_ray(self, origin, direction):
        """Where a ray meets the surface of the box -1 .. 1 first, by slabs."""
        low, high = -math.inf, math.inf
        for o, d in zip(origin, direction):
            a, b = sorted(((-1 - o) / d, (1 - o) / d))
            low, high = max(low, a), min(high, b)
        if low > high or high < 0:
            return math.inf
        return low if low >= 0 else high

    def test_closest_points(self):
        generator = random.Random(4)
        points = [[generator.uniform(-3, 3) for _ in range(3)] for _ in range(100)]
        many = self.space.closest_many(points, is_signed=True, mask=1)
        for point, got in zip(points, many):
            outside = [max(abs(x) - 1, 0) for x in point]
            expected = math.hypot(*outside) if any(outside) else -min(1 - abs(x) for x in point)
            self.assertAlmostEqual(got.distance, expected)
            self.assertEqual(got, self.space.closest(point, is_signed=True, mask=1))
        self.assertIsNone(self.space.closest((100, 0, 0), limit=1).object)
        self.assertRaises(fureai.Error, self.space.closest, (math.nan, 0, 0))

    def test_distance_overlap_and_cast(self):
        distance = self.space.distance(self.box, self.ball)
        self.assertAlmostEqual(distance.distance, 3.0, 2)
        self.assertAlmostEqual(distance.on_a[0], 1.0)
        self.assertIsNone(self.space.distance(self.box, self.ball, limit=1).triangle_a)
        self.assertEqual({item.object for item in self.space.overlap(center=(1, 0, 0), radius=0.1)}, {self.box.id})
        self.assertEqual(len(self.space.overlap(box=((-9, -9, -9), (9, 9, 9)))),
                         self.box.triangle_count + self.ball.triangle_count)
        self.assertEqual({item.object for item in self.space.overlap(center=(0, 0, 0), end=(5, 0, 0), radius=0.2)},
                         {self.box.id, self.ball.id})
        self.assertEqual(len(self.space.overlap(fureai.Mesh.box(), pose=(50, 0, 0))), 0)
        self.assertGreater(len(self.space.overlap(fureai.Mesh.box(), pose=(1, 0.1, 0.1))), 0)
        for wrong in ({}, {"end": (0, 0, 0)}, {"box": ((0, 0, 0), (1, 1, 1)), "center": (0, 0, 0)}):
            self.assertRaises(fureai.ArgumentError, self.space.overlap, **wrong)
        hit = self.space.cast_ball((-4, 0, 0), (4, 0, 0), 0.5)
        self.assertAlmostEqual(hit.distance, 2.5 / 4)

    def test_what_if(self):
        probe = fureai.Mesh.box()
        through = fureai.Motion((-4, 0, 0), travel=(8, 0, 0))
        move = self.space.move(probe, through)
        self.assertTrue(move.is_hit)
        self.assertAlmostEqual(move.free_time, 2.5 / 8, 5)
        self.assertIsNone(move.first.a)
        self.assertEqual(move.first.b, self.box.id)
        self.assertGreater(len(move.contacts), 0)
        beside = self.space.move(probe, fureai.Motion((-4, 3, 0), travel=(16, 0, 0)))
        self.assertEqual((beside.is_hit, beside.first, beside.free_time), (False, None, 1.0))
        self.assertTrue(self.space.move(probe, fureai.Motion((-4, 3, 0), travel=(16, 0, 0)), margin=1.6).is_hit)
        self.assertEqual(self.space.move(probe, through, ignore=self.box, capacity=0).first.b, self.ball.id)
        slide = self.space.slide(probe, fureai.Motion((-4, 0, 0), travel=(4, 0, 1)))
        self.assertEqual(slide.end, "arrived")
        self.assertAlmostEqual(slide.pose.position[0], -1.5, 3)
        self.assertGreater(slide.pose.position[2], 0.9)
        self.assertRaises(TypeError, self.space.move, probe, 5)
        self.assertRaises(fureai.ArgumentError, self.space.move, [], through)

    def test_clash(self):
        box, small = fureai.Mesh.box(), fureai.Mesh.box(size=(0.2, 0.2, 0.2))
        parts = [("a", box, None), ("b", box, (0.9, 0.1, 0.1)), ("c", small, (0, 0, 0)), ("d", box, (9, 0, 0))]
        found = fureai.clash(parts)
        self.assertEqual([(one.a, one.b, one.kind) for one in found], [(0, 1, "protrusion"), (0, 2, "enclosed")])
        self.assertAlmostEqual(found[0].depth, 0.1, 6)
        self.assertGreater(len(found[0].pairs), 0)
        for line in found[0].lines:
            for point in line:
                self.assertTrue(all(abs(abs(x) - 0.5) < 1e-6 or abs(x) < 0.5 for x in point))
        touching = fureai.clash([box, (box, (1, 0, 0))])
        self.assertEqual([one.kind for one in touching], ["touching"])
        self.assertEqual(fureai.clash([]), [])
        self.assertRaises(fureai.ArgumentError, fureai.clash, parts, tolerance=-1)
        self.assertRaises(TypeError, fureai.clash, 5)

    def test_clash_distance_group_and_duplicate(self):
        box = fureai.Mesh.box()
        row = [(f"bolt.{i}", box, (1.25 * i, 0, 0)) for i in range(4)]
        self.assertEqual(fureai.clash(row), [])
        apart = fureai.clash(row, clearance=0.25 + 1e-9)
        self.assertEqual([(one.a, one.b, one.kind) for one in apart], [(i, i + 1, "clearance") for i in range(3)])
        for one in apart:
            self.assertAlmostEqual(one.distance, 0.25, 9)
            self.assertEqual((one.depth, one.group), (None, apart[0].group))
        self.assertEqual(fureai.clash(row, clearance=0.2), [])
        same, inside = fureai.clash([box, box, (box, fureai.Pose(scale=0.25))])[:2]
        self.assertEqual((same.kind, same.distance), ("duplicate", 0.0))
        self.assertEqual((inside.kind, inside.distance), ("enclosed", None))
        self.assertNotEqual(same.group, inside.group)
        self.assertRaises(fureai.ArgumentError, fureai.clash, row, clearance=-1)

    def test_clash_rules(self):
        box = fureai.Mesh.box()
        parts = [("plate", box, (0, 0, 0)), ("bolt.1", box, (0.5, 0, 0)), ("nut", box, (1, 0.5, 0)), (box, (2.25, 0.5, 0))]
        pairs = lambda **options: [(one.a, one.b) for one in fureai.clash(parts, **options)]
        self.assertEqual(pairs(), [(0, 1), (0, 2), (1, 2)])
        self.assertEqual(pairs(rules=[("ignore", "bolt.?", "plate")]), [(0, 2), (1, 2)])
        self.assertEqual(pairs(rules=[("only", "nut", "*")]), [(0, 2), (1, 2)])
        self.assertEqual(pairs(rules=iter([("only", "nut", "*"), ("clearance", "nut", "", 0.3)])), [(0, 2), (1, 2), (2, 3)])
        self.assertEqual(pairs(rules=None), pairs(rules=[]))
        for wrong in (5, [5], [("ignore", "a")], [("ignore", "a", 5)], [("clearance", "a", "b")], [("clearance", "a", "b", "c")]):
            self.assertRaises(TypeError, fureai.clash, parts, rules=wrong)
        self.assertRaisesRegex(fureai.ArgumentError, "did you mean 'ignore'", fureai.clash, parts, rules=[("ignor", "a", "b")])
        self.assertRaises(fureai.ArgumentError, fureai.clash, parts, rules=[("clearance", "a", "b", -1.0)])
        self.assertRaises(fureai.ArgumentError, fureai.clash, parts, rules=[("only", "a", "b")] * 65)
        self.assertRaises(TypeError, fureai.clash, [(5, box, None)])


if __name__ == "__main__":
    unittest.main()
