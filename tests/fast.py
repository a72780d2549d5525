"""``scripts/test --fast``: the selection of tests that takes about two minutes.

Of each test that is run with several values the first one is kept, of examples drawn at random five, and the files in
``SLOW`` are left out: they start programs, browsers and servers, build packages, read
whole repositories, or have very many cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import settings

SLOW = frozenset(
    {
        "test_account",
        "test_account_reader",
        "test_agent",
        "test_bad_input",
        "test_both_transports",
        "test_budgets",
        "test_cache_folder",
        "test_choke_points",
        "test_claude",
        "test_client_programs",
        "test_clients",
        "test_code_fixes",
        "test_completion",
        "test_conformance",
        "test_console",
        "test_costly_arguments",
        "test_damaged_caches",
        "test_database",
        "test_doctor",
        "test_doors",
        "test_edits",
        "test_edits_of_both_transports",
        "test_estimate",
        "test_everyday_uses",
        "test_extending",
        "test_fact_builder",
        "test_fit",
        "test_fuzz",
        "test_gate",
        "test_gitignore",
        "test_hosted_index",
        "test_identity",
        "test_index",
        "test_indexing",
        "test_invisible_characters",
        "test_lost_workers",
        "test_many_roots",
        "test_masked_keys",
        "test_moving_trees",
        "test_names",
        "test_odd_repositories",
        "test_open_files",
        "test_package",
        "test_page_in_browser",
        "test_pages",
        "test_programs",
        "test_programs_of_both_transports",
        "test_progress",
        "test_protocol",
        "test_registry",
        "test_rename",
        "test_rename_reach",
        "test_replicas",
        "test_resident",
        "test_rude_clients",
        "test_scan",
        "test_scripts",
        "test_secret_files",
        "test_servers",
        "test_serving",
        "test_shared_contents",
        "test_sizes",
        "test_snapshot",
        "test_starting",
        "test_state",
        "test_team_example",
        "test_torture",
        "test_watch",
        "test_ways_in",
        "test_workspace",
    }
)

settings.register_profile("fast", deadline=None, derandomize=True, max_examples=5)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--fast", action="store_true", help="Run a selection that takes about two minutes.")


def pytest_configure(config: pytest.Config) -> None:
    """Draw few examples."""
    if config.getoption("--fast"):
        settings.load_profile("fast")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the slow files out before they are imported: to collect their cases takes longer than many tests."""
    return True if config.getoption("--fast") and collection_path.stem in SLOW else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the selection."""
    if not config.getoption("--fast"):
        return
    kept = select(items)
    names = {item.nodeid for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in names])
    items[:] = kept


def select(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the first of the cases of each test function."""
    first: dict[str, pytest.Item] = {}
    for item in items:
        first.setdefault(item.nodeid.partition("[")[0], item)
    return list(first.values())
