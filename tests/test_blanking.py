"""A source without the bodies in which nothing is defined has the outline of the whole source."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

import pytest
import tree_sitter
from hypothesis import given
from hypothesis import strategies as st

from expectations import FIXTURES
from leadline_tools.languages import LANGUAGES, language_in
from leadline_tools.languages.blanking import ranges
from leadline_tools.languages.language import Language
from leadline_tools.languages.outline import Definition, outline

CASES = Path(__file__).parent / "blanking"
BLANKING = sorted(
    name for name, language in LANGUAGES.items() if language.blanked is not None and (CASES / f"{name}.txt").exists()
)
FILES = sorted(
    file.relative_to(FIXTURES).as_posix()
    for file in FIXTURES.rglob("*")
    if file.is_file() and (found := language_in(file.name, file.read_bytes())) is not None and found.name in BLANKING
)


@cache
def parser(name: str) -> tree_sitter.Parser:
    module, function = LANGUAGES[name].grammar
    return tree_sitter.Parser(tree_sitter.Language(getattr(importlib.import_module(module), function)()))


def symbols(parsed: bytes, content: bytes, language: Language) -> list[Definition]:
    """Return the outline of a tree that was read without the white space in brackets."""
    reader = parser(language.name)
    reader.included_ranges = ranges(parsed)
    return outline(reader.parse(parsed).root_node, content, language)


def blanked(content: bytes, language: Language) -> bytes:
    assert language.blanked is not None
    return language.blanked(content)


def check(content: bytes, language: Language) -> bytes:
    """Compare the outlines of a source; return it blanked."""
    lean = blanked(content, language)
    assert len(lean) == len(content)
    ends = [place for place, byte in enumerate(content) if byte in b"\r\n"]
    assert [place for place, byte in enumerate(lean) if byte in b"\r\n"] == ends
    assert symbols(lean, content, language) == outline(language.parser().parse(content).root_node, content, language)
    return lean


@pytest.mark.parametrize("path", FILES)
def test_a_fixture_has_the_same_outline_without_bodies(path: str) -> None:
    content = (FIXTURES / path).read_bytes()
    language = language_in(path, content)
    assert language is not None
    check(content, language)
    check(content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), language)


def test_ranges_leave_nothing_out_but_white_space_in_brackets() -> None:
    content = b"a {" + b" \n" * 40 + b"} b (" + b" " * 9 + b") c {" + b" " * 90 + b"x } d (" + b"\r\n" * 99 + b")\n"
    left = ranges(content)
    kept = b"".join(content[part.start_byte : part.end_byte] for part in left)
    assert kept == b"a { } b (" + b" " * 9 + b") c {" + b" " * 90 + b"x } d (\r)\n"
    for part in left:
        line = content.rfind(b"\n", 0, part.start_byte) + 1
        assert part.start_point == (content.count(b"\n", 0, part.start_byte), part.start_byte - line)
        if part is not left[-1]:
            line = content.rfind(b"\n", 0, part.end_byte) + 1
            assert part.end_point == (content.count(b"\n", 0, part.end_byte), part.end_byte - line)


@cache
def cases(name: str) -> list[tuple[str, str]]:
    """Return the titles and texts of the cases of a language; what is to be blanked stands between two ¤."""
    texts = (CASES / f"{name}.txt").read_text(encoding="utf-8").split("=== ")[1:]
    return [(text.partition("\n")[0], text.partition("\n")[2].removesuffix("<no newline>\n")) for text in texts]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "text"),
    [pytest.param(name, text, id=f"{name}: {title}") for name in BLANKING for title, text in cases(name)],
)
def test_exactly_the_bodies_in_which_nothing_is_defined_are_blanked(name: str, text: str, end: str) -> None:
    parts = [part.encode() for part in text.replace("\n", end).split("¤")]
    lean = check(b"".join(parts), LANGUAGES[name])
    place = 0
    for number, part in enumerate(parts):
        here = lean[place : place + len(part)]
        if number % 2:
            assert not here[1:-1].strip()
        else:
            assert here == part
        place += len(part)


# --- Whatever is put together


@cache
def pieces(name: str) -> list[str]:
    """Return the texts of the cases of a language, and their lines."""
    texts = [text.replace("¤", "") for _, text in cases(name)]
    return [*texts, *(f"{line}\n" for text in texts for line in text.splitlines())]


@pytest.mark.parametrize("name", BLANKING)
@given(data=st.data())
def test_programs_of_snippets_have_the_same_outline_without_bodies(name: str, data: st.DataObject) -> None:
    language = LANGUAGES[name]
    content = "".join(data.draw(st.lists(st.sampled_from(pieces(name)), max_size=8))).encode()
    if language.parser().parse(content).root_node.has_error:
        lean = blanked(content, language)
        assert len(lean) == len(content)
        assert lean.count(b"\n") == content.count(b"\n")
    else:
        check(content, language)
