"""Whether a rename is right, the code still parses, the way back restores every byte, and what is refused.

    python bench/rename.py ROOT [--count N] [--seed S] [--language NAME] [--below FOLDER] [--truth FILE]
                                [--locals] [--own] [--engines CORPUS=DIR] [--check COMMAND] [--keep DIR] [--failures]
                                [--unasked] [--identifiers]

Symbols are drawn by seed from all definitions of the tree, or are those of a drawing in ``bench/truth/answers``. Each
is renamed in a copy of the tree to a name that nothing has, through the server as a client would; the places that
changed are compared with what the engines of the drawing agree on, the files that changed are parsed, and the symbol is
renamed back, after which every byte has to be as before. Of a member that is renamed together with others the places
are not compared: the engines were asked about one symbol.

With ``--own`` nothing is drawn from files that are generated or copied, of which all renames are refused.

With ``--locals`` local variables and parameters are drawn in place of symbols.

With ``--identifiers`` identifiers are drawn in place of symbols, declarations and uses, of each kind in turn; COMMAND
runs before the first rename and after each, and what it adds is a new error of that
rename; ``$NAME`` is the name before.

With ``--engines`` the engines of ``bench/truth/renamers.py`` are asked for the same renames, in a copy of their own: of
each definition that was renamed, so that members that are renamed together are compared as well. An edit that no engine
makes is wrong; a place that all of them change, and that was neither changed nor named as undecided or as a mention in
a comment or string, is missed. Of files that none of them reads nothing is said.

At the end all symbols are renamed together, COMMAND (a type checker, run by the shell in the copy, ``$FOLDERS`` being
what the renames change) tells its errors before and after, the tree is copied to ``--keep`` for whatever else is to be
run, and all edits are undone. With ``--unasked`` those are left out of which the answer tells something to decide.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from identifiers import draw_identifiers
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_tools.edits.ownership import foreign
from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.resolve.bindings.local import local_in
from truth.corpus import Corpus
from truth.record import Answer, Place, read
from truth.record import Drawn as Symbol
from truth.renamers import renamers

INDEXING_SECONDS = 600

MOST_DEFINITIONS = 12
"""Definitions that are renamed together of which the engines are asked."""

_KINDS = {
    "collision": re.compile(r"is defined there|is a member of|is bound there|means .* already|would mean"),
    "means something else as well": re.compile(r"it may mean"),
    "named by the language": re.compile(
        r"looks for|goes by the name|given by|calls|gives .* meaning|says what|says wh"
    ),
    "generated or copied": re.compile(r"would be changed, and"),
    "not in time": re.compile(r"in time"),
    "more than one symbol": re.compile(r"more than one symbol|candidates"),
    "nothing there": re.compile(r"No symbol is defined|There is no symbol"),
    "not writable": re.compile(r"not written to|cannot be kept"),
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A symbol to rename, and what its references are where that is known."""

    place: Place
    name: str
    answer: Answer | None = None
    kind: str = ""


@dataclass(slots=True)
class Outcome:
    """What became of one symbol: an empty ``refused`` says that it was renamed."""

    drawn: Drawn
    refused: str = ""
    edits: int = 0
    files: int = 0
    together: bool = False
    undecided: int = 0
    asks: bool = False
    strings: int = 0
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list)
    wrong: list[Place] = field(default_factory=list)
    missed: list[Place] = field(default_factory=list)
    back: str = ""
    places: set[Place] = field(default_factory=set)
    left: set[Place] = field(default_factory=set)
    mentioned: set[Place] = field(default_factory=set)
    told: list[Place] = field(default_factory=list)
    definitions: list[Place] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    alone: list[Place] = field(default_factory=list)
    unread: int = 0
    errors: list[str] = field(default_factory=list)
    announced: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checker:
    """A type checker or compiler that runs on a copy of a tree, and the errors it had at the beginning."""

    root: Path
    command: str
    before: Counter[str]

    def new_errors(self, name: str) -> list[str]:
        """Return the lines of the errors that were not there at the beginning, after a rename of ``name``."""
        lines = error_lines(self.root, self.command, (), name)
        added = Counter(map(comparable, lines)) - self.before
        return [line for line in lines if comparable(line) in added]


class Copy:
    """A copy of a tree, a session on it, and the bytes that the tree began with."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(root, self.root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        index = Index(self.root, folder / "cache")
        self.session = Session(Config(self.root, folder / "cache", "openai", allow_edits=True), index)
        index.start()
        if not index.wait(INDEXING_SECONDS):
            raise TimeoutError("the index is not complete")
        self.before: dict[str, bytes] = {
            path: (self.root / path).read_bytes() for path in index.files.paths if not (self.root / path).is_symlink()
        }
        self._kept: dict[str, int] = {}

    def call(self, **arguments: object) -> Response:
        """Ask for a rename, or to undo one."""
        return self.session.call(Request("rename_symbol", {"max_tokens": 9_000, **arguments}))

    def named(self, uri: str, kind: str) -> set[Place]:
        """Return the places that an applied rename names and leaves: ``undecided``, or ``mentioned_in`` a text."""
        items = json.loads(self.session.read_all(uri, 0))["items"]
        return {Place(one["path"], one["line"], one["column"]) for one in items if one.get(kind)}

    def definitions(self, name: str, places: Iterable[Place]) -> list[Place]:
        """Return those of some places at which something is defined."""
        wanted: dict[str, set[Place]] = {}
        for place in places:
            wanted.setdefault(place.path, set()).add(place)
        found = []
        for path in sorted(wanted):
            source = self.session.index.try_read(path)
            known = self.session.index.symbols.definitions(source) if source is not None else ()
            here = {Place(path, one.line, one.column) for one in known if one.name == name}
            found += sorted((here | bound_in(self.session.index, path, name)) & wanted[path])
        return found

    def changed(self) -> dict[str, bytes]:
        """Return the files that are not as they were."""
        found = {}
        for path, raw in self.before.items():
            status = (self.root / path).stat()
            if status.st_size != len(raw) or self._kept.setdefault(path, status.st_mtime_ns) != status.st_mtime_ns:
                now = (self.root / path).read_bytes()
                if now != raw:
                    found[path] = now
        return found

    def faults(self, path: str, raw: bytes) -> int:
        """Return how many places of a file do not parse."""
        language = language_of(path)
        if language is None:
            return 0
        cursor, faults = language.parser().parse(raw).walk(), 0
        while True:
            node = cursor.node
            if node is not None and node.has_error:
                faults += node.is_error or node.is_missing
                if cursor.goto_first_child():
                    continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return faults


def bound_in(index: Index, path: str, name: str) -> set[Place]:
    """Return where the scopes of a file first bind a local name."""
    facts = index.facts.fetch((path,)).facts.get(path)
    scopes = {binding.scope for binding in facts.named(name)} if facts is not None else ()
    found = (local_in(facts, path, name, scope) for scope in scopes) if facts is not None else ()
    return {Place(path, one.line, one.column) for one in found if one is not None}


def locals_from(index: Index, count: int, seed: int, language: str, below: str) -> list[Drawn]:
    """Draw local variables and parameters of a tree that has an index: a file by seed, then one of its names."""
    draw, found = random.Random(seed), list[Drawn]()
    paths = [path for path in index.files.paths if path.startswith(below)]
    paths = [path for path in paths if (known := language_of(path)) is not None and language in ("", known.name)]
    for path in draw.choices(paths, k=8 * count) if paths else ():
        facts = index.facts.fetch((path,)).facts.get(path)
        names = sorted({binding.name for binding in facts.bindings if not binding.path}) if facts is not None else []
        if not names:
            continue
        name = draw.choice(names)
        places = sorted(bound_in(index, path, name))
        if places and len(found) < count:
            found.append(Drawn(draw.choice(places), name))
    return list(dict.fromkeys(found))


def drawn_from(index: Index, count: int, seed: int, language: str, below: str, *, own: bool = False) -> list[Drawn]:
    """Draw definitions of a tree that has an index; with ``own`` of files that are neither generated nor copied."""
    found = []
    for path in index.files.paths:
        known = language_of(path)
        if known is None or known.semantics is None or language not in ("", known.name) or not path.startswith(below):
            continue
        source = index.try_read(path)
        if own and source is not None and foreign(path, source.content):
            continue
        definitions = index.symbols.definitions(source) if source is not None else ()
        found += [
            Drawn(Place(path, one.line, one.column), one.name)
            for one in definitions
            if known.names.identifier.fullmatch(one.name) and one.kind not in ("Constructor", "Operator")
        ]
    return random.Random(seed).sample(found, min(count, len(found)))


def new_name(old: str, number: int) -> str:
    """Return a name of the same make that nothing has."""
    stem = re.sub(r"[?!]$", "", old)
    return f"{stem}Zq{number}" + old[len(stem) :]


def places_of(path: str, raw: bytes, old: str, new: str) -> Iterator[Place]:
    """Yield where a new name stands, as places of the text before."""
    one, other = re.escape(old), re.escape(new)
    pattern = other if path.endswith(".py") else rf"{one}: {other}|{other}: {one}|{other}"
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        shift = 0
        for match in re.finditer(pattern, line):
            yield Place(path, number, match.start() - shift + 1)
            shift += len(match[0]) - len(old)


def quoted(raw: bytes, place: Place, name: str) -> bool:
    """Return whether a place is a string that holds nothing but the name: one of ``__all__``."""
    line = raw.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")[place.line - 1]
    start = place.column - 1
    return start > 0 and line[start - 1] in "\"'" and line[start + len(name) : start + len(name) + 1] == line[start - 1]


def renamed(copy: Copy, drawn: Drawn, number: int, checker: Checker | None = None) -> Outcome:
    """Rename one symbol, look at what changed, and rename it back."""
    new = new_name(drawn.name, number)
    outcome = Outcome(drawn)
    began = time.perf_counter()
    response = copy.call(symbol=str(drawn.place), new_name=new, apply=True)
    outcome.seconds = time.perf_counter() - began
    if response.is_error or " applied " not in response.text:
        outcome.refused = response.text.split("\n")[0] if response.is_error else "error: more than one symbol"
        return outcome
    outcome.together = "renamed together" in response.text
    undecided = re.search(r"decide: ([\d,]+) uses? of", response.text)
    outcome.undecided = int(undecided[1].replace(",", "")) if undecided else 0
    outcome.asks = "\ndecide: " in response.text
    after = copy.changed()
    places = {place for path, raw in after.items() for place in places_of(path, raw, drawn.name, new)}
    outcome.edits, outcome.files = len(places), len(after)
    outcome.places, outcome.left = places, copy.named(response.uri, "undecided")
    outcome.mentioned = copy.named(response.uri, "mentioned_in")
    for path, raw in after.items():
        if copy.faults(path, raw) > copy.faults(path, copy.before[path]):
            outcome.broken.append(path)
    if checker is not None:
        named = {(place.path, place.line) for place in outcome.left | outcome.mentioned}
        for error in checker.new_errors(drawn.name):
            (outcome.announced if line_of(error) in named else outcome.errors).append(error)
    answer = drawn.answer
    if answer is not None and not outcome.together:
        wanted = answer.references | {drawn.place}
        strings = {place for place in places - wanted if quoted(copy.before[place.path], place, drawn.name)}
        outcome.strings = len(strings)
        outcome.wrong = sorted(places - wanted - answer.undecidable - strings)
        outcome.missed = sorted(wanted - places)
    line = after.get(drawn.place.path, b"").split(b"\n")[drawn.place.line - 1 : drawn.place.line]
    at = line[0].decode("utf-8", "replace").find(new) + 1 if line else 0
    back = copy.call(symbol=f"{drawn.place.path}:{drawn.place.line}:{at}", new_name=drawn.name, apply=True)
    left = copy.changed()
    if left:
        outcome.back = back.text.split("\n")[0] if back.is_error else f"{len(left)} files differ: {sorted(left)[:3]}"
        restore(copy, left)
    outcome.definitions = copy.definitions(drawn.name, places)
    return outcome


def compare(copy: Copy, outcomes: Sequence[Outcome], language: str, given: str, folder: Path) -> None:
    """Ask the engines for the renames that were made, in a copy of their own."""
    name, _, engines = given.partition("=")
    tree = folder / "engines"
    shutil.copytree(copy.root, tree, symlinks=True)
    asked = renamers(Corpus(copy.session.index, language), name, tree, Path(engines).resolve())
    done = [one for one in outcomes if not one.refused]
    for number, outcome in enumerate(done):
        old = outcome.drawn.name
        new = new_name(old, number)
        voices: list[frozenset[Place]] = []
        for engine in asked:
            symbols = [Symbol(place, old, "", 1) for place in outcome.definitions[:MOST_DEFINITIONS]]
            told = [places for one in symbols if (places := engine.renamed(one, new)) is not None]
            if told:
                voices.append(frozenset[Place]().union(*told))
                outcome.engines.append(engine.version)
        if voices:
            listed = {place for place in outcome.places if quoted(copy.before[place.path], place, old)}
            read = {place for place in outcome.places if any(engine.sees(place.path) for engine in asked)}
            outcome.unread = len(outcome.places) - len(read)
            outcome.wrong = sorted(read - listed - frozenset[Place]().union(*voices))
            outcome.alone = sorted(place for place in outcome.places if sum(place in one for one in voices) == 1)
            missed = frozenset.intersection(*voices) - outcome.places - outcome.left
            outcome.told = sorted(missed & outcome.mentioned)
            missed -= outcome.mentioned
            outcome.missed = sorted(place for place in missed if spelled(copy.before[place.path], place, old))
        progress(number, len(done))
    for engine in asked:
        engine.close()


def spelled(raw: bytes, place: Place, name: str) -> bool:
    """Return whether a name stands at a place as a whole, which is no text of something else."""
    lines = raw.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    return re.match(rf"{re.escape(name)}(?!\w)", lines[place.line - 1][place.column - 1 :]) is not None


def progress(number: int, total: int) -> None:
    """Show how far it is, to a person."""
    if sys.stderr.isatty():
        print(f"\r{number + 1} of {total}", end="", file=sys.stderr)


def restore(copy: Copy, paths: Mapping[str, bytes]) -> None:
    """Put files back as they were."""
    for path in paths:
        (copy.root / path).write_bytes(copy.before[path])
    copy.session.index.refresh()


def together(copy: Copy, outcomes: Sequence[Outcome], command: str, keep: Path | None, unasked: bool) -> None:
    """Rename all that can be renamed, look at what a checker says before and after, and undo it all."""
    every = enumerate(outcomes)
    chosen = {at: one for at, one in every if not (one.refused or one.back or (unasked and one.asks))}
    changed = {place.path for one in chosen.values() for place in one.places}
    folders = sorted({path.rpartition("/")[0] or "." for path in changed})
    errors = checked(copy.root, command, folders)
    uris = []
    for number, outcome in chosen.items():
        new = new_name(outcome.drawn.name, number + 1_000)
        place = outcome.drawn.place
        response = copy.call(symbol=f"{place.path}:{place.line}", new_name=new, apply=True)
        if not response.is_error and response.uri:
            uris.append((response.uri, new))
    new_errors = checked(copy.root, command, folders) - errors
    print(f"together: {len(uris)} renamed, {len(copy.changed())} files changed")
    if keep is not None:
        shutil.copytree(copy.root, keep, symlinks=True)
        (keep.parent / f"{keep.name}.changed").write_text("".join(f"{path}\n" for path in sorted(copy.changed())))
    print(f"checker: {errors.total()} errors before, {new_errors.total()} new ones after")
    for line, number in new_errors.most_common(60):
        print(f"  new x{number}: {line}")
    refused = [text for uri, _ in reversed(uris) if (text := copy.call(undo=uri, apply=True)).is_error]
    print(f"undone: {len(uris) - len(refused)} of {len(uris)}; {len(copy.changed())} files differ from the beginning")
    for response in refused[:3]:
        print(f"  {response.text.strip()}")


def checked(root: Path, command: str, folders: Sequence[str]) -> Counter[str]:
    """Return the errors of a checker, without what the length of a name changes."""
    return Counter(map(comparable, error_lines(root, command, folders)))


def error_lines(root: Path, command: str, folders: Sequence[str], name: str = "") -> list[str]:
    """Return the lines in which a checker reports errors."""
    environment = {**os.environ, "FOLDERS": " ".join(folders), "NAME": name}
    done = subprocess.run(command, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return [line.strip() for line in (done.stdout + done.stderr).splitlines() if re.search(r"error", line)]


def comparable(line: str) -> str:
    """Return an error without the numbers of lines and columns, which a longer line moves, and without a new name."""
    return re.sub(r"Zq\d+", "", re.sub(r"[:(]\d+[:,]\d+\)?|:\d+:|\b\d+ errors?.*", "", line))


def line_of(error: str) -> tuple[str, int] | None:
    """Return the path and the line at which a checker reports an error."""
    match = re.match(r"(?:error: |vet: )*(?:\./)?([^\s:(]+)[:(](\d+)", error)
    return (match[1], int(match[2])) if match else None


def report(outcomes: Sequence[Outcome], failures: bool) -> None:
    """Print what became of all symbols."""
    done = [one for one in outcomes if not one.refused]
    compared = [one for one in done if one.engines or (one.drawn.answer is not None and not one.together)]
    edits, files = sum(one.edits for one in done), sum(one.files for one in done)
    print(f"symbols {len(outcomes)}, renamed {len(done)}, refused {len(outcomes) - len(done)}")
    print(f"edits {edits} in {files} files; {sum(one.together for one in done)} with others together")
    print(f"renamed with something to decide: {sum(one.asks for one in done)}")
    print(f"undecided uses named and not changed: {sum(one.undecided for one in done)}")
    print(f"files that parse worse: {sum(len(one.broken) for one in done)}")
    print(f"renamed back with every byte: {sum(not one.back for one in done)} of {len(done)}")
    if compared:
        wrong, missed = sum(len(one.wrong) for one in compared), sum(len(one.missed) for one in compared)
        print(f"compared with engines: {len(compared)} symbols, {sum(one.edits for one in compared)} edits")
        print(f"  wrong edits {wrong}, references that were not edited {missed}")
        for version, number in Counter(version for one in compared for version in one.engines).most_common():
            print(f"  {version}: {number} renamed")
        print(f"  mentions that the engines edit, named and not changed: {sum(len(one.told) for one in compared)}")
        print(f"  edits in files that no engine reads: {sum(one.unread for one in compared)}")
        print(f"  edits that one engine alone makes: {sum(len(one.alone) for one in compared if len(one.engines) > 1)}")
        print(
            f"  edits of names in __all__, of which the engines were not asked: {sum(one.strings for one in compared)}"
        )
    seconds = [one.seconds for one in outcomes]
    print(f"seconds: median {statistics.median(seconds):.2f}, worst {max(seconds):.2f}")
    for kind, number in Counter(kind_of(one.refused) for one in outcomes if one.refused).most_common():
        print(f"refused, {kind}: {number}")
    if any(one.drawn.kind for one in outcomes):
        report_kinds(outcomes)
    for one in outcomes if failures else ():
        told = [f"broken {one.broken}" * bool(one.broken), f"wrong {list(map(str, one.wrong[:4]))}" * bool(one.wrong)]
        told += [f"missed {list(map(str, one.missed[:4]))}" * bool(one.missed), one.back, one.refused]
        told += [f"new error: {line}" for line in one.errors] + [f"at a named place: {line}" for line in one.announced]
        if any(told):
            print(f"{one.drawn.place} {one.drawn.name}: {'; '.join(filter(None, told))}")


def report_kinds(outcomes: Sequence[Outcome]) -> None:
    """Print what became of the identifiers of each kind."""
    print("kind: drawn, renamed, with new errors, with errors only at places that the answer names, not as before")
    for kind in sorted({one.drawn.kind for one in outcomes}):
        these = [one for one in outcomes if one.drawn.kind == kind]
        done = [one for one in these if not one.refused]
        wrong, named = (
            sum(bool(one.errors) for one in done),
            sum(bool(one.announced and not one.errors) for one in done),
        )
        print(f"  {kind}: {len(these)}, {len(done)}, {wrong}, {named}, {sum(bool(one.back) for one in done)}")


def kind_of(refused: str) -> str:
    """Return why a symbol was refused, in a few words."""
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(refused)), refused)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--language", default="")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--below", default="")
    parser.add_argument("--locals", action="store_true")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--engines", default="")
    parser.add_argument("--check", default="")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--unasked", action="store_true")
    parser.add_argument("--identifiers", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(given.root.resolve(), Path(folder))
        if given.truth is not None:
            answers = read(given.truth).answers
            chosen = [Drawn(one.drawn.place, one.drawn.name, one) for one in answers][: given.count]
        elif given.identifiers:
            tokens = draw_identifiers(copy.session.index, given.count, given.seed, given.language, given.below)
            chosen = [Drawn(one.place, one.name, kind=one.kind) for one in tokens]
        else:
            index, which = copy.session.index, (given.count, given.seed, given.language, given.below)
            chosen = locals_from(index, *which) if given.locals else drawn_from(index, *which, own=given.own)
        checker = None
        if given.identifiers and given.check:
            checker = Checker(copy.root, given.check, checked(copy.root, given.check, ()))
            print(f"checker: {checker.before.total()} errors before")
        outcomes = []
        for number, drawn in enumerate(chosen):
            outcomes.append(renamed(copy, drawn, number, checker))
            progress(number, len(chosen))
        if given.engines:
            compare(copy, outcomes, given.language, given.engines, Path(folder))
        report(outcomes, given.failures)
        if not given.identifiers and (given.check or given.keep):
            together(copy, outcomes, given.check or "true", given.keep, given.unasked)
        copy.session.close()


if __name__ == "__main__":
    main()
