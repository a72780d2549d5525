"""One line on what a folder is: from its README, the documentation of its package, its manifest, else its names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import clean

_LONGEST = 90
"""Characters of a line; it ends with its first sentence."""

_LONGEST_PARAGRAPH = 1_000
"""Characters of a paragraph in which its first sentence ends."""

_BEGINNING = 8 << 10
"""Bytes of a file in which its documentation begins."""

_READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md", "Readme.md")
_FRONTS = (
    "__init__.py",
    "doc.go",
    "mod.rs",
    "lib.rs",
    "src/lib.rs",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
)
_STRING = re.compile(r"[rRuU]?(\"\"\"|''')")
_LICENCE = re.compile(r"copyright|licen[cs]e|spdx", re.IGNORECASE)
_SKIPPED = re.compile(r"^(?:#|=+$|-+$|~+$|\*+$|<|\[!|!\[|\.\. |:|\||```|>|\[)")
"""Lines of a README that are no sentence: headings, images, badges, directives, tables."""

_UNDERLINE = re.compile(r"^(?:=|-|~|\*|#){3,}\s*$")
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|`+|\*\*|:\w+:")
_SENTENCE = re.compile(r"(?<=[a-z)\d])[.!?](?:\s|$)")


def part_texts(index: Index, parts: Iterable[str], descriptions: Mapping[str, str]) -> Mapping[str, str]:
    """Return the line of each folder of which something says what it is; descriptions are those of manifests."""
    found = {part: _text(index, part, descriptions) for part in parts}
    return {part: text for part, text in found.items() if text}


def _text(index: Index, part: str, descriptions: Mapping[str, str]) -> str:
    folder = f"{part}/" if part else ""
    documented = (_documentation(index, folder + name) for name in _FRONTS)
    readmes = (_readme(index, folder + name) for name in _READMES)
    text = next(filter(None, (*readmes, *documented)), "") or descriptions.get(folder, "")
    return first_sentence(text)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line, cut at a word where it is long."""
    text = text[:_LONGEST_PARAGRAPH]
    line = " ".join(_MARKUP.sub(lambda match: match[1] or "", text).split())
    end = _SENTENCE.search(line)
    line = line[: end.start()] if end is not None else line.rstrip(".:")
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rpartition(" ")[0].rstrip(",;:") + "..."


def _beginning(index: Index, path: str) -> str:
    source = index.try_read(path) if index.paths.exists(path) else None
    return source.content[:_BEGINNING].decode("utf-8", "replace") if source is not None else ""


def _readme(index: Index, path: str) -> str:
    """Return the first paragraph of a README that is one."""
    lines = _beginning(index, path).splitlines()
    paragraph: list[str] = []
    for number, line in enumerate(lines):
        text = line.strip()
        title = number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1])
        if not text or title or _SKIPPED.match(text) or _UNDERLINE.match(text):
            if len(" ".join(paragraph)) > _SHORTEST:
                break
            paragraph = []
        else:
            paragraph.append(text)
    text = " ".join(paragraph)
    return text if len(text) > _SHORTEST else ""


_SHORTEST = 15
"""Characters of the shortest paragraph that says something."""


def _documentation(index: Index, path: str) -> str:
    """Return the first paragraph of the documentation of a module or package; empty where it is but a licence."""
    lines = _beginning(index, path).splitlines()
    text = (_package_comment if path.endswith(".go") else _module_documentation)(lines)
    paragraph = clean(text)
    return "" if _LICENCE.search(paragraph) else re.sub(r"^Package \w+ ", "", paragraph)


def _module_documentation(lines: Sequence[str]) -> str:
    """Return the string, the comment block or the ``//!`` with which a module begins, after plain comments."""
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("//!"):
            return "\n".join(takewhile(lambda one: one.startswith("//!"), map(str.strip, lines[number:])))
        string = _STRING.match(text)
        if string is not None:
            return "\n".join((text, *lines[number + 1 :])).partition(string[1])[2].partition(string[1])[0]
        if text.startswith("/**"):
            return "\n".join(lines[number:]).partition("*/")[0] + "*/"
        if text and not text.startswith(("#", "//")):
            break
    return ""


def _package_comment(lines: Sequence[str]) -> str:
    """Return the comment right above the clause that names a package of Go."""
    end = next((number for number, line in enumerate(lines) if line.startswith("package ")), 0)
    if end and lines[end - 1].rstrip().endswith("*/"):
        return "\n".join(lines[:end]).rpartition("/*")[2].join(("/*", ""))
    comment = list(takewhile(lambda line: line.startswith("//"), reversed(lines[:end])))
    return "\n".join(reversed(comment))
