"""Interrupted edits: what they have left in the trees, and how that is cleared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from leadline_server.health.finding import Finding, good, poor
from leadline_server.roots import Root
from leadline_tools.edits.journal import Journal, journal_folder
from leadline_tools.errors import LeadlineError
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.disk.walk import walk
from leadline_tools.index.trees import Trees

_NAME = "edits"
_CURE = "Run leadline doctor --repair: it reverts interrupted edits and removes their files."
_MOST_NAMED = 3


def check_edits(roots: Sequence[Root], cache: Path, *, repair: bool) -> Iterator[Finding]:
    """Look for edits that were interrupted, and files that they have left. ``repair`` reverts and removes them.

    Roots with names are those of one server.
    """
    if not any(not root.ref for root in roots):
        return
    journal = _journal(roots, cache)
    leftovers = journal.find_leftovers(_paths(roots))
    interrupted = journal.interrupted()
    seen = [f"{len(interrupted):,} interrupted"] if interrupted else []
    if leftovers:
        more = f" and {len(leftovers) - _MOST_NAMED:,} more" if len(leftovers) > _MOST_NAMED else ""
        seen.append(f"left beside files: {', '.join(leftovers[:_MOST_NAMED])}{more}")
    if not seen:
        yield good(_NAME, "none is interrupted")
    elif not repair:
        yield poor(_NAME, "; ".join(seen), _CURE)
    else:
        yield _repair(journal, roots, "; ".join(seen))


def _repair(journal: Journal, roots: Sequence[Root], seen: str) -> Finding:
    """Revert what was interrupted and remove what is left; report what cannot be reverted."""
    changed = [path for entry in journal.recover() for path in entry.left]
    try:
        journal.remove_leftovers(_paths(roots))
    except LeadlineError as error:
        return poor(_NAME, f"{seen}; {error}", error.hint)
    if changed:
        return poor(_NAME, f"{seen}; changed since, and left as they are: {', '.join(changed)}", "Look at these files.")
    return good(_NAME, f"{seen}; reverted and removed")


def _journal(roots: Sequence[Root], cache: Path) -> Journal:
    """Return the journal of a server with these roots."""
    if not roots[0].name:
        return Journal(journal_folder(cache, roots[0].place), DiskTree(roots[0].path))
    trees = Trees({root.name: DiskTree(root.path, name=root.name) for root in roots if not root.ref})
    identity = ";".join(map(str, sorted(roots, key=lambda root: root.name)))
    return Journal(journal_folder(cache, identity), trees)


def _paths(roots: Sequence[Root]) -> Sequence[str]:
    """Return the files of the roots that can be edited, as a server names them."""
    each = ((f"{root.name}/" if root.name else "", walk(root.path).files) for root in roots if not root.ref)
    return [f"{start}{file.path}" for start, files in each for file in files]
