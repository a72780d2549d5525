"""The words that can come next on the command line, for the shells that complete it.

An argument of a tool is KEY=VALUE. zsh and fish hand it over as one word; bash parts it at ``=``, so that the key is
the word before, and only the value is replaced.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem, ZshComplete, add_completion_class

from leadline_server.roots import Root

if TYPE_CHECKING:
    from leadline_tools.tool import Tool


def tools() -> Mapping[str, Tool]:
    """Return every tool, without what the server needs to serve: a person waits for each key."""
    from leadline_server.registry import TOOLS

    return TOOLS


def tool_words(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Return the tools whose names begin with what is typed."""
    return [
        CompletionItem(name, help=tool.description.partition(".")[0].replace("\n", " "))
        for name, tool in sorted(tools().items())
        if name.startswith(typed)
    ]


def model_words(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Return the models and families whose names begin with what is typed."""
    from leadline_server.model_name import matching_models

    return [CompletionItem(name) for name in matching_models(typed)]


def offered_words(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Return what ``--tools`` may be: all, core, or names of which the last is being typed."""
    done, comma, last = typed.rpartition(",")
    sets = () if comma else ("all", "core")
    given = set(done.split(","))
    names = [name for name in (*sets, *sorted(tools())) if name.startswith(last) and name not in given]
    return [CompletionItem(f"{done}{comma}{name}") for name in names]


def argument_words(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Return the arguments of the tool that are not given yet, or the values of the one that is being typed."""
    tool = tools().get(context.params.get("tool") or "")
    if tool is None:
        return []
    before: tuple[str, ...] = context.params.get("arguments") or ()
    key, equals, value = typed.partition("=")
    if equals:
        return [CompletionItem(f"{key}={found}") for found in _values(tool, key, value, context)]
    key_word = next((word for word in reversed(before) if word != "="), "")
    if before and "=" not in key_word and key_word in (*tool.arguments.model_fields, "max_tokens"):
        return [CompletionItem(found) for found in _values(tool, key_word, typed, context)]
    given = {word.partition("=")[0] for word in before}
    keys = (*tool.arguments.model_fields, "max_tokens")
    return [CompletionItem(f"{name}=") for name in keys if name.startswith(typed) and name not in given]


def _values(tool: Tool, key: str, typed: str, context: click.Context) -> Iterator[str]:
    """Return the values of an argument: those that there are, paths below the root, else its default."""
    from leadline_tools.tool import Takes

    field = tool.arguments.model_fields.get(key)
    if field is None:
        return
    if tool.takes.get(key) in {Takes.Folder, Takes.File, Takes.Code}:
        yield from _paths(context.params.get("roots") or (), typed)
        return
    schema = tool.arguments.model_json_schema()
    known = list(_schema_values(schema["properties"][key], schema.get("$defs", {})))
    if not known and not field.is_required() and field.default != "":
        known = [str(field.default)]
    yield from (value for value in known if value.startswith(typed))


def _schema_values(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Iterable[str]:
    """Return the values that a schema allows, where it names them."""
    if schema.get("type") == "boolean":
        return ("true", "false")
    if "$ref" in schema:
        return _schema_values(named[schema["$ref"].rpartition("/")[2]], named)
    return map(str, schema.get("enum", ()))


def _paths(roots: Sequence[Root], typed: str) -> Iterator[str]:
    """Return the entries of the folder that is typed so far, folders with a final slash; at the top, several roots."""
    name, inside, below = typed.partition("/")
    named = {root.name: root.path for root in roots if root.name}
    if named and not inside:
        yield from (f"{known}/" for known in sorted(named) if known.startswith(name))
    elif not named:
        yield from _entries(roots[0].path if roots else Path.cwd(), typed)
    elif name in named:
        yield from (f"{name}/{found}" for found in _entries(named[name], below))


def _entries(base: Path, typed: str) -> Iterator[str]:
    """Return the entries of the folder below ``base`` that is typed so far."""
    folder, slash, start = typed.rpartition("/")
    try:
        entries = sorted(os.scandir(base / folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(start) and (start or not entry.name.startswith(".")):
            yield f"{folder}{slash}{entry.name}{'/' if entry.is_dir() else ''}"


class _Bash(BashComplete):
    """Adds no blank after an unfinished word."""

    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)", "COMPREPLY+=($value)\n            [[ $value == *[=/] ]] && compopt -o nospace"
    )


class _Zsh(ZshComplete):
    """The same."""

    source_template = ZshComplete.source_template.replace(
        'if [[ "$descr" == "_" ]]; then',
        'if [[ "$key" == *[=/] ]]; then\n                compadd -U -S "" -- "$key"\n'
        '            elif [[ "$descr" == "_" ]]; then',
    )


SHELLS = ("bash", "zsh", "fish")
"""The shells whose command lines are completed."""

for _changed in (_Bash, _Zsh):
    add_completion_class(_changed)
