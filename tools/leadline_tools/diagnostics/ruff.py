"""The checker ``ruff`` for Python, by the configuration of the tree.

ruff runs nothing of the tree and opens nothing in it: it gets a mirror, with copies of the files and configurations
that were read here, and stand-ins for the other Python files, by which it separates modules of the project from
others. It is an installed program, never one of the tree. It writes neither files nor a cache, whatever the
configuration says.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sysconfig
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any

from leadline_tools import cancellation
from leadline_tools.diagnostics.checker import Checked, Finding, Repair, Report
from leadline_tools.diagnostics.ruff_configuration import Configuration, Configurations
from leadline_tools.diagnostics.text_positions import TextPositions
from leadline_tools.edits.plan import Edit
from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.text.key_masking import mask_strings, mask_text
from leadline_tools.index.tree.mirror import Mirror
from leadline_tools.index.tree.programs import Limits, Outcome, find_program, run
from leadline_tools.languages import language_of
from leadline_tools.model import Severity

NAME = "ruff"

SYNTAX = "invalid-syntax"
"""Ruff's code for what does not parse."""

CONFIGURATION = "ruff-config"
"""Our code for a configuration that ruff cannot be given, or refuses."""

LARGEST = 4 << 20
"""Bytes of the largest file that ruff is given: a larger one is data or generated."""

_SHARE = 2
"""Of the time that is left a run may take one part of so many: what it dies of is then looked for in the rest."""

_SECONDS_OF_ONE = 5.0
"""Seconds that looking at one text may take, which nothing else waits for."""

_MEMORY = 2 << 30
_OUTPUT = 64 << 20
_ARGUMENTS = 24_000
"""Characters of the file names that one run is given: Windows takes 32,767 in all."""

_FILES = 200
"""Files that one run is given: what is found in them is kept, whatever becomes of the others."""

_USUAL_VERSION = "py310"
"""The version of Python that ruff takes where nothing says another one. It is set, so that ruff does not look for a
project above the root."""

_USUAL_SOURCES = 'src = [".", "src"]'
"""The folders of sources that ruff takes where nothing says others."""

_STAND_INS = 5_000
"""Files that ruff sees as empty ones, by which it knows what is a module of the project."""

_CHECK = (
    *("check", "--no-cache", "--no-fix", "--no-fix-only", "--exit-zero", "--quiet"),
    *("--output-format", "json"),
)
_MEANT_ERRORS = frozenset({SYNTAX, "F821", "E902", "E999"})
"""Codes of what makes a program fail; all others are warnings."""

_MISSING = "ruff is not installed, so Python is checked for syntax only (pip install ruff)"
_NO_MIRROR = (
    "ruff was not used, so Python is checked for syntax only: no copies of files could be made for it ({reason}). "
    "Set TMPDIR to a folder outside of the tree"
)
_FAILED = re.compile(r"^\s*Cause: (.*)$", re.MULTILINE)
_FAILED_AT = re.compile(r"at line (\d+), column (\d+)")


class Ruff:
    """Runs ruff on Python files, once for each configuration."""

    name = NAME
    beside = False

    def check(self, index: Index, paths: Sequence[str], until: float) -> Report:
        """Look at the Python files."""
        python = [path for path in paths if _is_python(path)]
        if not python:
            return Report()
        program = ruff_program(str(index.root))
        if program is None:
            return Report(notes=(_MISSING,))
        try:
            return _Survey(index, program, until, chosen=len(paths) == 1).of(python)
        except OSError as error:
            return Report(notes=(_NO_MIRROR.format(reason=error.strerror or error),))

    def errors_in(self, index: Index, path: str, content: bytes) -> int | None:
        """Return how many syntax errors a Python file would have."""
        program = ruff_program(str(index.root)) if _is_python(path) else None
        if program is None:
            return None
        command = [program, *_CHECK, "--isolated", "--select", "E9", "--stdin-filename", "a.py", "-"]
        folder = os.path.dirname(program)  # noqa: PTH120
        done = run(command, folder, Limits(_SECONDS_OF_ONE, _OUTPUT, _MEMORY), given=content)
        rows = _rows(done)
        return None if rows is None else sum(row.get("code") in {None, SYNTAX} for row in rows)


def _is_python(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.name == "python" and path.isprintable()


def ruff_program(root: str) -> str | None:
    """Return the ruff that was installed with this package, or one on PATH; never one beneath ``root``."""
    return find_program("ruff", root, _script_folders())


@cache
def _script_folders() -> tuple[str, ...]:
    """Return where the programs of this Python's packages are."""
    user = sysconfig.get_preferred_scheme("user")
    return sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user)


class _Survey:
    """One look at the Python files of a tree; ``chosen`` is true for a file that was named, which nothing excludes."""

    def __init__(self, index: Index, program: str, until: float, *, chosen: bool) -> None:
        self._index = index
        self._program = program
        self._until = until
        self._chosen = chosen
        self._digests: dict[str, bytes] = {}
        self._files: list[Checked] = []
        self._refused: dict[str, str] = {}
        self._late: list[str] = []
        self._excluded = 0
        self._mirror = Mirror(str(index.root))

    def of(self, paths: Sequence[str]) -> Report:
        """Return what ruff finds."""
        with closing(self._mirror):
            return self._report(paths)

    def _report(self, paths: Sequence[str]) -> Report:
        readable = self._read(paths)
        self._add_stand_ins(readable)
        for configuration, members in Configurations(self._index.tree).grouped(readable).items():
            for batch in _batches(members):
                cancellation.check()
                if configuration.problem:
                    self._blame(configuration, configuration.problem, configuration.place, len(members))
                    break
                included = self._included(configuration, batch)
                if not self._run(configuration, included, len(members)):
                    break
        notes = (f"ruff's configuration excludes {self._excluded:,} files",) if self._excluded else ()
        return Report(tuple(self._files), self._refused, tuple(self._late), notes)

    def _read(self, paths: Sequence[str]) -> list[str]:
        """Copy the files into the mirror and remember what they hold. Return those that could be read."""
        readable: list[str] = []
        tree = self._index.tree
        with tree.reading() as reader:
            for number, path in enumerate(paths):
                cancellation.check()
                if time.monotonic() > self._until:
                    self._late += paths[number:]
                    break
                with contextlib.suppress(LeadlineError):  # the next checker says why it cannot be read
                    raw = reader.raw(path, LARGEST)
                    if raw is None:
                        continue
                    self._digests[path] = tree.source(path, raw).digest
                    self._mirror.copy(tree.bare(path), raw, executable=tree.is_executable(path))
                    readable.append(path)
        return readable

    def _add_stand_ins(self, readable: Sequence[str]) -> None:
        """Let ruff see which modules the tree has, those first that decide what the files belong to."""
        tree = self._index.tree
        packages = {f"{folder}/__init__.py" for path in readable for folder in _folders_above(path)}
        known = self._index.files
        self._mirror.stand_in((tree.bare(path) for path in packages if path in known), _STAND_INS)
        others = (path for path in known.paths if path.endswith((".py", ".pyi")))
        self._mirror.stand_in((tree.bare(path) for path in others if path not in self._digests), _STAND_INS)

    def _command(self, configuration: Configuration, paths: Iterable[str], *options: str) -> list[str]:
        isolated = () if configuration.path else ("--isolated",)
        if configuration.path and not configuration.has_version:
            options = (*options, "--target-version", _USUAL_VERSION)
        if configuration.leads_out:
            options = (*options, "--config", _USUAL_SOURCES)
        tree, folder = self._index.tree, f"{configuration.folder}/"
        names = (path.removeprefix(folder) if configuration.path else tree.bare(path) for path in paths)
        # A name that begins with @ would be taken for a file that lists others, even behind the dashes.
        return [self._program, *_CHECK, *options, *isolated, "--", *(f"./{name}" for name in names)]

    def _included(self, configuration: Configuration, paths: Sequence[str]) -> Sequence[str]:
        """Return the files that the configuration does not exclude; all where it cannot be told."""
        if self._chosen or not configuration.path:
            return paths
        done = self._started(configuration, self._command(configuration, paths, "--force-exclude", "--show-files"))
        if done.code or done.stopped:
            return paths
        listed = set(os.fsdecode(done.output).splitlines())
        included = [path for path in paths if self._absolute(path) in listed]
        self._excluded += len(paths) - len(included)
        return included

    def _absolute(self, path: str) -> str:
        return self._mirror.path_of(self._index.tree.bare(path))

    def _started(self, configuration: Configuration, command: Sequence[str]) -> Outcome:
        for path, content in configuration.files.items():
            self._mirror.copy(self._index.tree.bare(path), content)
        left = (self._until - time.monotonic()) / (1 if self._chosen else _SHARE)
        if left <= 0:
            return Outcome(-1, b"", b"", "it takes too long")
        try:
            return run(command, self._absolute(configuration.folder), Limits(left, _OUTPUT, _MEMORY))
        except OSError as error:
            return Outcome(-1, b"", b"", (error.strerror or "it cannot be started").lower())

    def _run(self, configuration: Configuration, paths: Sequence[str], concerned: int) -> bool:
        """Run ruff on files and keep what it finds; return False where it refuses the configuration."""
        if not paths:
            return True
        if time.monotonic() > self._until:
            self._late += paths
            return True
        done = self._started(configuration, self._command(configuration, paths))
        rows = _rows(done)
        if rows is not None:
            self._keep(paths, rows)
        elif _FAILED.search(done.errors.decode("utf-8", "replace")) and configuration.path:
            self._blame(configuration, *_complaint(done), concerned)
            return False
        elif len(paths) == 1:
            self._give_up(paths[0], done.stopped or "ruff crashes on it")
        else:  # one file never costs the others
            half = len(paths) // 2
            for part in (paths[:half], paths[half:]):
                self._run(configuration, part, concerned)
        return True

    def _give_up(self, path: str, reason: str) -> None:
        if time.monotonic() > self._until:
            self._late.append(path)
        else:
            self._refused[path] = f"ruff: {reason}"

    def _blame(self, configuration: Configuration, problem: str, place: tuple[int, int], concerned: int) -> None:
        """Say that a configuration is why ruff did not look at files."""
        files = "1 file" if concerned == 1 else f"{concerned:,} files"
        problem = problem.replace(f"{self._mirror.folder}/", "")
        message = f"{problem}; so ruff did not check {files}"
        finding = Finding(place, place, Severity.Error, CONFIGURATION, message)
        self._files.append(Checked(configuration.path, b"", NAME, (finding,)))

    def _keep(self, paths: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        by_path: dict[str, list[Mapping[str, Any]]] = {}
        known = {self._absolute(path): path for path in paths}
        for row in rows:
            path = known.get(str(row.get("filename")))
            if path is not None:
                by_path.setdefault(path, []).append(row)
        for path in paths:
            digest = self._digests[path]
            source = self._index.try_read(path) if path in by_path else None
            if path in by_path and (source is None or source.digest != digest):
                self._refused[path] = "it changed while ruff checked it"
                continue
            places = TextPositions(source.content) if source is not None else TextPositions(b"")
            findings = tuple(_finding(row, places) for row in by_path.get(path, ()))
            self._files.append(Checked(path, digest, NAME, findings))


def _folders_above(path: str) -> list[str]:
    """Return the folders that a file is in, all but the root."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _batches(paths: Sequence[str]) -> Iterable[Sequence[str]]:
    """Yield files in runs whose names are short enough together."""
    batch: list[str] = []
    size = 0
    for path in paths:
        if batch and (size + len(path) + 3 > _ARGUMENTS or len(batch) >= _FILES):
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 3
    yield batch


def _rows(done: Outcome) -> Sequence[Mapping[str, Any]] | None:
    """Return the diagnostics that ruff wrote, keys in them masked; None where it failed."""
    if done.code or done.stopped:
        return None
    try:
        rows = mask_strings(json.loads(done.output))
    except (ValueError, RecursionError):
        return None
    return rows if isinstance(rows, list) else None


def _complaint(done: Outcome) -> tuple[str, tuple[int, int]]:
    """Return what ruff says against a configuration, and where: its innermost cause and the last line of all."""
    said = mask_text(done.errors.decode("utf-8", "replace").strip())
    cause = _FAILED.findall(said)[-1]
    at = _FAILED_AT.search(said)
    if at is None:
        return f"ruff rejects it: {re.sub(r' from `[^`]*`', '', cause)}", (1, 1)
    return f"ruff rejects it: {said.splitlines()[-1].strip()}", (int(at[1]), int(at[2]))


def _finding(row: Mapping[str, Any], places: TextPositions) -> Finding:
    """Return a diagnostic as ruff writes it: rows and columns from 1, columns in code points."""
    code = str(row.get("code") or SYNTAX)
    severity = Severity.Error if code in _MEANT_ERRORS else Severity.Warning
    fix = row.get("fix")
    repairs = (_repair(fix, places),) if isinstance(fix, dict) else ()
    return Finding(
        _place(row["location"]),
        _place(row["end_location"]),
        severity,
        code,
        " ".join(str(row["message"]).split()),
        repairs,
    )


def _repair(fix: Mapping[str, Any], places: TextPositions) -> Repair:
    edits = tuple(
        Edit(places.byte(*_place(edit["location"])), places.byte(*_place(edit["end_location"])), _lf(edit["content"]))
        for edit in fix["edits"]
    )
    return Repair(str(fix.get("message") or "Fix"), edits, unsafe=fix.get("applicability") != "safe")


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _place(location: Mapping[str, int]) -> tuple[int, int]:
    return location["row"], location["column"]
