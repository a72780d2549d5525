"""What an agent knows of tools: their schemas, and how to call one within its allowance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent.endpoint import Schema


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the result of one call may cost.

    Args:
        turn: The name of the turn that the call belongs to.
        window: Tokens that the conversation may have.
        tokens: Tokens of them that this result may take.
    """

    turn: str
    window: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool returned: a text, and whether it tells an error."""

    text: str
    failed: bool = False


class Toolbox(Protocol):
    """Tools that a model may call."""

    @property
    def schemas(self) -> Sequence[Schema]:
        """Return the tools as a request to the model declares them."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any], allowance: Allowance) -> Output:
        """Call one of them. What it raises, the model is told."""
        ...
