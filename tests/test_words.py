"""What people and models read is plain technical English: it has none of the words that read as translated.

This holds for the strings of the code, the page of a server, the help of the console, the descriptions of the tools and
the documents.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.cli import COMMANDS, main
from leadline_tools.tool import TOOLS

ROOT = Path(__file__).parent.parent

INSTEAD = {
    r"tells?|told|telling": "reports, returns, lists",
    r"mend(?:s|ed|ing)?": "fix",
    r"dearer|dearest": "more expensive, most expensive",
    r"anew": "again",
    r"what is left": "the rest",
    r"of how many": "number of",
    r"nobody can be asked": "say what is missing",
    r"let come": "avoid, allow",
    r"behind": "after",
    r"(?:is|are|was|were|be) asked": "receives a call; or name who asks",
    r"goes on|go on": "continues",
    r"takes? in": "includes",
    r"gives": "returns",
    r"says so": "reports it",
    r"stands": "is, occurs",
    r"apart": "separately",
    r"whoever": "name who",
}
"""What is not written, as regular expressions of whole words, and what is."""

AVOIDED = re.compile(r"\b(?:" + "|".join(INSTEAD) + r")\b", re.IGNORECASE)

ALLOWED = re.compile(r"behind a (?:reverse )?proxy|apart from", re.IGNORECASE)
"""Usual expressions with these words."""


QUESTION = re.compile(r"(?:About|From|How|Of which|Under|What|Where|Whether|Which|Who) ")
"""How a docstring begins that describes its noun instead of naming it."""


def found_in(text: str) -> list[str]:
    """Return the words of a text that are to be avoided."""
    return AVOIDED.findall(ALLOWED.sub("", text))


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module except docstrings, with their lines; of an f-string, the texts between fields."""
    tree = ast.parse(source)
    statements = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    docs = {id(value) for value in statements if isinstance(value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def prose(page: str) -> str:
    """Return a Markdown page without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL))


def helps(command: click.Command) -> Iterator[str]:
    """Yield what the help of a command says."""
    yield command.help or ""
    yield from (option.help or "" for option in command.params if isinstance(option, click.Option))


def test_strings_have_no_words_to_avoid() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), line, text)
        for part in ("server", "tools", "estimators")
        for path in sorted((ROOT / part).rglob("*.py"))
        for line, text in strings(path.read_text(encoding="utf-8"))
        if " " in text and found_in(text)  # one word alone is a name or a key
    ]
    assert found == []


STATIC = sorted((ROOT / "server/leadline_server/page/static").iterdir())


@pytest.mark.parametrize("file", STATIC, ids=[file.name for file in STATIC])
def test_the_page_has_no_words_to_avoid(file: Path) -> None:
    assert found_in(file.read_text(encoding="utf-8")) == []


def test_descriptions_of_tools_have_no_words_to_avoid() -> None:
    assert {name: words for name, tool in TOOLS.items() if (words := found_in(tool.description))} == {}


def test_the_help_of_the_console_has_no_words_to_avoid() -> None:
    with main.make_context("leadline", ["tools"]) as context:
        commands = [main, *(main.get_command(context, name) for name in COMMANDS)]
    assert [text for command in commands if command is not None for text in helps(command) if found_in(text)] == []


def test_documents_have_no_words_to_avoid() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / f"{name}.md" for name in ("README", "SECURITY", "CONTRIBUTING"))]
    found = {page.relative_to(ROOT).as_posix(): found_in(prose(page.read_text(encoding="utf-8"))) for page in pages}
    assert {page: words for page, words in found.items() if words} == {}


@pytest.mark.parametrize("package", ["server", "tools"])
def test_the_docstring_of_a_module_names_its_noun_first(package: str) -> None:
    root = ROOT / package
    begin = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")[3:40] for path in root.rglob("*.py")}
    assert begin
    assert {path: text for path, text in begin.items() if QUESTION.match(text)} == {}
