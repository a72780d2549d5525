"""The index of one root of a configuration: of a folder, or of a commit of its repository."""

from __future__ import annotations

from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.open_roots import Root
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.workers.worker_pool import WorkerPool


def root_of(config: Config, name: str, pool: WorkerPool) -> Root:
    """Return one of several roots, which is not open yet.

    Raises UnknownCommit and UnusableRepository where it is that of a commit that there is not.
    """
    return Root(_tree_of(config, name), lambda: index_of_root(config, name, pool))


def index_of_root(config: Config, name: str = "", pool: WorkerPool | None = None) -> Index:
    """Return the index of the root with a name, or of the only one, not started; raises as ``root_of``."""
    tree = _tree_of(config, name)
    return Index(tree.root, config.cache, None, config.policy, name, config.facts_size, config.exclude, pool, tree)


def _tree_of(config: Config, name: str) -> RootTree:
    root, ref = config.roots.get(name, config.root), config.refs.get(name, "")
    if not ref:
        return DiskTree(root, config.policy, name, config.exclude)
    from leadline_tools.index.tree.commit.commit_store import commit_tree

    return commit_tree(root, ref, config.policy, name, config.exclude)
