"""Where ``scripts/clients-environment`` puts other people's programs, and what a test says where it has not run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CLIENTS = Path(os.environ.get("LEADLINE_CLIENTS", Path(__file__).parents[1] / ".clients"))
PACKAGES = CLIENTS / "node_modules"
NODE = PACKAGES / ".bin" / "node"

needs_clients = pytest.mark.skipif(
    not (CLIENTS / ".leadline").exists(), reason="scripts/clients-environment installs what this runs"
)
