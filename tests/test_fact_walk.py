"""What it costs to gather facts grows with the source, not with how it is nested."""

from __future__ import annotations

import cProfile
import pstats

import pytest

from leadline_tools.languages import PARSED
from leadline_tools.languages.fact_walk.walk import facts

CHAINS = {
    "rust": "fn build() { let options = Options::new()%s; }\n",
    "java": "class A { void build() { var options = new Options()%s; } }\n",
    "typescript": "const options = new Options()%s;\n",
    "python": "options = Options()%s\n",
}


def calls(language: str, links: int) -> int:
    """Return how many functions are called to gather the facts of a chain of calls."""
    source = (CHAINS[language] % "".join(f".with_{number}({number})" for number in range(links))).encode()
    root = PARSED[language].parser().parse(source).root_node
    profile = cProfile.Profile()
    profile.runcall(facts, root, source, PARSED[language])
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # typeshed lacks it


@pytest.mark.parametrize("language", CHAINS)
def test_a_chain_of_calls_costs_about_as_much_for_each_link(language: str) -> None:
    assert calls(language, 48) < 16 * calls(language, 12)
