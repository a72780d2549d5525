"""Syntax errors of every language, from the trees that the workers make."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from leadline_tools.diagnostics.checker import Checked, Finding, Repair, Report
from leadline_tools.diagnostics.text_positions import TextPositions
from leadline_tools.edits.plan import Edit
from leadline_tools.index.index import Index
from leadline_tools.index.workers.frames import Operation
from leadline_tools.languages import language_of, maybe_script
from leadline_tools.languages.faults import MOST, Fault
from leadline_tools.model import Severity

CODE = "syntax"

_MACROS = frozenset({"c", "cpp"})
"""Languages in which code need not parse before its macros are put in their place."""


class Syntax:
    """Reports what the parsers of the index do not understand."""

    name = "syntax"
    beside = False

    def check(self, index: Index, paths: Sequence[str], until: float) -> Report:
        """Look at the files whose language is known."""
        templates = [path for path in paths if _is_template(index, path)]
        known = [path for path in paths if _is_parsed(path) and path not in templates]
        refused = {path: file.error for path in known if (file := index.files.get(path)) is not None and file.error}
        asked = [path for path in known if path not in refused]
        replies = index.workers.gather(Operation.Faults, asked, until=until)
        files = []
        for path, reply in replies.items():
            if reply.error:
                refused[path] = reply.error
            elif reply.payload:
                rows = [Fault(*row) for row in json.loads(reply.payload)]
                files.append(Checked(path, reply.digest, self.name, _findings(index, path, reply.digest, rows)))
        late = tuple(path for path in asked if path not in replies)
        return Report(tuple(files), refused, late, (*_notes(files), *_template_notes(templates)))

    def errors_in(self, index: Index, path: str, content: bytes) -> int | None:
        """Return how many regions of a content do not parse."""
        reply = index.workers.gather(Operation.Faults, (path,), content.decode("utf-8")).get(path)
        return None if reply is None or reply.error or not reply.payload else len(json.loads(reply.payload))


def _findings(index: Index, path: str, digest: bytes, faults: Sequence[Fault]) -> tuple[Finding, ...]:
    """Return the faults of a file as findings; none where it has changed since, or is gone."""
    source = index.try_read(path) if faults else None
    if source is None or source.digest != digest:
        return ()
    places = TextPositions(source.content)
    severity = Severity.Warning if _has_macros(path) else Severity.Error
    return tuple(
        Finding(
            places.place(fault.start),
            places.place(fault.end),
            severity,
            CODE,
            fault.message,
            (_inserting(fault),) if fault.missing else (),
        )
        for fault in faults
    )


_TEMPLATE_TAG = re.compile(rb"\{%|<%|<\?(?!xml)|<[^<>]*\{\{|</?\{\{")
"""What a template engine replaces in a page: it is no HTML before. ``{{ value }}`` in a text is."""


def _is_template(index: Index, path: str) -> bool:
    """Return whether a page is the template of one, as of Liquid, Jinja or Go: then it need not parse."""
    language = language_of(path)
    source = index.try_read(path) if language is not None and language.name == "html" else None
    return source is not None and _TEMPLATE_TAG.search(source.content) is not None


def _template_notes(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the line that names the templates, which are not checked."""
    if not paths:
        return ()
    more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
    return (f"not checked, templates are no HTML before they are filled in: {paths[0]}{more}",)


def _inserting(fault: Fault) -> Repair:
    """Return what puts a missing token in, which is a guess."""
    return Repair(f"Insert `{fault.missing.strip()}`", (Edit(fault.start, fault.start, fault.missing),), unsafe=True)


def _notes(files: Sequence[Checked]) -> tuple[str, ...]:
    faulty = [file for file in files if file.findings]
    notes = [f"more than {MOST:,} in {file.path}" for file in faulty if len(file.findings) >= MOST]
    if any(_has_macros(file.path) for file in faulty):
        notes.append("C and C++ are parsed without expanding macros, so code that needs a macro looks wrong here")
    return tuple(notes)


def _is_parsed(path: str) -> bool:
    """Return whether a file may be parsed as it stands: a kind of file that only holds code is not."""
    language = language_of(path)
    return maybe_script(path) if language is None else language.outline.has_own_outline or not language.embeds


def _has_macros(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.name in _MACROS
