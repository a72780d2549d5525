"""How well references are found: Leadline against what compilers and type checkers agree on, beside ``grep -w``.

    python bench/references.py ROOT --truth FILE [--kinds Method,Function] [--symbol TEXT] [--failures N] [--tier exact]
        [--language-servers auto|NAME|NAME=COMMAND] [--minutes N] [--ask ENGINES [--scratch DIR]]

FILE is a drawing in ``bench/truth/answers``, ROOT the source tree that it says. Nothing is left out for lack of time.
Scores are without the declaration, and once more with it. A place that is undecidable counts for nobody. Macro F1 is
the mean over the symbols that have a reference or for which one was found. ``--failures`` prints the symbols that are
found worst, with every wrong and every missed place at the tier given and those above it. ``--language-servers`` lets
servers decide what is undecided, as the server's own option does, with no limit of time. With ``--minutes`` no symbol
is begun after that; those that were asked about are the first of the drawing, which are drawn by seed like all.

With ``--ask`` the engines for Python that are installed in a folder are asked about each place that counts as wrong at
the first tier; those of which none knows anything are kept in FILE, see ``truth/unfollowed.py``. They count for nobody;
the row ``all, with what no engine follows`` counts them as wrong.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.language_servers import opinion
from leadline_tools.language_servers.known import chosen
from leadline_tools.language_servers.server_pool import ServerPool, attach_pool
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.patience import Patience
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.references import references as search
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from truth import python
from truth.corpus import Corpus, copied, opened
from truth.engine import ended
from truth.record import Answer, Place, Truth, read
from truth.unfollowed import unfollowed

MANY_NAMESAKES = 4
"""Definitions of a name from which on it is a common one."""

FIRST = 20
"""Hits of a first page."""

_SYMBOL_SECONDS = 3_600.0
"""Patience with one symbol: nothing is left out for lack of time."""

MOST_LISTED = 40
"""Wrong or missed places that are listed of one symbol."""

_TIERS = list(Tier)
_LEVELS = ("exact", "exact, likely", "all tiers")


class Hit(NamedTuple):
    """A place that Leadline tells, and how; ``alias`` where it has another name there, which an import gave it."""

    place: Place
    tier: Tier
    reason: Reason
    role: Role
    alias: bool = False


class Score(NamedTuple):
    """How many places were found rightly, wrongly and not at all."""

    right: int
    wrong: int
    missed: int

    @classmethod
    def of(cls, found: Collection[Place], wanted: Collection[Place]) -> Score:
        """Compare what was found with what is wanted."""
        right = len(set(found) & set(wanted))
        return cls(right, len(found) - right, len(wanted) - right)

    @classmethod
    def total(cls, scores: Iterable[Score]) -> Score:
        """Add scores up."""
        sums = [sum(numbers) for numbers in zip(*scores, strict=True)] or [0, 0, 0]
        return cls(*sums)

    @property
    def counts(self) -> bool:
        """Return whether there was anything to find, or anything found."""
        return any(self)

    @property
    def precision(self) -> float:
        """Return the share of what was found that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else math.nan

    @property
    def recall(self) -> float:
        """Return the share of what is wanted that was found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else math.nan

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missed) if self.counts else math.nan


@dataclass(frozen=True)
class Outcome:
    """What was found of one symbol. Nothing here is undecidable.

    Args:
        answer: What is true.
        hits: What Leadline tells, surest first, the declaration not among it.
        declared: Whether it tells the declaration.
        words: What ``grep -w`` finds, the declaration not among it.
        error: Why nothing was told, empty mostly.
        seconds: How long it took.
        unread: How many files hold the name that could not be looked into.
        unfollowed: What Leadline tells besides at places of which no engine knows anything.

    """

    answer: Answer
    hits: Sequence[Hit]
    declared: bool
    words: frozenset[Place]
    error: str
    seconds: float
    unread: int = 0
    unfollowed: Sequence[Hit] = ()

    @cached_property
    def wanted(self) -> frozenset[Place]:
        """Return the references."""
        return self.answer.references

    def found(self, level: str) -> frozenset[Place]:
        """Return what is found down to a tier, or by ``grep -w``."""
        if level not in _LEVELS:
            return self.words
        tiers = _TIERS[: _LEVELS.index(level) + 1]
        return frozenset(hit.place for hit in self.hits if hit.tier in tiers)

    def score(self, level: str) -> Score:
        """Return how good that is."""
        return Score.of(self.found(level), self.wanted)

    def strict(self) -> Outcome:
        """Return the same with what no engine follows."""
        return replace(self, hits=[*self.unfollowed, *self.hits], unfollowed=())

    def without(self, unfollowed: frozenset[Place]) -> Outcome:
        """Return the same without what stands at places which no engine follows."""
        answer = replace(self.answer, unfollowed=self.answer.unfollowed | unfollowed)
        found = [hit for hit in self.hits if hit.place in unfollowed]
        hits = [hit for hit in self.hits if hit.place not in unfollowed]
        return replace(self, answer=answer, hits=hits, unfollowed=[*self.unfollowed, *found])

    def declared_score(self, level: str) -> Score:
        """Return the same with the declaration."""
        score = self.score(level)
        if self.declared or level not in _LEVELS:
            return score._replace(right=score.right + 1)
        return score._replace(missed=score.missed + 1)

    @property
    def average_precision(self) -> float:
        """Return the mean of the precisions at each reference, 0 for one that is not among the hits."""
        right, precisions = 0, 0.0
        for rank, hit in enumerate(self.hits, 1):
            if hit.place in self.wanted:
                right += 1
                precisions += right / rank
        return precisions / len(self.wanted) if self.wanted else math.nan

    @property
    def misranked(self) -> bool:
        """Return whether among the first hits an undecided one that is wrong stands before a right one."""
        first = self.hits[:FIRST]
        wrong = next((i for i, h in enumerate(first) if h.tier is Tier.Name and h.place not in self.wanted), FIRST)
        return any(hit.place in self.wanted for hit in first[wrong:])


def main() -> int:
    """Measure; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, metavar="ROOT")
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--kinds", default="", help="only these, comma-separated")
    parser.add_argument("--symbol", default="", help="only those whose name or place holds this")
    parser.add_argument("--failures", type=int, default=0, metavar="N")
    parser.add_argument("--tier", choices=_LEVELS, default=_LEVELS[0])
    parser.add_argument("--by", choices=("f1", "errors"), default="errors", help="what is worst")
    parser.add_argument("--cache", type=Path, help="keeps the index; facts in it are not renewed when rules change")
    parser.add_argument("--language-servers", default="off", metavar="auto|NAME|NAME=COMMAND")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no more symbols are begun")
    parser.add_argument("--ask", type=Path, metavar="ENGINES", help="what is wrong and no engine follows is kept")
    parser.add_argument("--scratch", type=Path, help="where the engines have their copy of the tree")
    given = parser.parse_args()
    truth = read(given.truth)
    kinds = frozenset(filter(None, given.kinds.split(",")))
    answers = [
        answer
        for answer in truth.answers
        if (not kinds or answer.drawn.kind in kinds) and given.symbol in f"{answer.drawn.name} {answer.drawn.place}"
    ]
    opinion.SECONDS = math.inf
    with (
        opened(given.root, given.cache) as index,
        closing(ServerPool(index, chosen([given.language_servers]))) as servers,
    ):
        attach_pool(index, servers)
        corpus = Corpus(index, truth.origin.language)
        outcomes = list(_outcomes(index, corpus, truth, answers, 60 * given.minutes))
        if given.ask is not None:
            outcomes = list(_asked(given.root, given.ask.resolve(), given.scratch, truth, outcomes))
            known = {outcome.answer.drawn: outcome.answer.unfollowed for outcome in outcomes}
            kept = (replace(one, unfollowed=known.get(one.drawn, one.unfollowed)) for one in truth.answers)
            replace(truth, answers=tuple(kept)).write(given.truth)
        print(*_report(truth, outcomes), sep="\n")
        worst = sorted(outcomes, key=lambda outcome: _badness(outcome, given.tier, given.by), reverse=True)
        for number, outcome in enumerate(worst[: given.failures], 1):
            if outcome.error or _errors(outcome, given.tier):
                print("", *_failure(corpus, outcome, given.tier, number), sep="\n")
    return 0


def _outcomes(
    index: Index, corpus: Corpus, truth: Truth, answers: Sequence[Answer], seconds: float
) -> Iterator[Outcome]:
    began = time.monotonic()
    for number, answer in enumerate(answers, 1):
        if time.monotonic() - began > seconds:
            return
        yield Patience(_SYMBOL_SECONDS).run(partial(_outcome, index, corpus, truth, answer))
        if number % 25 == 0:
            print(f"{number} of {len(answers)} symbols, {time.monotonic() - began:.0f} s", file=sys.stderr)


def _outcome(index: Index, corpus: Corpus, truth: Truth, answer: Answer) -> Outcome:
    """Ask Leadline, and ``grep -w``."""
    began = time.monotonic()
    drawn = answer.drawn
    error = ""
    hits: Sequence[Hit] = ()
    unread = 0
    others: frozenset[Place] = frozenset()
    listed: frozenset[Place] = frozenset()
    try:
        target = _target(index, answer)
        others = frozenset(Place(target.path, one.line, one.column) for one in target.definitions) - {drawn.place}
        hits, unread = _hits(index, target)
        listed = frozenset(hit.place for hit in hits if hit.alias or _is_exported(index, hit)) - answer.references
    except (LeadlineError, ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as raised:
        error = f"{type(raised).__name__}: {raised}"
    seconds = time.monotonic() - began

    def counts(place: Place) -> bool:
        return not (place in answer.undecidable or place in others | listed or place.path in truth.unseen)

    told = [hit for hit in hits if counts(hit.place)]
    outcome = Outcome(
        Answer(drawn, frozenset(filter(counts, answer.references)), answer.undecidable),
        [hit for hit in told if hit.place != drawn.place],
        any(hit.place == drawn.place for hit in told),
        frozenset(place for place in corpus.words(drawn.name) if counts(place) and place != drawn.place),
        error,
        seconds,
        unread,
    )
    return outcome.without(answer.unfollowed)


def _asked(
    root: Path, engines: Path, scratch: Path | None, truth: Truth, outcomes: Sequence[Outcome]
) -> Iterator[Outcome]:
    """Yield outcomes without what is wrong at places of which no engine for Python knows anything."""
    name = truth.origin.corpus
    with copied(root, name, scratch) as copy, opened(copy) as index:
        corpus = Corpus(index, truth.origin.language)
        with ended(python.leading(corpus, name, copy, engines)) as asked:
            for outcome in outcomes:
                wrong = outcome.found(_LEVELS[0]) - outcome.wanted
                drawn = outcome.answer.drawn
                yield outcome.without(unfollowed(corpus, asked, drawn, wrong)) if wrong else outcome


def _is_exported(index: Index, hit: Hit) -> bool:
    """Return whether a hit is an entry of ``__all__``, a string: some engines count those, and some do not."""
    source = index.try_read(hit.place.path) if hit.place.path.endswith(".py") and hit.role is Role.Other else None
    return source is not None and source.lines()[hit.place.line - 1][hit.place.column - 2] in "'\""


def _target(index: Index, answer: Answer) -> DefinedSymbol:
    """Return the symbol that was drawn, as the tools address it."""
    place = answer.drawn.place
    for target in resolve_address(index, str(place)):
        if any((one.line, one.column) == place[1:] for one in target.definitions):
            return target
    return resolve_address(index, str(place))[0]


def _hits(index: Index, target: DefinedSymbol) -> tuple[list[Hit], int]:
    """Return what the tool finds, in its order, each place once, and how many files it could not look into."""
    found: dict[Place, Hit] = {}
    uses = opinion.second_opinion(index, target, search.references(index, target)).uses
    for one in uses.found:
        place = Place(one.path, one.use.line, one.use.column)
        alias = one.name != target.first.name
        found.setdefault(place, Hit(place, one.tier, one.reason, one.use.role, alias))
    return list(found.values()), len(uses.unread) + uses.late


# The tables


def _report(truth: Truth, outcomes: Sequence[Outcome]) -> Iterator[str]:
    origin = truth.origin
    yield f"{origin.version}: {len(outcomes)} of {len(truth.answers)} symbols, drawing {origin.drawing!r}"
    yield f"truth: {', '.join(origin.engines)}; {origin.passed_over} symbols passed over"
    if not outcomes:
        return
    times = sorted(outcome.seconds for outcome in outcomes)
    yield f"seconds a symbol: median {statistics.median(times):.2f}, most {times[-1]:.2f}, all {sum(times):.0f}"
    yield ""
    yield "| what | symbols | references | found by | precision | recall | micro F1 | macro F1 | with declaration |"
    yield "|---|---:|---:|---|---:|---:|---:|---:|---:|"
    levels = (*_LEVELS, "grep -w")
    yield from _rows("all", outcomes, levels)
    if any(outcome.unfollowed for outcome in outcomes):
        yield from _rows("all, with what no engine follows", [one.strict() for one in outcomes], levels)
    for kind in sorted({outcome.answer.drawn.kind for outcome in outcomes}):
        yield from _rows(kind, [one for one in outcomes if one.answer.drawn.kind == kind], levels)
    common = [one for one in outcomes if one.answer.drawn.namesakes >= MANY_NAMESAKES]
    yield from _rows(f"name defined {MANY_NAMESAKES} times or more", common, levels)
    methods = [one for one in common if one.answer.drawn.kind == "Method"]
    yield from _rows("... of these, methods", methods, levels)
    yield ""
    ranked = [outcome.average_precision for outcome in outcomes if outcome.wanted]
    misranked = [str(outcome.answer.drawn.place) for outcome in outcomes if outcome.misranked]
    yield f"ranking: average precision {_mean(ranked):.3f} over {len(ranked)} symbols with references"
    yield from _undecided(outcomes)
    yield f"symbols with a wrong undecided hit before a right one in the first {FIRST}: {len(misranked)}"
    yield from (f"  {place}" for place in misranked)
    yield f"files that could not be looked into, over all symbols: {sum(outcome.unread for outcome in outcomes):,}"
    yield from (f"no answer: {one.answer.drawn.place}: {one.error}" for one in outcomes if one.error)


def _undecided(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield how many hits are left undecided, and how many were decided by a language server, rightly and wrongly."""
    hits = [(hit, hit.place in outcome.wanted) for outcome in outcomes for hit in outcome.hits]
    counts = {tier: sum(hit.tier is tier for hit, _ in hits) for tier in (Tier.Likely, Tier.Name)}
    yield f"undecided hits: {sum(counts.values()):,} ({', '.join(f'{tier} {counts[tier]:,}' for tier in counts)})"
    told = [right for hit, right in hits if hit.reason is Reason.Server]
    if told:
        yield f"exact by a language server: {len(told):,}, right {sum(told):,}"


def _rows(what: str, outcomes: Sequence[Outcome], levels: Sequence[str]) -> Iterator[str]:
    if not outcomes:
        return
    references = sum(len(outcome.wanted) for outcome in outcomes)
    for level in levels:
        plain, declared = (_scores(outcomes, level, declared=declared) for declared in (False, True))
        total, whole = Score.total(plain), Score.total(declared)
        figures = (total.precision, total.recall, total.f1, _mean(one.f1 for one in plain))
        scores = " | ".join(_figure(value) for value in figures)
        both = f"{_figure(whole.f1)}, {_figure(_mean(one.f1 for one in declared))}"
        yield f"| {what} | {len(plain)} of {len(outcomes)} | {references:,} | {level} | {scores} | {both} |"


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _scores(outcomes: Sequence[Outcome], level: str, *, declared: bool) -> list[Score]:
    """Return the scores of the symbols that count."""
    scores = [outcome.declared_score(level) if declared else outcome.score(level) for outcome in outcomes]
    return [score for score in scores if score.counts]


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return statistics.fmean(known) if known else math.nan


# What was found worst


def _errors(outcome: Outcome, level: str) -> int:
    score = outcome.score(level)
    return score.wrong + score.missed


def _badness(outcome: Outcome, level: str, by: str) -> tuple[float, float]:
    score = outcome.score(level)
    lost = 1 - score.f1 if score.counts else 0.0
    errors = float(_errors(outcome, level))
    return (errors, lost) if by == "errors" else (lost, errors)


def _failure(corpus: Corpus, outcome: Outcome, level: str, number: int) -> Iterator[str]:
    drawn, score = outcome.answer.drawn, outcome.score(level)
    yield f"{number}. {drawn.kind} {drawn.name}, {drawn.place}; definitions of this name: {drawn.namesakes}"
    yield f"   {corpus.line(drawn.place.path, drawn.place.line).strip()}"
    if outcome.error:
        yield f"   no answer: {outcome.error}"
    yield (
        f"   {level}: {score.right} right, {score.wrong} wrong, {score.missed} missed; precision {score.precision:.2f},"
        f" recall {score.recall:.2f}, F1 {score.f1:.2f}"
    )
    if not (outcome.declared or outcome.error):
        yield "   the declaration is not among the hits"
    found = outcome.found(level)
    hits = {hit.place: hit for hit in outcome.hits}

    def told(place: Place) -> str:
        hit = hits.get(place)
        return f"{hit.tier}, {hit.reason}, {hit.role}" if hit is not None else "not found"

    yield from _listed(corpus, "WRONG", found - outcome.wanted, told)
    yield from _listed(corpus, "MISSED", outcome.wanted - found, told)


def _listed(corpus: Corpus, what: str, places: Collection[Place], told: Callable[[Place], str]) -> Iterator[str]:
    """Yield places with their lines, a heading for each file."""
    if not places:
        return
    yield f"   {what} {len(places)}:"
    last = ""
    for place in sorted(places)[:MOST_LISTED]:
        if place.path != last:
            yield f"     {place.path}"
            last = place.path
        text = corpus.line(place.path, place.line).strip()[:140]
        yield f"       {f'{place.line}:{place.column}':<9} [{told(place)}]  {text}"
    if len(places) > MOST_LISTED:
        yield f"       and {len(places) - MOST_LISTED} more"


if __name__ == "__main__":
    sys.exit(main())
