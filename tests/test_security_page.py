"""SECURITY.md names what proves each promise, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

from torture.table import TORTURES

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
PROMISED = PAGE[PAGE.index("## What is promised") : PAGE.index("## What is not promised")]
ROWS = [row.strip("|").split("|") for row in re.findall(r"^\|.*\|$", PROMISED, re.MULTILINE)][2:]


def test_every_promise_has_its_proofs() -> None:
    promises = re.findall(r"^- \*\*", PROMISED, re.MULTILINE)
    assert len(ROWS) == len(promises) > 0
    for promise, tortures, tests in ROWS:
        assert tortures.strip() or tests.strip(), promise


def test_what_is_named_as_a_proof_is_there() -> None:
    named = {name for _, _, tests in ROWS for name in re.findall(r"`(\w+)`", tests)}
    sources = "".join(file.read_text(encoding="utf-8") for file in TESTS.glob("test_*.py"))
    assert {name for name in named if f"def {name}(" not in sources} == set()
    told = {name.strip() for _, tortures, _ in ROWS for name in tortures.split(";") if name.strip()}
    assert told <= {torture.name for torture in TORTURES}
