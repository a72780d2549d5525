"""Answers without limits of time: what a busy machine cuts short differs from what a quiet one finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from unittest import mock

UNLIMITED = 36_000.0
"""Seconds that no question takes: the patience of a session whose answers are compared."""

_LIMITS = (
    "diagnostics.ruff._SECONDS_OF_ONE",
    "index.hosted.text.trigram_engine._SECONDS",
    "index.file_graph.graph_builder._SAMPLED_SECONDS",
    "index.file_graph.graph_builder._SECONDS",
    "index.questions.highlights._SECONDS",
    "index.questions.names._SECONDS",
    "index.questions.symbol_index._PATIENCE",
    "index.questions.word_index._SCAN_SECONDS",
    "navigation.apply_code_fix.SECONDS",
    "resolve.rename.mentions.LEAST_SECONDS",
)
"""The limits of time that questions have besides the patience of their call."""


@contextmanager
def without_limits_of_time() -> Iterator[None]:
    """Let questions take as long as they do; sessions have ``UNLIMITED`` as their patience besides."""
    with ExitStack() as patched:
        for name in _LIMITS:
            module, _, constant = name.rpartition(".")
            patched.enter_context(mock.patch.object(import_module(f"leadline_tools.{module}"), constant, UNLIMITED))
        yield
