"""A guard around a toolbox: whatever its tools return, a model is sent what it can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.endpoint import Schema
from agent.toolbox import Allowance, Output, Toolbox
from leadline_estimators import Profile, guard_output

LONGEST_ERROR = 4_000
"""Characters up to which the message of an error is passed on whole: it tells the model what to do otherwise."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A toolbox whose results are cut where they are too long, with a note that tells the model so.

    Args:
        toolbox: The toolbox.
        profile: The model; it says how many characters a result may have.
        characters: The same, where tools are known to keep their allowance: then nothing but this is enforced.
    """

    toolbox: Toolbox
    profile: Profile
    characters: int | None = None

    @property
    def schemas(self) -> Sequence[Schema]:
        """Return those of the toolbox."""
        return self.toolbox.schemas

    async def call(self, name: str, arguments: Mapping[str, Any], allowance: Allowance) -> Output:
        """Call a tool; return what of its result may be passed on."""
        output = await self.toolbox.call(name, arguments, allowance)
        tokens = allowance.tokens if self.characters is None else None
        error = output.failed and len(output.text) <= LONGEST_ERROR
        text = guard_output(
            output.text, name, characters=self.characters, tokens=tokens, profile=self.profile, error=error
        )
        return Output(text, output.failed)
