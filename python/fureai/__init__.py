"""Real-time interaction among 3-D objects: which faces of moving, turning, deforming meshes touch, none missed.

Right-handed, y up, metres, radians. A class a noun of the library; help(fureai.Collide) tells more.
"""
from pathlib import Path as _FilePath

from . import _fureai
from ._fureai import *

_fureai._set_folder(_FilePath(__file__).parent / "prefix" / "share" / "fureai")
__version__ = _fureai.version()
__all__ = [name for name in dir(_fureai) if not name.startswith("_")]
