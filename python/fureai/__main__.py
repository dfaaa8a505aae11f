"""python -m fureai: the command-line tool."""
import os
import shutil
import sys
from pathlib import Path


def main() -> None:
    tool = Path(__file__).parent / "prefix" / "bin" / "fureai"
    if not tool.exists():
        tool = shutil.which("fureai")
    if tool is None:
        sys.exit("fureai: the tool is not installed")
    os.execv(tool, [str(tool), *sys.argv[1:]])


if __name__ == "__main__":
    main()
