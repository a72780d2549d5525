"""A source without the bodies in which nothing is defined has the outline of the whole source."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Node

from expectations import FIXTURES
from leadline_tools.index.workers.worker_pool import DEADLINE
from leadline_tools.languages import LANGUAGES, language_in
from leadline_tools.languages.blanking import blank
from leadline_tools.languages.language import Language, Parser
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk import sources

CASES = Path(__file__).parent / "blanking"
BLANKING = sorted(
    name
    for name, language in LANGUAGES.items()
    if language.source.bodies is not None and (CASES / f"{name}.txt").exists()
)
FILES = sorted(
    file.relative_to(FIXTURES).as_posix()
    for file in FIXTURES.rglob("*")
    if file.is_file() and (found := language_in(file.name, file.read_bytes())) is not None and found.name in BLANKING
)


def symbols(content: bytes, language: Language, *, bodies: bool) -> list[Definition]:
    """Return the symbols as the index has them, without their parameters, or those of the whole source."""
    of = parser(language.name)
    found = sources.whole_outline(content, of).definitions if bodies else sources.symbols(content, of)
    return [definition._replace(parameters=None) for definition in found]


@cache
def parser(name: str) -> Parser:
    return LANGUAGES[name].parser()


def blanked(content: bytes, language: Language) -> bytes:
    """Return a source with each body as two brackets with nothing but lines in between."""
    assert language.source.bodies is not None
    parts, done = [], 0
    for start, end in language.source.bodies(content).spans:
        brackets = language.source.empty_body or content[start : start + 1] + content[end - 1 : end]
        if content.endswith(b"\n", start, end):
            brackets = blank(brackets)
        parts += [content[done:start], brackets[:1], blank(content[start + 1 : end - 1]), brackets[1:]]
        done = end
    return b"".join((*parts, content[done:]))


def check(content: bytes, language: Language) -> bytes:
    """Compare the outlines of a source; return it blanked."""
    lean = blanked(content, language)
    assert len(lean) == len(content)
    ends = [place for place, byte in enumerate(content) if byte in b"\r\n"]
    assert [place for place, byte in enumerate(lean) if byte in b"\r\n"] == ends
    assert symbols(content, language, bodies=False) == symbols(content, language, bodies=True)
    return lean


@pytest.mark.parametrize("path", FILES)
def test_a_fixture_has_the_same_outline_without_bodies(path: str) -> None:
    content = (FIXTURES / path).read_bytes()
    language = language_in(path, content)
    assert language is not None
    check(content, language)
    check(content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), language)


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


def has_loose_block(around: Node) -> bool:
    """Return whether there are braces outside of everything, which no program of C has and its grammar takes."""
    return any(
        child.type == "compound_statement" or (child.type.startswith("preproc_") and has_loose_block(child))
        for child in around.children
    )


@pytest.mark.parametrize("name", BLANKING)
@given(data=st.data())
def test_programs_of_snippets_have_the_same_outline_without_bodies(name: str, data: st.DataObject) -> None:
    language = LANGUAGES[name]
    content = "".join(data.draw(st.lists(st.sampled_from(pieces(name)), max_size=8))).encode()
    root = parser(name).parse(content).root_node
    if root.has_error or has_loose_block(root):
        lean = blanked(content, language)
        assert len(lean) == len(content)
        assert lean.count(b"\n") == content.count(b"\n")
    else:
        check(content, language)


OPENINGS = (
    "{",
    "(",
    "<",
    '"',
    "'",
    "`",
    "/*",
    "/",
    "a<",
    "x <a> ",
    "\nfunc f(",
    "\nfn f(){",
    "\nint f(",
    "\ndef f():\n '''",
    ") {",
)


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("name", BLANKING)
def test_what_is_never_closed_keeps_its_length_and_its_lines(name: str, opening: str) -> None:
    content = (opening * 5_000).encode()
    lean = blanked(content, LANGUAGES[name])
    assert len(lean) == len(content)
    assert lean.count(b"\n") == content.count(b"\n")


def test_a_list_that_closes_inside_of_a_line_takes_nothing_of_what_follows() -> None:
    source = b"static const int gains[] = {\n\t125, 1, 250, 1 };\n\nstatic int gain(int a)\n{\n\treturn gains[a];\n}\n"
    language = LANGUAGES["c"]
    assert [found.name for found in symbols(source, language, bodies=True)] == ["gains", "gain"]
    check(source, language)


def test_a_specifier_on_a_line_of_its_own_belongs_to_what_it_specifies() -> None:
    source = b"int before;\nextern\nint after(struct one *first);\n"
    _, after = symbols(source, LANGUAGES["c"], bodies=True)
    assert source[slice(*after.signature)] == b"extern\nint after(struct one *first);"
    check(source, LANGUAGES["c"])


def test_the_text_of_a_macro_that_looks_like_an_attribute_takes_nothing_of_what_follows() -> None:
    source = b"#define again(size)\t\\\n\t__sized(1, size)\nextern void after(struct one *first, int second);\n"
    assert [found.name for found in symbols(source, LANGUAGES["c"], bodies=True)] == ["again", "after"]
    check(source, LANGUAGES["c"])
    check(source.replace(b"\n", b"\r\n"), LANGUAGES["c"])


@pytest.mark.parametrize(
    "source",
    [
        b"\tf(a);," * 500_000,
        b"\tf(a),\n" * 100_000 + b"\tg(b);,\n" * 100_000,
        b"int f(int a)\n{\n" + b"#" * 2_000_000 + b"\n}\n",
        (b"__a " * 400 + b"(b);" * 100 + b"\n") * 500,
        b"/*\n" + b"int f(int a);\n" * 80_000,
        b"int a\n" + b"int f(int a);\n" * 80_000,
        b"#define A(b\n" * 100_000,
        b"int a[] = {\n#define B 1 /*\n};\n" * 50_000,
    ],
    ids=[
        "one line",
        "lines that go on",
        "a line of hashes",
        "words",
        "an open comment",
        "prototypes",
        "parentheses",
        "values",
    ],
)
def test_a_hostile_source_of_c_is_worked_through_long_before_a_worker_is_ended(source: bytes) -> None:
    began = time.process_time()
    blanked(source, LANGUAGES["c"])
    assert time.process_time() - began < DEADLINE / 2
