"""python -m fureai: the command-line tool."""
import os
import sys
from pathlib import Path


def main() -> None:
    tool = Path(__file__).parent / "prefix" / "bin" / "fureai"
    if not tool.exists():
        sys.exit("fureai: this package was built without the tool")
    os.execv(tool, [str(tool), *sys.argv[1:]])


if __name__ == "__main__":
    main()
