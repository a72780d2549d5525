"""Rust: https://doc.rust-lang.org/reference/."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, hidden_types, lexing, terms
from leadline_tools.languages.language import (
    MACROS,
    Binds,
    Defines,
    Imported,
    Language,
    Made,
    Paths,
    Quoted,
    ScopeKind,
    Scoping,
    fields,
    place,
    text,
)
from leadline_tools.languages.rust import collections
from leadline_tools.languages.rust import prelude as rust_prelude
from leadline_tools.languages.terms import BARE, MACRO, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_DISTRIBUTED = frozenset({"std", "core", "alloc", "proc_macro", "test"})
"""The crates that come with the compiler."""

_ROOTS = ("lib.rs", "main.rs")
"""The files at which the crates of a package begin, by https://doc.rust-lang.org/cargo/guide/project-layout.html."""

_TARGET = re.compile(r"(?:.*/)?(?:tests|examples|benches|src/bin)/[^/]+\.rs|(?:.*/)?build\.rs")
"""The files that are crates of their own beside those."""

_PRELUDE = "prelude_import"
"""The attribute of the import by which a library of the language says what its modules see without import; and what
that is called where it is looked for, as nothing else is called so."""

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


def _type(node: Node) -> Node | None:
    return node.child_by_field_name("type")


def _result(node: Node) -> Node | None:
    return node.child_by_field_name("return_type")


def _pattern_type(node: Node) -> Node | None:
    """Return the declared type of the only name that a pattern binds, if it leaves nothing open."""
    pattern, kind = node.child_by_field_name("pattern"), _type(node)
    alone = pattern is not None and pattern.type == "identifier"
    return kind if alone and kind is not None and not _is_left_open(kind) else None


def _is_left_open(kind: Node) -> bool:
    """Tell whether a type leaves a part to the value: ``Vec<_>``."""
    return re.search(rb"(?<!')\b_\b", kind.text or b"") is not None


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
    """Read a use declaration."""
    for one in _used_names(node):
        yield one
        if one.name == "*" and any(_PRELUDE in text(attribute) for attribute in _attributes(node)):
            yield Imported(one.module, "", _PRELUDE)


def _attributes(node: Node) -> Iterator[Node]:
    """Yield the attributes before an item."""
    before = node.prev_named_sibling
    while before is not None and (before.type == "attribute_item" or before.type in _COMMENTS):
        if before.type == "attribute_item":
            yield before
        before = before.prev_named_sibling


def _used_names(node: Node) -> Iterator[Imported]:
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


def _extern_crate_macros(node: Node) -> Iterator[Imported]:
    """Read ``extern crate name;`` and whether the macros of the crate are seen by their plain names."""
    yield from _extern_crate(node)
    if _has_attribute(node, _MACRO_USE):
        yield Imported(text(node.child_by_field_name("name")), "*", "", space=MACROS)


def _module_file(node: Node) -> Iterator[Imported]:
    """Read ``mod name;``: the module is another file, and where an attribute says so its macros are seen after it.

    https://doc.rust-lang.org/reference/items/modules.html#the-path-attribute
    """
    name = text(node.child_by_field_name("name"))
    inline = node.child_by_field_name("body") is not None
    files = [] if inline else [path for attribute in _attributes(node) for path in _PATH.findall(text(attribute))]
    modules = [f"self.{_FILE}{path.replace('.', _DOT)}" for path in files] or [f"self.{name}"]
    for module in modules:
        if not inline:
            yield Imported(module, "", name)
        if _has_attribute(node, _MACRO_USE):
            yield Imported(module, "*", "", space=MACROS)


_NAME = re.compile(r"\w+")


def _has_attribute(node: Node, name: str) -> bool:
    return any(name in _NAME.findall(text(attribute)) for attribute in _attributes(node))


_MACRO_USE = "macro_use"
"""The attribute by which the macros of a module or a crate are seen in the text that follows."""

_PATH = re.compile(r"\bpath\s*=\s*r?#*\"([^\"]+)\"")
"""The file that an attribute says is a module."""

_FILE, _DOT = "/", ":"
"""What a step of a module begins with that is the path of a file, and what stands for a dot in it."""


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
        return _below((importer,), rest, paths) or _beside_named_by_attribute(importer, rest, paths)
    if first == "super":
        parent = _parent(importer, paths)
        while rest and rest[0] == "super" and parent:
            parent, rest = _parent(parent[0], paths), rest[1:]
        return _below(parent, rest, paths) if parent else None
    return _below((importer,), [first, *rest], paths) or _other_crate(first, rest, importer, paths)


def _beside_named_by_attribute(file: str, steps: Sequence[str], paths: Paths) -> Sequence[str]:
    """Return the file of a module beside the file that declares it: so it is where an attribute names that file."""
    return _first(posixpath.dirname(file), (f"{'/'.join(steps)}.rs", f"{'/'.join(steps)}/mod.rs"), paths)


def _other_crate(name: str, rest: Sequence[str], importer: str, paths: Paths) -> Sequence[str] | None:
    packages = paths.manifests("Cargo.toml", _library)
    roots = [_named_by(path, library) for path, library in packages.get(name, ())]
    if not roots:
        spellings = {name, name.replace("_", "-")}
        roots = [root for spelled in spellings for root in paths.ending(f"{spelled}/src/lib.rs")]
        known = {_named_by(*one) for found in packages.values() for one in found} if roots else ()
        roots = [root for root in roots if root not in known]  # what is there has another name
    if len(roots) == 1 and roots[0] != importer and paths.exists(roots[0]):
        return _below(roots, rest, paths)
    if name in _DISTRIBUTED:
        return ()
    root = _crate(importer, paths)
    return () if root is not None and all(file.endswith("lib.rs") for file in root) else None


def _library(manifest: bytes) -> tuple[str, str] | None:
    """Return what other crates call the library of a package, and its root: https://doc.rust-lang.org/cargo/reference."""
    try:
        told = tomllib.loads(manifest.decode())
        package, library = told.get("package", {}), told.get("lib", {})
        called = library.get("name") or package["name"].replace("-", "_")
        return str(called), str(library.get("path", "src/lib.rs"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError, RecursionError):
        return None  # no manifest of a package, but of a workspace, or none at all


def _named_by(manifest: str, file: str) -> str:
    """Return the path of a file as a manifest names it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(manifest), file))


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
    at = next((number for number, step in enumerate(steps) if step.startswith(_FILE)), -1)
    if at >= 0:
        told = (_by_attribute(file, steps[:at], steps[at]) for file in files)
        return _below([path for path in told if paths.exists(path)], steps[at + 1 :], paths)
    for file in files:
        stem = "/".join(filter(None, (_folder(file), *steps)))
        for path in (f"{stem}.rs", f"{stem}/mod.rs"):
            if paths.exists(path):
                return (path,)
    return ()


def _by_attribute(file: str, around: Sequence[str], step: str) -> str:
    """Return the path that an attribute in the modules ``around`` of a file names."""
    folder = "/".join((_folder(file), *around)) if around else posixpath.dirname(file)
    return posixpath.normpath(posixpath.join(folder.lstrip("/"), step.removeprefix(_FILE).replace(_DOT, ".")))


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


_PARAMETERS = fields("parameters")

# --- What types and values are spelled like

_WRAPPERS = frozenset({"Arc", "Box", "Rc"})
"""Types whose members are those of what they hold: https://doc.rust-lang.org/std/ops/trait.Deref.html."""

_CELLS = frozenset({"Cell", "Mutex", "OnceCell", "RefCell", "RwLock"})
"""Types of what holds one thing: https://doc.rust-lang.org/std/cell/, https://doc.rust-lang.org/std/sync/."""

_UNWRAPPING = frozenset({"expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unwrap_unchecked"})
"""Methods that give what an Option or a Result holds: its first type argument."""

_KEEPING = frozenset("as_deref as_deref_mut as_mut as_ref by_ref clone cloned copied to_owned".split())
"""Methods that give the same, or a reference to it."""

_ITERATING = frozenset({"into_iter", "iter", "iter_mut"})
"""Methods that give what goes over the same elements, and has members of its own."""

_HOLDING = {"Ok": "*", "Some": "*", "Err": "#1"}
"""The variants of Option and Result, with which of the type arguments they hold."""


_PRIMITIVES = frozenset("bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize".split())
"""Types that every module knows: https://doc.rust-lang.org/reference/types.html."""

_MUTABLE, _CONSTANT = terms.POINTERS


def _native(spelled: str) -> str:
    """Return what terms call a type of the language that an impl is for, as it is spelled there."""
    spelled = spelled.rpartition(".")[2]
    if spelled in _PRIMITIVES:
        return spelled
    if spelled.startswith("["):
        return terms.COLLECTION
    return _MUTABLE if spelled.startswith("*mut ") else _CONSTANT if spelled.startswith("*const ") else ""


def _last(node: Node | None) -> str:
    """Return the last name of a path."""
    if node is not None and node.type in ("scoped_identifier", "scoped_type_identifier"):
        node = node.child_by_field_name("name")
    return text(node)


def _of_parts(head: str, parts: Sequence[str]) -> str:
    return f"{head}<{','.join(parts)}>"


def _parts(head: str) -> terms.Spelling:
    """Return a function that spells what holds each of the children of a node."""
    return lambda node, spell: _of_parts(head, [spell(child) for child in node.named_children])


def _tuple_type(node: Node, spell: Spell) -> str:
    """Spell a tuple, or what stands in parentheses: https://doc.rust-lang.org/reference/types.html#parenthesized-types."""
    if len(node.named_children) == 1 and not any(child.type == "," for child in node.children):
        return spell(node.named_children[0])
    return _parts(terms.TUPLE)(node, spell)


def _array(node: Node, spell: Spell) -> str:
    return _of_parts(terms.COLLECTION, [spell(node.child_by_field_name("element"))])


def _pointer(node: Node, spell: Spell) -> str:
    mutable = any(child.type == "mutable_specifier" for child in node.named_children)
    return _of_parts(_MUTABLE if mutable else _CONSTANT, [spell(_type(node))])


def _operand(node: Node, spell: Spell) -> str:
    """Spell what an operator is before: of a pointer, what it points to."""
    term = terms.same()(node, spell)
    return then(term, "~") if node.children[0].type == "*" else term


def _string(node: Node, _spell: Spell) -> str:
    return f"{terms.COLLECTION}<u8>&" if text(node)[:1] == "b" else "str&"


def _number(node: Node, _spell: Spell) -> str:
    """Spell a number by the type at its end; one without any is of the type that its place asks for."""
    found = _SUFFIX.search(text(node))
    return object_of(found[0]) if found is not None else UNKNOWN


_SUFFIX = re.compile(r"(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$")


def _elements(node: Node, spell: Spell) -> str:
    """Spell an array by its first element."""
    first = node.named_children[0] if node.named_children else None
    return then(_of_parts(terms.COLLECTION, [spell(first)]), "()")


def _function_type(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("parameters")
    taken = [spell(_type(one) or one) for one in listed.named_children] if listed is not None else []
    return _of_parts(terms.FUNCTION, [spell(_result(node)), *taken])


def _generic(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("type_arguments")
    given = [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else []
    arguments = [spell(_type(child) if child.type == "type_binding" else child) for child in given]
    kind = _type(node)
    if _last(kind) in _WRAPPERS:
        return arguments[0] if arguments else UNKNOWN
    return terms.applied(spell(kind), arguments)


def _field(node: Node, spell: Spell) -> str:
    """Spell a field by its name, one of a tuple by its number."""
    value, name = spell(node.child_by_field_name("value")), node.child_by_field_name("field")
    numbered = name is not None and name.type == "integer_literal"
    return then(value, f"#{text(name)}" if numbered else f".{text(name)}")


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; those of some methods that every Option, Result and collection has by what they are called on."""
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    result = then(_called_with(node, spell), "()")
    if function.type == "field_expression":
        return _of_method(node, function, result, spell) if _method(function) in _TELLING else result
    first = next(iter(_arguments(node)), None)
    if function.type == "identifier" and _HOLDING.get(text(function)) == "*":
        return then(_of_parts(terms.COLLECTION, [spell(first)]), "()")
    path = function.child_by_field_name("path") if function.type == "scoped_identifier" else None
    if _last(function) != "new" or first is None:
        return result
    if _last(path) in _CELLS:
        return then(terms.applied(spell(path), [then(spell(first), Op.Itself)]), "()")
    return spell(first) if _last(path) in _WRAPPERS else result


def _method(function: Node) -> str:
    """Return the name of the method that a call is of."""
    return text(function.child_by_field_name("field"))


def _of_method(call: Node, function: Node, result: str, spell: Spell) -> str:
    """Spell a call of a method whose name tells more, given what it is where that is of no use."""
    name, given = _method(function), _arguments(call)
    owner = spell(function.child_by_field_name("value"))
    if name in _UNWRAPPING:
        return either((then(owner, "*"), result))
    if name in _KEEPING:
        return either((result, owner))
    if name in _ITERATING and not given:
        return either((result, _going_over(_each(owner))))
    if name == "zip" and len(given) == 1:
        pair = terms.applied(terms.TUPLE, [_each(owner), _each(spell(given[0]))])
        return either((result, _going_over(pair)))
    if name in _PROJECTING and len(given) == 1:
        made = then(_projected(given[0], then(owner, Op.Each), spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(result.removesuffix("()"), f"<{made}>()") if made != UNKNOWN and "|" not in result else result
    return result


def _each(term: str) -> str:
    """Return the type of the elements of a value."""
    return then(term, f"{Op.Each}{Op.Itself}")


def _going_over(element: str) -> str:
    """Return the term of what goes over elements of a type."""
    return object_of(terms.applied(terms.COLLECTION, [element]))


_PROJECTING = {"map": "", "and_then": "*", "filter_map": "*", "flat_map": "*"}
"""Methods that give what a function makes of each element, or of what is held, with what is taken of that."""

_TELLING = frozenset({"zip", *_UNWRAPPING, *_KEEPING, *_ITERATING, *_PROJECTING})
"""Methods whose name tells more of what they give than that of others."""


def _projected(function: Node, element: str, spell: Spell) -> str:
    """Spell what a closure of one expression, or a function that is named, makes of an element."""
    if function.type in ("identifier", "scoped_identifier"):
        return then(spell(function), "()")
    listed, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    if function.type != "closure_expression" or listed is None:
        return UNKNOWN
    given: dict[str, str] = {}
    for number, parameter in _at_places(listed):
        typed = parameter.type == "parameter"
        pattern = parameter.child_by_field_name("pattern") if typed else parameter
        term = object_of(spell(_type(parameter))) if typed else UNKNOWN if number else element
        given.update({text(name): part for name, part in _taken_apart(pattern, term, spell)} if pattern else {})
    return terms.put(spell(body), given)


def _closure(node: Node, spell: Spell) -> str:
    """Spell a closure by what it gives, where that does not depend on what it takes."""
    result = then(_projected(node, UNKNOWN, spell), Op.Itself)
    return object_of(terms.applied(terms.FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def _called_with(call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with what it is called with ``but`` for one; a method without closures, as chains are long."""
    function = call.child_by_field_name("function")
    bare = function is None or function.type != "field_expression"
    given = (
        spell(one) if at != but and (bare or one.type != "closure_expression") else UNKNOWN
        for at, one in enumerate(_arguments(call))
    )
    return terms.given(spell(function), given)


def _arguments(call: Node) -> Sequence[Node]:
    listed = call.child_by_field_name("arguments")
    return _without_comments(listed) if listed is not None else ()


def _struct(node: Node, spell: Spell) -> str:
    return then(spell(node.child_by_field_name("name")), "()")


def _item(node: Node, spell: Spell) -> str:
    """Spell an element of a collection, or a part of one, which is of the same type."""
    parts = _without_comments(node)
    ranged = parts[-1].type == "range_expression"
    return spell(parts[0]) if ranged else then(spell(parts[0]), "[]")


def _block(node: Node, spell: Spell) -> str:
    """Spell a block by its value, where that is all there is: what it binds is not seen outside."""
    inside = _without_comments(node)
    return spell(inside[0]) if len(inside) == 1 and inside[0].type not in _NO_VALUES else UNKNOWN


_NO_VALUES = frozenset({"expression_statement", "let_declaration", "empty_statement"})


def _arms(node: Node, spell: Spell) -> str:
    body = node.child_by_field_name("body")
    arms = body.named_children if body is not None else ()
    return either(spell(arm.child_by_field_name("value")) for arm in arms)


def _cast(node: Node, spell: Spell) -> str:
    return object_of(spell(_type(node)))


def _empty_list(node: Node, _spell: Spell) -> str:
    """Spell ``vec![]``; what other macros give is not known."""
    return "Vec.new()" if text(node).replace(" ", "") == "vec![]" else UNKNOWN


def _taken_apart(pattern: Node, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each name of a pattern with the part of the value that it takes."""
    stack = [(pattern, term)]
    while stack:
        node, value = stack.pop()
        match node.type:
            case "identifier" | "shorthand_field_identifier":
                yield node, value
            case "tuple_pattern":
                stack += [(child, then(value, f"#{i}")) for i, child in _at_places(node)]
            case "slice_pattern":
                stack += [(child, then(value, "[]")) for child in node.named_children]
            case "tuple_struct_pattern":
                stack += _in_variant(node, value, spell)
            case "struct_pattern":
                stack += _in_fields(node, value, spell)
            case "match_pattern" | "captured_pattern" | "or_pattern" | "ref_pattern" | "mut_pattern":
                stack += [
                    (child, value) for child in node.named_children[: 1 if node.type == "match_pattern" else None]
                ]
            case "reference_pattern":
                stack += [(child, value) for child in node.named_children]
            case _:
                pass


def _at_places(pattern: Node) -> Iterator[tuple[int, Node]]:
    """Yield the named parts of a list of patterns with their places, up to ``..``: ``_`` has a place and no node."""
    number = 0
    for child in pattern.children:
        if child.type == "remaining_field_pattern":
            return
        if child.type == ",":
            number += 1
        elif child.is_named and child.type not in _COMMENTS:
            yield number, child


def _in_variant(node: Node, value: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    kind = _type(node)
    held = then(value, _HOLDING[_last(kind)]) if _last(kind) in _HOLDING else UNKNOWN
    made = either((then(value, f".{_last(kind)}()"), then(spell(kind), "()"))) if held == UNKNOWN else UNKNOWN
    for i, child in _at_places(node):
        if child != kind:
            yield child, then(made, f"#{i}") if held == UNKNOWN else held


def _in_fields(node: Node, value: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    kind = then(spell(_type(node)), "()")
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "field_pattern" else None
        if name is not None:
            inside = child.child_by_field_name("pattern") or name
            yield inside, either((then(value, f".{text(name)}"), then(kind, f".{text(name)}")))


def _given(step: str = "") -> Made:
    """Return a function that gives the names of a pattern the value of a node, or what a step makes of it."""

    def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
        pattern, value, kind = (node.child_by_field_name(field) for field in ("pattern", "value", "type"))
        if pattern is not None and (value is not None or kind is not None):
            term = spell(value) if kind is None or _is_left_open(kind) else object_of(spell(kind))
            yield from _taken_apart(pattern, then(term, step) if step else term, spell)

    return made


def _expected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a closure's parameters what the function that is called with the closure gives it."""
    closure = node.parent
    listed = closure.parent if closure is not None else None
    call = listed.parent if listed is not None and listed.type == "arguments" else None
    at = place(closure) if closure is not None else None
    if call is None or at is None:
        return
    term = then(_called_with(call, spell, at), f"%{at}")
    for i, pattern in _at_places(node):
        if pattern.type != "parameter":
            yield from _taken_apart(pattern, then(term, f"%{i}"), spell)


def _without_comments(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children if child.type not in _COMMENTS]


_COMMENTS = frozenset({"line_comment", "block_comment"})


def _takes(node: Node, spell: Spell) -> str:
    """Spell what a function takes that takes functions, or that has type parameters, its own or those around it."""
    listed, around = node.child_by_field_name("parameters"), node.parent.parent if node.parent is not None else None
    generic = any(one is not None and one.child_by_field_name("type_parameters") is not None for one in (node, around))
    if listed is None or not (generic or b"Fn" in (listed.text or b"")):
        return UNKNOWN
    taken = [spell(_type(one)) for one in listed.named_children if one.type == "parameter"]
    return _of_parts(terms.FUNCTION, [UNKNOWN, *taken]) if taken else UNKNOWN


def _matched(arm: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of the pattern of an arm the value that is matched."""
    block, pattern = arm.parent, arm.child_by_field_name("pattern")
    around = block.parent if block is not None else None
    if around is not None and pattern is not None and any(_bound(pattern)):
        yield from _taken_apart(pattern, spell(around.child_by_field_name("value")), spell)


def _filled(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of fields in a struct expression."""
    kind, body = _struct(node, spell), node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type == "field_initializer":
            yield from ((name, kind) for name in child.children_by_field_name("field"))
        elif child.type == "shorthand_field_initializer" and child.named_children:
            yield child.named_children[-1], kind


def _named_fields(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of fields in a struct pattern."""
    kind = then(spell(_type(node)), "()")
    for child in node.named_children:
        if child.type == "field_pattern":
            yield from ((name, kind) for name in child.children_by_field_name("name"))


def _in_tokens(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names in the tokens of a macro that follow a dot or colons, as if they were an expression.

    So are the names of macros that are called there.
    """
    term, after = UNKNOWN, ""
    for child in node.children:
        kind = child.type
        alone = _read_alone(child, after) if kind == "identifier" else ""
        if alone:
            yield child, alone
        if kind == "metavariable" and text(child) == "$crate":
            kind, term = "crate", "crate"
        elif kind == "identifier" and after in (".", "::"):
            yield child, term
            term = then(term, f".{text(child)}")
        elif kind == "integer_literal" and after == "." and text(child).isdigit():
            term = then(term, f"#{text(child)}")
        elif kind in _BEGINNING:
            term = text(child)
        elif kind == "token_tree":
            term = then(term, _BRACKETS.get(child.children[0].type, "")) if after in _ENDING else UNKNOWN
        elif kind == "?":
            term = then(term, "*")
        elif kind not in (".", "::"):
            term = UNKNOWN
        after = kind


def _is_macro_token(name: Node) -> bool:
    """Tell whether a name among tokens is that of a macro that is called: ``name!(..)``."""
    sign = name.next_sibling
    return sign is not None and sign.type == "!" and _opens_tokens(sign.next_sibling, "([{")


def _opens_tokens(node: Node | None, brackets: str) -> bool:
    return node is not None and node.type == "token_tree" and node.children[0].type in brackets


def _called_in_tokens(node: Node) -> Sequence[Node]:
    """Return the names in the tokens of a macro that are called: what follows them is in parentheses, or ``!``."""
    return [
        child
        for child in node.named_children
        if child.type == "identifier"
        and (_opens_tokens(_behind_type_arguments(child), "(") or _is_macro_token(child))
        and not (child.prev_sibling is not None and child.prev_sibling.type in ("fn", "$"))
    ]


def _behind_type_arguments(name: Node) -> Node | None:
    """Return the token that follows a name and the types that it is given: ``name::<..>``."""
    token = name.next_sibling
    if token is None or token.type != "::" or token.next_sibling is None or token.next_sibling.type != "<":
        return token
    token, depth = token.next_sibling, 0
    while token is not None:
        depth += _DEPTHS.get(token.type, 0)
        token = token.next_sibling
        if depth <= 0:
            break
    return token


_DEPTHS = {"<": 1, "<<": 2, ">": -1, ">>": -2}
"""What tokens open or close of a list of types."""


def _captured(node: Node) -> Iterator[Quoted]:
    """Yield the names in the text that a macro of the library formats, but for those of its own arguments.

    https://doc.rust-lang.org/std/fmt/#capturing-format-arguments-from-the-environment
    """
    sign = node.prev_sibling
    macro = sign.prev_sibling if sign is not None and sign.type == "!" else None
    if macro is None or _last(macro) not in _FORMATTING:
        return
    children = node.children
    first = next((one for one in children if one.type in _STRINGS and _is_argument(one)), None)
    if first is None:
        return
    given = {text(one) for one in children if one.type == "identifier" and _precedes(one, "=")}
    for found in _PLACEHOLDER.finditer(text(first)):
        for name in (found[1] and found, *_COUNT.finditer(found[0])):
            if name and name[1] not in given:
                start = len(found.string[: name.start(1) + (found.start() if name is not found else 0)].encode())
                yield Quoted(first, start, name[1], BARE, Role.Read)


def _is_argument(node: Node) -> bool:
    """Tell whether a token is an argument as a whole."""
    before, behind = node.prev_sibling, node.next_sibling
    return before is not None and before.type in _BEFORE_ARGUMENTS and (behind is None or behind.type in ",)]}")


def _precedes(node: Node, sign: str) -> bool:
    return node.next_sibling is not None and node.next_sibling.type == sign


_FORMATTING = frozenset(
    "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne eprint eprintln format format_args panic"
    " print println todo unimplemented unreachable write writeln".split()
)
"""The macros of the library that format a text: https://doc.rust-lang.org/std/fmt/#related-macros."""

_STRINGS = frozenset({"string_literal", "raw_string_literal"})
_PLACEHOLDER = re.compile(r"\{\{|\{([^\W\d]\w*)?(?::[^{}]*)?\}")
_COUNT = re.compile(r"([^\W\d]\w*)\$")


def _macro_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a macro that is called without a path."""
    name = node.child_by_field_name("macro")
    if name is not None and name.type == "identifier":
        yield name, MACRO


def _is_exported_nowhere(node: Node) -> bool:
    return not _has_attribute(node, "macro_export")


def _is_macro(node: Node) -> bool:
    """Tell whether a function is the body of a macro: https://doc.rust-lang.org/reference/procedural-macros.html."""
    return any(text(attribute) == "#[proc_macro]" for attribute in _attributes(node))


_BEGINNING = frozenset({"identifier", "self", "crate", "super"})


def _read_alone(name: Node, after: str) -> str:
    """Return the receiver of a name among tokens that is a macro's, or that of an argument; empty for any other."""
    if after not in (".", "::") and _is_macro_token(name):
        return MACRO
    # The name of an argument, unless the macro makes an assignment of it.
    return UNKNOWN if after in _BEFORE_ARGUMENTS and _precedes(name, "=") else ""


_BEFORE_ARGUMENTS = frozenset({"(", "[", "{", ","})
_ENDING = frozenset({"identifier", "token_tree"})
_BRACKETS = {"(": "()", "[": "[]"}


def _bounds(node: Node) -> Node | None:
    return node.child_by_field_name("bounds")


def _supertraits(node: Node, spell: Spell) -> Iterator[str]:
    listed = _bounds(node)
    yield from (spell(bound) for bound in (listed.named_children if listed is not None else ()))


def _implemented(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the trait of an impl, and the type to which it makes a pointer: a reference to that can be taken."""
    trait, body = node.child_by_field_name("trait"), node.child_by_field_name("body")
    if trait is None:
        return
    yield spell(trait)
    for item in body.named_children if body is not None and _last(trait) == "Deref" else ():
        if item.type == "type_item" and text(item.child_by_field_name("name")) == "Target":
            yield spell(_type(item))


def _tuple_parts(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the fields of a tuple struct or of a variant as one tuple."""
    for body in node.children_by_field_name("body"):
        if body.type == "ordered_field_declaration_list":
            yield _of_parts(terms.TUPLE, [spell(kind) for kind in body.children_by_field_name("type")])


def _variant_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the enum of a variant, and its fields as a tuple."""
    around = node.parent.parent if node.parent is not None else None
    yield spell(around.child_by_field_name("name")) if around is not None else UNKNOWN
    yield from _tuple_parts(node, spell)


def _generics(node: Node) -> Sequence[Node]:
    listed = node.child_by_field_name("type_parameters")
    declared = listed.named_children if listed is not None else []
    return [name for one in declared if one.type == "type_parameter" for name in one.children_by_field_name("name")]


def _variant_generics(node: Node) -> Sequence[Node]:
    """Return the type parameters of the enum of a variant."""
    around = node.parent.parent if node.parent is not None else None
    return _generics(around) if around is not None else ()


def _implementing_generics(node: Node) -> Sequence[Node]:
    """Return what an impl calls the type parameters of its type, or what its collection or pointer holds."""
    kind = _type(node)
    while kind is not None and kind.type == "reference_type":
        kind = _type(kind)
    if kind is not None and kind.type in ("array_type", "pointer_type"):
        return kind.children_by_field_name("element" if kind.type == "array_type" else "type")
    listed = kind.child_by_field_name("type_arguments") if kind is not None else None
    return [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else ()


def _where(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what a where clause says of a type parameter."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "type_identifier":
        yield text(left), either(_supertraits(node, spell))


_TERMS = {
    "reference_type": terms.same("type"),
    "pointer_type": _pointer,
    "primitive_type": lambda node, _spell: text(node),
    "string_literal": _string,
    "raw_string_literal": _string,
    "char_literal": lambda node, _spell: "u8&" if text(node)[:1] == "b" else "char&",
    "boolean_literal": terms.named("bool&"),
    "integer_literal": _number,
    "float_literal": _number,
    "array_expression": _elements,
    "parenthesized_expression": terms.same(),
    "bracketed_type": terms.same(),
    "qualified_type": terms.one_of("type", "alias"),
    "abstract_type": terms.same("trait"),
    "dynamic_type": terms.same("trait"),
    "bounded_type": terms.one_of(),
    "trait_bounds": terms.one_of(),
    "generic_type": _generic,
    "generic_type_with_turbofish": _generic,
    "generic_function": terms.same("function"),
    "array_type": _array,
    "tuple_type": _tuple_type,
    "function_type": _function_type,
    "tuple_expression": lambda node, spell: then(_parts(terms.TUPLE)(node, spell), "()"),
    "field_expression": _field,
    "call_expression": _called,
    "macro_invocation": _empty_list,
    "closure_expression": _closure,
    "struct_expression": _struct,
    "block": _block,
    "unsafe_block": terms.same(),
    "if_expression": terms.one_of("consequence", "alternative"),
    "else_clause": terms.same(),
    "match_expression": _arms,
    "type_cast_expression": _cast,
    "reference_expression": terms.same("value"),
    "unary_expression": _operand,
    "await_expression": terms.same(),
    "try_expression": lambda node, spell: then(terms.same()(node, spell), "*"),
    "index_expression": _item,
}

_EACH = "!<?,self*>"
_COLLECTIONS = {
    **dict.fromkeys(
        "all and_then any filter_map find_map flat_map for_each is_some_and map map_or map_while position retain"
        " sort_by_key".split(),
        f"!<?,{_EACH}>",
    ),
    **dict.fromkeys("filter inspect skip_while take_while".split(), f"!<self,{_EACH}>"),
    **dict.fromkeys("find max_by_key min_by_key".split(), f"!<Option<self*>,{_EACH}>"),
    "partition": f"!<()<self,self>,{_EACH}>",
    **dict.fromkeys("dedup_by sort_by sort_unstable_by".split(), "!<?,!<?,self*,self*>>"),
    **dict.fromkeys("max_by min_by".split(), "!<Option<self*>,!<?,self*,self*>>"),
    "fold": "!<?,?,!<?,?,self*>>",
    **dict.fromkeys(
        "back back_mut first first_mut front front_mut last last_mut max min next next_back nth peek pop pop_back"
        " pop_front".split(),
        "!<Option<self*>>",
    ),
    **dict.fromkeys("get get_mut".split(), "!<Option<self[]>>"),
    "remove": "!<self[]|Option<self[]>>",
    **dict.fromkeys("or_default or_insert or_insert_with swap_remove".split(), "!<self[]>"),
    **dict.fromkeys("borrow borrow_mut get_or_insert_with into_inner".split(), "!<self*>"),
    **dict.fromkeys(
        "chain collect copied cycle drain entry fuse lock map_err ok ok_or ok_or_else or or_else peekable read rev skip"
        " step_by take to_vec try_lock write".split(),
        "!<self>",
    ),
    **dict.fromkeys("into_values values values_mut".split(), "!<[]<self[]>>"),
    **dict.fromkeys("into_keys keys".split(), "!<[]<self#0>>"),
    "enumerate": "!<[]<()<?,self*>>>",
    "flatten": "!<[]<self**>>",
    **dict.fromkeys("chunks chunks_exact windows".split(), "!<[]<self>>"),
    **dict.fromkeys("split_at split_at_mut".split(), "!<()<self,self>>"),
}
"""What the methods of iterators, options, collections and cells give and take:
https://doc.rust-lang.org/std/iter/trait.Iterator.html."""

_MAPS = frozenset({"BTreeMap", "HashMap"})
"""Collections of keys and values: https://doc.rust-lang.org/std/collections/."""

# --- Where members are


def _beside(path: str, paths: Paths) -> Sequence[str]:
    """Return the files in which members of the types of a file mostly are: those of the modules around it."""
    folder = path.rpartition("/")[0]
    folders = dict.fromkeys((folder, _folder(path), folder.rpartition("/")[0]))
    return [file for one in folders for file in paths.inside(one) if file.endswith(".rs") and file != path and one]


_TYPED = Defines(SymbolKind.Constant, name=_names, body=fields(), type=_type)

# --- What the index does without

_COMMENT = rb"/(?:/[^\n]*+|\*(?>(?:[^*/]++|\*(?!/)|/(?!\*))*)\*/|(?![/*]))"
"""A comment in which none is nested, or a slash that begins none."""

_INERT = (
    rb"\"(?:(?<!r\")(?<!#\")[^\"\\]*+(?>(?:\\.[^\"\\]*+)*)\"|(?<=r\")[^\"]*+\"|(?<=r#\")[^\"]*+(?>(?:\"(?!#)[^\"]*+)*)\"#"
    rb"|(?<=r##\")[^\"]*+(?>(?:\"(?!##)[^\"]*+)*)\"##)"
    rb"|'(?:\\[^\n][^'\n]*+'|[^'\\\n][\x80-\xbf]*+'|(?=[\w\x80-\xff]))|" + _COMMENT
)
"""A string, a character, the quote of a lifetime or a comment."""

_HEAD = (
    rb"[ \t]*+(?>(?:(?:pub(?>(?:\([^()\n]*+\))?)|const|async|unsafe|safe|default|extern(?>(?:[ \t]++\"\w*+\")?))"
    rb"[ \t]++)*)"
    rb"fn[ \t]++(?>(?:r#)?)[\w\x80-\xff]"
)
_LISTS = rb"\((?>(?:[^(){}\"/]++|\((?>(?:[^(){}\"/]++|\([^(){}\"/]*+\))*)\))*)\)|\[[^\[\]{}\"/]*+\]"
_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _HEAD + rb"))*)\n"
    rb"(?>(?:" + _HEAD + rb"(?>(?:[^()\[\]{};\"'/]++|'(?=[\w\x80-\xff])|" + _LISTS + rb"|" + _COMMENT + rb")*)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?)"
)
_ITEM = re.compile(
    rb"[\n;{}\]/][ \t\r]*+(?:pub|(?:const|async|unsafe|safe)[ \t\r]++(?:fn|unsafe|extern|async|impl|trait|auto)|extern"
    rb"|fn|struct|enum|union|trait|auto|impl|mod|type|macro_rules|default|use)\b"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether an item may stand in a body, where one can: after another, a statement, an attribute, a comment."""
    return _ITEM.search(found["body"]) is not None


def _bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of functions without items."""
    return blanking.bodies(content, _NEXT_BODY, _defines)


_KEYWORDS = frozenset(
    (
        "Self _ abstract as async await become box break const continue crate do dyn else enum extern false final fn "
        "for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super "
        "trait true try type typeof unsafe unsized use virtual where while yield"
    ).split()
)

LANGUAGE = Language(
    name="rust",
    extensions=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    definitions={
        "mod_item": Defines(_module_kind),
        "struct_item": Defines(SymbolKind.Struct, body=_fields, bases=_tuple_parts, generics=_generics),
        "union_item": Defines(SymbolKind.Struct, body=_fields, generics=_generics),
        "enum_item": Defines(SymbolKind.Enum, generics=_generics),
        "enum_variant": Defines(SymbolKind.EnumMember, body=_fields, bases=_variant_bases, generics=_variant_generics),
        "field_declaration": Defines(SymbolKind.Field, body=fields(), type=_type),
        "trait_item": Defines(SymbolKind.Interface, bases=_supertraits, generics=_generics),
        "impl_item": Defines(
            SymbolKind.Class,
            name=_implementing,
            spell=_spelled_type,
            emits=False,
            bases=_implemented,
            generics=_implementing_generics,
        ),
        "function_item": Defines(
            SymbolKind.Function,
            member=SymbolKind.Method,
            parameters=_PARAMETERS,
            type=_result,
            takes=_takes,
            macro=_is_macro,
        ),
        "function_signature_item": Defines(
            SymbolKind.Function, SymbolKind.Method, body=fields(), parameters=_PARAMETERS, type=_result, takes=_takes
        ),
        "const_item": _TYPED,
        "static_item": Defines(SymbolKind.Variable, name=_names, body=fields(), type=_type),
        "type_item": Defines(SymbolKind.Class, body=fields(), type=_type, generics=_generics),
        "associated_type": Defines(SymbolKind.Class, body=fields(), bases=_supertraits),
        "macro_definition": Defines(
            SymbolKind.Function, body=_macro_rules, inner=_is_exported_nowhere, macro=lambda _node: True
        ),
    },
    through=frozenset({"foreign_mod_item", "declaration_list"}),
    prefixes=frozenset({"attribute_item"}),
    comments=_COMMENTS,
    module=_module,
    lexis=lexing.RUST,
    keywords=_KEYWORDS,
    bodies=_bodies,
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
            "impl_item": ScopeKind.Implementation,
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
            "parameter": Binds(_pattern, type=_pattern_type, made=_given()),
            "closure_parameters": Binds(_bound, made=_expected, around=True),
            "let_declaration": Binds(_pattern, type=_pattern_type, made=_given(), after=True, anew=True),
            "let_condition": Binds(_pattern, made=_given(), after=True, anew=True),
            "match_arm": Binds(_pattern, made=_matched, around=True),
            "for_expression": Binds(_pattern, made=_given("*"), around=True),
            "type_parameter": Binds(fields("name"), type=_bounds, types=True),
            "const_parameter": Binds(fields("name")),
            "const_item": Binds(_names, type=_type),
            "static_item": Binds(_names, type=_type),
            "token_tree": Binds(fields(), calls=_called_in_tokens),
        },
        members={
            "field_expression": ("value", "field"),
            "scoped_identifier": ("path", "name"),
            "scoped_type_identifier": ("path", "name"),
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
        hidden=hidden_types.rust,
        imports={"use_declaration": _use, "extern_crate_declaration": _extern_crate_macros, "mod_item": _module_file},
        ambient=(
            Imported("crate", "", "crate"),
            Imported("super", "", "super"),
            Imported("std.prelude.v1", "*", ""),
            Imported(f"crate.{_PRELUDE}", "*", ""),
        ),
        inside=_inside,
        sealed=True,
        imports_members=True,
        imports_from_scope=True,
        locate=_locate,
        scattered=True,
        extends=True,
        scatters=_beside,
        native=_native,
        collections=_COLLECTIONS,
        paired=_MAPS,
        by_interface=True,
        element="Item",
        this=frozenset({"self"}),
        own=frozenset({"Self"}),
        terms=_TERMS,
        wrappers=_WRAPPERS,
        narrows={"where_predicate": _where},
        fillers=collections.FILLERS,
        empty=collections.EMPTY,
        fills={
            "struct_expression": _filled,
            "struct_pattern": _named_fields,
            "token_tree": _in_tokens,
            "macro_invocation": _macro_name,
        },
        quotes={"token_tree": _captured},
        shorthands=frozenset({"shorthand_field_initializer", "shorthand_field_identifier"}),
        fields_apart=True,
        predeclared=frozenset({"Self", "_"}),
        prelude=rust_prelude.PRELUDE,
        paths_apart=True,
        member_signs=(b".", b"::"),
        class_visible=False,
        alternatives=True,
        macros=("std", "core", "alloc"),
        keys=frozenset(
            {
                ("field_initializer", "field"),
                ("field_pattern", "name"),
                ("field_declaration", "name"),
                ("lifetime", ""),
                ("label", ""),
                ("attribute", ""),
                ("attribute", "arguments"),
            }
        ),
        opaque=frozenset({"index_expression", "call_expression"}),
    ),
)
