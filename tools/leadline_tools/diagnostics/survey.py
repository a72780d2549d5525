"""All that the checkers have to say of some files."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline_tools.diagnostics.checker import Checked, Checker, Finding, Repair, Report
from leadline_tools.diagnostics.ruff import Ruff
from leadline_tools.diagnostics.served import Served
from leadline_tools.diagnostics.syntax import Syntax
from leadline_tools.index.index import Index
from leadline_tools.model import Diagnostic, Fix, Severity

CHECKERS: tuple[Checker, ...] = (Ruff(), Syntax(), Served())
"""The sources of diagnostics; what one of them has parsed is not parsed again by those behind it."""

_SEVERITIES = list(Severity)


@dataclass(frozen=True, slots=True)
class Offer:
    """A repair on offer: the file and the content that it is for, the code of what it mends, and its id."""

    id: str
    path: str
    digest: bytes
    code: str
    repair: Repair


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found in files.

    Args:
        files: What was looked at and by whom; files without findings too.
        unchecked: The files that no checker knows.
        refused: The files that could not be looked at, each with the reason.
        late: The files that were not come to in time.
        notes: What a reader has to know besides.

    """

    files: tuple[Checked, ...]
    unchecked: tuple[str, ...]
    refused: Mapping[str, str]
    late: tuple[str, ...]
    notes: tuple[str, ...]

    def with_(self, report: Report) -> Survey:
        """Return the same with what one more checker has to say; notes once."""
        done = {file.path for file in report.files} | report.refused.keys() | set(report.late)
        return Survey(
            self.files + report.files,
            tuple(path for path in self.unchecked if path not in done),
            {**self.refused, **report.refused},
            self.late + report.late,
            tuple(dict.fromkeys(self.notes + report.notes)),
        )

    def within(self, path: str, lines: tuple[int, int]) -> Survey:
        """Return the same without what lies outside of some lines of a file, the first and last one given."""
        files = (
            replace(file, findings=tuple(one for one in file.findings if _meets(one, lines)))
            if file.path == path
            else file
            for file in self.files
        )
        return replace(self, files=tuple(files))

    def diagnostics(self) -> list[Diagnostic]:
        """Return what was found, files with errors first, in the order of the text."""
        by_path: dict[str, list[Diagnostic]] = {}
        for file in self.files:
            if file.findings:
                by_path.setdefault(file.path, []).extend(_diagnostic(file, finding) for finding in file.findings)
        paths = sorted(by_path, key=lambda path: (min(_rank(one) for one in by_path[path]), path))
        return [one for path in paths for one in sorted(by_path[path], key=lambda one: (one.line, one.column))]

    def offers(self) -> list[Offer]:
        """Return all repairs, in the order of paths and text."""
        return [
            Offer(_id(file, finding, repair), file.path, file.digest, finding.code, repair)
            for file in sorted(self.files, key=lambda file: file.path)
            for finding in sorted(file.findings, key=lambda finding: finding.start)
            for repair in finding.repairs
        ]


def survey(index: Index, paths: Sequence[str], until: float, checkers: Iterable[Checker] = CHECKERS) -> Survey:
    """Return what the checkers find in files, until a time by the monotonic clock."""
    found = Survey((), tuple(paths), {}, (), ())
    for checker in checkers:
        for part in index.parts:
            left = [path for path in paths if path not in found.refused] if checker.beside else found.unchecked
            found = found.with_(checker.check(part, [path for path in left if index.of(path) is part], until))
    return found


def errors_in(index: Index, path: str, content: bytes) -> int | None:
    """Return how many syntax errors a file would have with another content; None where nobody can tell."""
    counts = (checker.errors_in(index.of(path), path, content) for checker in CHECKERS)
    return next((count for count in counts if count is not None), None)


def _meets(finding: Finding, lines: tuple[int, int]) -> bool:
    return finding.start[0] <= lines[1] and lines[0] <= finding.end[0]


def _rank(diagnostic: Diagnostic) -> int:
    return _SEVERITIES.index(diagnostic.severity)


def _diagnostic(file: Checked, finding: Finding) -> Diagnostic:
    return Diagnostic(
        file.path,
        *finding.start,
        *finding.end,
        finding.severity,
        finding.code,
        finding.message,
        tuple(Fix(_id(file, finding, repair), repair.title, repair.unsafe) for repair in finding.repairs),
    )


def _id(file: Checked, finding: Finding, repair: Repair) -> str:
    """Return what a repair is chosen by: the same for the same content of its file, another for any other."""
    edits = [(edit.start, edit.end, edit.text) for edit in repair.edits]
    named = json.dumps([file.path, file.digest.hex(), finding.code, repair.title, edits]).encode()
    return base64.b32encode(hashlib.blake2b(named, digest_size=5).digest()).decode("ascii").lower()
