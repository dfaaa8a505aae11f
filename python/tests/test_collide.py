"""Collide: pairs against brute force written here, over a step against samples, memory of results."""
import gc
import random
import resource
import unittest

import fureai


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def separated(p, q):
    """Whether an axis separates two triangles in general position: normals and products of edges."""
    edges = lambda t: [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])]
    axes = [cross(edges(p)[0], edges(p)[1]), cross(edges(q)[0], edges(q)[1])]
    axes += [cross(a, b) for a in edges(p) for b in edges(q)]
    for axis in axes:
        low_p, high_p = min(dot(axis, x) for x in p), max(dot(axis, x) for x in p)
        low_q, high_q = min(dot(axis, x) for x in q), max(dot(axis, x) for x in q)
        if high_p < low_q or high_q < low_p:
            return True
    return False


def brute(a, b):
    of_a = [a.corners(i) for i in range(a.triangle_count)]
    of_b = [b.corners(i) for i in range(b.triangle_count)]
    return {(i, k) for i, p in enumerate(of_a) for k, q in enumerate(of_b) if not separated(p, q)}


def some_pose(generator):
    axis = [generator.uniform(-1, 1) for _ in range(3)]
    place = [generator.uniform(-0.9, 0.9) for _ in range(3)]
    return fureai.Pose.from_axis_angle(axis, generator.uniform(-3, 3), position=place)


class CollideTest(unittest.TestCase):
    def pair_of(self, space, shape="sphere_80"):
        return space.add(fureai.Mesh.named(shape)), space.add(fureai.Mesh.named(shape), (1.2, 0.1, 0.05))

    def test_static_is_brute_force(self):
        generator = random.Random(31)
        collide = fureai.Collide()
        with fureai.Space() as space:
            a, b = self.pair_of(space)
            for _ in range(4):
                a.pose, b.pose = some_pose(generator), some_pose(generator)
                space.update()
                expected = brute(a, b)
                for method in ("auto", "brute", "octree", "face octree"):
                    pairs = collide.static(space, method=method).pairs
                    self.assertEqual({(p.triangle_a, p.triangle_b) for p in pairs}, expected)
                two = collide.static_pair(space, a, b).pairs
                self.assertEqual({(p.triangle_a, p.triangle_b) for p in two}, expected)

    def test_continuous_holds_every_sample(self):
        generator = random.Random(7)
        collide = fureai.Collide()
        with fureai.Space() as space:
            a, b = self.pair_of(space, "sphere_24")
            a.pose, b.pose = (-3, 0.2, 0), (0, 0, 0)
            motion = fureai.Motion(a.pose, travel=(6, 0, 0), turn=(0, 4.0, 1.0))
            a.motion = motion
            space.update()
            result = collide.continuous(space, want="contacts")
            times = {(p.triangle_a, p.triangle_b): p.time for p in result.pairs}
            self.assertTrue(0.0 < result.free_time < 0.5)
            self.assertEqual(len(collide.static(space).pairs), 0)
            for _ in range(12):
                t = generator.uniform(0.2, 0.8)
                a.pose = motion.pose(t)
                for pair in brute(a, b):
                    self.assertLessEqual(times[pair], t)
            self.assertEqual(len(result.contacts), len(result.pairs))

    def test_records(self):
        collide = fureai.Collide()
        with fureai.Space() as space:
            a, b = self.pair_of(space)
            space.update()
            result = collide.static(space, want="contacts", is_containment_wanted=True)
            self.assertIsNone(collide.static(space).contacts)
            contact = result.contacts[0]
            self.assertEqual(space.object(contact.a), a)
            self.assertEqual(space.object(contact.b), b)
            self.assertEqual(contact.sense, "static")
            self.assertIsNone(contact.approach)
            self.assertEqual(result.object_pairs[0].relation, "crossing")
            self.assertEqual(result.object_pairs[0].count, len(result.pairs))
            self.assertEqual(result.pairs["triangle_a"].tolist(), [p.triangle_a for p in result.pairs])
            self.assertEqual(memoryview(result.pairs).itemsize, 24)
            self.assertIn("FacePair", repr(result.pairs))
            self.assertGreater(result.stats.tested, 0)
            b.pose = fureai.Pose((0, 0, 0), scale=0.2)
            space.update()
            inside = collide.static(space, is_containment_wanted=True)
            self.assertEqual([p.relation for p in inside.object_pairs], ["b inside"])

    def test_margin_intervals_self_and_deforming(self):
        collide = fureai.Collide()
        with fureai.Space() as space:
            a = space.add(fureai.Mesh.box())
            b = space.add(fureai.Mesh.box(), (1.1, 0, 0))
            space.update()
            self.assertEqual(len(collide.static(space).pairs), 0)
            self.assertGreater(len(collide.static(space, margin=0.11).pairs), 0)
            self.assertRaises(fureai.ArgumentError, collide.static, space, margin=-1)
            b.motion = fureai.Motion(b.pose, turn=(0, 0, 12.6))  # two turns: the corner comes by several times
            space.update()
            result = collide.continuous(space, want="intervals")
            by_pair = {}
            for interval in result.intervals:
                by_pair.setdefault(interval.pair, []).append(interval)
            self.assertGreater(max(map(len, by_pair.values())), 3)
            b.remove()
            cloth = space.add(fureai.Mesh([(0, 5, 0), (1, 5, 0), (0, 6, 0), (0, 5, 1), (1, 5, 1), (0, 6, 1)],
                                          [(0, 1, 2), (3, 4, 5)]), flags=fureai.SELF)
            through = [(0, 5, 0), (1, 5, 0), (0, 6, 0), (0.2, 5.2, -1), (0.3, 5.2, 1), (0.2, 5.3, 1)]
            cloth.set_next_vertices(through)
            space.update()
            self.assertEqual(len(collide.static(space).pairs), 0)
            folded = collide.continuous(space).pairs
            self.assertEqual([(p.a, p.b, p.triangle_a, p.triangle_b) for p in folded], [(cloth.index, cloth.index, 0, 1)])
            space.commit()
            space.update()
            self.assertEqual(len(collide.static_pair(space, cloth, cloth).pairs), 1)
            self.assertRaises(fureai.ArgumentError, cloth.set_vertices, through[:-1])
            cloth.set_vertices(through)

    def test_results_stay_while_they_are_held(self):
        collide = fureai.Collide()
        with fureai.Space() as space:
            a, b = self.pair_of(space)
            space.update()
            first = collide.static(space).pairs
            before = first.tolist()
            column = first["triangle_a"]
            b.pose = (0.5, 0.5, 0)
            space.update()
            second = collide.static(space).pairs
            self.assertNotEqual(second.tolist(), before)
            self.assertEqual(first.tolist(), before)
        collide.close()
        del first, second
        gc.collect()
        self.assertEqual(column.tolist(), [p[2] for p in before])
        self.assertRaises(fureai.ClosedError, collide.static, space)

    def test_memory_is_used_again_when_results_are_gone(self):
        collide = fureai.Collide()
        with fureai.Space() as space:
            self.pair_of(space)
            space.update()
            before = resident_bytes()
            for _ in range(3000):
                self.assertGreater(len(collide.static(space).pairs), 0)
            self.assertLess(resident_bytes() - before, 4 << 20)

    def test_filter(self):
        collide = fureai.Collide()
        with fureai.Space() as space, fureai.TaskPool(4) as tasks:
            for i in range(6):
                space.add(fureai.Mesh.named("sphere_80"), (0.5 * i, 0, 0))
            space.update()
            seen = []
            result = collide.static(space, filter=lambda a, b: seen.append((a, b)) or a == 0, tasks=tasks)
            self.assertEqual({p.a for p in result.pairs}, {0})
            self.assertIn((1, 2), seen)

            def fail(a, b):
                raise KeyError((a, b))

            self.assertRaises(KeyError, collide.static, space, filter=fail, tasks=tasks)
            self.assertRaises(TypeError, collide.static, space, filter=5)

            def change(a, b):
                space.objects[0].pose = (1, 1, 1)

            self.assertRaises(fureai.BusyError, collide.static, space, filter=change)
            self.assertRaises(fureai.BusyError, collide.static, space, filter=lambda a, b: collide.static(space))
            self.assertRaises(fureai.BusyError, collide.static, space, filter=lambda a, b: space.close())
            self.assertEqual(len(collide.static(space, tasks=tasks).pairs), len(collide.static(space).pairs))

    def test_bad_input(self):
        collide = fureai.Collide()
        space = fureai.Space()
        box = space.add(fureai.Mesh.box())
        self.assertRaises(fureai.StaleDataError, collide.static, space)
        space.update()
        self.assertRaises(TypeError, collide.static)
        self.assertRaises(TypeError, collide.static, 5)
        self.assertRaises(TypeError, collide.static, space, 5)
        self.assertRaisesRegex(TypeError, "did you mean 'margin'", collide.static, space, margn=1)
        self.assertRaisesRegex(fureai.ArgumentError, "did you mean 'contacts'", collide.static, space, want="contact")
        self.assertRaises(TypeError, collide.static, space, want=5)
        self.assertRaises(TypeError, collide.static, space, margin="a")
        self.assertRaises(fureai.ArgumentError, collide.static, space, budget=-1)
        self.assertRaises(TypeError, collide.static_pair, space, box, 5)
        other = fureai.Space().add(fureai.Mesh.box())
        self.assertRaises(fureai.StaleIdError, collide.static_pair, space, box, other)
        self.assertRaises(TypeError, collide.static, space, tasks=space)
        pool = fureai.TaskPool(2)
        pool.close()
        self.assertRaises(fureai.ClosedError, collide.static, space, tasks=pool)


if __name__ == "__main__":
    unittest.main()
