"""What this session has spent."""

from __future__ import annotations

from leadline_estimators.turn import TurnState
from leadline_server.call import Session
from leadline_server.ledger import Spending
from leadline_tools.result import Result
from leadline_tools.tool import tool


@tool
def budget(session: Session, reset: bool = False) -> Result:
    """Tokens of this turn and session: spent, left, by tool. reset: begin a new turn and count."""
    turn = session.turns.state(session.principal)
    spent = session.ledger.session(session.principal)
    if reset:
        session.ledger.reset(session.principal)
        session.turns.reset(session.principal)
    calls = sum(spending.calls for spending in spent)
    sent = sum(spending.sent for spending in spent)
    whole = sum(max(spending.whole, spending.sent) for spending in spent)
    model = session.config.profile
    return Result(
        subject="reset, so far" if reset else "this session",
        noun="calls",
        items=(),
        headline=f"{calls:,} {'call' if calls == 1 else 'calls'}, {sent:,} o200k tokens sent of {whole:,} in full",
        notes=(
            f"model {model.name}: default {session.config.usual_tokens:,} tokens a call; {_turn(turn)}",
            *map(_line, spent),
        ),
    )


def _turn(turn: TurnState | None) -> str:
    if turn is None:
        return "no limit on the turn"
    return f"this turn {turn.spent:,} of {turn.budget:,} spent, {turn.left:,} left; a call gets at most half of that"


def _line(spending: Spending) -> str:
    calls = "call" if spending.calls == 1 else "calls"
    return (
        f"{spending.tool}: {spending.calls:,} {calls}, estimated {spending.estimated:,}, sent {spending.sent:,},"
        f" in full {spending.whole:,}"
    )
