"""An *occurrence line*: a use with the text of its line, as an answer shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import readable
from leadline_tools.long_lines import shorten_stripped
from leadline_tools.model import Occurrence, Reason, Role, Tier
from leadline_tools.resolve.project.resolved_uses import ResolvedUse

_LONGEST_TEXT = 200
"""Characters of a line that are shown around an occurrence."""


def occurrence_lines(index: Index, found: Iterable[ResolvedUse]) -> Iterator[Occurrence]:
    """Yield uses with their lines, in their order; those whose line does not hold the name any more are left out."""
    uses = list(found)
    texts = _texts(index, uses)
    return (_occurrence(one, texts[one.path, one.use.line], ()) for one in uses if _is_held(one, texts))


def occurrences_by_line(index: Index, found: Iterable[ResolvedUse]) -> list[Occurrence]:
    """Return the same as ``by_line`` of ``occurrence_lines``: a line may hold a name several times."""
    uses = list(found)
    texts = _texts(index, uses)
    lines: dict[tuple[str, int, bool, Tier, Reason], list[ResolvedUse]] = {}
    for one in uses:
        if _is_held(one, texts):
            use = one.use
            key = one.path, use.line, use.role is Role.Definition, one.tier, one.reason
            lines.setdefault(key, []).append(one)
    return [
        _occurrence(some[0], texts[key[:2]], tuple([one.use.column for one in some[1:]])) for key, some in lines.items()
    ]


def _is_held(one: ResolvedUse, texts: Mapping[tuple[str, int], str]) -> bool:
    """Return whether the line of a use holds the name."""
    use = one.use
    return texts.get((one.path, use.line), "")[use.column - 1 : use.end_column - 1] == one.name


def _occurrence(one: ResolvedUse, line: str, again: tuple[int, ...]) -> Occurrence:
    use = one.use
    start, end = use.column - 1, use.end_column - 1
    return Occurrence(
        one.path,
        use.line,
        use.column,
        use.end_column,
        use.role,
        one.tier,
        one.reason,
        shorten_stripped(line, _LONGEST_TEXT, start, end),
        readable(one.container),
        again,
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
            for number in wanted[path]:
                if number <= len(lines):
                    texts[path, number] = lines[number - 1].removesuffix(b"\r").decode()
    return texts


def by_line(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Return one item for all uses on a line of which the same is known, in the order of their first."""
    lines: dict[tuple[str, int, bool, Tier, Reason], list[Occurrence]] = {}
    for one in found:
        key = (one.path, one.line, one.role is Role.Definition, one.tier, one.reason)
        lines.setdefault(key, []).append(one)
    return [some[0] if len(some) == 1 else _joined(*some) for some in lines.values()]


def _joined(first: Occurrence, *more: Occurrence) -> Occurrence:
    return replace(first, again=(*first.again, *(column for one in more for column in (one.column, *one.again))))
