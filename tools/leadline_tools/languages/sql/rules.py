"""SQL, in the dialects of PostgreSQL, MySQL and SQLite: https://www.postgresql.org/docs/current/sql-commands.html."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_OBJECT = first_child("object_reference")
_NAME = descend(_OBJECT, fields("name"))
_QUOTES = {'"': '"', "`": "`", "[": "]", "'": "'"}


def _schema(node: Node) -> str:
    """Return the schema, and the database before it, in which an object is created: ``shop`` of ``shop.items``."""
    for reference in _OBJECT(node):
        return ".".join(_unquote(part) for part in fields("database", "schema")(reference))
    return ""


def _unquote(name: Node) -> str:
    spelled = text(name)
    return spelled[1:-1] if len(spelled) > 1 and _QUOTES.get(spelled[0]) == spelled[-1] else spelled


def _object(kind: SymbolKind, body: Sequence[str] = (), *, emits: bool = True) -> Defines:
    """Return what creates an object whose name may begin with that of its schema."""
    return Defines(kind, name=_NAME, body=children_of_type(*body), container=_schema, spell=_unquote, emits=emits)


def _plain(kind: SymbolKind) -> Defines:
    """Return what creates an object that no schema holds."""
    return Defines(kind, name=first_child("identifier"), body=fields(), spell=_unquote)


LANGUAGE = Language(
    name="sql",
    grammar=("tree_sitter_sql", "language"),
    files=FileRules(
        extensions=(".sql", ".ddl", ".psql"),
    ),
    outline=OutlineRules(
        definitions={
            "create_table": _object(SymbolKind.Struct, ("column_definitions",)),
            "create_view": _object(SymbolKind.Struct),
            "create_materialized_view": _object(SymbolKind.Struct),
            "create_function": _object(SymbolKind.Function),
            "create_procedure": _object(SymbolKind.Function),
            "create_trigger": _object(SymbolKind.Event),
            "create_sequence": _object(SymbolKind.Object),
            "create_type": _object(SymbolKind.Enum, ("enum_elements", "column_definitions")),
            "create_index": Defines(SymbolKind.Key, name=fields("column"), body=fields(), spell=_unquote),
            "create_schema": _plain(SymbolKind.Namespace),
            "create_database": _plain(SymbolKind.Namespace),
            "create_role": _plain(SymbolKind.Object),
            "column_definition": Defines(SymbolKind.Field, body=fields(), spell=_unquote),
            "enum_elements": Defines(SymbolKind.EnumMember, name=fields("enum_element"), body=fields(), spell=_unquote),
        },
        through=frozenset({"statement", "transaction", "block"}),
        comments=frozenset({"comment", "marginalia"}),
    ),
)
