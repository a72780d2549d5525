"""The code of files of tests for Bats: https://bats-core.readthedocs.io/en/stable/writing-tests.html."""

from __future__ import annotations

import re

from leadline_tools.languages.regions import Regions, Writer

_SPECIAL = re.compile(
    rb"^[ \t]*(?:(?P<test>@test[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{]+)[ \t]*)(?=\{)"
    rb"|(?P<load>(?:bats_)?load)(?=[ \t]))",
    re.MULTILINE,
)


def bats(path: str, content: bytes) -> Regions | None:
    """Return the regions of a file of tests, None for another script: a test is a block, ``load`` sources a file."""
    if not path.endswith(".bats"):
        return None
    writer = Writer(content)
    at = 0
    for found in _SPECIAL.finditer(content):
        special = "test" if found["test"] is not None else "load"
        writer.copy(at, found.start(special))
        writer.write(b"." if special == "load" else b"")
        at = found.end(special)
    writer.copy(at, len(content))
    return writer.regions("bash")
