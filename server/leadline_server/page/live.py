"""The page of a running server: the tree, the index, the calls, and a box to make one."""

from __future__ import annotations

import time
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from leadline_server.call import Session
from leadline_server.ledger import RecordedCall
from leadline_server.page.document import linked_document
from leadline_server.page.markup import Element, element
from leadline_server.page.statement import facts
from leadline_tools.index.request_scope.index_notes import freshness_notes, listing_notes
from leadline_tools.tool import Tool

_CALLS = 50
"""Calls that are shown."""

_FAILURES = 20


def live_page(session: Session, map_: Element, calls: Sequence[RecordedCall]) -> str:
    """Return the page."""
    return linked_document(
        f"Leadline: {session.index.title}",
        _section("map", "What would it cost a model to read this?", map_),
        _section("state", "The index", state(session)),
        _section("try", "Try a tool", *_tool_forms(session.tools)),
        _section("calls", "Calls", _scroll_region(ledger(session, calls))),
    )


def _section(identity: str, heading: str, *parts: Element) -> Element:
    title = element("h2", heading, id=f"{identity}-heading", tabindex="-1")
    body = element("div", *parts, id=identity)
    return element("section", title, body, aria_labelledby=f"{identity}-heading")


def _scroll_region(part: Element) -> Element:
    return element("div", part, id="ledger", class_="scroll", tabindex="0", role="region", aria_label="The last calls")


def state(session: Session) -> Element:
    """Return how far the index is, and what is wrong with it."""
    index = session.index.opened
    coverage = index.coverage()
    doubts = [*listing_notes(index), *freshness_notes(index)]
    failed = index.files.failed
    doubts += [f"{file.path}: {file.error}" for file in failed[:_FAILURES]]
    doubts += [f"and {len(failed) - _FAILURES:,} more files"] if len(failed) > _FAILURES else []
    profile = session.config.profile
    return element(
        "div",
        facts(
            (
                ("index", "complete" if coverage.complete else "being built"),
                ("files", f"{coverage.files:,}"),
                ("files with words", f"{coverage.texts:,}"),
                ("files with symbols", f"{coverage.symbols:,}"),
                ("model", profile.name),
                ("its tokens", "counted" if profile.exact else "upper bounds"),
            )
        ),
        element("ul", *(element("li", doubt) for doubt in doubts)) if doubts else None,
    )


def ledger(session: Session, calls: Sequence[RecordedCall]) -> Element:
    """Return the last calls, newest first: estimated, sent, and saved against the complete answer."""
    if not calls:
        return element("p", "No calls yet. Clients make them, or you do, with the form above.")
    heads = ("tool", "client", "estimated", "sent", "complete", "saved", "at")
    rows = [_call_row(noted) for noted in reversed(calls[-_CALLS:])]
    head = [element("th", name, scope="col", class_="number" if 1 < i < 6 else None) for i, name in enumerate(heads)]
    caption = "The last calls, newest first, in tokens; saved: compared with the complete answer in the same form"
    return element(
        "div",
        *(element("p", trouble, class_="bad") for trouble in session.ledger.troubles),
        element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *head)),
            element("tbody", *rows),
        ),
    )


def _call_row(noted: RecordedCall) -> Element:
    entry = noted.entry
    numbers = (entry.estimated, entry.sent, entry.whole, entry.whole - entry.sent)
    return element(
        "tr",
        element("th", f"{entry.tool}{' (error)' if entry.error else ''}", scope="row"),
        element("td", entry.client or "-"),
        *(element("td", f"{number:,}", class_="number") for number in numbers),
        element("td", time.strftime("%H:%M:%S", time.localtime(noted.at))),
    )


def _tool_forms(tools: Mapping[str, Tool]) -> Sequence[Element]:
    """Return a form for each tool, of which one is shown, and where its answer appears."""
    choices = [element("option", name, value=name) for name in tools]
    return (
        element("noscript", element("p", "This form requires JavaScript, which comes from this server.")),
        element("p", "Call a tool as a model would, and see exactly what the model would receive."),
        element("label", "Tool", for_="tool"),
        element("select", *choices, id="tool"),
        *(_form(tool, hidden=place > 0) for place, tool in enumerate(tools.values())),
        element("p", id="outcome", role="status"),
        element("pre", id="answer", tabindex="0", hidden="", role="region", aria_label="The answer"),
    )


def _form(tool: Tool, *, hidden: bool) -> Element:
    parameters = [
        _parameter_field(
            tool.name, name, field.annotation, "" if field.is_required() else field.default, field.is_required()
        )
        for name, field in tool.arguments.model_fields.items()
    ]
    parameters.append(_parameter_field(tool.name, "max_tokens", int, "", required=False))
    return element(
        "form",
        element(
            "fieldset",
            element("legend", f"{tool.name}: {' '.join(tool.description.split())}"),
            element("div", *parameters, class_="fields"),
        ),
        element("button", f"Call {tool.name}", type="submit"),
        data_tool=tool.name,
        hidden="" if hidden else None,
    )


def _parameter_field(tool: str, name: str, kind: Any, default: object, required: bool) -> Element:
    """Return a parameter as a field with a label."""
    identity = f"{tool}-{name}"
    label = element("label", f"{name}{' (required)' if required else ''}", for_=identity)
    choices = _choices(kind)
    if choices:
        options = [
            element("option", choice, value=choice, selected="" if choice == str(default).lower() else None)
            for choice in choices
        ]
        return element("div", label, element("select", *options, id=identity, name=name))
    control = element(
        "input",
        id=identity,
        name=name,
        type="number" if kind is int else "text",
        value=str(default) if default != "" else None,
        required="" if required else None,
        autocomplete="off",
        spellcheck="false",
    )
    return element("div", label, control)


def _choices(kind: Any) -> Sequence[str]:
    if kind is bool:
        return ("false", "true")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return [str(choice) for choice in typing.get_args(kind)] if typing.get_origin(kind) is typing.Literal else ()
