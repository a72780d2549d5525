"""Lays out the ``.mcpb`` bundle: ``scripts/bundle.py FOLDER`` puts into FOLDER what ``mcpb pack`` packs."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = ("pyproject.toml", "README.md", "LICENSE", "packaging", "server", "tools", "estimators")
"""What uv needs to build and run the project; the manifest lies beside it."""


def lay_out(folder: Path) -> None:
    """Copy the manifest and the project into an empty ``folder``."""
    folder.mkdir(parents=True)
    shutil.copy2(ROOT / "packaging" / "manifest.json", folder / "manifest.json")
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
