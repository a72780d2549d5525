"""Values one of which is given, whose type is the closest that all have: ``a ? b : c`` in Java and C#."""

from __future__ import annotations

from dataclasses import replace

from leadline_tools.languages.terms import UNKNOWN, Op, Path, Spelling, either, shorten_term, then


def join(one: str, other: str) -> str:
    """Return the term of one of two values, of the type that both have; of either type where that is too long."""
    if UNKNOWN in (one, other):
        return either((one, other))
    joined = either((then(one, f"{Op.Joined}{other}>"), then(other, f"{Op.Joined}{one}>")))
    return joined if shorten_term(joined) != UNKNOWN else either((one, other))


def join_of(one: str, other: str) -> Spelling:
    """Spell a node as one of its children in two fields, of the type that both have.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.25.3
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1218-conditional-operator
    """
    return lambda node, spell: join(*(spell(node.child_by_field_name(field)) for field in (one, other)))


def without_joins(one: Path) -> Path:
    """Return an alternative of a term as it is on its own, before its type is joined with those of the others."""
    return replace(one, steps=tuple(step for step in one.steps if step.op is not Op.Joined))
