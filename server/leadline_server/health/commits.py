"""Looks at the roots that are commits: whether their files can be listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_server.health.finding import Finding, bad, good
from leadline_server.roots import Root
from leadline_tools.errors import LeadlineError
from leadline_tools.index.tree.commit.repository import Repository, short

_NAME = "commit"


def check_commits(roots: Sequence[Root]) -> Iterator[Finding]:
    """Yield a finding for each root that is a commit."""
    for root in roots:
        if root.ref:
            yield _check(root)


def _check(root: Root) -> Finding:
    try:
        repository = Repository(root.path)
        commit = repository.commit(root.ref)
        files = sum(1 for _ in repository.files(commit))
    except LeadlineError as error:
        return bad(_NAME, str(error), error.hint)
    return good(_NAME, f"{root}: {short(commit)}, {files:,} files")
