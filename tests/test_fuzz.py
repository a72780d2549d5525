"""The targets of the fuzzer survive their seeds, and what hypothesis makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_survives_its_seeds(name: str) -> None:
    for seed in TARGETS[name].seeds():
        TARGETS[name].run(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_survives_what_is_nearly_a_seed(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()

    @settings(max_examples=40, deadline=None)
    @given(st.sampled_from(seeds), st.integers(0, 2_000), st.integers(0, 2_000), st.binary(max_size=20))
    def mutated(seed: bytes, start: int, length: int, new: bytes) -> None:
        target.run(seed[: start % (len(seed) + 1)] + new + seed[start % (len(seed) + 1) + length :])

    mutated()
