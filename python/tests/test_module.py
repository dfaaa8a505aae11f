"""The module as a whole: version, names, stubs, docstrings, the tool."""
import ast
import inspect
import subprocess
import sys
import unittest
from pathlib import Path

import fureai


def stub_names(body):
    """The names that a stub defines, with the members of classes."""
    names = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = set(stub_names(node.body))
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = set()
    return names


class ModuleTest(unittest.TestCase):
    def test_version(self):
        self.assertRegex(fureai.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(fureai.__version__, fureai.version())
        self.assertIn(fureai.simd(), ("baseline", "avx2"))

    def test_stubs_name_what_is_there_and_nothing_else(self):
        stub = Path(fureai.__file__).with_name("__init__.pyi")
        names = stub_names(ast.parse(stub.read_text()).body)
        self.assertTrue(Path(fureai.__file__).with_name("py.typed").exists())
        self.assertEqual({name for name in names if not name.startswith("_")}, set(fureai.__all__))
        for name in fureai.__all__:
            value = getattr(fureai, name)
            if not inspect.isclass(value) or issubclass(value, BaseException):
                continue
            members = {member for member in vars(value) if not member.startswith("_")}
            members -= {"n_fields", "n_sequence_fields", "n_unnamed_fields"}
            stubbed = {member for member in names[name] if not member.startswith("_")}
            self.assertEqual(stubbed, members, name)

    def test_everything_has_a_docstring_and_a_repr(self):
        for name in fureai.__all__:
            value = getattr(fureai, name)
            if isinstance(value, int):
                continue
            self.assertTrue(value.__doc__, name)
            for member, method in vars(value).items() if inspect.isclass(value) else ():
                if not member.startswith("_") and not issubclass(value, tuple) and callable(method):
                    self.assertTrue(method.__doc__, f"{name}.{member}")
            if inspect.isclass(value) and not issubclass(value, (tuple, BaseException)):
                self.assertIsNot(value.__repr__, object.__repr__, name)

    def test_errors_are_one_class_a_kind(self):
        kinds = [getattr(fureai, name) for name in fureai.__all__ if name.endswith("Error") and name != "Error"]
        self.assertEqual(len(kinds), 15)
        for kind in kinds:
            self.assertTrue(issubclass(kind, fureai.Error))
        error = fureai.ArgumentError("x")
        self.assertEqual((error.path, error.line, error.column), (None, 0, 0))

    def test_python_m_fureai_is_the_tool(self):
        if not (Path(fureai.__file__).parent / "prefix" / "bin" / "fureai").exists():
            self.skipTest("the package was built without the tool")
        run = lambda *words: subprocess.run([sys.executable, "-m", "fureai", *words], capture_output=True, text=True)
        self.assertIn(fureai.version(), run("--version").stdout)
        self.assertEqual(run("nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
