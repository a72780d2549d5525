"""A record of the journal of edits, and how it is kept."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from leadline_tools.edits.plan import EditPlan, FileChange, Splice
from leadline_tools.stored_json import parse_stored


class State(StrEnum):
    """How far an edit came: it happened where it is made, or tidied up after."""

    Begun = "begun"
    Made = "made"
    Tidied = "tidied"
    Undone = "undone"


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit in the journal.

    Args:
        key: What it is found by: letters and digits.
        question: What was asked for, so that the same question finds it.
        state: How far it came.
        at: When it began, in seconds since the epoch.
        plan: What it changes.
        left: Of one that was undone, the files that somebody else had changed before they could be put back.
        owner: What tells who asked for it from others.

    """

    key: str
    question: str
    state: State
    at: float
    plan: EditPlan
    left: tuple[str, ...] = ()
    owner: str = ""

    @property
    def happened(self) -> bool:
        """Return whether the edit was made."""
        return self.state in {State.Made, State.Tidied}

    def become(self, state: State, left: tuple[str, ...] = ()) -> Entry:
        """Return the same edit in another state."""
        return replace(self, state=state, left=left)


def dumped(entry: Entry) -> str:
    """Return a record as ASCII JSON: names that are not UTF-8 hold surrogates, which only escapes can carry."""
    files = [
        [change.path, change.before, change.after, [[s.start, _packed(s.old), _packed(s.new)] for s in change.splices]]
        for change in entry.plan.files
    ]
    return json.dumps([entry.key, entry.question, entry.state, entry.at, list(entry.left), entry.owner, files])


def loaded(text: str) -> Entry:
    """Return a record; raises ValueError for what is none."""
    try:
        key, question, state, at, left, owner, files = parse_stored(text)
        plan = EditPlan(tuple(_change(*file) for file in files))
        return Entry(str(key), str(question), State(state), float(at), plan, tuple(left), str(owner))
    except TypeError as error:
        raise ValueError(str(error)) from None


def _change(path: str, before: str, after: str, splices: list[Any]) -> FileChange:
    return FileChange(
        str(path),
        str(before),
        str(after),
        tuple(Splice(int(start), _unpacked(old), _unpacked(new)) for start, old, new in splices),
    )


def _packed(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _unpacked(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
