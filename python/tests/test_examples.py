"""Every example runs in an empty folder and leaves the picture of its name."""
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "examples"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "picture")


class ExamplesTest(unittest.TestCase):
    def test_there_are_ten(self):
        self.assertGreaterEqual(len(EXAMPLES), 10)

    def test_each(self):
        for name in EXAMPLES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-B", FOLDER / f"{name}.py"], cwd=folder, capture_output=True, text=True,
                                      timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"[1-9]")
                picture = xml.etree.ElementTree.parse(Path(folder) / f"{name}.svg").getroot()
                self.assertGreater(len(picture), 10)


if __name__ == "__main__":
    unittest.main()
