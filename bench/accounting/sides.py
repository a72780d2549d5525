"""One relation from two sides: a use is listed for a definition exactly where that definition is found from the use.

Asked from the definition: go_to_definition at each exact or likely use leads to the symbol, or to candidates among
which it is. At a token that is undecided, or is not listed in a complete answer, it does not lead to the symbol alone.
Candidates that merely have the name (tier ``name``) are no claim that one of them is meant: they are counted apart, and
contradict an exact use alone. A use under another name is found where the definition is part of what is shown: what
makes an object is a use of the constructor, and leads to the type that holds it. A call of a member that is known to
run one that overrides it is a use of both, and leads to the one that runs.
Asked from the use: where go_to_definition at a name leads to one definition, the references of that definition list
the name, if they are complete.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accounting.answers import Answer, Asker, Definitions, Place
from accounting.drawing import Drawn
from accounting.ripgrep import Tokens, textual

USES = 20
"""Uses of a symbol, and other tokens of its name, from which the definition is looked for, if no number is given."""

_BATCH = 50

_NO_RULES = "Names are not resolved in the language"
"""How the message begins that refuses to say anything of a file, in a language without rules."""

_SURE = frozenset({"exact", "likely"})


@dataclass
class Contradictions:
    """How often one side was compared with the other, and where they contradict each other.

    ``possible`` counts the comparisons in which a definition merely has the name that is used.
    """

    symbols: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    possible: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def note(self, kind: str, failure: str = "", *, possible: bool = False) -> None:
        """Count one comparison; with ``failure`` the two sides contradict each other."""
        self.compared[kind] += 1
        self.possible[kind] += possible
        if failure:
            self.found[kind] += 1
            self.failures.append(f"{kind}: {failure}")
            print(self.failures[-1], file=sys.stderr, flush=True)  # a long run can be followed


KINDS = ("listed use", "undecided token", "other token", "name with one definition")
HEAD = (
    "| tree | symbols | listed uses: compared, only possible, contradictions | undecided tokens | other tokens"
    " | names with one definition | contradictions |\n|---|---:|" + "---:|" * 5
)


def row(name: str, both: Contradictions) -> str:
    """Return what was compared as a row of Markdown."""
    cells = [f"{both.compared[kind]:,}, {both.possible[kind]:,}, {both.found[kind]:,}" for kind in KINDS]
    return f"| {name} | {both.symbols:,} | {' | '.join(cells)} | {both.found.total():,} |"


def check(
    asker: Asker, root: Path, symbols: Sequence[Drawn], seed: int, longest: float = math.inf, most: int = USES
) -> Contradictions:
    """Compare both sides for symbols: those of the index from the definition, and all from the use.

    Of each symbol at most ``most`` tokens of each kind are compared. After ``longest`` seconds it ends with the symbol
    that is compared.
    """
    both = Contradictions()
    chance = random.Random(seed)
    paths = textual(root, asker.index.files.paths)
    until = time.monotonic() + longest
    for first in range(0, len(symbols), _BATCH):
        batch = symbols[first : first + _BATCH]
        tokens = Tokens(root, (drawn.name for drawn in batch if drawn.indexed), paths)
        for drawn in batch:
            if time.monotonic() > until:
                return both
            both.symbols += 1
            if drawn.indexed:
                _from_definition(asker, drawn, tokens.of(drawn.name), chance, both, most)
            else:
                _from_use(asker, drawn, both)
    return both


def _from_definition(
    asker: Asker, drawn: Drawn, tokens: Sequence[Place], chance: random.Random, both: Contradictions, most: int
) -> None:
    answer = asker.answer("find_references", drawn.address)
    if answer.error:
        return
    defined = _definitions(answer) | {drawn.place}
    named = frozenset(tokens)
    sure = [use for use in answer.uses if use.tier in _SURE]
    for use in chance.sample(sure, min(most, len(sure))):
        found = asker.definitions(str(use.place))
        failure = f"{drawn.address} {drawn.name} lists {use.place} ({use.tier}), which {_where(found)}"
        possible = found.may_lead_to(defined)
        agreed = found.lead_to(defined) or (possible and use.tier == "likely")
        makes = not agreed and asker.is_constructor(drawn.address)
        if not agreed and (use.place not in named or makes):
            agreed = asker.shows(str(use.place), defined)
        if not agreed and makes:
            owners = asker.owners(drawn.address)
            possible = use.tier == "likely" and found.may_lead_to(owners)
            agreed = possible or found.lead_to(owners)
        if not agreed and found.places:
            runs = asker.answer("find_implementations", drawn.address)  # an override that is run instead
            agreed = found.are(frozenset(one.place for one in runs.uses))
        both.note("listed use", "" if agreed else failure, possible=possible)
    listed = {use.place for use in sure}
    undecided = asker.answer("find_references", drawn.address, tier="name")
    unsure = {use.place for use in (*answer.uses, *undecided.uses)} - listed
    unlisted = set(tokens) - listed - unsure if answer.examined else set()  # else one of them may be found later
    for kind, places in (("undecided token", sorted(unsure)), ("other token", sorted(unlisted))):
        for place in chance.sample(places, min(most, len(places))):
            found = asker.definitions(str(place))
            failure = f"{drawn.address} {drawn.name} does not list {place}, which leads to it"
            both.note(kind, failure if found.are(defined) else "", possible=found.may_lead_to(defined))


def _from_use(asker: Asker, drawn: Drawn, both: Contradictions) -> None:
    """Compare where a name leads with the uses of that definition."""
    found = asker.definitions(drawn.address)
    if found.several or len(found.places) != 1:
        return
    definition = next(iter(found.places))
    answer = asker.answer("find_references", str(definition))
    listed = any(use.tier in _SURE and use.covers(drawn.place) for use in answer.uses)
    if answer.error.startswith(_NO_RULES) or not (listed or answer.examined or answer.error):
        return
    failure = f"{drawn.address} {drawn.name} leads to {definition}, which does not list it"
    both.note("name with one definition", failure if not listed else "")


def _definitions(answer: Answer) -> frozenset[Place]:
    return frozenset(use.place for use in answer.uses if use.role == "definition")


def _where(found: Definitions) -> str:
    some = ", ".join(map(str, sorted(found.places or found.possible)[:3]))
    if not some:
        return "leads nowhere"
    return f"leads to {some}" if found.places else f"leads to what merely has the name: {some}"
