"""The weights of features. ``bench/meaning.py fit`` finds them on questions whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leadline_tools.find_code.features import FileFeatures
from leadline_tools.index.tree.marks import Mark

WEIGHTS: Final = FileFeatures(
    name=2.6,
    whole_name=0.9,
    folder=1.9,
    names=1.9,
    body=3.3,
    head=1.2,
    pairs=2.4,
    length=2.2,
    code=1.9,
    symbol=1.9,
    defined=1.4,
    member=0.3,
)

PENALTIES: Final[Mapping[Mark, float]] = {
    Mark.Test: 1.5,
    Mark.Benchmark: 1.5,
    Mark.Example: 1.5,
    Mark.Vendored: 2.5,
    Mark.Generated: 2.5,
    Mark.Declarations: 1.0,
}
"""What is taken from a file that is not code of the product. They are set by hand: what they were fitted on has too few
such files. Prose and configuration lack ``code``."""
