"""No file is missed, and code is told from the rest: text search against ``rg -lw``, lexers against parsers.

    python bench/words.py ROOT... [--words 200] [--seed 1] [--cache DIR] [--lexers]

Of each ROOT, words are drawn by seed from files drawn by seed, and the files that ``search_text`` finds with ``word``
and ``case_sensitive`` are compared with those that ripgrep finds among the same files; where it stops at a limit, the
files are taken in which it would find the word without one. Each difference is listed with its reason; exits with 1
where a file is missed without one. ``--lexers`` compares the lexer of each language with its grammar instead: on every
name of the files drawn, whether it is in code or in a comment or a string; exits with 1 where they agree on less than
99 %.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tree_sitter import Node

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.text.scan import finder
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import LANGUAGES, language_in, language_of
from leadline_tools.languages.lexing import spans
from leadline_tools.result import Result
from leadline_tools.search_text.matches import TextMatches
from leadline_tools.tool import TOOLS

INDEXING_SECONDS = 3_600
SAMPLED_FILES = 400
"""Files from which words are drawn."""

LEXED_FILES = 150
"""Files of each language of each root whose names are compared."""

MOST_BYTES = 300_000
AGREEMENT = 99.0
"""Percent of the names on which lexer and parser agree at least."""

_WORD = re.compile(r"\w\w+")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_TEXT = re.compile(
    "comment|string|char|^template$|template_s|template_lit|heredoc|regex|text_block|rune|raw_text|^text$|system_lib"
)
"""Node types of what is no code, in all grammars."""

_CODE = re.compile("interpolation|substitution|interpolated_expression|expansion|variable_name|identifier")
"""Node types of what is code all the same."""

_UNKNOWN = frozenset({"preproc_arg", "php_tag", "heredoc_start", "heredoc_beginning"})
"""Node types in which the grammar does not tell code from strings: the text of a C macro."""


@dataclass
class Compared:
    """The comparison of one language."""

    files: int = 0
    bytes: int = 0
    names: int = 0
    agreed: int = 0
    lexing: float = 0.0
    parsing: float = 0.0

    @property
    def percent(self) -> float:
        """Return how many of a hundred names both see alike."""
        return 100 * self.agreed / max(self.names, 1)


def main() -> int:
    """Compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+", type=Path, metavar="ROOT")
    parser.add_argument("--words", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--lexers", action="store_true")
    given = parser.parse_args()
    if given.lexers:
        return lexers(given.roots, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        missed = sum(words(root, given.cache or Path(folder), given.words, given.seed) for root in given.roots)
    return 1 if missed else 0


# Words


def words(root: Path, cache: Path, number: int, seed: int) -> int:
    """Compare the files that hold words; return how many were missed without a reason."""
    index = Index(root, cache)
    index.start()
    try:
        if not index.wait(INDEXING_SECONDS):
            raise TimeoutError("the index is not complete")
        drawn = _drawn(index, number, random.Random(seed))
        return _compared(index, drawn)
    finally:
        index.close()


def _drawn(index: Index, number: int, chance: random.Random) -> list[str]:
    """Return words of the tree: as often as they are written, so common ones among rare ones."""
    paths = [file.path for file in index.files.below() if file.digest]
    found: dict[str, None] = {}
    for path in chance.sample(paths, min(SAMPLED_FILES, len(paths))):
        source = index.try_read(path)
        held = _WORD.findall(source.text) if source is not None else []
        found.update(dict.fromkeys(chance.sample(held, min(3, len(held)))))
    return chance.sample(list(found), min(number, len(found)))


def _compared(index: Index, drawn: Sequence[str]) -> int:
    listed = [file.path for file in index.files.below()]
    missed = extra = hits = stopped = 0
    own = 0.0
    for word in drawn:
        began = time.process_time()
        result = _search(index, word)
        own += time.process_time() - began
        found = set(result.items.files()) if isinstance(result.items, TextMatches) else set[str]()
        if result.at_least:
            stopped += 1
            found = _holding(index, word)
        wanted = _ripgrep(index.root, word, listed)
        hits += len(found)
        for path in sorted(wanted - found):
            reason = _reason(index, path, word)
            missed += not reason
            print(f"missed  {word}  {path}  {reason or 'NO REASON'}", flush=True)
        for path in sorted(found - wanted):
            extra += 1
            print(f"extra   {word}  {path}  {_reason(index, path, word) or 'ripgrep does not find it'}")
    print(
        f"{index.root.name}: {len(drawn)} words, {hits:,} files found, {missed} missed without a reason, {extra} more"
        f" than ripgrep, {stopped} searches stopped at a limit, {1_000 * own / max(len(drawn), 1):.0f} ms of CPU a word"
    )
    return missed


def _search(index: Index, word: str) -> Result:
    tool = TOOLS["search_text"]
    arguments = tool.arguments.model_validate({"query": word, "word": True, "case_sensitive": True})
    result = tool.run(index, **dict(arguments))
    if not isinstance(result, Result):
        raise TypeError(type(result).__name__)
    return result


def _holding(index: Index, word: str) -> set[str]:
    """Return the files that a search without limits would find."""
    find = finder(word, word=True)
    with index.tree.reading() as reader:
        read = ((path, index.tree.text(path, reader.raw(path) or b"")) for path in index.words.files_with((word,)))
        return {path for path, content in read if content is not None and any(find.spans(content))}


def _ripgrep(root: Path, word: str, paths: Iterable[str]) -> set[str]:
    """Return those of ``paths`` in which ripgrep finds ``word``, whatever rules would ignore them."""
    command = ["rg", "-lwF", "--no-ignore", "--hidden", "--follow", "--no-messages", "--null", "-e", word, "."]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    ran = subprocess.run(command, cwd=root, capture_output=True, check=False, env=environment)
    found = {os.fsdecode(path).removeprefix("./") for path in ran.stdout.split(b"\0") if path}
    return found & set(paths)


def _reason(index: Index, path: str, word: str) -> str:
    """Return why both may differ on a file; empty for no reason."""
    try:
        source = index.tree.read(path)
    except LeadlineError as error:
        return f"not searched: {error}"
    if source.encoding not in ("utf-8", "utf-8-sig"):
        return f"in {source.encoding}, which ripgrep does not read as such"
    around = [source.text[max(0, m.start() - 1) : m.end() + 1] for m in re.finditer(re.escape(word), source.text)]
    odd = sorted({c for text in around for c in text if ord(c) > 0x7F})
    return f"beside {', '.join(f'U+{ord(c):04X}' for c in odd)}: no agreement on what is a word" if odd else ""


# Lexers


def lexers(roots: Sequence[Path], seed: int) -> int:
    """Compare lexers with grammars; return the exit code."""
    compared: dict[str, Compared] = defaultdict(Compared)
    for root in roots:
        for name, source in _sources(Index(root, None), random.Random(seed)):
            _compare(compared[name], source, name)
    print("| language | files | MB | names | agreement | lexer | parser (MB/s) |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, one in sorted(compared.items()):
        size = one.bytes / 1e6
        print(
            f"| {name} | {one.files:,} | {size:.1f} | {one.names:,} | {one.percent:.3f} % |"
            f" {size / max(one.lexing, 1e-9):.0f} | {size / max(one.parsing, 1e-9):.1f} |"
        )
    return 0 if all(one.percent >= AGREEMENT for one in compared.values()) else 1


def _sources(index: Index, chance: random.Random) -> Iterator[tuple[str, Source]]:
    index.refresh()
    paths: dict[str, list[str]] = defaultdict(list)
    for file in index.files.below():
        language = language_of(file.path)
        if language is not None and language.source.lexis is not None and file.size <= MOST_BYTES:
            paths[language.name].append(file.path)
    for held in paths.values():
        for path in chance.sample(held, min(LEXED_FILES, len(held))):
            source = index.try_read(path)
            language = language_in(path, source.content) if source is not None else None
            if source is not None and language is not None and language.source.lexis is not None:
                yield language.name, source
    index.close()


def _compare(compared: Compared, source: Source, name: str) -> None:
    language, content = LANGUAGES[name], source.content
    parser = language.parser()
    began = time.process_time()
    root = parser.parse(content).root_node
    parsed = time.process_time()
    found = list(spans(content, language.source.lexis)) if language.source.lexis is not None else []
    compared.lexing += time.process_time() - parsed
    compared.parsing += parsed - began
    by_parser, by_lexer = _painted(root, len(content)), bytearray(len(content))
    for span in found:
        by_lexer[span.start : span.end] = b"\1" * (span.end - span.start)
    compared.files += 1
    compared.bytes += len(content)
    for match in _NAME.finditer(content):
        quoted = content[match.end() : match.end() + 1] in (b'"', b"'", b"#")  # a prefix of a string
        if by_parser[match.start()] <= 1 and not quoted:
            compared.names += 1
            compared.agreed += by_parser[match.start()] == by_lexer[match.start()]


def _painted(root: Node, size: int) -> bytearray:
    """Return for each byte: 0 for code, 1 for a comment or a string, 2 for what the grammar does not tell."""
    painted = bytearray(size)
    cursor = root.walk()
    outer = [0]
    while (node := cursor.node) is not None:
        kind = outer[-1]
        if node.type in _UNKNOWN:
            kind = 2
        elif node.is_named and _CODE.search(node.type):
            kind = 0
        elif node.is_named and _TEXT.search(node.type):
            kind = 1
        painted[node.start_byte : node.end_byte] = bytes([kind]) * (node.end_byte - node.start_byte)
        if kind != 2 and cursor.goto_first_child():
            outer.append(kind)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return painted
            outer.pop()
    return painted


if __name__ == "__main__":
    sys.exit(main())
