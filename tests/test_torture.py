"""What ends other servers does not end this one: the short form of ``scripts/torture``, a minute on two cores."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from torture.outcome import Scale
from torture.table import TORTURES, Torture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")


# Clients that are dropped in the middle of a request leave their sockets to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("torture", TORTURES, ids=lambda torture: torture.name)
def test_whatever_is_done_to_it_is_survived_and_enough_was_done(torture: Torture, tmp_path: Path) -> None:
    outcome = torture.run(Scale(tmp_path, short=True))
    assert not outcome.failures
    assert outcome.tried >= torture.least[1]
