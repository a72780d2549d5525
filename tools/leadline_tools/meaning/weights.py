"""What each feature counts. ``bench/meaning.py fit`` finds the weights on questions whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leadline_tools.meaning.features import FileFeatures
from leadline_tools.meaning.marks import Mark

WEIGHTS: Final = FileFeatures(
    name=3.0,
    whole_name=1.0,
    folder=2.4,
    names=1.8,
    body=3.0,
    head=1.2,
    pairs=1.9,
    length=2.0,
    code=1.7,
    symbol=2.5,
    defined=2.5,
    member=1.2,
)

PENALTIES: Final[Mapping[Mark, float]] = {
    Mark.Test: 1.5,
    Mark.Example: 1.5,
    Mark.Vendored: 2.5,
    Mark.Generated: 2.5,
    Mark.Declarations: 1.0,
}
"""What is taken from a file that is not code of the product. They are set by hand: what they were fitted on has too few
such files. Prose and configuration lack ``code``."""
