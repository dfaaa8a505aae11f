"""Pose and Motion: values that never change."""
import array
import math
import unittest

import fureai


class PoseTest(unittest.TestCase):
    def test_values(self):
        pose = fureai.Pose((1, 2, 3))
        self.assertEqual((pose.position, pose.rotation, pose.scale), ((1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), 1.0))
        self.assertEqual(pose, fureai.Pose(position=[1, 2, 3]))
        self.assertNotEqual(pose, fureai.Pose())
        self.assertEqual(eval(repr(pose)), pose)
        self.assertRaises(AttributeError, setattr, pose, "scale", 2.0)

    def test_bad_input(self):
        self.assertRaises(fureai.ArgumentError, fureai.Pose, (1, 2))
        self.assertRaises(fureai.ArgumentError, fureai.Pose, (0, 0, 0), (2, 0, 0, 0))
        self.assertRaises(fureai.ArgumentError, fureai.Pose, scale=0)
        self.assertRaises(fureai.NotFiniteError, fureai.Pose, (math.inf, 0, 0))
        self.assertRaises(TypeError, fureai.Pose, "abc")
        self.assertRaises(TypeError, fureai.Pose, 1)

    def test_matrix_there_and_back(self):
        pose = fureai.Pose.from_axis_angle((1, 2, 2), 0.7, position=(4, 5, 6), scale=2.0)
        again = fureai.Pose.from_matrix(pose.matrix)
        for a, b in zip((*pose.rotation, *pose.position, pose.scale), (*again.rotation, *again.position, again.scale)):
            self.assertAlmostEqual(a, b)
        mirror = [[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
        self.assertRaises(fureai.ArgumentError, fureai.Pose.from_matrix, mirror)
        shear = [[1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
        self.assertRaises(fureai.ArgumentError, fureai.Pose.from_matrix, shear)
        self.assertRaises(fureai.ArgumentError, fureai.Pose.from_matrix, [[1, 0, 0, 0]])

    def test_apply_is_what_the_matrix_says(self):
        pose = fureai.Pose.from_axis_angle((0, 1, 0), math.pi / 2, position=(1, 0, 0))
        for got, expected in zip(pose.apply((0, 0, 1)), (2, 0, 0)):
            self.assertAlmostEqual(got, expected)
        points = array.array("d", [0, 0, 1, 1, 1, 1])
        self.assertEqual(pose.apply_many(points).tolist(), [pose.apply((0, 0, 1)), pose.apply((1, 1, 1))])
        self.assertEqual(points.tolist(), [0, 0, 1, 1, 1, 1])
        there_and_back = (pose * pose.inverse()).apply((3, 4, 5))
        for got, expected in zip(there_and_back, (3, 4, 5)):
            self.assertAlmostEqual(got, expected)
        self.assertRaises(TypeError, lambda: pose * 2)

    def test_motion(self):
        a, b = fureai.Pose(), fureai.Pose.from_axis_angle((0, 0, 1), 1.0, position=(2, 0, 0))
        motion = fureai.Motion.between(a, b)
        self.assertEqual(motion.pose(0), a)
        for got, expected in zip(motion.pose(1).position, b.position):
            self.assertAlmostEqual(got, expected)
        self.assertAlmostEqual(motion.turn[2], 1.0)
        self.assertAlmostEqual(motion.point((0, 0, 0), 0.5)[0], 1.0)
        several = fureai.Motion(turn=(0, 0, 20.0))
        self.assertEqual(several.turn, (0.0, 0.0, 20.0))
        screw = fureai.Motion.between(a, b, screw=True)
        self.assertAlmostEqual(screw.pose(1).position[0], 2.0)
        self.assertIn("travel", repr(motion))
        self.assertRaises(TypeError, fureai.Motion, 5)


if __name__ == "__main__":
    unittest.main()
