"""A *proposal*: what a tool that changes files returns. It never writes; the pipeline of calls does, if allowed."""

from __future__ import annotations

from dataclasses import dataclass

from leadline_tools.edits.plan import EditPlan
from leadline_tools.result import Call, Result


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a tool would change.

    Args:
        result: The preview: hunks first.
        plan: What it shows; empty where a question has to be answered first.
        then: The calls worth making once it is written; those of the result are for the preview.

    """

    result: Result
    plan: EditPlan = EditPlan()
    then: tuple[Call, ...] = ()
