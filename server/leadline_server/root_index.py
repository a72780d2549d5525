"""The index of one root of a configuration: of a folder, or of a commit of its repository."""

from __future__ import annotations

from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.workers.worker_pool import WorkerPool


def index_of_root(config: Config, name: str = "", pool: WorkerPool | None = None) -> Index:
    """Return the index of the root with a name, or of the only one, not started.

    Raises UnknownCommit and UnusableRepository where it is that of a commit that there is not.
    """
    root, ref, tree = config.roots.get(name, config.root), config.refs.get(name, ""), None
    if ref:
        from leadline_tools.index.tree.commit.commit_store import commit_tree

        tree = commit_tree(root, ref, config.policy, name, config.exclude)
    return Index(root, config.cache, None, config.policy, name, config.facts_size, config.exclude, pool, tree)
