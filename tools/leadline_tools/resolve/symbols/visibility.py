"""The visibility of a symbol: the files that can name it by the rules of its language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import is_nameless
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Reason
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.parts import everywhere

_PACKAGE = lazy_compile(r"(?m)^[ \t]*package[ \t]+([\w.]+)[ \t]*;")

_MOST_TAKERS = 128
"""Files that take in another, each of which is read once; where it is more, all that hold a name are looked into."""


def reach(index: Index, target: DefinedSymbol) -> Reach:
    """Return how far a symbol can be named: as far as any of its definitions says."""
    language = language_of(target.path)
    if language is None:
        return Reach.Anywhere
    container = target.first.container
    around = load_symbols(index, [(target.path, container)]) if container else []
    head = signature_of(around[0]) if around else container
    content = target.source.content
    declared = (
        Declared(target.path, content, one.name, one.kind, signature_of(target, one), head)
        for one in target.definitions
    )
    found = {language.names.reach(one) for one in declared}
    return found.pop() if len(found) == 1 else Reach.Anywhere


def signature_of(target: DefinedSymbol, definition: Definition | None = None) -> str:
    """Return how a symbol is declared: by its first definition, or by another one of its own."""
    return target.source.content[slice(*(definition or target.first).signature)].decode("utf-8", "replace")


def seeing(index: Index, target: DefinedSymbol) -> Callable[[str], bool] | None:
    """Return what tells of a file whether its code can name a symbol; None where any may."""
    if is_nameless(target.first.container) and _has_partial_types(target):
        return None  # an element of a tuple: the type around may have other parts
    return _seeing(index, target)


def _seeing(index: Index, target: DefinedSymbol) -> Callable[[str], bool] | None:
    """Return whether the code of a file can name a symbol in something that has a name; None where any file may."""
    home = target.path
    folder = home.rpartition("/")[0]
    match reach(index, target):
        case Reach.Type:
            owner = SymbolRef(home, target.first.container, Reason.Definition)
            parts = {home, *(part.path for part in everywhere(index, owner))} if target.first.container else {home}
            return parts.__contains__
        case Reach.Folder:
            return lambda path: path.rpartition("/")[0] == folder
        case Reach.Importing if folder and not index.paths.exists(f"{folder}/go.mod"):  # else by the path of the module
            importing = frozenset(index.words.files_with((folder.rpartition("/")[2],), spelled=True))
            return _unless_embedded(index, target, lambda path: path in importing or path.rpartition("/")[0] == folder)
        case Reach.Package if words := _package_words(target):
            return frozenset(index.words.files_with(words, spelled=True)).__contains__
        case Reach.Including | Reach.Taking as how:
            return _including(index, home, how)
        case _:
            return None


def _including(index: Index, home: str, how: Reach) -> Callable[[str], bool] | None:
    """Return a predicate of files: whether one includes a file, or is included beside it; None for any."""
    takers = index.includes.takers(home, _MOST_TAKERS)
    if takers is None or (how is Reach.Taking and len(takers) == 1):
        return None  # a header that no file includes may be included by a compiler option
    return _Visible(index, takers).__contains__


def _package_words(target: DefinedSymbol) -> Sequence[str]:
    """Return the words that every file of the package of a symbol holds; none where the package is not certain."""
    clause = _PACKAGE.search(target.source.content.decode("utf-8", "replace"))
    words = clause[1].split(".") if clause is not None else []
    folder = target.path.rpartition("/")[0]
    return words if f"/{folder}".endswith("/" + "/".join(words)) else ()


def _has_partial_types(target: DefinedSymbol) -> bool:
    return target.semantics is not None and target.semantics.visibility.has_partial_types


def _unless_embedded(index: Index, target: DefinedSymbol, sees: Callable[[str], bool]) -> Callable[[str], bool] | None:
    """Return ``sees``; None where a field of a type may be called like the symbol, which any file can name.

    That is a field which a type has by embedding the symbol: it is reached through values that any package hands on.
    Only a file that can name the symbol can embed it.
    """
    folder = target.path.rpartition("/")[0]
    embedding = index.related.inheriting((target.first.name,)) if target.first.kind in CLASS_LIKE else ()
    return None if any(sees(path) and _may_import(index, path, folder) for path in embedding) else sees


def _may_import(index: Index, path: str, folder: str) -> bool:
    """Return whether a file is in a folder, or may import the package that the folder has."""
    relations, semantics = index.related.of(path), semantics_of(path)
    if relations is None or semantics is None or path.rpartition("/")[0] == folder:
        return True
    modules = (one.module for one in relations.imports if not one.exports)
    located = (semantics.imports.locate(one, path, index.paths) for one in modules)
    return any(files is None or any(file.rpartition("/")[0] == folder for file in files) for files in located)


class _Visible:
    """The files that see what a file declares: its ``takers``, and what they take in, which may rely on what they have.

    What more files take in stands on its own.
    """

    def __init__(self, index: Index, takers: frozenset[str]) -> None:
        self._index = index
        self._takers = takers
        self._below = frozenset[str]().union(*map(index.includes.names, takers))

    def __contains__(self, path: str) -> bool:
        if path in self._takers:
            return True
        relies = path[path.rfind("/") + 1 :].lower() in self._below
        return relies and len(self._index.includes.including(path, _MOST_TAKERS + 1)) <= _MOST_TAKERS
