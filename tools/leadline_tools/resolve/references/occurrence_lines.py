"""An *occurrence line*: a use with the text of its line, as an answer shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import readable
from leadline_tools.model import Occurrence, Reason, Role, Tier
from leadline_tools.resolve.project.resolved_uses import ResolvedUse

_LONGEST_TEXT = 200
"""Characters of a line that are shown around an occurrence."""

_BEFORE_NAME = 60
"""Those among them that stand before a name far from the beginning of its line."""


def occurrence_lines(index: Index, found: Iterable[ResolvedUse]) -> Iterator[Occurrence]:
    """Yield uses with their lines, in their order; those whose line does not hold the name any more are left out."""
    uses = list(found)
    texts = _texts(index, uses)
    for one in uses:
        use, line = one.use, texts.get((one.path, one.use.line), "")
        if line[use.column - 1 : use.end_column - 1] == one.name:
            yield Occurrence(
                one.path,
                use.line,
                use.column,
                use.end_column,
                use.role,
                one.tier,
                one.reason,
                _shortened(line, use.column - 1, use.end_column - 1),
                readable(one.container),
            )


def _texts(index: Index, uses: Iterable[ResolvedUse]) -> dict[tuple[str, int], str]:
    """Return the lines of uses by path and number; of what is read no more is kept."""
    wanted: dict[str, set[int]] = {}
    for one in uses:
        wanted.setdefault(one.path, set()).add(one.use.line)
    texts: dict[tuple[str, int], str] = {}
    with index.tree.reading() as reader:
        for path in reader.ahead(wanted):
            lines: Sequence[bytes] = ()
            with suppress(LeadlineError):
                lines = reader.read(path).content.split(b"\n")
            known = ((number, lines[number - 1]) for number in wanted[path] if number <= len(lines))
            texts.update(((path, number), line.removesuffix(b"\r").decode()) for number, line in known)
    return texts


def by_line(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Return one item for all uses on a line of which the same is known, in the order of their first."""
    lines: dict[tuple[str, int, bool, Tier, Reason], list[Occurrence]] = {}
    for one in found:
        key = (one.path, one.line, one.role is Role.Definition, one.tier, one.reason)
        lines.setdefault(key, []).append(one)
    return [
        replace(first, again=(*first.again, *(column for one in more for column in (one.column, *one.again))))
        for first, *more in lines.values()
    ]


def _shortened(line: str, start: int, end: int) -> str:
    """Return a line without the blanks around it; of a long one its beginning, or what is around a name far from it."""
    text, indent = line.strip(), len(line) - len(line.lstrip())
    if len(text) <= _LONGEST_TEXT:
        return text
    first = 0 if end - indent <= _LONGEST_TEXT else min(start - indent - _BEFORE_NAME, len(text) - _LONGEST_TEXT)
    last = first + _LONGEST_TEXT
    return f"{'...' if first else ''}{text[first:last]}{'...' if last < len(text) else ''}"
