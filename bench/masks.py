"""Counts the lines of trees in which keys are masked: python bench/masks.py TREE... Look at each that it names."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from leadline_tools.index.text.key_masking import mask_keys
from leadline_tools.index.text.source_text import is_binary

LARGEST = 4 << 20
"""Bytes of the largest file that is read."""


def texts(root: Path) -> list[Path]:
    return [
        Path(folder) / name
        for folder, _, names in os.walk(root)
        if ".git" not in Path(folder).relative_to(root).parts
        for name in names
        if not (Path(folder) / name).is_symlink()
    ]


def main() -> None:
    for root in map(Path, sys.argv[1:]):
        lines = masked = 0
        seconds = 0.0
        for path in texts(root):
            text = path.read_bytes() if path.stat().st_size <= LARGEST else b""
            if is_binary(text):
                continue
            lines += text.count(b"\n")
            started = time.perf_counter()
            shown = mask_keys(text)
            seconds += time.perf_counter() - started
            if shown is not text:
                differing = sum(one != other for one, other in zip(text.split(b"\n"), shown.split(b"\n"), strict=True))
                masked += differing
                print(f"  {path.relative_to(root)}: {differing}")
        print(f"{root.name}: {masked} of {lines:,} lines, {seconds:.1f} s")


if __name__ == "__main__":
    main()
