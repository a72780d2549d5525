"""Languages without rules of our own are outlined where the pack of their grammars is installed, and only then."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import Open, write
from leadline_tools.languages import LANGUAGES, PARSED, pack
from leadline_tools.resolve.addresses import address

ROOT = Path(__file__).parent.parent
SAMPLES = Path(__file__).parent / "pack"

EXPECTED = {
    "a.apex": ("apex", "Class Shop, Method price"),
    "a.bzl": ("starlark", "Function total"),
    "a.cairo": ("cairo", "Struct Point, Function area"),
    "a.clj": (
        "clojure",
        "Module shop.basket, Variable limit, Function total, Interface Priced, Method price, Class Point, Method price",
    ),
    "a.cmake": ("cmake", "Module Shop, Variable SRC, Object shop, Function total"),
    "a.cu": ("cuda", "Struct Point, Function add"),
    "a.d": ("d", "Class Basket, Method total, Struct Point"),
    "a.el": ("elisp", "Function shop-total"),
    "a.fish": ("fish", "Function total"),
    "a.gd": ("gdscript", "Function total"),
    "a.gleam": ("gleam", "Function total"),
    "a.glsl": ("glsl", "Struct Light, Function shade"),
    "a.graphql": ("graphql", "Class Basket, Enum Colour"),
    "a.hack": ("hack", "Class Basket, Method total"),
    "a.hlsl": ("hlsl", "Struct Light, Function shade"),
    "a.hx": ("haxe", "Class Basket, Method total"),
    "a.luau": ("luau", "Function total"),
    "a.m": ("matlab", "Class Basket, Method total"),
    "a.nim": ("nim", "Function total"),
    "a.nut": ("squirrel", "Class Basket, Method total"),
    "a.odin": ("odin", "Module shop, Struct Point, Function total"),
    "a.proto": ("proto", "Struct Basket, Interface Shop, Method Buy"),
    "a.ps1": ("powershell", "Function Get-Total, Class Basket, Method Total"),
    "a.r": ("r", "Function total, Variable limit, Class Point, Method area"),
    "a.smithy": ("smithy", "Struct Basket"),
    "a.sol": ("solidity", "Class Basket, Struct Point, Method total"),
    "a.thrift": ("thrift", "Struct Basket, Interface Shop, Method buy"),
    "a.v": ("v", "Struct Point, Function total"),
    "a.vim": ("vim", "Function Total"),
    "a.wgsl": ("wgsl", "Struct Light, Function shade"),
}
"""Of each sample the language, and kind and name of its symbols in their order."""

RULED_WITH_PACK = {"clojure", "cmake", "r"}
"""The languages that have rules of their own and whose grammar is in the pack alone."""


def with_pack() -> str | None:
    """Return a Python that has the pack: this one, or one of those that ``scripts/package`` made."""
    if pack.is_installed():
        return sys.executable
    folders = (ROOT / "dist").glob("python3.*")
    return next(
        (str(folder / "bin" / "python") for folder in folders if list(folder.glob(f"lib/*/*/{pack.PACKAGE}"))), None
    )


def test_every_language_of_the_table_has_its_sample() -> None:
    assert {name for name, _ in EXPECTED.values()} == set(pack.EXTENSIONS)
    assert {sample.name for sample in SAMPLES.iterdir()} == set(EXPECTED)
    assert f"adds outlines of {len(pack.EXTENSIONS)} more" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_sample_is_outlined() -> None:
    python = with_pack()
    if python is None:
        assert "LEADLINE_PACKAGED" not in os.environ, "scripts/package installs it for the oldest Python"
        pytest.skip("no environment has leadline[all-languages]: scripts/package makes one")
    command = [python, str(Path(__file__).parent / "pack_outlines.py"), str(SAMPLES)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found = {
        sample: (language, ", ".join(f"{kind} {name}" for kind, name in symbols))
        for sample, (language, symbols) in json.loads(ran.stdout).items()
    }
    assert found == EXPECTED


def test_the_table_takes_nothing_from_languages_with_rules_of_their_own() -> None:
    ours = {extension for language in LANGUAGES.values() for extension in language.files.extensions}
    theirs = [extension for extensions in pack.EXTENSIONS.values() for extension in extensions]
    shared = {".m"}  # distinguished by what a file holds
    assert ours & set(theirs) == shared | {
        extension for name in RULED_WITH_PACK if name in LANGUAGES for extension in pack.EXTENSIONS[name]
    }
    assert len(theirs) == len(set(theirs))
    assert LANGUAGES.keys() & pack.EXTENSIONS.keys() <= RULED_WITH_PACK
    assert PARSED.keys() >= LANGUAGES.keys()


@pytest.mark.parametrize(("version", "used"), [("0.13.0", True), ("1.24.0", False)])
def test_a_pack_that_would_fetch_grammars_over_the_network_is_not_used(
    monkeypatch: pytest.MonkeyPatch, version: str, used: bool
) -> None:
    def found(_name: str) -> Any:
        return object()

    monkeypatch.setattr(importlib.util, "find_spec", found)
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: version)
    assert pack.is_installed() is used
    assert bool(pack.packed_languages()) is used


def test_without_the_pack_the_answer_says_what_is_missing(opened: Open, tmp_path: Path) -> None:
    if pack.is_installed():
        pytest.skip("the pack is installed here")
    ask = opened(write(tmp_path, {"a.nim": "proc total() = 1\n"}))
    said = ask.error("document_symbols", path="a.nim")
    assert "requires leadline[all-languages]" in said
    assert "Call read_file or search_text instead" in said


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy", "find_implementations"])
def test_where_names_are_not_resolved_nobody_is_told_that_there_are_no_uses(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    unresolved = dataclasses.replace(LANGUAGES["python"], semantics=None)
    monkeypatch.setattr(address, "language_in", lambda _path, _content: unresolved)
    ask = opened(write(tmp_path, {"a.py": "def sail():\n    return sail()\n"}))
    said = ask.error(tool, symbol="sail")
    assert "Names are not resolved in the language of 'a.py'" in said
    assert 'search_text(query="sail", word=true)' in said


def test_an_outline_offers_no_call_that_would_be_refused(opened: Open, tmp_path: Path) -> None:
    ask = opened(write(tmp_path, {"a.css": ".basket {\n  color: red;\n}\n", "a.py": "def sail():\n    return 1\n"}))
    assert "next: find_references" in ask("document_symbols", path="a.py")
    outline = ask("document_symbols", path="a.css")
    assert ".basket" in outline
    assert "symbol=" not in outline
