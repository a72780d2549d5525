"""Whether answers about small trees with marked symbols list the marked uses, and nothing else.

    python bench/situations.py [FILE...]    without files, those of ``bench/situations``

A file has situations of one language, each with the texts of a small tree. A marked symbol has a definition, every
place of the tree that means it, and places where good tools differ, as ``path:line:column`` (1-based, columns in
characters, of the first character)::

    {"language": "go", "situations": [
     {"name": "go-01", "about": "an HTTP handler", "checked": "go/types", "files": {"a.go": "package a ..."},
      "symbols": [{"name": "Handle", "definition": "a.go:4:6", "uses": ["a.go:4:6", "b.go:7:3"], "optional": []}]}]}

References are asked at the definition, and of a member also at what ``find_implementations`` lists for it: an answer
names those that override a member, and does not count their uses. The definition is asked at each use. A situation is
*wrong* if an answer lists another place as exact or likely, or leads to one, or says that a use comes from outside of
the tree; *silent* if a use is neither listed nor among those that the answer says are undecided; *undecided* if a use
is among those, or its definition is not found; and *right* otherwise.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from accounting.answers import Asker, Place
from drawn import opened
from leadline_tools.errors import Whence

_STORED = Path(__file__).parent / "situations"

_VERDICTS = ("right", "undecided", "silent", "wrong")
"""From the best to the worst; a situation has the worst of its symbols."""

_SURE = frozenset({"exact", "likely"})


@dataclass(frozen=True)
class Marked:
    """A symbol and the places that mean it; at those of ``optional`` good tools differ."""

    name: str
    definition: Place
    uses: frozenset[Place]
    optional: frozenset[Place]


@dataclass(frozen=True)
class Situation:
    """A small tree, its texts by path, and what is marked in it."""

    name: str
    language: str
    files: Mapping[str, str]
    symbols: Sequence[Marked]


class Finding(NamedTuple):
    """What is not right about an answer: the verdict, the question, and the place."""

    verdict: str
    question: str
    place: Place

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.verdict}: {self.question}: {self.place}"


def main() -> None:
    """Print each finding, and a table by language: asked at definitions alone, and at uses too."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", default=sorted(_STORED.glob("*.json")))
    tables = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for path in parser.parse_args().files:
        for situation in read_situations(path):
            from_definitions, from_uses = score(situation)
            for finding in (*from_definitions, *from_uses):
                print(f"{situation.name} {finding}", flush=True)
            for table, findings in zip(tables, (from_definitions, [*from_definitions, *from_uses]), strict=True):
                table[situation.language, worst(findings)] += 1
    for title, table in zip(("asked at the definition", "asked at each use too"), tables, strict=True):
        print(f"\n| {title} | situations | {' | '.join(_VERDICTS)} |\n|---|---:|{'---:|' * len(_VERDICTS)}")
        print("\n".join(rows(table)))


def read_situations(path: Path) -> Iterator[Situation]:
    """Yield the situations of a file."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    for one in stored["situations"]:
        yield Situation(one["name"], stored["language"], one["files"], [_marked(symbol) for symbol in one["symbols"]])


def score(situation: Situation) -> tuple[list[Finding], list[Finding]]:
    """Return the findings about references from definitions, and those about definitions from uses."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "tree"
        for path, text in situation.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        session = opened(root, Path(scratch) / "cache", "openai")
        try:
            asker = Asker(session)
            from_definitions = [one for symbol in situation.symbols for one in _check_references(asker, symbol)]
            return from_definitions, [one for symbol in situation.symbols for one in _check_definitions(asker, symbol)]
        finally:
            session.close()


def worst(findings: Iterable[Finding]) -> str:
    """Return the worst verdict of some findings: right where there are none."""
    return max((one.verdict for one in findings), key=_VERDICTS.index, default=_VERDICTS[0])


def rows(table: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Yield a row of Markdown for each language, and one of all."""
    languages = sorted({language for language, _ in table})
    for title, counted in (*((one, [one]) for one in languages), ("all", languages)):
        cells = [sum(table.get((language, verdict), 0) for language in counted) for verdict in _VERDICTS]
        yield f"| {title} | {sum(cells)} | {' | '.join(map(str, cells))} |"


def _check_references(asker: Asker, symbol: Marked) -> Iterator[Finding]:
    question = f"references of {symbol.name} at {symbol.definition}"
    answers = [asker.answer("find_references", str(place)) for place in _family(asker, symbol)]
    if answers[0].error:
        yield Finding("undecided", f"{question}: {answers[0].error}", symbol.definition)
        return
    sure = {use.place for answer in answers for use in answer.uses if use.tier in _SURE}
    missing = symbol.uses - sure - {symbol.definition}
    undecided = _undecided(asker, symbol) if missing else frozenset[Place]()
    for place in sorted(missing):
        yield Finding("undecided" if place in undecided else "silent", question, place)
    for place in sorted(sure - symbol.uses - symbol.optional):
        yield Finding("wrong", question, place)


def _undecided(asker: Asker, symbol: Marked) -> frozenset[Place]:
    """Return the places of which the answers say that they are undecided."""
    answers = [asker.answer("find_references", str(place), tier="name") for place in _family(asker, symbol)]
    return frozenset(use.place for answer in answers for use in answer.uses)


def _family(asker: Asker, symbol: Marked) -> Sequence[Place]:
    """Return where a symbol is defined, and which marked places override it: of types without a name the lines."""
    heirs = asker.answer("find_implementations", str(symbol.definition))
    lines = {use.place[:2] for use in (*heirs.uses, *heirs.besides)}
    marked = (symbol.uses | symbol.optional) - {symbol.definition}
    return [symbol.definition, *sorted(place for place in marked if place[:2] in lines)]


def _check_definitions(asker: Asker, symbol: Marked) -> Iterator[Finding]:
    """Compare lines: a declaration of several lines is named by its first, and some have several names.

    Another marked place is right too, since it may be what overrides the symbol.
    """
    lines = {place[:2] for place in (*symbol.uses, *symbol.optional)}
    for place in sorted(symbol.uses):
        found = asker.definitions(str(place)).places
        if not found:
            said = asker.answer("go_to_definition", str(place)).error
            verdict = "wrong" if Whence.Outside in said else "undecided"
            yield Finding(verdict, f"definition of {symbol.name}: {said}", place)
        elif not any(one[:2] in lines for one in found):
            yield Finding("wrong", f"definition of {symbol.name} is said to be {min(found)}", place)


def _marked(described: Mapping[str, object]) -> Marked:
    uses, optional = described["uses"], described.get("optional", [])
    assert isinstance(uses, list), described
    assert isinstance(optional, list), described
    return Marked(
        str(described["name"]),
        _place(str(described["definition"])),
        frozenset(map(_place, uses)),
        frozenset(map(_place, optional)),
    )


def _place(address: str) -> Place:
    path, line, column = address.rsplit(":", 2)
    return Place(path, int(line), int(column))


if __name__ == "__main__":
    main()
