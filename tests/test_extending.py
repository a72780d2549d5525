"""What the page about extending shows is what it takes: each diff, taken away and applied again, adds what it says."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import tool_pages

from leadline_tools.tool import TOOLS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
TOOL, LANGUAGE, MODEL = re.findall(r"^```diff\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RULES = PAGE[PAGE.index("### The rules of a language") : PAGE.index("A function begins with a verb")]
LANGUAGES = ROOT / "tools" / "leadline_tools" / "languages"
EXPECTATIONS = {"define", "elsewhere", "module"}
PACKAGES = ("server", "tools", "estimators")
DEADLINE = 90


@dataclass(frozen=True, slots=True)
class Copy:
    """The sources, without what a diff adds."""

    root: Path

    def apply(self, diff: str, *options: str) -> None:
        """Apply a diff; one that does not fit to the letter is refused."""
        subprocess.run(["git", "apply", *options], cwd=self.root, input=diff.encode(), check=True, timeout=DEADLINE)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run this copy's Python with ``arguments``."""
        sources = os.pathsep.join(str(self.root / package) for package in PACKAGES)
        home = {name: str(self.root / "home") for name in ("HOME", "USERPROFILE", "LOCALAPPDATA")}
        return subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=self.root / "fixtures",
            env=os.environ | home | {"PYTHONPATH": sources, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run ``leadline call``."""
        return self.run("-m", "leadline_server", "call", *arguments)


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    for part in (*PACKAGES, "fixtures/toml"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return Copy(tmp_path)


def test_the_file_of_a_tool_is_all_that_makes_it_a_tool(copy: Copy) -> None:
    copy.apply(TOOL, "--reverse")
    assert "no tool" in copy.call("count_files", "path=toml").stdout
    copy.apply(TOOL)
    answer = copy.call("count_files", "path=toml")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("count_files * in toml: ")


def test_the_file_of_a_language_is_all_that_makes_its_outlines(copy: Copy) -> None:
    other = copy.root / "fixtures" / "other.toml"
    shutil.copy(copy.root / "fixtures/toml/shop.toml", other)
    copy.apply(LANGUAGE, "--reverse")
    assert "tree-sitter-toml" not in (copy.root / "pyproject.toml").read_text(encoding="utf-8")
    assert "its language is not known" in copy.call("document_symbols", "path=other.toml").stdout
    copy.apply(LANGUAGE)
    answer = copy.call("document_symbols", "path=toml/shop.toml")
    assert answer.returncode == 0, answer.stderr
    assert "owner" in answer.stdout


def test_the_entry_of_a_model_is_all_that_makes_it_known(copy: Copy) -> None:
    named = "from leadline_estimators.profiles import profile_of; print(profile_of('deepseek-v3').name)"
    copy.apply(MODEL, "--reverse")
    assert copy.run("-c", named).stdout.strip() == "unknown"
    copy.apply(MODEL)
    assert copy.run("-c", named).stdout.strip() == "deepseek-3"


def fields_of_records() -> set[str]:
    """Return the names of what languages say of themselves."""
    modules = [ast.parse(file.read_text(encoding="utf-8")) for file in (LANGUAGES / "rules").glob("*.py")]
    records = [node for module in modules for node in module.body if isinstance(node, ast.ClassDef)]
    assert set(re.findall(r"`(\w+Rules)`", RULES)) <= {one.name for one in records}
    annotated = (node.target for one in records for node in one.body if isinstance(node, ast.AnnAssign))
    return {target.id for target in annotated if isinstance(target, ast.Name)}


def test_the_rules_that_the_page_names_are_fields_of_records() -> None:
    named = set(re.findall(r"`(?:\w+Rules\.)?([a-z_]+)`", RULES)) - EXPECTATIONS
    folders = {folder.name for folder in LANGUAGES.iterdir() if folder.is_dir()}
    assert named - folders - fields_of_records() == set()


def test_the_modules_that_the_page_names_are_in_folders_of_languages() -> None:
    named = set(re.findall(r"`(\w+\.py)`", RULES))
    assert named
    assert [name for name in sorted(named) if not list(LANGUAGES.glob(f"*/{name}"))] == []


def test_a_tool_without_kept_answers_names_the_step_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tool_pages, "SNAPSHOTS", tmp_path)
    with pytest.raises(SystemExit, match=r"missing: add a question to ASKED .* LEADLINE_UPDATE_SNAPSHOTS=1"):
        tool_pages.tool_page(TOOLS["list_files"])
