"""Reports what this turn and this session have spent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from leadline_estimators.profiles import is_known_model, suggest_model
from leadline_estimators.turn import TurnState
from leadline_server.call import Session
from leadline_server.ledger import Spending
from leadline_tools.result import Result
from leadline_tools.tool import tool


@tool
def budget(session: Session, reset: bool = False) -> Result:
    """Tokens of this turn and session: spent, left, by tool. reset: start a new turn and count."""
    turn = session.turns.state(session.principal)
    spent = session.ledger.session(session.principal)
    if reset:
        session.ledger.reset(session.principal)
        session.turns.reset(session.principal)
    total = reduce(Spending.with_, spent, Spending("all"))
    model = session.config.profile
    return Result(
        subject="reset, so far" if reset else "this session",
        noun="calls",
        items=(),
        headline=f"{_calls_text(total)}, {total.sent:,} tokens sent of {total.whole:,} in full",
        notes=(
            f"{_model_text(session.config.model, model.name)}: default {session.config.usual_tokens:,} tokens a call;"
            f" {_turn_text(turn)}",
            *_charge_notes(total),
            *session.ledger.troubles,
            *_estimate_notes(total),
            *map(_tool_line, spent),
        ),
    )


def _model_text(asked: str, profile: str) -> str:
    """Return what the server was started for, and as what that is counted."""
    if not is_known_model(asked):
        near = suggest_model(asked)
        hint = f" (did you mean {near}?)" if near else ""
        return f"model {asked} is not known{hint}, counted as the most expensive one"
    return f"model {asked}" if asked == profile else f"model {asked}, counted as {profile}"


def _turn_text(turn: TurnState | None) -> str:
    if turn is None:
        return "no limit on the turn"
    return f"this turn {turn.spent:,} of {turn.budget:,} spent, {turn.left:,} left; a call gets at most half of that"


def _charge_notes(total: Spending) -> Iterator[str]:
    """Yield what the answers said they cost, where that is more than was counted: their headers give upper bounds."""
    if total.charged > total.sent:
        yield f"answers and turns are charged an upper bound for this model: {total.charged:,}; all else is counted"


def _estimate_notes(total: Spending) -> Iterator[str]:
    """Yield how far the estimates were off, and what reading would have cost."""
    if total.calls:
        yield f"estimates off by {total.error_share:.1%} in all, for one answer by up to {total.worst:.1%}"
    if total.files:
        yield f"{total.instead:,} of it are lines of files that cost {total.files:,} to read whole"


def _calls_text(spending: Spending) -> str:
    return f"{spending.calls:,} {'call' if spending.calls == 1 else 'calls'}"


def _tool_line(spending: Spending) -> str:
    errors = f", errors {spending.errors:,}" if spending.errors else ""
    return (
        f"{spending.name}: {_calls_text(spending)}{errors}, estimated {spending.estimated:,}, sent {spending.sent:,},"
        f" in full {spending.whole:,}"
    )
