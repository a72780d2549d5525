"""Choosing repairs: by their ids, by the code of what they mend, or all that are safe; and putting them together.

Repairs that touch the same text, or that together leave a file with more syntax errors than it has, are not made
together: the first one is, and the others are told.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_tools import cancellation
from leadline_tools.diagnostics.survey import Offer, Survey, errors_in
from leadline_tools.edits.ownership import foreign
from leadline_tools.edits.plan import Edit, EditPlan, FileChange, Splice, digest, plan, spliced
from leadline_tools.errors import ChangedSince, NoSuchFix, NotWritable, PathError
from leadline_tools.index.index import Index

ALL = "all"
"""Chooses every safe repair."""

UNSAFE = ":unsafe"
"""Behind a code, or ``all``: the unsafe repairs as well."""

_MOST_APART = 40
"""Repairs of one file that are tried one by one, once they cannot be made together."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The repairs that are made together.

    Args:
        plan: What they change.
        made: Those that are made.
        colliding: Those that touch the text of one before them, or break the syntax together with it.
        unsafe: How many more there are of what was asked for, left out for being unsafe.
        broken: The files that have more syntax errors afterwards than before.
        refused: The files that cannot be edited, each with the reason.

    """

    plan: EditPlan
    made: tuple[Offer, ...]
    colliding: tuple[Offer, ...]
    unsafe: int
    broken: tuple[str, ...]
    refused: Mapping[str, str]


@dataclass(slots=True)
class _Chosen:
    """What was asked for: the repairs, and how many were left out for being unsafe."""

    offers: list[Offer] = field(default_factory=list[Offer])
    unsafe: int = 0


def choose(index: Index, found: Survey, wanted: str, named: str = "") -> Choice:
    """Return the repairs that ``wanted`` names: ids, codes such as ``F401``, or ``all``, separated by commas.

    A generated or vendored file is only edited if it is ``named``, the one path that was asked for. Raises NoSuchFix
    for what names none, ChangedSince where a file is no longer what was looked at, and a PathError where no file can be
    edited.
    """
    chosen = _named(found.offers(), wanted)
    made: list[Offer] = []
    colliding: list[Offer] = []
    broken: list[str] = []
    for path, offers in itertools.groupby(sorted(chosen.offers, key=lambda offer: offer.path), lambda one: one.path):
        cancellation.check()
        apart, others = _apart(list(offers))
        kept, worse = _sound(index, path, apart)
        made += kept
        colliding += [*others, *(offer for offer in apart if offer not in kept)]
        broken += [path] if worse else []
    planned, refused = _planned(index, made, named)
    return Choice(planned, tuple(made), tuple(colliding), chosen.unsafe, tuple(broken), refused)


def _named(offers: Sequence[Offer], wanted: str) -> _Chosen:
    chosen = _Chosen()
    for name in dict.fromkeys(part.strip() for part in wanted.split(",") if part.strip()):
        unsafe = name.endswith(UNSAFE)
        code = name.removesuffix(UNSAFE).rpartition(":")[2]  # the checker may stand before it
        exact = [offer for offer in offers if offer.id == name]
        of_code = [offer for offer in offers if code in (ALL, offer.code)]
        if exact:
            chosen.offers += exact[:1]  # the same repair may mend several things
        elif of_code:
            chosen.offers += [offer for offer in of_code if unsafe or not offer.repair.unsafe]
            chosen.unsafe += 0 if unsafe else sum(offer.repair.unsafe for offer in of_code)
        else:
            raise NoSuchFix(name, tuple(dict.fromkeys(offer.code for offer in offers)))
    chosen.offers = list({offer.id: offer for offer in chosen.offers}.values())
    return chosen


def _apart(offers: Sequence[Offer]) -> tuple[list[Offer], list[Offer]]:
    """Return the repairs of a file of which none touches the text of another, and those that do."""
    kept: list[Offer] = []
    others: list[Offer] = []
    taken: list[Edit] = []
    # Of two that touch the same text the one that begins first is made; of two that begin together the longer one.
    for offer in sorted(offers, key=lambda offer: (offer.repair.edits[0].start, -offer.repair.edits[-1].end)):
        if any(_touch(edit, other) for edit in offer.repair.edits for other in taken):
            others.append(offer)
        else:
            kept.append(offer)
            taken += offer.repair.edits
    return kept, others


def _touch(one: Edit, other: Edit) -> bool:
    """Return whether two edits change the same text, or put text into the same place."""
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    return one.start < other.end and other.start < one.end


def _sound(index: Index, path: str, offers: Sequence[Offer]) -> tuple[list[Offer], bool]:
    """Return the repairs of a file that do not break its syntax together; and whether it is broken even so."""
    source = index.read(path)
    before = errors_in(index, path, source.content)
    if before is None or len(offers) == 0:
        return list(offers), False
    if _errors(index, path, source.content, offers) <= before:
        return list(offers), False
    if len(offers) == 1:
        return list(offers), True
    kept: list[Offer] = []
    for offer in offers[:_MOST_APART]:
        cancellation.check()
        if _errors(index, path, source.content, [*kept, offer]) <= before:
            kept.append(offer)
    return kept, False


def _errors(index: Index, path: str, content: bytes, offers: Iterable[Offer]) -> int:
    return errors_in(index, path, mended(content, (edit for offer in offers for edit in offer.repair.edits))) or 0


def mended(content: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a text with edits made that touch no text twice."""
    splices = (
        Splice(edit.start, content[edit.start : edit.end], edit.text.encode("utf-8", "replace"))
        for edit in sorted(edits)
    )
    return spliced(content, splices)


def _check_owner(index: Index, path: str) -> None:
    """Raise NotWritable for a file that is somebody else's to write."""
    reason = foreign(path, index.read(path).content)
    if reason:
        raise NotWritable(path, f"{reason}, and it is only edited if path is exactly this file")


def _planned(index: Index, offers: Iterable[Offer], named: str) -> tuple[EditPlan, Mapping[str, str]]:
    """Return the plan of repairs, and the files that cannot be edited, each with the reason.

    Raises ChangedSince where a file is not what the repairs were found in, and a PathError where no file can be edited.
    """
    changes: list[FileChange] = []
    refused: dict[str, PathError] = {}
    for path, members in itertools.groupby(offers, lambda offer: offer.path):
        of_file = list(members)
        try:
            if path != named:
                _check_owner(index, path)
            planned = plan(index.tree, {path: [edit for offer in of_file for edit in offer.repair.edits]})
            raw = index.tree.read_raw(path)
        except PathError as error:
            refused[path] = error
            continue
        now = digest(raw)
        if index.tree.source(path, raw).digest != of_file[0].digest or planned.before.get(path, now) != now:
            raise ChangedSince((path,), "while it was checked")
        changes += planned.files
    if refused and not changes:
        raise next(iter(refused.values()))
    return EditPlan(tuple(changes)), {path: str(error).rstrip(".") for path, error in refused.items()}
