"""``python -m leadline_server`` is ``leadline``."""

import os
import sys

# Started with -m, Python looks for every module in the current folder first, and that is somebody's repository.
if sys.path and sys.path[0] in {"", os.getcwd()}:  # noqa: PTH109  pathlib could come from that folder
    del sys.path[0]

from leadline_server.cli import main

if __name__ == "__main__":
    main(prog_name="leadline")
