"""A *checker*: a source of diagnostics, which looks at files and reports findings, with repairs where it knows any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from leadline_tools.edits.plan import Edit
from leadline_tools.index.index import Index
from leadline_tools.model import Severity


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits that mend something; ``unsafe`` ones may change what the code means, or guess what was meant."""

    title: str
    edits: tuple[Edit, ...]
    unsafe: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, from one place to another: lines and columns from 1, the end behind the last column.

    ``code`` is the checker's name of what is wrong; empty where it has none.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    severity: Severity
    code: str
    message: str
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a file whose content has the digest ``digest``, by the checker called ``checker``."""

    path: str
    digest: bytes
    checker: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a checker has to say of files.

    Args:
        files: The files that it looked at, those without findings too.
        refused: The files that it could not look at, each with the reason.
        late: The files that it did not come to in time.
        notes: What a reader has to know besides.

    """

    files: tuple[Checked, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    late: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Checker(Protocol):
    """A source of diagnostics.

    Args:
        name: What it is called.
        beside: Whether it looks at files that another has looked at too.

    """

    name: str
    beside: bool

    def check(self, index: Index, paths: Sequence[str], until: float) -> Report:
        """Look at files until a time, by the monotonic clock; files that are no business of it are left out."""
        ...

    def errors_in(self, index: Index, path: str, content: bytes) -> int | None:
        """Return how many syntax errors a file would have with another content; None where that cannot be told."""
        ...
