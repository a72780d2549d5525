"""``scripts/fuzz TARGET [OPTION ...]``: a target with atheris, its seeds as corpus; options are those of libFuzzer."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from fuzz.targets import TARGETS


def main() -> None:
    """Fuzz until something is found, or as long as the options say."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"Give one of {', '.join(TARGETS)}.")
    # pip install atheris: it is needed for nothing else
    import atheris  # pyright: ignore[reportMissingImports]

    target = TARGETS[sys.argv.pop(1)]
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds()):
            (Path(corpus) / str(number)).write_bytes(seed)
        atheris.Setup([*sys.argv, corpus], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
