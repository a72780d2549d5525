"""HCL, with the blocks of Terraform: https://developer.hashicorp.com/terraform/language/syntax/configuration."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, first_child, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_BODY = first_child("body")
_TYPE = first_child("identifier")
_LABELS = children_of_type("string_lit", "identifier")
_LITERAL = first_child("template_literal")

_KINDS = {"variable": SymbolKind.Variable, "module": SymbolKind.Module, "output": SymbolKind.Property}
_ADDRESSES = {"variable": "var", "resource": ""}
"""What the address of a block begins with in place of its type: ``var.region``, ``aws_instance.web``."""

_LOCALS = "locals"


def _type_of(block: Node) -> str:
    return text(next(iter(_TYPE(block)), None))


def _label_names(block: Node) -> list[Node]:
    """Return the labels of a block without their quotes, or its type where it has none."""
    labels = _LABELS(block)
    named = [inner for label in labels[1:] for inner in (_LITERAL(label) if label.type == "string_lit" else (label,))]
    return named or list(labels[:1])


def _name(block: Node) -> Sequence[Node]:
    return _label_names(block)[-1:]


def _container(block: Node) -> str:
    """Return what an expression writes before the name of a block: ``data.aws_ami`` of ``data.aws_ami.ubuntu``."""
    kind, labels = _type_of(block), [text(label) for label in _label_names(block)[:-1]]
    prefix = _ADDRESSES.get(kind, kind) if labels or len(_LABELS(block)) > 1 else ""
    return ".".join(part for part in (prefix, *labels) if part)


def _kind(block: Node) -> SymbolKind:
    return _KINDS.get(_type_of(block), SymbolKind.Class)


def _is_shown(block: Node) -> bool:
    """Return whether a block is a symbol: ``locals`` only holds some."""
    return _type_of(block) != _LOCALS


def _inside(block: Node) -> Sequence[Node]:
    return () if _is_shown(block) else _BODY(block)


def _in_locals(attribute: Node) -> bool:
    around = attribute.parent.parent if attribute.parent is not None else None
    return around is not None and around.type == "block"


LANGUAGE = Language(
    name="hcl",
    grammar=("tree_sitter_hcl", "language"),
    files=FileRules(
        extensions=(".tf", ".hcl", ".tfvars", ".nomad"),
    ),
    outline=OutlineRules(
        definitions={
            "block": Defines(_kind, name=_name, container=_container, body=_inside, emits=_is_shown),
            "attribute": Defines(
                SymbolKind.Variable,
                name=_TYPE,
                body=descend(),
                container=lambda node: "local" if _in_locals(node) else "",
            ),
        },
        through=frozenset({"body"}),
    ),
)
