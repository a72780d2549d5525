"""A command of git, which is run without anything that a repository could make it do.

No hook, no monitor, no filter, no transport, no lock, no replaced object, no configuration but that of the repository.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

OPTIONS = (
    *("-c", "core.fsmonitor="),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", f"core.excludesFile={os.devnull}"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "safe.directory=*"),
    *("-c", "safe.bareRepository=explicit"),
)
"""Options of git itself, before those of a command."""

ENVIRONMENT: Mapping[str, str] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone would fetch what it lacks, by a command that its configuration names. A git that is too old to be
    # told not to may use no transport.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}
"""Variables of its environment, besides those that every program sees."""
