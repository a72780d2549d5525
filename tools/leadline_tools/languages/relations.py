"""The *relations* of a file to others: what its types inherit from, what it imports and exports.

It is gathered by ``outline`` in the walk that finds the definitions, and by expressions over the text for what that
walk does not enter: the index is built from sources without most bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.members import Subtype
from leadline_tools.languages.terms import UNKNOWN, Op, Path, parsed
from leadline_tools.languages.unparsed_names import UnparsedName
from leadline_tools.lazy_regex import lazy_compile

_WORD: Final = lazy_compile(rb"[^\W\d][\w$]*|[\x80-\xff\w$]+")
_PLAIN: Final = lazy_compile(r"(?:[\w$]+\.)*([^\W\d][\w$]*)")


class Relations(NamedTuple):
    """What a file says of types and names in other files.

    Args:
        subtypes: The types that inherit from something, in the order of the source.
        imports: What the file imports and exports; another name of something in the file itself has no module.
        unparsed: What lines that did not parse may declare.

    """

    subtypes: list[Subtype]
    imports: list[Imported]
    unparsed: Sequence[UnparsedName] = ()


def base_names(terms: Iterable[str], head: bytes) -> tuple[str, ...]:
    """Return the names that the terms of bases may stand for: the last segment of each.

    Where a term calls something, or a base cannot be spelled, every word of the ``head`` of the type may be one.
    """
    found: dict[str, None] = {}
    for term in terms:
        plain = _PLAIN.fullmatch(term)
        if plain is not None:
            found[plain[1]] = None
            continue
        complete = term != UNKNOWN
        for path in parsed(term) if complete else ():
            complete = _add_names(path, found) and complete
        if not complete:
            found.update((word.decode("utf-8", "replace"), None) for word in _WORD.findall(head))
    return tuple(found)


def last_names(listed: bytes) -> tuple[str, ...]:
    """Return the last segments of dotted names that are separated by commas."""
    if b"," not in listed:
        return (listed[listed.rfind(b".") + 1 :].strip().decode("utf-8", "replace"),)
    return tuple([part[part.rfind(".") + 1 :].strip() for part in listed.decode("utf-8", "replace").split(",")])


def _add_names(path: Path, found: dict[str, None]) -> bool:
    """Add the names that a path may stand for; return whether these are all."""
    members = [step.name for step in path.steps if step.op is Op.Member]
    is_called = any(step.op is Op.Call for step in path.steps)
    names = [path.head, *members]
    if is_called:
        found.update((name, None) for name in names if _PLAIN.fullmatch(name))
        return False
    if _PLAIN.fullmatch(names[-1]):
        found[names[-1]] = None
    return True


def with_original_names(relations: Relations) -> list[Subtype]:
    """Return the subtypes of a file, whose bases are named as well as they are called where they are imported from."""
    renamed = {one.alias: one.name for one in relations.imports if one.alias and one.name not in ("", "*", one.alias)}
    if not renamed:
        return relations.subtypes
    return [
        Subtype(one.path, tuple(dict.fromkeys((*one.bases, *_originals(one.bases, renamed)))))
        for one in relations.subtypes
    ]


def _originals(bases: Iterable[str], renamed: Mapping[str, str]) -> Iterator[str]:
    """Yield what bases are called where they are imported from, through some names for them in the file itself."""
    waiting = list(bases)
    known = set(waiting)
    while waiting:
        name = renamed.get(waiting.pop())
        if name is not None and name not in known:
            known.add(name)
            waiting.append(name)
            yield name


_OTHER_NAME: Final = lazy_compile(
    rb"(?>(?:typename\s+)?)(?>(?:[A-Za-z_$][\w$]*\s*(?:::|\.|\\)\s*)*)([^\W\d][\w$]*)\s*(?>(?:<[^;{}()=]*>|\[[^;{}()=]*\])?)"
)
"""What is declared to have another name: ``a.b.C<D>``."""

_TYPEDEF: Final = lazy_compile(
    rb"typedef\s+(?>(?:typename\s+)?)(?>(?:\w+\s*::\s*)*)([A-Za-z_]\w*)\s*(?>(?:<[^;{}()]*>)?)\s+"
)
_LONGEST_OTHER_NAME: Final = 160
_VALUES: Final = frozenset("None True False null true false nil undefined this self iota".split())


def other_name(before: bytes, behind: bytes) -> str:
    """Return of what a declaration declares another name, from what stands before and behind it; empty for nothing."""
    if before.startswith(b"typedef"):
        found = _TYPEDEF.fullmatch(before)
    else:
        head, equals, value = behind.partition(b"=")
        value = value.rstrip(b"; \n\t").lstrip()
        # Most values are none: to try the expression costs more.
        tried = (
            equals
            and (value[:1].isalpha() or value[:1] in b"_$")
            and len(value) < _LONGEST_OTHER_NAME
            and b"(" not in head
        )
        found = _OTHER_NAME.fullmatch(value) if tried else None
    name = found[1].decode("utf-8", "replace") if found is not None else ""
    return "" if name in _VALUES else name
