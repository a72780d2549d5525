"""The code of files of tests for Bats: https://bats-core.readthedocs.io/en/stable/writing-tests.html."""

from __future__ import annotations

import re

from leadline_tools.languages.regions import Regions, Writer
from leadline_tools.lazy_regex import lazy_compile

_SPECIAL = lazy_compile(
    rb"^[ \t]*(?:(?P<test>@test[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{]+)[ \t]*)(?=\{)"
    rb"|(?P<load>(?:bats_)?load)[ \t]+(?P<file>\"[^\"\n]*(?=\")|'[^'\n]*(?=')|[^\s\"';&|]+))",
    re.MULTILINE,
)


def bats(path: str, content: bytes) -> Regions | None:
    """Return the regions of a file of tests, None for another script: a test is a block, ``load`` sources a file.

    The file may be written without the ending ``.bash``.
    """
    if not path.endswith(".bats"):
        return None
    writer = Writer(content)
    at = 0
    for found in _SPECIAL.finditer(content):
        special = "test" if found["test"] is not None else "load"
        writer.copy(at, found.start(special))
        at = found.end(special)
        if special == "load":
            writer.write(b".")
            writer.copy(at, found.end())
            writer.write(b"" if b"." in found["file"].rpartition(b"/")[2] else b".bash")
            at = found.end()
    writer.copy(at, len(content))
    return writer.regions("bash")
