"""The files in which the uses of a symbol are looked for: those that hold its name, likeliest first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.questions.imported_files import FRONTS
from leadline_tools.languages import semantics_of
from leadline_tools.resolve.occurrences.shared_names import importers, is_shared
from leadline_tools.resolve.project.project import language_group, same_language_group

_FEW = 32
"""Files that are examined in the order of their paths: where there are more, the likeliest come first."""


class CandidateFiles(NamedTuple):
    """The files that hold a name.

    Args:
        visible: Those in which the symbol can be named, likeliest first.
        others: Those in which it cannot: they are of another language, or the symbol is not visible there.

    """

    visible: Sequence[str]
    others: Sequence[str]

    def among(self, known: Collection[str]) -> list[str]:
        """Return the visible ones of which something is known."""
        return [path for path in self.visible if path in known]


def candidate_files(
    index: Index, name: str, home: str, owner: str, sees: Callable[[str], bool] | None, within: Collection[str] | None
) -> CandidateFiles:
    """Return the files whose text holds ``name``, likeliest first; of a name that is shared those that import it too.

    Args:
        index: The index that knows them.
        name: The name under which the symbol is looked for.
        home: The file that defines the symbol.
        owner: The name of the type that the symbol is a member of; empty for none.
        sees: What decides of a file whether it can name the symbol; None where every file may.
        within: The files that are asked about; None for all. The others are visible too, for the aliases in them.

    """
    holders = index.words.files_with((name,), spelled=True)
    if is_shared(home, name):
        holders = sorted({*holders, *importers(index, home, name)})
    visible = same_language_group(filter(sees, holders), language_group(home))
    apart = frozenset(visible)
    others = [path for path in holders if path not in apart and (within is None or path in within)]
    wanted = visible if within is None else [path for path in visible if path in within]
    first = [home] if home in apart else []
    if len(visible) <= _FEW:
        return CandidateFiles(list(dict.fromkeys((*first, *_beside(home, wanted), *wanted, *visible))), others)
    telling = [word for word in (owner, _module_name(home)) if word]
    naming = [frozenset(index.words.files_with((name, word))) for word in telling]
    named = (path for paths in naming for path in wanted if path in paths)
    return CandidateFiles(list(dict.fromkeys((*first, *_beside(home, wanted), *named, *wanted, *visible))), others)


def with_implicit_calls(
    index: Index,
    sign: str,
    home: str,
    owner: str,
    sees: Callable[[str], bool] | None,
    within: Collection[str] | None,
    name: str,
) -> CandidateFiles:
    """Return the files whose text holds a sign, those first that name a type; see ``candidate_files``.

    What calls the method that it overrides is in one called ``name`` too.
    """
    semantics = semantics_of(home)
    alike = [
        path for path in index.files.paths if semantics_of(path) is semantics and (within is None or path in within)
    ]
    seen = list(filter(sees, alike))
    if sign.isidentifier():
        above = semantics is not None and sign in semantics.scopes.above | semantics.scopes.this
        words = frozenset(index.words.files_with((sign, name) if above else (sign,)))
        holding = [path for path in seen if path in words]
    else:
        with index.tree.reading() as reader:
            holding = [path for path in reader.ahead(seen) if sign.encode() in reader.text(path)]
    naming = frozenset(index.words.files_with((owner,))) if owner else frozenset[str]()
    first = [home] if home in holding else []
    named = (path for path in holding if path in naming)
    return CandidateFiles(list(dict.fromkeys((*first, *_beside(home, holding), *named, *holding))), ())


def _beside(home: str, paths: Sequence[str]) -> list[str]:
    """Return those of some sorted paths that are in the folder of a file, not below it."""
    folder = home[: home.rfind("/") + 1]
    first = bisect_left(paths, folder)
    last = bisect_left(paths, f"{folder[:-1]}0") if folder else len(paths)
    return [path for path in paths[first:last] if "/" not in path[len(folder) :]]


def _module_name(path: str) -> str:
    """Return the word by which a file that imports another one most likely calls it."""
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    return pure.parent.name if stem in FRONTS and pure.parent.name else stem


def secret_code(index: Index, home: str) -> list[str]:
    """Return the secret files that may hold code which uses what the file ``home`` defines, sorted."""
    return same_language_group(sorted(index.files.secret), language_group(home))


def total_size(index: Index, paths: Iterable[str]) -> int:
    """Return the bytes of some files together."""
    return sum(map(index.files.size, paths))
