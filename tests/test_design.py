"""The design names what it rests on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def dependencies() -> list[str]:
    """Return the names of what the project needs, to run, to be tested and to be built."""
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for extra in PROJECT["project"].get("optional-dependencies", {}).values():
        wanted += extra
    for group in PROJECT["dependency-groups"].values():
        wanted += [entry for entry in group if isinstance(entry, str)]
    return sorted({re.split(r"[^\w.-]", entry, maxsplit=1)[0] for entry in wanted})


@pytest.mark.parametrize("name", dependencies())
def test_every_dependency_has_its_row(name: str) -> None:
    rows = [line for line in DESIGN.splitlines() if line.startswith("|")]
    assert any(f"`{name}`" in row for row in rows), f"docs/design.md gives no reason for {name}"


def test_every_row_is_a_dependency() -> None:
    sections = DESIGN.split("## Dependencies", 1)[1].split("\n## ", 1)[0]
    first_cells = [line.split("|")[1] for line in sections.splitlines() if line.startswith("| `")]
    assert sorted(name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)) == dependencies()
