"""Code that has the structure of a caller's pattern, and the rewrite that the caller gives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from leadline_tools.diagnostics.checker import Checked, Finding, Repair, Report
from leadline_tools.diagnostics.text_positions import TextPositions
from leadline_tools.edits.plan import Edit
from leadline_tools.errors import BadArgument, BadPattern
from leadline_tools.index.index import Index
from leadline_tools.index.workers.frames import Operation
from leadline_tools.languages import language_of, maybe_script
from leadline_tools.languages.structural import MOST, Match, knows, literals, names_in
from leadline_tools.model import Severity

LONGEST = 2_000
"""Characters of a pattern or a rewrite."""

_HINT = "Give code of the language, whole and valid, with $A for one node and $$$ARGS for any number of them."

_SHOWN = 100
"""Characters of a match that its message repeats."""


class Patterns:
    """Reports where a pattern matches; ``rewrite`` is None where nothing is to be written."""

    name = "pattern"
    beside = False

    def __init__(self, pattern: str, rewrite: str | None) -> None:
        """Take a pattern; raises BadPattern and BadArgument for what no language could make sense of."""
        if len(pattern) > LONGEST:
            raise BadPattern(pattern, f"it has more than {LONGEST:,} characters", _HINT)
        held = dict(names_in(pattern))
        for name, several in names_in(rewrite or ""):
            if name not in held or name.startswith("_"):
                sign = "$$$" if several else "$"
                raise BadArgument("rewrite", f"{sign}{name} is not a metavariable of the pattern", _names(held))
        self._pattern = pattern
        self._rewrite = rewrite

    def check(self, index: Index, paths: Sequence[str], until: float) -> Report:
        """Look at the files that hold the words of the pattern.

        Raises BadPattern where it is no code of their language, in all of them or in most and nothing matches.
        """
        known = [path for path in paths if _may_know(path)]
        asked = self._candidates(index, known)
        argument = json.dumps([self._pattern, self._rewrite])
        gathered = index.workers.gather(Operation.Matches, asked, argument, until)
        replies = {path: gathered[path] for path in asked if path in gathered}  # in the order of the files
        without = set(known).difference(asked)
        files = [Checked(path, b"", self.name, ()) for path in known if path in without]
        refused: dict[str, str] = {}
        unusable: dict[str, str] = {}
        for path, reply in replies.items():
            answer = json.loads(reply.payload) if reply.payload and not reply.error else None
            if reply.error:
                refused[path] = reply.error
            elif isinstance(answer, str):
                unusable[path] = answer
            elif answer is not None:
                found = self._findings(index, path, reply.digest, [Match(*row) for row in answer])
                files.append(Checked(path, reply.digest, self.name, found))
        found_nothing = not any(file.findings for file in files)
        if unusable and found_nothing and len(files) - len(without) < len(unusable):
            raise self._unusable(unusable)
        late = tuple(path for path in asked if path not in replies)
        return Report(tuple(files), refused, late, (*self._notes(files), *_apart(unusable)))

    def errors_in(self, index: Index, path: str, content: bytes) -> int | None:  # noqa: ARG002  as Checker has it
        """Return nothing: patterns know no errors."""
        return None

    def _candidates(self, index: Index, known: Sequence[str]) -> Sequence[str]:
        """Return those of the files that may hold a match, for they hold the words of the pattern."""
        words = literals(self._pattern)
        if not words or len(known) == 1:
            return known
        held = set(index.words.files_with(words))
        # Whether a pattern can be used is only found out by using it.
        return [path for path in known if path in held] or known[:1]

    def _unusable(self, reasons: Mapping[str, str]) -> Exception:
        path, reason = next(iter(reasons.items()))
        others = len(set(reasons.values())) - 1
        if others:
            reason += f", nor as {others} other languages" if others > 1 else ", nor as the other language"
        lower = re.search(r"\$[a-z]\w*", self._pattern)
        if lower is not None:
            reason += f" ({lower.group()} is not a metavariable: they are upper case)"
        return BadPattern(self._pattern, f"{reason} (tried on {path})", _HINT)

    def _findings(self, index: Index, path: str, digest: bytes, matches: Sequence[Match]) -> tuple[Finding, ...]:
        source = index.try_read(path) if matches else None
        if source is None or source.digest != digest:
            return ()
        places = TextPositions(source.content)
        return tuple(
            Finding(
                places.place(match.start),
                places.place(match.end),
                Severity.Information,
                "",
                _said(source.content[match.start : match.end]),
                () if match.text is None else (Repair(_title(match.text), (_edit(match),)),),
            )
            for match in matches
        )

    def _notes(self, files: Iterable[Checked]) -> tuple[str, ...]:
        full = [file.path for file in files if len(file.findings) >= MOST]
        return tuple(f"more than {MOST:,} in {path}" for path in full)


def _may_know(path: str) -> bool:
    language = language_of(path)
    return maybe_script(path) if language is None else knows(language)


def _edit(match: Match) -> Edit:
    return Edit(match.start, match.end, match.text or "")


def _said(raw: bytes) -> str:
    """Return code on one line, cut where it is long."""
    said = " ".join(raw.decode("utf-8", "replace").split())
    return f"{said[:_SHOWN].rstrip()}..." if len(said) > _SHOWN else said


def _title(text: str) -> str:
    return _said(text.encode("utf-8", "replace")) or "(nothing)"


def _names(held: Mapping[str, bool]) -> str:
    names = [f"{'$$$' if several else '$'}{name}" for name, several in held.items() if not name.startswith("_")]
    return f"The pattern has {', '.join(names)}." if names else "The pattern has none, such as $A or $$$ARGS."


def _apart(unusable: Mapping[str, str]) -> tuple[str, ...]:
    """Return the line that tells of files in whose language the pattern says nothing."""
    if not unusable:
        return ()
    path, reason = next(iter(unusable.items()))
    more = f" and {len(unusable) - 1:,} more" if len(unusable) > 1 else ""
    return (f"not searched: {path}{more} ({reason})",)
