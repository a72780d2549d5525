"""The default size limit of facts: apart from the store, so that to know it costs nothing."""

from __future__ import annotations

USUAL_SIZE = 500_000_000
"""Bytes of facts that are kept for one tree."""
