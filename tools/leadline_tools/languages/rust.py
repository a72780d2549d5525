"""Rust: https://doc.rust-lang.org/reference/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, lexing
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    text,
)
from leadline_tools.model import Role, SymbolKind

_DISTRIBUTED = frozenset({"std", "core", "alloc", "proc_macro", "test"})
"""The crates that come with the compiler."""

_ROOTS = ("lib.rs", "main.rs")
"""The files at which the crates of a package begin, by https://doc.rust-lang.org/cargo/guide/project-layout.html."""

_TARGET = re.compile(r"(?:.*/)?(?:tests|examples|benches|src/bin)/[^/]+\.rs|(?:.*/)?build\.rs")
"""The files that are crates of their own beside those."""

_LONGEST_PATH = 1000
"""More in a use declaration is no program."""

_THROUGH_TYPES = frozenset({"reference_type", "generic_type"})


# --- What defines


def _names(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if text(name) != "_"]


def _module_kind(node: Node) -> SymbolKind | None:
    """Tell a module that is spelled out; one without body is declared here and defined in its file."""
    return SymbolKind.Module if node.child_by_field_name("body") is not None else None


def _fields(node: Node) -> Sequence[Node]:
    """Return the list of named fields; those of a tuple have no names."""
    return [body for body in node.children_by_field_name("body") if body.type == "field_declaration_list"]


def _macro_rules(node: Node) -> Sequence[Node]:
    return [rule for rule in node.named_children if rule.type == "macro_rule"]


def _implementing(node: Node) -> Sequence[Node]:
    """Return the name of the type that an impl is for, or the whole type where that has no name."""
    found = node.child_by_field_name("type")
    for _ in range(4):
        if found is None or found.type not in (*_THROUGH_TYPES, "scoped_type_identifier"):
            break
        found = found.child_by_field_name("name" if found.type == "scoped_type_identifier" else "type")
    return (found,) if found is not None else ()


def _spelled_type(node: Node) -> str:
    return " ".join(text(node).split())


def _named(kind: Node | None) -> Node | None:
    """Return the name of a type, without references to it and its arguments."""
    for _ in range(4):
        if kind is None or kind.type not in _THROUGH_TYPES:
            break
        kind = kind.child_by_field_name("type")
    return kind if kind is not None and kind.type in ("type_identifier", "scoped_type_identifier") else None


def _type(node: Node) -> Node | None:
    return _named(node.child_by_field_name("type"))


def _pattern_type(node: Node) -> Node | None:
    """Return the name of the type of the only name that a pattern binds, declared or that of a struct expression."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None or pattern.type != "identifier":
        return None
    if node.child_by_field_name("type") is not None:
        return _type(node)
    value = node.child_by_field_name("value")
    if value is None or value.type != "struct_expression":
        return None
    return _named(value.child_by_field_name("name"))


# --- What binds


def _bound(*patterns: Node) -> Sequence[Node]:
    """Return the names that patterns bind.

    A name in a pattern may mean a constant or a variant instead. By the language's lint ``nonstandard_style`` those
    begin with a capital and variables do not; what does is left to be looked up.
    """
    found: list[Node] = []
    stack = list(reversed(patterns))
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_field_identifier"):
            if not text(node)[:1].isupper():
                found.append(node)
        elif node.type == "parameter":
            pass  # binds by itself
        elif node.type == "field_pattern":
            stack.extend(node.children_by_field_name("pattern") or node.children_by_field_name("name"))
        elif node.type in _PATTERNS:
            apart = {child.id for name in ("type", "condition") for child in node.children_by_field_name(name)}
            stack.extend(child for child in reversed(node.named_children) if child.id not in apart)
    return found


_PATTERNS = frozenset(
    "match_pattern tuple_pattern tuple_struct_pattern struct_pattern slice_pattern captured_pattern or_pattern"
    " ref_pattern mut_pattern reference_pattern remaining_field_pattern closure_parameters".split()
)


def _pattern(node: Node) -> Sequence[Node]:
    return _bound(*node.children_by_field_name("pattern"))


# --- What imports


def _use(node: Node) -> Iterator[Imported]:
    """Read the tree of a use declaration."""
    argument = node.child_by_field_name("argument")
    stack: list[tuple[str, Node]] = [("", argument)] if argument is not None else []
    while stack:
        prefix, tree = stack.pop()
        if len(prefix) > _LONGEST_PATH:
            continue
        match tree.type:
            case "use_list":
                stack.extend((prefix, child) for child in reversed(tree.named_children))
            case "scoped_use_list":
                inner = _under(prefix, tree.child_by_field_name("path"))
                stack.extend((inner, child) for child in tree.children_by_field_name("list"))
            case "use_wildcard":
                yield Imported(_under(prefix, tree.named_children[0] if tree.named_children else None), "*", "")
            case "use_as_clause":
                yield from _used(
                    _under(prefix, tree.child_by_field_name("path")), text(tree.child_by_field_name("alias"))
                )
            case "self":
                yield from _used(prefix or "self", "")
            case "identifier" | "scoped_identifier" | "crate" | "super":
                yield from _used(_under(prefix, tree), "")


def _under(prefix: str, path: Node | None) -> str:
    """Return a path in a tree, with dots: ``b::self`` is ``b``."""
    steps = [*filter(None, prefix.split(".")), *(step for step in "".join(text(path).split()).split("::") if step)]
    return ".".join(steps[:-1] if len(steps) > 1 and steps[-1] == "self" else steps)


def _used(path: str, alias: str) -> Iterator[Imported]:
    module, _, name = path.rpartition(".")
    if alias == "_":
        return
    if not module or name == "super":
        yield Imported(path, "", alias or name)
    else:
        yield Imported(module, name, alias or name)


def _extern_crate(node: Node) -> Iterator[Imported]:
    name = text(node.child_by_field_name("name"))
    yield Imported("crate" if name == "self" else name, "", text(node.child_by_field_name("alias")) or name)


def _module_file(node: Node) -> Iterator[Imported]:
    """Read ``mod name;``: the module is another file."""
    if node.child_by_field_name("body") is None:
        name = text(node.child_by_field_name("name"))
        yield Imported(f"self.{name}", "", name)


def _inside(imported: Imported, module: str) -> Imported:
    """Return an import of the module ``module`` inside a file as that file would write it."""
    around = module.split(".")
    steps = imported.module.split(".")
    if steps[0] not in ("self", "super"):
        return imported
    if steps[0] == "self":
        steps = steps[1:]
    while steps and steps[0] == "super" and around:
        around, steps = around[:-1], steps[1:]
    if steps[:1] != ["super"]:
        steps = ["self", *around, *steps]
    return Imported(".".join(steps), imported.name, imported.alias, imported.exports)


# --- Where modules are


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a module; None where that takes more than paths to tell.

    Another crate is found where its folder has its name; one that is not may still be the library of this package.
    """
    first, *rest = module.split(".")
    if first == "crate":
        root = _crate(importer, paths)
        return None if root is None else _below(root, rest, paths)
    if first == "self":
        return _below((importer,), rest, paths)
    if first == "super":
        parent = _parent(importer, paths)
        while rest and rest[0] == "super" and parent:
            parent, rest = _parent(parent[0], paths), rest[1:]
        return _below(parent, rest, paths) if parent else None
    return _below((importer,), [first, *rest], paths) or _other_crate(first, rest, importer, paths)


def _other_crate(name: str, rest: Sequence[str], importer: str, paths: Paths) -> Sequence[str] | None:
    spellings = {name, name.replace("_", "-")}
    roots = [root for spelled in spellings for root in paths.ending(f"{spelled}/src/lib.rs")]
    if len(roots) == 1 and roots[0] != importer:
        return _below(roots, rest, paths)
    if name in _DISTRIBUTED:
        return ()
    root = _crate(importer, paths)
    return () if root is not None and all(file.endswith("lib.rs") for file in root) else None


def _crate(importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files at which the crate of ``importer`` begins; None where no such file is around it."""
    if _TARGET.fullmatch(importer):
        return (importer,)
    folder = importer
    while folder:
        folder = folder.rpartition("/")[0]
        found = [path for path in (f"{folder}/{root}".lstrip("/") for root in _ROOTS) if paths.exists(path)]
        if found:
            return found
    return None


def _folder(file: str) -> str:
    """Return the folder of the modules inside the module of ``file``."""
    folder, _, name = file.rpartition("/")
    if name in (*_ROOTS, "mod.rs") or _TARGET.fullmatch(file):
        return folder
    return file.removesuffix(".rs")


def _below(files: Sequence[str], steps: Sequence[str], paths: Paths) -> Sequence[str]:
    """Return the file of the module at the end of ``steps`` from the module of ``files``."""
    if not steps:
        return files
    for file in files:
        stem = "/".join(filter(None, (_folder(file), *steps)))
        for path in (f"{stem}.rs", f"{stem}/mod.rs"):
            if paths.exists(path):
                return (path,)
    return ()


def _parent(file: str, paths: Paths) -> Sequence[str]:
    """Return the files of the module around that of ``file``."""
    folder, _, name = file.rpartition("/")
    if name in _ROOTS or _TARGET.fullmatch(file):
        return ()
    if name == "mod.rs":
        folder = folder.rpartition("/")[0]
    return _first(folder, (*_ROOTS, "mod.rs"), paths) or _first("", (f"{folder}.rs",), paths)


def _first(folder: str, names: Sequence[str], paths: Paths) -> Sequence[str]:
    return [path for path in (f"{folder}/{name}".lstrip("/") for name in names) if paths.exists(path)]


def _module(path: str) -> str:
    """Return the module of a path: without the folder of the sources and without what stands for a folder."""
    steps = [step for step in path.removesuffix(".rs").split("/") if step != "src"]
    if steps[-1:] in (["lib"], ["main"], ["mod"]):
        steps.pop()
    return ".".join(steps)


# --- What refers


def _in_tokens(node: Node) -> Sequence[Node | None]:
    """Return the names in the tokens of a macro that follow a dot or colons: they are members of what is unknown."""
    members: list[Node | None] = [None]
    after = ""
    for child in node.children:
        if child.type == "identifier" and after in (".", "::"):
            members.append(child)
        after = child.type
    return members


_PARAMETERS = fields("parameters")
_TYPED = Defines(SymbolKind.Constant, name=_names, body=fields(), type=_type)

# --- What the index does without

_COMMENT = rb"/(?:/[^\n]*+|\*(?:[^*/]++|\*(?!/)|/(?!\*))*+\*/|(?![/*]))"
"""A comment in which none is nested, or a slash that begins none."""

_INERT = (
    rb"\"(?:(?<!r\")(?<!#\")[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|(?<=r\")[^\"]*+\"|(?<=r#\")[^\"]*+(?:\"(?!#)[^\"]*+)*+\"#"
    rb"|(?<=r##\")[^\"]*+(?:\"(?!##)[^\"]*+)*+\"##)"
    rb"|'(?:\\[^\n][^'\n]*+'|[^'\\\n][\x80-\xbf]*+'|(?=[\w\x80-\xff]))|" + _COMMENT
)
"""A string, a character, the quote of a lifetime or a comment."""

_HEAD = (
    rb"[ \t]*+(?:(?:pub(?:\([^()\n]*+\))?+|const|async|unsafe|safe|default|extern(?:[ \t]++\"\w*+\")?+)[ \t]++)*+"
    rb"fn[ \t]++(?:r#)?+[\w\x80-\xff]"
)
_LISTS = rb"\((?:[^(){}\"/]++|\((?:[^(){}\"/]++|\([^(){}\"/]*+\))*+\))*+\)|\[[^\[\]{}\"/]*+\]"
_NEXT_BODY = (
    rb"(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _HEAD + rb"))*+\n"
    rb"(?:" + _HEAD + rb"(?:[^()\[\]{};\"'/]++|'(?=[\w\x80-\xff])|" + _LISTS + rb"|" + _COMMENT + rb")*+"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?+"
)
_ITEM = re.compile(
    rb"[\n;{}\]/][ \t\r]*+(?:pub|(?:const|async|unsafe|safe)[ \t\r]++(?:fn|unsafe|extern|async|impl|trait|auto)|extern"
    rb"|fn|struct|enum|union|trait|auto|impl|mod|type|macro_rules|default)\b"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether an item may stand in a body, where one can: after another, a statement, an attribute, a comment."""
    return _ITEM.search(found["body"]) is not None


def _blanked(content: bytes) -> bytes:
    """Blank the bodies of functions without items."""
    return blanking.blanked(content, _NEXT_BODY, _defines)


LANGUAGE = Language(
    name="rust",
    extensions=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    definitions={
        "mod_item": Defines(_module_kind),
        "struct_item": Defines(SymbolKind.Struct, body=_fields),
        "union_item": Defines(SymbolKind.Struct, body=_fields),
        "enum_item": Defines(SymbolKind.Enum),
        "enum_variant": Defines(SymbolKind.EnumMember, body=_fields),
        "field_declaration": Defines(SymbolKind.Field, body=fields(), type=_type),
        "trait_item": Defines(SymbolKind.Interface),
        "impl_item": Defines(SymbolKind.Class, name=_implementing, spell=_spelled_type, emits=False),
        "function_item": Defines(SymbolKind.Function, member=SymbolKind.Method, parameters=_PARAMETERS),
        "function_signature_item": Defines(
            SymbolKind.Function, member=SymbolKind.Method, parameters=_PARAMETERS, body=fields()
        ),
        "const_item": _TYPED,
        "static_item": Defines(SymbolKind.Variable, name=_names, body=fields(), type=_type),
        "type_item": Defines(SymbolKind.Class, body=fields(), type=_type),
        "associated_type": Defines(SymbolKind.Class, body=fields()),
        "macro_definition": Defines(SymbolKind.Function, body=_macro_rules),
    },
    through=frozenset({"foreign_mod_item", "declaration_list"}),
    prefixes=frozenset({"attribute_item"}),
    comments=frozenset({"line_comment", "block_comment"}),
    module=_module,
    lexis=lexing.RUST,
    blanked=_blanked,
    scoping=Scoping(
        identifiers=frozenset(
            {"identifier", "type_identifier", "field_identifier", "shorthand_field_identifier", "crate", "super"}
        ),
        types=frozenset({"type_identifier"}),
        scopes={
            "struct_item": ScopeKind.Block,
            "union_item": ScopeKind.Block,
            "enum_item": ScopeKind.Block,
            "trait_item": ScopeKind.Block,
            "impl_item": ScopeKind.Block,
            "field_declaration_list": ScopeKind.Class,
            "enum_variant_list": ScopeKind.Class,
            "field_declaration": ScopeKind.Block,
            "enum_variant": ScopeKind.Block,
            "type_item": ScopeKind.Block,
            "function_item": ScopeKind.Function,
            "function_signature_item": ScopeKind.Function,
            "closure_expression": ScopeKind.Function,
            "macro_definition": ScopeKind.Block,
            "block": ScopeKind.Block,
            "match_arm": ScopeKind.Block,
            "for_expression": ScopeKind.Block,
            "if_expression": ScopeKind.Block,
            "while_expression": ScopeKind.Block,
        },
        bodies={
            "mod_item": ScopeKind.Module,
            "impl_item": ScopeKind.Class,
            "trait_item": ScopeKind.Class,
        },
        binds={
            "parameter": Binds(_pattern, type=_pattern_type),
            "closure_parameters": Binds(_bound),
            "let_declaration": Binds(_pattern, type=_pattern_type),
            "let_condition": Binds(_pattern),
            "match_arm": Binds(_pattern),
            "for_expression": Binds(_pattern),
            "type_parameter": Binds(fields("name")),
            "const_parameter": Binds(fields("name")),
            "const_item": Binds(_names, type=_type),
            "static_item": Binds(_names, type=_type),
        },
        members={
            "field_expression": ("value", "field"),
            "scoped_identifier": ("path", "name"),
            "scoped_type_identifier": ("path", "name"),
            "token_tree": _in_tokens,
        },
        roles={
            ("call_expression", "function"): Role.Call,
            ("call_expression", "arguments"): Role.Read,
            ("generic_function", "function"): Role.Call,
            ("macro_invocation", "macro"): Role.Call,
            ("impl_item", "trait"): Role.Inherit,
            ("trait_item", "bounds"): Role.Inherit,
            ("type_arguments", ""): Role.Type,
            ("attribute_item", ""): Role.Decorator,
            ("inner_attribute_item", ""): Role.Decorator,
            ("assignment_expression", "left"): Role.Write,
            ("compound_assignment_expr", "left"): Role.Write,
            ("field_initializer", "field"): Role.Other,
        },
        imports={"use_declaration": _use, "extern_crate_declaration": _extern_crate, "mod_item": _module_file},
        ambient=(Imported("crate", "", "crate"), Imported("super", "", "super")),
        inside=_inside,
        sealed=True,
        imports_members=True,
        locate=_locate,
        this=frozenset({"self", "Self"}),
        class_visible=False,
        keys=frozenset(
            {
                ("field_initializer", "field"),
                ("field_pattern", "name"),
                ("field_declaration", "name"),
                ("lifetime", ""),
                ("label", ""),
                ("attribute", ""),
                ("attribute", "arguments"),
                ("macro_invocation", "macro"),
            }
        ),
        opaque=frozenset({"index_expression", "call_expression"}),
    ),
)
