"""Radar and plan: distances against the continuous query, paths that are proven."""
import unittest

import fureai


class RadarTest(unittest.TestCase):
    def setUp(self):
        self.space = fureai.Space()
        self.ball = self.space.add(fureai.Mesh.sphere(radius=0.5, stacks=12, slices=24), (-3, 0.1, 0))
        self.wall = self.space.add(fureai.Mesh.box(size=(1, 4, 4)))
        self.space.update()

    def test_travel_is_what_the_continuous_query_says(self):
        self.ball.motion = fureai.Motion(self.ball.pose, travel=(5, 0, 0))
        self.space.update()
        true = fureai.Collide().continuous(self.space).free_time * 5
        with fureai.Radar() as radar:
            for look in ("conservative", "refined", "exact"):
                result = radar.move(self.space, self.ball, travel=(5, 0, 0), look=look)
                self.assertTrue(result.is_hit)
                self.assertTrue(result.low <= true + 1e-5 and true - 1e-5 <= result.high, look)
            self.assertAlmostEqual(result.distance, true, 4)
            self.assertEqual(result.contact.b, self.wall.id)
            image = radar.move(self.space, self.ball, travel=(5, 0, 0), resolution=16).range
            self.assertEqual(max(image.shape), 16)
            self.assertFalse(radar.move(self.space, self.ball, travel=(-5, 0, 0)).is_hit)
            self.assertTrue(radar.turn(self.space, self.ball, pivot=(-1.5, 0, 0), axis=(0, 1, 0), angle=4.0).is_hit)
            self.assertRaises(fureai.ArgumentError, radar.move, self.space, self.ball, travel=(0, 0, 0))
            self.assertRaises(fureai.ArgumentError, radar.move, self.space, self.ball, travel=(1, 0, 0), look="far")
        self.assertRaises(fureai.ClosedError, radar.move, self.space, self.ball, travel=(1, 0, 0))

    def test_search(self):
        sights = fureai.Radar().search(self.space, (-9, 0, 0), (1, 0, 0), width=2, height=2, depth=20, look="conservative")
        self.assertEqual([sight.object for sight in sights], [self.ball.id, self.wall.id])
        self.assertAlmostEqual(sights[1].distance, 8.5)


class PlanTest(unittest.TestCase):
    def test_a_path_over_a_wall(self):
        space = fureai.Space()
        wall = space.add(fureai.Mesh.box(size=(0.2, 2, 6)))
        space.update()
        body, bounds = fureai.Mesh.box(size=(0.5, 0.2, 0.5)), ((-3, -2, -2), (3, 3, 2))
        path = fureai.plan(space, body, (-2, 0, 0), (2, 0, 0), bounds=bounds, objective="shortest")
        self.assertEqual((path.is_found, path.outcome, path.is_checked), (True, "found", True))
        self.assertEqual(path.states[0].position, (-2.0, 0.0, 0.0))
        self.assertEqual(path.states[-1].position, (2.0, 0.0, 0.0))
        self.assertGreater(path.length, 4.0)
        check = fureai.check_path(space, body, path.states, bounds=bounds)
        self.assertTrue(check.is_valid)
        for a, b in zip(path.states, path.states[1:]):
            self.assertGreater(space.move(body, fureai.Motion.between(a, b)).free_time, 0.999)
        straight = fureai.check_path(space, body, [path.states[0], path.states[-1]], bounds=bounds)
        self.assertEqual((straight.is_valid, straight.motion), (False, 0))
        self.assertAlmostEqual(straight.time, 1.65 / 4, 3)
        blocked = fureai.plan(space, body, (0, 0, 0), (2, 0, 0), bounds=bounds)
        self.assertEqual((blocked.is_found, blocked.outcome, blocked.blocked.b), (False, "impossible", wall.id))
        self.assertRaises(TypeError, fureai.plan, space, body, (0, 0, 0), (2, 0, 0))
        self.assertRaises(fureai.ArgumentError, fureai.plan, space, body, (-9, 0, 0), (2, 0, 0), bounds=bounds)
        self.assertRaises(fureai.ArgumentError, fureai.check_path, space, body, [], bounds=bounds)


if __name__ == "__main__":
    unittest.main()
