"""Outlines without the bodies of functions against those of whole files; exits with 1 if one differs.

    python bench/blanking.py ROOT... [--files N] [--seed N] [--languages NAME,...]

Every file of a language that blanks is parsed twice, whole and blanked, side by side. What differs is listed, and so
is whether the file parses without error: only then equality is promised. Times are CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from leadline_tools.errors import LeadlineError
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.workers.worker import LARGEST
from leadline_tools.languages import LANGUAGES, language_in, language_of
from leadline_tools.languages.blanking import Bodies
from leadline_tools.languages.language import Language, Parser
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk.sources import symbols
from leadline_tools.languages.outline_walk.walk import outline


@dataclass
class Sum:
    """What was measured for one language; times are CPU seconds."""

    files: int = 0
    size: int = 0
    emptied: int = 0
    symbols: int = 0
    broken: int = 0
    different: int = 0
    different_and_broken: int = 0
    blank: float = 0.0
    parts: dict[str, list[float]] = field(default_factory=lambda: {"full": [0.0, 0.0], "blanked": [0.0, 0.0]})

    def row(self, language: str) -> str:
        """Return the row of the table, in MB and MB/s."""
        size = self.size / 1e6
        whole = sum(self.parts["full"])
        lean = sum(self.parts["blanked"])
        rates = " | ".join(
            f"{size / max(seconds, 1e-9):.1f}"
            for seconds in (*self.parts["full"], self.blank, *self.parts["blanked"], whole, lean)
        )
        return (
            f"| {language} | {self.files:,} | {size:.1f} | {self.symbols:,} "
            f"| {self.different - self.different_and_broken}"
            f" | {self.broken} | {self.different_and_broken} | {self.emptied / max(self.size, 1):.0%} | {rates}"
            f" | {whole / max(lean, 1e-9):.2f} |"
        )


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=0, help="the most files of a root, drawn by seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--languages", default="", help="only these, separated by commas")
    arguments = parser.parse_args()
    sums: defaultdict[str, Sum] = defaultdict(Sum)
    for root in arguments.roots:
        for path, content, language in sources(root, arguments.files, arguments.seed):
            if arguments.languages and language.name not in arguments.languages.split(","):
                continue
            measure(f"{root.name}/{path}", content, language, sums[language.name])
    print("| language | files | MB | symbols | differ | with errors | of which differ | blanked", end=" | ")
    print(
        "whole: parse MB/s | outline | blanking alone | blanked: parse | outline | whole: sum | blanked: sum | times |"
    )
    print("|---|" + "---:|" * 15)
    for name, total in sorted(sums.items()):
        print(total.row(name))
    return int(any(total.different > total.different_and_broken for total in sums.values()))


def sources(root: Path, most: int, seed: int) -> Iterator[tuple[str, bytes, Language]]:
    """Yield path, content and language of the files below ``root`` whose language blanks."""
    tree = DiskTree(root)
    found = (file.relative_to(root).as_posix() for file in sorted(root.rglob("*")) if file.is_file())
    paths = [path for path in found if (known := language_of(path)) is not None and known.source.bodies is not None]
    if 0 < most < len(paths):
        paths = sorted(random.Random(seed).sample(paths, most))
    for path in paths:
        try:
            content = tree.read(path).content
        except LeadlineError:
            continue
        language = language_in(path, content)
        if language is not None and language.source.bodies is not None and len(content) <= LARGEST:
            yield path, content, language


@cache
def parser_of(name: str) -> Parser:
    """Return the parser of a language, which has parsed: expressions are compiled when they are first needed."""
    parser = LANGUAGES[name].parser()
    symbols(b"\n", parser)
    return parser


def measure(path: str, content: bytes, language: Language, total: Sum) -> None:
    """Parse a file both ways, add the times to ``total`` and print what differs."""
    if language.source.bodies is None:
        return
    parser_of(language.name)
    started = time.process_time()
    bodies = language.source.bodies(content)
    spent = time.process_time() - started
    total.blank += spent
    total.parts["blanked"][0] += spent
    lean, _ = outlined(content, language, total.parts["blanked"], bodies)
    directives = language.source.directives(content) if language.source.directives is not None else Bodies(())
    whole, broken = outlined(content, language, total.parts["full"], directives)
    total.files += 1
    total.size += len(content)
    total.emptied += sum(written(content[start + 1 : end - 1]) for start, end in bodies.spans)
    total.symbols += len(whole)
    total.broken += broken
    if lean != whole:
        total.different += 1
        total.different_and_broken += broken
        report(path, whole, lean, broken=broken)


def outlined(
    content: bytes, language: Language, spent: list[float], bodies: Bodies
) -> tuple[Sequence[Definition], bool]:
    """Return the outline and whether the tree has errors; add the times of parsing and of the walk."""
    clock: Callable[[], float] = time.process_time
    parser = parser_of(language.name)
    started = clock()
    root = parser.parse(content, bodies.spans).root_node
    between = clock()
    found = outline(root, content, language, parameters=False, left_out=bodies)
    spent[0] += between - started
    spent[1] += clock() - between
    return found, root.has_error


def written(text: bytes) -> int:
    """Return how many bytes other than white space there are."""
    return len(b"".join(text.split()))


def report(path: str, whole: Sequence[Definition], lean: Sequence[Definition], *, broken: bool) -> None:
    """Print what differs in one file."""
    print(f"{path}: {'has syntax errors, ' if broken else ''}{len(whole)} symbols, {len(lean)} with blanking")
    for sign, ours, others in (("-", whole, set(lean)), ("+", lean, set(whole))):
        for definition in [definition for definition in ours if definition not in others][:5]:
            print(f"  {sign} {definition.line}: {definition.kind} {definition.path}")


if __name__ == "__main__":
    sys.exit(main())
