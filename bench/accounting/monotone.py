"""Nothing that an answer lists is missing from a later one on the same state, and no complete answer changes.

A few questions are asked again and again in an order that is drawn. Each time with another ``detail``, so that the
result that is kept for the same question is not what answers; and halfway with a new session that has kept nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from accounting.answers import Answer, Asker
from accounting.drawing import Drawn

REPEATS = 8
"""How often each question is asked, on average."""

_DETAILS = ("auto", "lean", "full")
_SYMBOL_QUESTIONS: Sequence[tuple[str, Mapping[str, object]]] = (
    ("find_references", {}),
    ("find_references", {"tier": "name"}),
    ("find_references", {"tier": "exact"}),
    ("call_hierarchy", {"direction": "incoming"}),
    ("call_hierarchy", {"direction": "outgoing"}),
    ("call_hierarchy", {"direction": "incoming", "depth": 2}),
    ("find_implementations", {"direction": "down"}),
    ("find_implementations", {"direction": "up"}),
    ("type_members", {}),
    ("type_members", {"inherited": True}),
)


@dataclass(frozen=True)
class Question:
    """A tool and what it is asked about a symbol, but for the detail."""

    tool: str
    address: str
    arguments: tuple[tuple[str, object], ...]

    def __str__(self) -> str:
        """Return it as a call."""
        given = "".join(f", {name}={value}" for name, value in self.arguments)
        return f"{self.tool}({self.address}{given})"


@dataclass
class Repeats:
    """What was asked and how the answers differ from earlier ones to the same question."""

    calls: int = 0
    again: int = 0
    complete: int = 0
    errors: int = 0
    missing: int = 0
    changed: int = 0
    failures: list[str] = field(default_factory=list)
    _before: dict[Question, Answer] = field(default_factory=dict)

    def is_refused(self, question: Question) -> bool:
        """Return whether the answer to a question was an error."""
        before = self._before.get(question)
        return before is not None and bool(before.error)

    def compare(self, question: Question, answer: Answer) -> None:
        """Compare an answer with the one before it, and remember what both list."""
        self.calls += 1
        self.errors += bool(answer.error)
        before = self._before.get(question)
        self._before[question] = answer
        if before is None:
            return
        self.again += 1
        self.complete += before.examined
        if before.examined and not _is_same(before, answer):
            self.changed += 1
            self.failures.append(f"{question}: complete, and changed: {_difference(before, answer)}")
        elif missing := Counter(before.items) - Counter(answer.items):
            self.missing += missing.total()
            self.failures.append(
                f"{question}: {missing.total():,} items are missing later: {_difference(before, answer)}"
            )


HEAD = (
    "| tree | calls | to a question asked before | of those to a complete answer | errors | items missing later"
    " | complete answers that changed |\n|---|" + "---:|" * 6
)


def row(name: str, repeats: Repeats) -> str:
    """Return the comparisons as a row of Markdown."""
    numbers = (repeats.calls, repeats.again, repeats.complete, repeats.errors, repeats.missing, repeats.changed)
    return f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"


def questions(symbols: Sequence[Drawn], calls: int, seed: int) -> Iterator[Question]:
    """Yield questions without end in an order that is drawn, so few that each comes several times in so many calls."""
    chance = random.Random(seed)
    every = [
        Question(tool, drawn.address, tuple(arguments.items()))
        for drawn in symbols
        for tool, arguments in _SYMBOL_QUESTIONS
        if drawn.indexed or tool == "find_references"
    ]
    few = chance.sample(every, min(len(every), max(1, calls // REPEATS)))
    while True:
        yield chance.choice(few)


def repeat(asker: Asker, asked: Iterator[Question], repeats: Repeats, calls: int) -> None:
    """Make so many calls and compare each answer with the one before it; what is an error is asked once."""
    times: Counter[Question] = Counter()
    until = repeats.calls + calls
    for question in asked:
        if repeats.calls == until:
            return
        if repeats.is_refused(question):
            continue
        detail = _DETAILS[times[question] % len(_DETAILS)]
        times[question] += 1
        answer = asker.answer(question.tool, question.address, detail=detail, **dict(question.arguments))
        repeats.compare(question, answer)


def _is_same(before: Answer, after: Answer) -> bool:
    return after.examined and sorted(before.items) == sorted(after.items) and before.account == after.account


def _difference(before: Answer, after: Answer) -> str:
    gone, new = Counter(before.items) - Counter(after.items), Counter(after.items) - Counter(before.items)
    some = [*(f"-{item}" for item in list(gone)[:2]), *(f"+{item}" for item in list(new)[:2])]
    numbers = f"{len(before.items):,} items, then {len(after.items):,}{'' if after.examined else ', not complete'}"
    accounts = "" if before.account == after.account else f"; {before.account}, then {after.account}"
    return f"{numbers}: {' '.join(some)}{accounts}{after.error}"
