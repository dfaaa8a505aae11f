"""Builds the wheel of Fureai: the module, the libraries that it needs, and the tool.

FUREAI_PREFIX names a folder that `cmake --install` filled; its libraries, tool, page, demos and objects become part of
the package. `make python` sets it. With FUREAI_SYSTEM the system has them, and they stay out, as in a package of a
distribution; FUREAI_LIBRARY_FOLDER says where below the prefix the libraries are, if not in lib.
"""
import os
import re
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

prefix = Path(os.environ.get("FUREAI_PREFIX", "/usr/local")).resolve()
libraries = prefix / os.environ.get("FUREAI_LIBRARY_FOLDER", "lib")
is_system = bool(os.environ.get("FUREAI_SYSTEM"))
header = (prefix / "include" / "fureai" / "base.h").read_text()
version = ".".join(re.search(rf"#define FR_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))

SOURCES = """
act array array_input call clash collide error handle human mesh model module move object octree plan pose
query radar record scene sector server space task_pool value world
""".split()
assert SOURCES == sorted(SOURCES)


class BuildWithPrefix(build_py):
    """Puts what the module and the tool need at run time beside them."""

    def run(self):
        super().run()
        if is_system:
            return
        target = Path(self.build_lib) / "fureai" / "prefix"
        shutil.rmtree(target, ignore_errors=True)
        (target / "lib").mkdir(parents=True)
        for library in sorted(libraries.glob("libfureai*.so.*.*")):
            if library.name.count(".") == 3:  # the name that is linked, libfureai.so.0.12
                shutil.copy2(library.resolve(), target / "lib" / library.name)
        if (prefix / "bin" / "fureai").exists():
            (target / "bin").mkdir()
            shutil.copy2(prefix / "bin" / "fureai", target / "bin" / "fureai")
        if (prefix / "share" / "fureai").exists():
            shutil.copytree(prefix / "share" / "fureai", target / "share" / "fureai")


setup(
    name="fureai",
    version=version,
    description="Real-time interaction among 3-D objects: colliding faces, none missed, of moving and deforming meshes",
    license="see LICENSE",
    python_requires=">=3.11",
    packages=["fureai"],
    package_data={"fureai": ["py.typed", "*.pyi"]},
    cmdclass={"build_py": BuildWithPrefix},
    ext_modules=[
        Extension(
            "fureai._fureai",
            [f"src/{name}.c" for name in SOURCES],
            depends=["src/module.h", "src/scene.h"],
            include_dirs=[str(prefix / "include")],
            library_dirs=[str(libraries)],
            libraries=["fureai-world", "fureai-model", "fureai"],
            runtime_library_dirs=[] if is_system else ["$ORIGIN/prefix/lib"],
            extra_compile_args=["-std=c17", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow"]
            + os.environ.get("FUREAI_PYTHON_CFLAGS", "").split(),
            extra_link_args=os.environ.get("FUREAI_PYTHON_LDFLAGS", "").split(),
            py_limited_api=True,
        )
    ],
    zip_safe=False,
)
