"""Finds problems in code, and shows the diff of the chosen fixes."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from leadline_tools.diagnostics.choice import ALL, UNSAFE, Choice, choose
from leadline_tools.diagnostics.patterns import Patterns
from leadline_tools.diagnostics.ruff import CONFIGURATION
from leadline_tools.diagnostics.survey import CHECKERS, Offer, Survey, survey
from leadline_tools.edits.hunks import hunks
from leadline_tools.edits.proposal import Proposal
from leadline_tools.errors import BadArgument, PastTheEnd
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.model import Diagnostic, Severity
from leadline_tools.result import Call, Result, Size, Value
from leadline_tools.tool import FolderPath, tool_of_texts

SECONDS = 4.0
"""What is not looked at in that time is said not to be."""

_MOST_NAMED = 6
"""Codes, files or reasons that one line of an answer names."""


@tool_of_texts
def apply_code_fix(
    index: Index,
    path: FolderPath = ".",
    start_line: int = 0,
    end_line: int = 0,
    fix: str = "",
    pattern: str = "",
    rewrite: str = "",
) -> Proposal:
    """Diagnostics and their fixes: syntax errors, ruff for Python; or matches of an ast-grep pattern and their rewrite.

    path: folders, files, globs, !globs. fix: ids, codes or "all": their diff. pattern: code with $A, $$$ARGS.
    """
    paths = select(index, path)
    lines = _lines(index, paths, path, start_line, end_line)
    if rewrite and not pattern:
        raise BadArgument("rewrite", "there is no pattern to rewrite", 'Give pattern, such as pattern="print($A)".')
    checkers = (Patterns(pattern, rewrite if rewrite or fix else None),) if pattern else CHECKERS
    found = survey(index, paths, time.monotonic() + SECONDS, checkers)
    if lines is not None:
        found = found.within(paths[0], lines)
    asked = _asked(path, start_line, end_line, pattern, rewrite)
    return _chosen(index, found, fix, asked) if fix else Proposal(_listed(index, found, len(paths), asked))


def _lines(index: Index, paths: Sequence[str], path: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the first and last line that is asked about; None for all of them."""
    if not start and not end:
        return None
    if start < 0 or end < 0 or (end and end < start):
        raise BadArgument("start_line and end_line", "lines count from 1", "Use start_line=10 and end_line=20.")
    if len(paths) != 1:
        raise BadArgument(
            "start_line", f"{path!r:.60} is not a single file", "Give the path of a file, or omit the lines."
        )
    total = index.read(paths[0]).line_count
    if start > max(1, total):
        last = Call.of("apply_code_fix", path=paths[0])
        raise PastTheEnd(f"line {start:,}", f"{paths[0]} has {total:,} lines", str(last))
    return max(1, start), end or start


def _asked(path: str, start: int, end: int, pattern: str, rewrite: str) -> dict[str, Value]:
    """Return the arguments of the question that a narrower one has to repeat."""
    given: dict[str, Value] = {"path": "" if path == "." else path, "start_line": start, "end_line": end}
    given |= {"pattern": pattern, "rewrite": rewrite}
    return {name: value for name, value in given.items() if value}


def _subject(asked: dict[str, Value]) -> str:
    path = str(asked.get("path", "."))
    lines = f":{asked['start_line']}" if "start_line" in asked else ""
    lines += f"-{asked['end_line']}" if "end_line" in asked else ""
    return f"{asked['pattern']} in {path}{lines}" if "pattern" in asked else f"{path}{lines}"


# What is wrong


def _listed(index: Index, found: Survey, files: int, asked: dict[str, Value]) -> Result:
    """Return the diagnostics, and what they sum up to."""
    diagnostics = found.diagnostics()
    offers = found.offers()
    return Result(
        subject=_subject(asked),
        noun="places" if "pattern" in asked else "diagnostics",
        items=diagnostics,
        at_least=bool(found.late),
        partial=True,
        notes=(*_summary(diagnostics), *_on_offer(offers), *_looked(found, files), *found.notes),
        calls=tuple(_next(index, diagnostics, offers, asked)),
    )


def _summary(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield the line that counts by severity and by code, where there is more than one."""
    codes = Counter(one.code for one in diagnostics)
    if len(codes) > 1 and len(diagnostics) > _MOST_NAMED:
        severities = Counter(one.severity for one in diagnostics)
        told = [f"{severity} {severities[severity]:,}" for severity in Severity if severities[severity]]
        yield f"{', '.join(told)}; {_counted(codes)}"


def _counted(counts: Counter[str]) -> str:
    named = [f"{name} {number:,}" for name, number in counts.most_common(_MOST_NAMED)]
    others = counts.most_common()[_MOST_NAMED:]
    if others:
        named.append(f"{len(others):,} others {sum(number for _, number in others):,}")
    return ", ".join(named)


def _on_offer(offers: Sequence[Offer]) -> Iterator[str]:
    """Yield the line that tells how to choose fixes, where there are any."""
    if not offers:
        return
    ids = {offer.id: offer for offer in offers}
    unsafe = sum(offer.repair.unsafe for offer in ids.values())
    told = f"fixes: {len(ids) - unsafe:,} safe" + (
        f", {unsafe:,} that may change the meaning ([id?])" if unsafe else ""
    )
    code = max(codes := [offer.code for offer in offers], key=codes.count)
    by_code = f', a code ("{code}")' if code else ""
    others = f'; "{code}{UNSAFE}" includes the others' if unsafe else ""
    yield f'{told}; fix="{ALL}"{by_code} or an id shows the diff{others}'


def _looked(found: Survey, files: int) -> Iterator[str]:
    """Yield the lines that tell who looked at what, and what nobody looked at."""
    if not files:
        yield "there are no files"
        return
    by = Counter(file.checker for file in found.files if not _of_configuration(file.findings))
    told = [f"{name} {number:,}" for name, number in sorted(by.items())]
    if found.unchecked:
        told.append(f"no checker {len(found.unchecked):,}")
    yield f"files checked: {', '.join(told) or '0'}"
    if found.late:
        yield f"not checked within {SECONDS:g} s: {_first(found.late)}; a narrower path is faster"
    reasons: dict[str, list[str]] = {}
    for path, reason in found.refused.items():
        reasons.setdefault(reason, []).append(path)
    for reason, paths in itertools.islice(reasons.items(), _MOST_NAMED):
        yield f"not checked: {_first(paths)} ({reason})"


def _first(paths: Sequence[str]) -> str:
    """Return the first of some files, and how many more there are."""
    return f"{paths[0]} and {len(paths) - 1:,} more" if len(paths) > 1 else paths[0]


def _of_configuration(findings: Sequence[object]) -> bool:
    return any(getattr(finding, "code", "") == CONFIGURATION for finding in findings)


def _next(
    index: Index, diagnostics: Sequence[Diagnostic], offers: Sequence[Offer], asked: dict[str, Value]
) -> Iterator[Call]:
    """Yield the calls that show the diff of fixes, and the code of what is wrong first."""
    safe = Counter(offer.code for offer in offers if not offer.repair.unsafe)
    if safe:
        yield Call.of("apply_code_fix", Size(rows=2 * safe.total(), width=60), **asked, fix=ALL)
        if len(safe) > 1:
            code = max(safe, key=lambda code: safe[code])
            yield Call.of("apply_code_fix", Size(rows=2 * safe[code], width=60), **asked, fix=code)
    elif offers:
        yield Call.of("apply_code_fix", Size(rows=3, width=60), **asked, fix=offers[0].id)
    if diagnostics:
        first = diagnostics[0]
        yield reading(index, first.path, first.line - 5, 20)


# What is chosen


def _chosen(index: Index, found: Survey, fix: str, asked: dict[str, Value]) -> Proposal:
    """Return the diff of the fixes that are chosen, and the plan that makes it."""
    choice = choose(index, found, fix, named=str(asked.get("path", "")).removeprefix("./"))
    result = Result(
        subject=f"{fix} of {_subject(asked)}",
        noun="hunks",
        items=list(hunks(index.tree, choice.plan)),
        notes=tuple(_choice_notes(choice)),
    )
    then = Call.of("apply_code_fix", Size(rows=10, width=60), **asked)
    return Proposal(result, choice.plan, (then,))


def _choice_notes(choice: Choice) -> Iterator[str]:
    """Yield the lines that tell what the fixes do, and which were left out."""
    named = (offer.repair for offer in choice.made if offer.code)  # of a pattern the diff says it
    titles = Counter(f"{repair.title}{' (unsafe)' if repair.unsafe else ''}" for repair in named)
    if titles:
        yield _counted(titles)
    if choice.unsafe:
        yield f"{choice.unsafe:,} unsafe fixes are left out: {UNSAFE} after a code includes them"
    if choice.colliding:
        paths = Counter(offer.path for offer in choice.colliding)
        yield f"{len(choice.colliding):,} overlap with others and are left for later: {_counted(paths)}"
    for path, reason in itertools.islice(choice.refused.items(), _MOST_NAMED):
        yield f"left out: {path} ({reason})"
    if choice.broken:
        yield f"more syntax errors afterwards: {', '.join(choice.broken[:_MOST_NAMED])}"
