"""The name in ``--model``: what is said where it is not known, so that its tokens are counted as the most expensive."""

from __future__ import annotations

from leadline_estimators.profiles import is_known_model, model_names, suggest_model

COMPLETE_WITH = ("claude", "openai", "gemini", "local")
"""Families, which are suggested where no name is like the one that was given."""


def model_problem(model: str) -> str:
    """Return what is wrong with the name of a model, in one sentence or two; empty for a name that is known."""
    if is_known_model(model):
        return ""
    near = suggest_model(model)
    hint = f"Did you mean {near}?" if near else f"Known families: {', '.join(COMPLETE_WITH)}."
    return f"The model {model!r} is not known, so its tokens are counted as the most expensive ones. {hint}"


def matching_models(typed: str) -> list[str]:
    """Return the names of models that begin with what is typed."""
    return [name for name in model_names() if name.startswith(typed.lower())]
