"""``scripts/fuzz TARGET [OPTION ...]``: a target with atheris, its seeds as corpus; options are those of libFuzzer."""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> None:
    """Fuzz until something is found, or as long as the options say."""
    atheris: Any = import_module("atheris")  # pip install atheris: it is needed for nothing else
    # It sees which way was taken only through modules that are imported in here.
    with atheris.instrument_imports(include=["leadline_tools", "leadline_server", "fuzz.targets"]):
        from fuzz.targets import TARGETS
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"Give one of {', '.join(TARGETS)}.")
    target = TARGETS[sys.argv.pop(1)]
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds()):
            (Path(corpus) / str(number)).write_bytes(seed)
        atheris.Setup([*sys.argv, corpus], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
