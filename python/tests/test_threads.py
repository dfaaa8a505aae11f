"""Threads, signals and the end of the interpreter, each with a call that takes long."""
import subprocess
import sys
import threading
import time
import unittest

import fureai

# A query of many seconds: every triangle of two large spheres with every other.
LONG = """
import fureai, threading, time, sys, signal, os
space = fureai.Space()
space.add(fureai.Mesh.sphere(stacks=220, slices=400))
space.add(fureai.Mesh.sphere(stacks=220, slices=400), (0.1, 0.1, 0.1))
space.update()
collide = fureai.Collide()
def long(**options): return collide.static(space, method="brute", **options)
"""


def run(code, **options):
    return subprocess.run([sys.executable, "-X", "faulthandler", "-c", LONG + code], capture_output=True, text=True,
                          timeout=300, **options)


class ThreadsTest(unittest.TestCase):
    def test_the_gil_is_released(self):
        done = run("""
thread = threading.Thread(target=lambda: results.append(long(budget=0)), daemon=True)
results = []
thread.start()
count, end = 0, time.monotonic() + 1.0
while time.monotonic() < end:
    count += 1
print(thread.is_alive(), count > 10000)
os._exit(0)
""")
        self.assertEqual(done.stdout, "True True\n", done.stderr)

    def test_ctrl_c_stops_a_call(self):
        done = run("""
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    long()
except KeyboardInterrupt:
    print("stopped", time.monotonic() - start < 60)
    print(len(collide.static(space).pairs) > 0)
""")
        self.assertEqual(done.stdout, "stopped True\nTrue\n", done.stderr)

    def test_an_exception_of_a_signal_handler_comes_through(self):
        done = run("""
def handler(number, frame): raise ZeroDivisionError("by the handler")
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    long()
except ZeroDivisionError as error:
    print(error)
""")
        self.assertEqual(done.stdout, "by the handler\n", done.stderr)

    def test_one_thread_at_a_time_changes(self):
        done = run("""
thread = threading.Thread(target=lambda: long(), daemon=True)
thread.start()
time.sleep(0.3)
for name, change in {"pose": lambda: setattr(space.object(0), "pose", (1, 1, 1)), "update": space.update,
                     "close": space.close, "collide": lambda: collide.static(space), "end": collide.close}.items():
    try:
        change()
        print(name, "went on")
    except fureai.BusyError as error:
        print(name, "busy")
print(len(fureai.Collide().static(space).pairs) > 0, space.object(0).triangle_count)
os._exit(0)
""")
        lines = [f"{name} busy" for name in ("pose", "update", "close", "collide", "end")]
        self.assertEqual(done.stdout.splitlines(), [*lines, f"True {2 * 400 * 219}"], done.stderr)

    def test_many_threads_query_one_space(self):
        with fureai.Space() as space:
            for i in range(5):
                space.add(fureai.Mesh.named("sphere_360"), (0.7 * i, 0, 0))
            space.update()
            expected = fureai.Collide().static(space).pairs.tolist()
            results = []

            def query():
                collide = fureai.Collide()
                results.extend(collide.static(space).pairs.tolist() == expected for _ in range(20))

            threads = [threading.Thread(target=query) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(results, [True] * 80)

    def test_an_array_that_changes_while_it_is_read(self):
        # A mesh checks its own copy: it is one of some mixture, or refused. What is being read cannot be resized.
        done = run("""
import array, random
sphere = fureai.Mesh.sphere(stacks=300, slices=300)
vertices, triangles = (array.array(kind, memoryview(part).cast("B").tobytes()) for kind, part in
                       (("f", sphere.vertices), ("I", sphere.triangles)))
count, going, resized = len(vertices) // 3, True, 0
def change():
    global resized
    draw = random.Random(1)
    while going:
        for _ in range(200):
            triangles[draw.randrange(len(triangles))] = draw.choice((0, count - 1, count, 2 ** 32 - 1))
            vertices[draw.randrange(len(vertices))] = draw.choice((0.0, 1e30, float("nan")))
        try:
            vertices.append(0.0)
            vertices.pop()
        except BufferError:
            resized += 1
thread = threading.Thread(target=change)
thread.start()
made = refused = 0
for _ in range(12):
    try:
        mesh = fureai.Mesh(vertices, triangles)
        made += max(memoryview(mesh.triangles).cast("B").cast("I")) < count
    except fureai.Error:
        refused += 1
    triangles[:] = array.array("I", memoryview(sphere.triangles).cast("B").tobytes())
going = False
thread.join()
print(made + refused, refused > 0)
""")
        self.assertEqual(done.stdout, "12 True\n", done.stderr)

    def test_the_interpreter_ends_during_a_call(self):
        start = time.monotonic()
        for _ in range(2):
            done = run("""
threading.Thread(target=long, daemon=True).start()
time.sleep(0.2)
print("end")
""")
            self.assertEqual((done.returncode, done.stdout), (0, "end\n"), done.stderr)
            self.assertNotIn("Fatal", done.stderr)
        self.assertLess(time.monotonic() - start, 240)


if __name__ == "__main__":
    unittest.main()
