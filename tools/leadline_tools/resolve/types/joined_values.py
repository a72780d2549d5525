"""Values one of which is given: each is known or not, whatever type they have in common."""

from __future__ import annotations

from dataclasses import replace

from leadline_tools.languages.terms import Op, Path


def without_joins(one: Path) -> Path:
    """Return an alternative of a term as it is on its own, before its type is joined with those of the others."""
    return replace(one, steps=tuple(step for step in one.steps if step.op is not Op.Joined))
