"""The execution of a proposal: permission, preview, writing, undoing; for every tool that writes.

A tool only proposes. What it proposes is written where the server was started with ``--allow-edits`` and the call says
``apply=true``; else the answer is the preview. The call that applies a plan computes it again, so it fits the
tree; where the same question was previewed in the last 24 hours, it has to be made on files of the same content as that
preview, or nothing is written. Between the plan and the disk the contents are compared once more, by the journal.

Every edit that was made has a URI of its own, under which its hunks can be read and with which it can be undone.
The same question asked again is answered with the outcome: the journal keeps it even if the process was killed.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from leadline_server.errors import SCHEME, EditsNotAllowed
from leadline_server.state import Results
from leadline_tools.edits.entry import Entry
from leadline_tools.edits.hunks import applied_hunks, hunks
from leadline_tools.edits.journal import Journal
from leadline_tools.edits.plan import EditPlan
from leadline_tools.edits.proposal import Proposal
from leadline_tools.errors import ChangedSince, NothingToUndo, NotOnDisk, NotWritten
from leadline_tools.index.tree.source import Tree
from leadline_tools.result import Call, Result, Size

log = logging.getLogger("leadline.edits")

_HUNK_WIDTH = 120
"""Characters of a typical hunk, for the price of a call that answers with as many."""

_MOST_DESCRIBED = 3
"""Interrupted edits that are described."""

Propose = Callable[[], Proposal]


@dataclass(frozen=True, slots=True)
class Question:
    """A call of a tool that writes: by ``principal``, without ``apply`` and ``undo``."""

    principal: str
    call: Call


@dataclass(frozen=True, slots=True)
class EditAnswer:
    """The answer of a tool that writes, and its URI where that is known; it names an edit that was made."""

    result: Result
    uri: str = ""


class Edits:
    """The edits of one tree.

    Args:
        tree: The tree.
        journal: What makes edits and remembers them; None where there is no folder for it.
        store: Where previews are remembered.
        allowed: Whether anything may be written at all.

    """

    def __init__(self, tree: Tree, journal: Journal | None, store: Results, *, allowed: bool) -> None:
        self._tree = tree
        self._journal = journal
        self._store = store
        self._allowed = allowed

    def recover(self) -> None:
        """Put back what a process that was ended has left half done; report it where nothing may be written."""
        if not self._allowed:
            for note in self._interrupted():
                log.warning("%s", note)
            return
        for entry in self._journal.recover() if self._journal is not None else ():
            log.warning("an edit was interrupted: %s", _describe_fate(entry))

    def answer(self, question: Question, propose: Propose, *, apply: bool) -> EditAnswer:
        """Return the preview of the edit, or make it with ``apply``; raises a LeadlineError."""
        self._permit(question, apply=apply)
        name = self._store.uri(question.principal, question.call, "question").removeprefix(SCHEME)
        before = self._journal.latest(name) if self._journal is not None else None
        if before is not None and before.happened and self._journal is not None and self._journal.holds(before.plan):
            return self._answer_from_journal(question, before)
        notes = (
            (f"an earlier attempt was interrupted: {_describe_fate(before)}",) if before and not before.happened else ()
        )
        if not self._allowed:
            notes = (*self._interrupted(), *notes)
        proposal = propose()
        result = replace(proposal.result, notes=(*notes, *proposal.result.notes))
        if not proposal.plan.files:
            return EditAnswer(result)
        read_only = self._read_only(proposal.plan)
        if read_only is not None and apply:
            raise read_only
        if read_only is not None:
            return EditAnswer(_unwritable(result, proposal.plan, read_only))
        if not apply:
            self._store.remember_preview(name, proposal.plan.before)
            return EditAnswer(self._preview(question.call, result, proposal.plan))
        self._compare(self._store.recall_preview(name), proposal.plan)
        return self._make(question, name, Proposal(result, proposal.plan, proposal.then))

    def undo(self, question: Question, uri: str, *, apply: bool) -> EditAnswer:
        """Return the preview of an edit taken back, or with ``apply`` take it back; raises a LeadlineError."""
        self._permit(question, apply=apply)
        key = uri.strip().removeprefix(SCHEME)
        entry = self._journal.find(key) if self._journal is not None else None
        if self._journal is None or entry is None or not entry.happened or entry.owner != self._owner(question):
            raise NothingToUndo(uri)
        name = f"undo{key}"
        before = self._journal.latest(name)
        if before is not None and before.happened and self._journal.holds(before.plan):
            return self._answer_from_journal(question, before)
        plan = entry.plan.reversed
        changed = [change.path for change in plan.files if not self._journal.holds(EditPlan((change.reversed,)))]
        if changed:
            raise ChangedSince(changed, "since that edit")
        result = Result(f"undo {uri}", "hunks", list(hunks(self._tree, plan)))
        if not apply:
            return EditAnswer(self._preview(question.call, result, plan))
        return self._make(question, name, Proposal(result, plan))

    def _read_only(self, plan: EditPlan) -> NotOnDisk | None:
        """Return what refuses an edit of files that are on no disk; None for one of others."""
        reasons = ((change.path, self._tree.why_read_only(change.path)) for change in plan.files)
        return next((NotOnDisk(path, reason) for path, reason in reasons if reason), None)

    def _interrupted(self) -> Sequence[str]:
        """Return the sentence that reports edits which are half done, if there are any."""
        entries = self._journal.interrupted() if self._journal is not None else ()
        if not entries:
            return ()
        extent = ", ".join(_describe_extent(entry.plan) for entry in entries[:_MOST_DESCRIBED])
        return (
            f"an edit was interrupted and may be half done ({extent}). Run leadline doctor --repair to revert it, "
            "or start the server with --allow-edits",
        )

    def _owner(self, question: Question) -> str:
        """Return an identifier of the principal that reveals nothing else."""
        return self._store.uri(question.principal, Call("edit", ()), "owner").removeprefix(SCHEME)

    def _permit(self, question: Question, *, apply: bool) -> None:
        if apply and not self._allowed:
            raise EditsNotAllowed(question.call.tool)
        if apply and self._journal is None:
            raise NotWritten("there is no cache folder for its journal")

    def _compare(self, seen: dict[str, str] | None, plan: EditPlan) -> None:
        """Raise ChangedSince where a plan was made on other files than its preview."""
        if seen is not None:
            now = plan.before
            changed = sorted(path for path in {*seen, *now} if seen.get(path) != now.get(path))
            if changed:
                raise ChangedSince(changed)

    def _preview(self, call: Call, result: Result, plan: EditPlan) -> Result:
        extent = f"{_describe_extent(plan)}; nothing is written yet"
        if not self._allowed:
            note = f"{extent}: this server was started without --allow-edits"
            return replace(result, subject=f"preview of {result.subject}", notes=(note, *result.notes))
        again = Call.of(call.tool, _size(result), **dict(call.arguments), apply=True)
        return replace(
            result,
            subject=f"preview of {result.subject}",
            notes=(f"{extent}: apply=true writes it", *result.notes),
            calls=(again, *result.calls),
        )

    def _make(self, question: Question, name: str, proposal: Proposal) -> EditAnswer:
        if self._journal is None:
            raise NotWritten("there is no cache folder for its journal")
        uri = self._store.uri(question.principal, question.call, uuid.uuid4().hex)
        entry = self._journal.apply(proposal.plan, uri.removeprefix(SCHEME), name, self._owner(question))
        result = replace(
            proposal.result,
            subject=f"applied {proposal.result.subject}",
            notes=(f"{_describe_extent(entry.plan)}: written", *proposal.result.notes),
            calls=(self._undo_call(question, uri, proposal.result), *proposal.then),
        )
        return EditAnswer(result, uri)

    def _answer_from_journal(self, question: Question, entry: Entry) -> EditAnswer:
        """Return the answer to a question whose edit was made, and holds."""
        uri = SCHEME + entry.key
        result = Result("", "hunks", list(applied_hunks(self._tree, entry.plan)))
        repeated = replace(
            result,
            subject=f"applied already: {question.call}",
            notes=(f"{_describe_extent(entry.plan)}: written before, and no file has changed since",),
            calls=(self._undo_call(question, uri, result),),
        )
        return EditAnswer(repeated, uri)

    def _undo_call(self, question: Question, uri: str, result: Result) -> Call:
        return Call.of(question.call.tool, _size(result), undo=uri, apply=True)


def _unwritable(result: Result, plan: EditPlan, error: NotOnDisk) -> Result:
    """Return the preview of an edit that can never be made."""
    note = f"{_describe_extent(plan)}; nothing can be written: {error.reason}"
    return replace(result, subject=f"preview of {result.subject}", notes=(note, *result.notes))


def _size(result: Result) -> Size:
    return Size(rows=len(result.items), width=_HUNK_WIDTH)


def _describe_extent(plan: EditPlan) -> str:
    edits, files = plan.edits, len(plan.files)
    return f"{edits:,} {'edit' if edits == 1 else 'edits'} in {files:,} {'file' if files == 1 else 'files'}"


def _describe_fate(entry: Entry) -> str:
    """Return what became of an edit that was begun and not made."""
    if not entry.left:
        return "it changed nothing"
    return f"it was reverted, except {', '.join(entry.left[:3])}, which changed meanwhile"
