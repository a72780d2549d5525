"""Dockerfiles and Containerfiles: https://docs.docker.com/reference/dockerfile/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind


def _stage(node: Node) -> Sequence[Node]:
    """Return the name of a stage; of one without a name that of its image."""
    return node.children_by_field_name("as") or descend(first_child("image_spec"), fields("name"))(node)


LANGUAGE = Language(
    name="dockerfile",
    grammar=("tree_sitter_containerfile", "language"),
    files=FileRules(
        extensions=(".dockerfile", ".containerfile"),
        filenames=("Dockerfile", "Containerfile"),
    ),
    outline=OutlineRules(
        definitions={
            "from_instruction": Defines(SymbolKind.Module, name=_stage, body=fields(), rest=True),
            "arg_instruction": Defines(
                SymbolKind.Variable, name=descend(children_of_type("arg_pair"), fields("name")), body=fields()
            ),
            "env_instruction": Defines(
                SymbolKind.Variable, name=descend(children_of_type("env_pair"), fields("name")), body=fields()
            ),
            "label_instruction": Defines(
                SymbolKind.Key, name=descend(children_of_type("label_pair"), fields("key")), body=fields()
            ),
        },
    ),
)
