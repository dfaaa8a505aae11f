"""Model: files read and written, errors with their place."""
import os
import tempfile
import unittest
from pathlib import Path

import fureai


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_write_and_read_every_format_that_is_written(self):
        mesh = fureai.Mesh.named("gear", is_double=True)
        model = fureai.Model.from_mesh(mesh, "gear")
        for ending in ("obj", "stl", "ply", "off", "wrl", "glb", "frm"):
            path = self.folder / f"gear.{ending}"
            model.write(path)
            self.assertEqual(sorted(os.listdir(self.folder)), [path.name])
            with fureai.Model.read(path) as again:
                self.assertEqual(again.triangle_count, mesh.triangle_count, ending)
                self.assertAlmostEqual(again.mesh().mass().area, mesh.mass().area, 5)
            path.unlink()
        model.write(self.folder / "text", format="stl-ascii")
        self.assertEqual(fureai.Model.read(str(self.folder / "text")).format, "stl-ascii")

    def test_an_error_has_its_place(self):
        path = self.folder / "bad.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
        with self.assertRaises(fureai.Error) as caught:
            fureai.Model.read(path, is_strict=True)
        error = caught.exception
        self.assertIsInstance(error, fureai.CorruptError)
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.path, error.line), (str(path), 4))
        self.assertGreater(error.column, 0)
        self.assertEqual(error.status, "FR_ERROR_CORRUPT")
        self.assertIn(f"{path}:4:{error.column}: ", str(error))

    def test_files_that_are_not_there(self):
        with self.assertRaises(OSError) as caught:
            fureai.Model.read(self.folder / "nothing.obj")
        self.assertIsInstance(caught.exception, fureai.FileError)
        model = fureai.Model.from_mesh(fureai.Mesh.box())
        self.assertRaises(fureai.FileError, model.write, self.folder / "no" / "such.obj")
        self.assertRaises(fureai.ArgumentError, model.write, self.folder / "box.xyz")
        self.assertRaises(fureai.ArgumentError, model.write, self.folder / "box.dxf")
        self.assertRaises(TypeError, fureai.Model.read, 5)
        self.assertRaises(ValueError, fureai.Model.read, "a\0b")
        self.assertEqual(os.listdir(self.folder), [])

    def test_bytes(self):
        text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\no part\nf 1 2 3\n"
        for data in (text, bytearray(text), memoryview(text)):
            model = fureai.Model.read_bytes(data, name="x.obj")
            self.assertEqual((model.triangle_count, model.format), (1, "obj"))
        self.assertRaises(fureai.Error, fureai.Model.read_bytes, b"\0\1\2")
        self.assertEqual([node.name for node in model.nodes], ["part"])

    def test_parts_and_nodes(self):
        (self.folder / "two.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no left\nf 1 2 3\no right\nf 1 2 4\nf 1 3 4\n")
        model = fureai.Model.read(self.folder / "two.obj")
        parts = model.parts()
        self.assertEqual([(name, mesh.triangle_count) for name, mesh, pose in parts], [("left", 1), ("right", 2)])
        nodes = {node.name: number for number, node in enumerate(model.nodes) if node.mesh is not None}
        self.assertEqual(model.mesh(nodes["right"]).triangle_count, 2)
        self.assertEqual(model.mesh().triangle_count, 3)
        self.assertRaises(fureai.ArgumentError, model.mesh, 99)
        self.assertIn("obj", repr(model))
        model.close()
        self.assertRaises(fureai.ClosedError, model.parts)
        self.assertRaises(fureai.ClosedError, lambda: model.nodes)

    def test_a_model_is_not_made_by_its_class(self):
        self.assertRaises(TypeError, fureai.Model)

    def test_progress_and_its_exceptions(self):
        model = fureai.Model.from_mesh(fureai.Mesh.sphere(stacks=200, slices=400))
        path = self.folder / "sphere.obj"
        seen = []
        model.write(path, progress=lambda fraction, stage: seen.append(fraction))
        self.assertTrue(seen and all(0 <= fraction <= 1 for fraction in seen))

        def fail(fraction, stage):
            raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            fureai.Model.read(path, progress=fail)
        with self.assertRaisesRegex(KeyError, "enough"):
            model.write(self.folder / "other.obj", progress=fail)
        self.assertEqual(os.listdir(self.folder), ["sphere.obj"])


if __name__ == "__main__":
    unittest.main()
