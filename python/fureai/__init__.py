"""Real-time interaction among 3-D objects: which faces of moving, turning, deforming meshes touch, none missed.

Right-handed, y up, metres, radians. A class a noun of the library; help(fureai.Collide) tells more.
"""
import sys as _sys
from pathlib import Path as _FilePath

from . import _fureai
from ._fureai import *

# Page, demos and objects: in the package, or the system's.
_prefix = _FilePath(__file__).parent / "prefix"
_fureai._set_folder((_prefix if _prefix.exists() else _FilePath(_sys.prefix)) / "share" / "fureai")
__version__ = _fureai.version()
__all__ = [name for name in dir(_fureai) if not name.startswith("_")]
