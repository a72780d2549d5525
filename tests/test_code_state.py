"""An answer that is kept is not handed out by other code than computed it."""

from __future__ import annotations

from pathlib import Path

from conftest import write
from leadline_server import __version__
from leadline_server.code_state import name_code

_FILES = {"server/package/rules.py": "DEPTH = 1\n"}


def test_the_sources_of_a_checkout_name_the_code_along_with_its_version(tmp_path: Path) -> None:
    package = write(tmp_path, {**_FILES, "pyproject.toml": ""}) / "server/package"
    before = name_code(package)
    assert before.startswith(f"{__version__}+")
    assert name_code(package) == before
    write(tmp_path, {"server/package/rules.py": "DEPTH = 12\n"})
    assert name_code(package) != before


def test_the_version_names_the_code_of_an_installed_package(tmp_path: Path) -> None:
    assert name_code(write(tmp_path, _FILES) / "server/package") == __version__
