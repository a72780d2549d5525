"""Every language finds what its fixtures say, no more and no less, and resolves what they point at."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from expectations import FIXTURES, Expectation, expectations
from leadline_tools.index.packing.packed_includes import written
from leadline_tools.index.questions.includes import promised
from leadline_tools.languages import HOSTS, LANGUAGES, PARSED, embedded, language_in, language_of, semantics_of
from leadline_tools.languages.fact_walk.walk import facts
from leadline_tools.languages.facts import Facts, Heritage, Use
from leadline_tools.languages.language import Parser
from leadline_tools.languages.outline import Definition, without_numbers
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import ALL_KINDS, SymbolKind
from leadline_tools.resolve.project.code_base import PastingMacros
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.resolver import Resolver

T = TypeVar("T")
FOLDERS = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())


@cache
def parser_of(name: str) -> Parser:
    return PARSED[name].parser()


class FixtureIncludes:
    """What the files of a fixture folder include."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def has_taker(self, path: str) -> bool:
        return any(path in (self.of(other) or ()) for other in self.workspace.files)

    def misses(self, path: str) -> bool:
        modules, semantics = written(path, self.workspace.read(path)) or (), semantics_of(path)
        quoted = (one for one in modules if one.startswith('"'))
        return semantics is not None and not all(semantics.imports.locate(one, path, self.workspace) for one in quoted)

    def promised(self, path: str, name: str) -> bool:
        semantics, content = semantics_of(path), self.workspace.read(path)
        return promised(
            path, content, name, lambda module: semantics and semantics.imports.locate(module, path, self.workspace)
        )

    def of(self, path: str) -> Sequence[str] | None:
        modules, semantics = written(path, self.workspace.read(path)), semantics_of(path)
        if modules is None or semantics is None:
            return None
        located = (semantics.imports.locate(module, path, self.workspace) for module in modules)
        return list(dict.fromkeys(file for files in located for file in files or ()))

    def takers(self, path: str, most: int) -> AbstractSet[str] | None:
        found, last = {path}, set[str]()
        while found != last:
            last = set(found)
            found.update(file for file in self.workspace.files if not last.isdisjoint(self.of(file) or ()))
        return found if len(found) <= most else None


class Workspace:
    """The files of one fixture folder, parsed here and now."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = sorted(file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file())
        self.includes = FixtureIncludes(self)
        self.paths = self

    def exists(self, path: str) -> bool:
        return path in self.files

    def ending(self, suffix: str) -> Sequence[str]:
        return sorted((f for f in self.files if f"/{f}".endswith(f"/{suffix}")), key=len)

    def text(self, path: str) -> bytes:
        return self.read(path)

    def lines(self, path: str) -> Sequence[str]:
        return self.read(path).decode().split("\n")

    @property
    def macros(self) -> PastingMacros:
        return self

    def pasted_names(self, path: str) -> frozenset[str]:
        semantics = semantics_of(path)
        return semantics.macros.pasted_names(self.read(path)) if semantics is not None else frozenset()

    def with_parameters(self, path: str) -> frozenset[str]:
        semantics = semantics_of(path)
        return semantics.macros.with_parameters(self.read(path)) if semantics is not None else frozenset()

    def all_pasted_names(self) -> frozenset[str]:
        return frozenset(one for path in self.files for one in self.pasted_names(path))

    def has_folder(self, name: str) -> bool:
        return any(name in path.split("/")[:-1] for path in self.files)

    def has_language(self, names: frozenset[str]) -> bool:
        return any(one is not None and one.name in names for one in map(language_of, self.files))

    def inside(self, folder: str) -> Sequence[str]:
        parents = ((f, f.rpartition("/")[0]) for f in self.files)
        return [f for f, parent in parents if f"/{parent}".endswith(f"/{folder}")]

    def below(self, folder: str) -> Sequence[str]:
        return sorted(f for f in self.files if f.startswith(f"{folder}/"))

    def folders_with(self, folder: str, endings: tuple[str, ...]) -> Sequence[str]:
        above = {
            "/".join(parts[:n])
            for f in self.files
            if f.endswith(endings)
            for parts in [f.split("/")]
            for n in range(1, len(parts))
        }
        return sorted((one for one in above if f"/{one}".endswith(f"/{folder}")), key=lambda one: (len(one), one))

    def manifests(
        self, name: str, read: Callable[[bytes], tuple[str, T] | None]
    ) -> Mapping[str, Sequence[tuple[str, T]]]:
        found = [(path, read(self.read(path))) for path in self.ending(name)]
        named = {said[0] for _, said in found if said is not None}
        return {one: [(path, said[1]) for path, said in found if said is not None and said[0] == one] for one in named}

    def manifest(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        return read(self.read(path))

    def files_with_name(self, name: str, paths: Sequence[str]) -> Sequence[str]:
        return [path for path in paths if name.encode() in self.read(path)]

    def spelling(self, name: str) -> Sequence[str]:
        return self.files_with_name(name, self.files)

    def defining(self, name: str, path: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset(other for other in self.files if name in self.names(other))

    def may_declare(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> bool:
        return any(one.path == name and one.kind in kinds for one in self.outline(path))

    def owners_of(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> Sequence[str]:
        found = (one.path.rpartition(".") for one in self.outline(path) if one.kind in kinds)
        return [owner for owner, _, last in found if owner and last == name]

    def paths_named(self, path: str, name: str) -> Sequence[str]:
        return [one.path for one in self.outline(path) if one.path == name or one.path.endswith(f".{name}")]

    @property
    def subtype_names(self) -> Workspace:
        return self

    def heirs(self, types: Iterable[str]) -> None:  # noqa: ARG002  as CodeBase has it
        return None

    def may_mean(self, path: str, heritage: Heritage, term: str, names: frozenset[str]) -> bool:  # noqa: ARG002
        return True

    def imports(self, path: str) -> Sequence[Imported]:
        facts = self.facts(path)
        return facts.imports if facts is not None else ()

    def may_hold_part(self, path: str, name: str) -> bool:
        return bool(path and name)

    def may_be_inherited(self, of: SymbolRef) -> bool:
        name = of.name.rpartition(".")[2]
        heritage = (one for path in self.files for facts in [self.facts(path)] if facts for one in facts.heritage)
        return any(name in re.findall(r"\w+", term) for one in heritage for term in one.bases)

    def heads(self, path: str, name: str, line: int = 0) -> Sequence[str]:
        found = (definition for definition in self.outline(path) if definition.path == name)
        spans = [slice(*definition.signature) for definition in found if not line or definition.line == line]
        return [self.read(path)[span].decode() for span in spans]

    @cache  # noqa: B019
    def names(self, path: str) -> frozenset[str]:
        language = language_in(path, self.read(path))
        return frozenset(definition.name for definition in self.outline(path)) if language is not None else frozenset()

    def declaring(self, name: str, accepts: Callable[[str], object]) -> Sequence[tuple[str, str]]:
        named = (
            (path, one.container)
            for path in self.files
            if name in self.names(path)
            for one in self.outline(path)
            if one.name == name
        )
        return [(path, container) for path, container in named if container and accepts(container)]

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    @cache  # noqa: B019  a fixture folder lives as long as the tests
    def outline(self, path: str) -> list[Definition]:
        language = language_in(path, self.read(path))
        assert language is not None, path
        return embedded.whole_outline(path, self.read(path), language, parser_of).definitions

    @cache  # noqa: B019
    def facts(self, path: str) -> Facts | None:
        language = language_in(path, self.read(path))
        if language is None:
            return None
        return embedded.facts(path, self.read(path), language, parser_of)

    def meaning(self, at: Expectation) -> str:
        """Say what the name at a place means, in the words of the expectations."""
        uses = self._uses(at)
        found = [self._said(at, one) for name, use in uses for one in Resolver(self).resolve(at.path, name, use)]
        return " or ".join(dict.fromkeys(found)) or "unknown"

    def _said(self, at: Expectation, meaning: Resolution) -> str:
        match meaning:
            case SymbolRef(path, dotted, reason):
                name = without_numbers(dotted)
                return f"refer {name if path == at.path else f'{path}:{name}'} {reason}"
            case Module(files):
                return f"module {' '.join(files)}"
            case LocalName() | ExternalType():
                return "elsewhere"

    def _uses(self, at: Expectation) -> Sequence[tuple[str, Use]]:
        found = self.facts(at.path)
        assert found is not None
        here = (at.line, at.column)
        uses = [(name, use) for name, uses in found.uses.items() for use in uses if (use.line, use.column) == here]
        assert uses, f"{at.path}:{at.line}:{at.column} no name here"
        return uses


@pytest.mark.parametrize("folder", FOLDERS)
def test_finds_exactly_the_definitions_that_the_fixture_marks(folder: str) -> None:
    workspace = Workspace(FIXTURES / folder)
    wanted = [e for e in expectations(workspace.root) if e.words[0] == "define"]
    for path in sorted({e.path for e in wanted}):
        found = {(d.line, d.column, str(d.kind), without_numbers(d.path)) for d in workspace.outline(path)}
        expected = {(e.line, e.column, e.words[1], " ".join(e.words[2:])) for e in wanted if e.path == path}
        assert found == expected, path


@pytest.mark.parametrize("folder", FOLDERS)
def test_resolves_every_name_that_the_fixture_points_at(folder: str) -> None:
    workspace = Workspace(FIXTURES / folder)
    wanted = [e for e in expectations(workspace.root) if e.words[0] not in ("define", "leads")]
    found = [f"{e.path}:{e.line}:{e.column} {workspace.meaning(e)}" for e in wanted]
    assert found == [f"{e.path}:{e.line}:{e.column} {' '.join(e.words)}" for e in wanted]


@pytest.mark.parametrize("name", sorted({*LANGUAGES, *HOSTS}))
def test_every_language_has_fixtures_with_expectations(name: str) -> None:
    files = [file for folder in FOLDERS for file in (FIXTURES / folder).rglob("*") if file.is_file()]
    mine = [file for file in files if (language := language_of(file.name)) is not None and language.name == name]
    assert mine, f"no fixture in {name}"


def test_many_exports_in_a_row_are_one_value_each() -> None:
    """Each was read again for each before it once."""
    language = LANGUAGES["javascript"]
    content = ("".join(f"exports.a{number} = " for number in range(60)) + "b;\nfunction b() {}\n").encode()
    found = facts(language.parser().parse(content).root_node, content, language)
    assert {one.alias for one in found.imports} >= {f"a{number}" for number in range(60)}
