"""The description of a server for its page: the tree, the progress of the index, the model, and the tools."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from enum import Enum
from typing import Any

from leadline_server import __version__
from leadline_server.call import Session
from leadline_server.page.wire import View
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.index_notes import freshness_notes, listing_notes
from leadline_tools.tool import WRITING, Tool

_FAILURES = 20
_ROOTS_IN_TITLE = 3


def title_of(index: Index) -> str:
    """Return what people call the tree: of many roots their number."""
    roots = len(index.root_names)
    return index.title if roots <= _ROOTS_IN_TITLE else f"{roots:,} roots"


def about_view(session: Session) -> View:
    """Return what does not change while the server runs."""
    profile = session.config.profile
    return {
        "title": title_of(session.index),
        "roots": sorted(session.index.root_names),
        "version": __version__,
        "model": profile.name,
        "exact": profile.exact,
        "tools": [_tool_view(session, tool) for tool in session.tools.values()],
    }


def state_view(session: Session) -> View:
    """Return how far the index is, and what is wrong with it."""
    index = session.index.opened
    coverage = index.coverage()
    doubts = [*listing_notes(index), *freshness_notes(index)]
    failed = index.files.failed
    doubts += [f"{file.path}: {file.error}" for file in failed[:_FAILURES]]
    doubts += [f"and {len(failed) - _FAILURES:,} more files"] if len(failed) > _FAILURES else []
    return {
        "complete": coverage.complete,
        "files": coverage.files,
        "texts": coverage.texts,
        "symbols": coverage.symbols,
        "doubts": doubts,
    }


def _tool_view(session: Session, tool: Tool) -> View:
    fields = tool.arguments.model_fields.items()
    parameters = [
        _parameter_view(name, field.annotation, "" if field.is_required() else field.default, field.is_required())
        for name, field in fields
        if name not in WRITING
    ]
    unasked, most = session.config.default_tokens(tool.name), session.config.most_tokens(tool.name)
    parameters.append(_parameter_view("max_tokens", int, unasked, required=False))
    description = " ".join(tool.description.split())
    return {"name": tool.name, "description": description, "parameters": parameters, "usual": unasked, "most": most}


def _parameter_view(name: str, kind: Any, default: object, required: bool) -> View:
    choices = _choices(kind)
    type_ = "choice" if choices else "number" if kind is int else "text"
    value = str(default).lower() if isinstance(default, bool) else str(default)
    return {"name": name, "type": type_, "choices": choices, "default": value, "required": required}


def _choices(kind: Any) -> Sequence[str]:
    if kind is bool:
        return ("false", "true")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return [str(choice) for choice in typing.get_args(kind)] if typing.get_origin(kind) is typing.Literal else ()
