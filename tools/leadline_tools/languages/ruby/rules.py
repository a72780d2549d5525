"""Ruby: https://docs.ruby-lang.org/en/master/syntax_rdoc.html.

Modules and classes can be opened again in any file, so a module is a namespace here. What runs to define something is
followed where the core library gives it that meaning: ``attr_reader``, ``alias_method``, ``Class.new``.
"""

from __future__ import annotations

import dataclasses
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing, terms
from leadline_tools.languages.language import (
    Binds,
    Defines,
    ImplicitCall,
    Imported,
    Language,
    Made,
    Paths,
    Quoted,
    ScopeKind,
    Scoping,
    Written,
    fields,
    no_module,
    text,
)
from leadline_tools.languages.terms import BARE, COLLECTION, TOP, UNKNOWN, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_ATTRIBUTES = frozenset({"attr", "attr_reader", "attr_writer", "attr_accessor"})
_METHODS = frozenset({"define_method", "define_singleton_method", "alias_method"})
_CLASSES = frozenset({"Class", "Struct", "Data"})
_REQUIRES = frozenset({"require", "require_relative", "load"})
_INCLUDES = frozenset({"include", "extend", "prepend"})
_TESTS = frozenset({"is_a?", "kind_of?", "instance_of?"})
_SAME = frozenset({"class", "clone", "dup", "freeze", "itself", "tap"})
"""Methods of every object that give it itself, or its class: the members of both are one here."""

_OVER_ELEMENTS = frozenset(
    "all? any? collect count detect drop_while each each_with_index each_with_object filter filter_map find find_all"
    " find_index flat_map group_by map max_by min_by none? partition reject select sort_by sum take_while".split()
)
"""Methods of collections whose block takes an element first."""

_DEEPEST_NAME = 32


def _last(node: Node) -> Sequence[Node]:
    """Return the last constant of ``A::B``."""
    name = node.child_by_field_name("name")
    return () if name is None else (name.child_by_field_name("name") or name,)


def _owner(node: Node) -> str:
    """Return ``A.B`` for what is defined as ``A::B::C``."""
    parts: list[str] = []
    name = node.child_by_field_name("name")
    for _ in range(_DEEPEST_NAME):
        name = name.child_by_field_name("scope") if name is not None and name.type == "scope_resolution" else None
        if name is None:
            break
        parts.append(text(name.child_by_field_name("name") or name))
    return ".".join(reversed(parts))


def _method_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "initialize" else SymbolKind.Function


def _in_module(around: Node, kind: SymbolKind) -> SymbolKind:
    """Tell that what a module holds are methods, too."""
    return SymbolKind.Method if around.type == "module" and kind is SymbolKind.Function else kind


def _assigned(node: Node) -> Sequence[Node]:
    """Return the constants, class variables and globals on the left of an assignment."""
    left = node.child_by_field_name("left")
    targets = left.named_children if left is not None and left.type == "left_assignment_list" else [left]
    return [t for t in targets if t is not None and t.type in ("constant", "class_variable", "global_variable")]


def _made(node: Node) -> Node | None:
    """Return the call of ``Point = Struct.new(:x) do ... end`` and its like."""
    right = node.child_by_field_name("right")
    if right is None or right.type != "call" or text(right.child_by_field_name("method")) not in ("new", "define"):
        return None
    receiver = text(right.child_by_field_name("receiver"))
    return right if receiver in _CLASSES or receiver == "Module" else None


def _assignment_kind(node: Node) -> SymbolKind:
    names = _assigned(node)
    if not names or names[0].type != "constant":
        return SymbolKind.Field if names and names[0].type == "class_variable" else SymbolKind.Variable
    made = _made(node)
    if made is None:
        return SymbolKind.Constant
    return SymbolKind.Module if text(made.child_by_field_name("receiver")) == "Module" else SymbolKind.Class


def _made_body(node: Node) -> Sequence[Node]:
    made = _made(node)
    return _block_body(made) if made is not None else ()


def _block_body(call: Node) -> Sequence[Node]:
    block = call.child_by_field_name("block")
    return () if block is None else fields("body")(block)


def _arguments(call: Node) -> Sequence[Node]:
    arguments = call.child_by_field_name("arguments")
    return () if arguments is None else arguments.named_children


def _method(call: Node) -> str:
    return text(call.child_by_field_name("method")) if call.child_by_field_name("receiver") is None else ""


def _call_kind(node: Node) -> SymbolKind | None:
    """Tell what a call defines; one with a block or with a method for an argument may hold definitions."""
    method = _method(node)
    if _called_names(node):
        return SymbolKind.Property if method in _ATTRIBUTES else SymbolKind.Method
    return SymbolKind.Class if _call_body(node) else None


def _called_names(node: Node) -> Sequence[Node]:
    method = _method(node)
    if method not in _ATTRIBUTES and method not in _METHODS:
        return ()
    names = [name for argument in _arguments(node) for name in _written_name(argument)]
    return names if method in _ATTRIBUTES else names[:1]


def _written_name(node: Node) -> Sequence[Node]:
    """Return the name that a symbol or a string is, without its quotes."""
    if node.type == "simple_symbol":
        return (node,)
    inner = node.named_children if node.type in ("string", "delimited_symbol") else ()
    return inner if len(inner) == 1 and inner[0].type == "string_content" else ()


def _call_body(node: Node) -> Sequence[Node]:
    if any(argument.type in ("method", "singleton_method", "call") for argument in _arguments(node)):
        return node.children_by_field_name("arguments")  # private def ..., private attr_reader ...
    return _block_body(node)


def _symbol(node: Node) -> str:
    return text(node).strip(":\"'")


def _locals(target: Node | None) -> Iterator[Node]:
    """Yield the local variables in a target or a pattern."""
    stack = [target] if target is not None else []
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "instance_variable"):
            yield node
        elif node.type not in ("call", "element_reference", "scope_resolution"):
            stack += node.named_children


def _bound(*names: str, made: Made | None = None, member: Callable[[Node], bool] | None = None) -> Binds:
    targets = lambda node: [name for part in fields(*names)(node) for name in _locals(part)]  # noqa: E731
    return Binds(targets, made=made, member=member or False)


def _read_before(node: Node) -> Sequence[Node]:
    """Return the uses of a constant in the value that it is given: there it is none of the module around yet."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "constant" or not _is_in_module(node):
        return ()
    found: list[Node] = []
    stack = [right]
    while stack:
        one = stack.pop()
        if one.type == "scope_resolution":
            stack.extend(one.children_by_field_name("scope"))
        elif one.type not in _LATER:
            stack.extend(one.named_children)
        if one.type == "constant" and one.text == left.text:
            found.append(one)
    return found


_LATER = frozenset({"block", "do_block", "lambda"})
"""What is run after the constant has its value, as far as is known."""


def _is_in_module(node: Node) -> bool:
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type in ("class", "module")


def _parameters(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; what a default is made of is none."""
    found: list[Node] = []
    for parameter in node.named_children:
        name = parameter.child_by_field_name("name")
        found += [name] if name is not None else _locals(parameter)
    return found


def _keyword(node: Node) -> Node | None:
    """Return the name of an argument; the keys of a hash are none."""
    key, listed = node.child_by_field_name("key"), node.parent is not None and node.parent.type == "argument_list"
    return key if listed and key is not None and key.type == "hash_key_symbol" else None


def _shorthand(node: Node) -> Iterator[Written]:
    """Read ``a:`` without a value, which is that of the variable or the method ``a``."""
    key = node.child_by_field_name("key")
    if key is not None and key.type == "hash_key_symbol" and node.child_by_field_name("value") is None:
        yield Written(key.start_byte, text(key), Role.Read, BARE, short=True)


# --- What values are spelled like


def _called(node: Node, spell: Spell) -> str:
    """Spell a call: ``new`` gives an object, whatever ``initialize`` does."""
    owner, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is not None and method.type == "super":
        return _above(node, spell)
    name = text(method)
    if owner is None:
        return "self" if name == "new" and _is_of_class(node) else f"{name}()"
    if name == "new":
        return object_of(spell(owner))
    if name in _SAME:
        return spell(owner)
    return then(spell(owner), f".{name}()")


def _is_of_class(node: Node) -> bool:
    """Tell whether a node stands in a method of the class itself."""
    around = node.parent
    while around is not None and around.type not in ("singleton_method", "singleton_class", "class", "module"):
        around = around.parent
    return around is not None and around.type.startswith("singleton")


def _above(node: Node, _spell: Spell) -> str:
    """Spell ``super``: a call of the method of the same name of what the class inherits from."""
    around = node.parent
    while around is not None and around.type not in ("method", "singleton_method", "class", "module"):
        around = around.parent
    name = text(around.child_by_field_name("name")) if around is not None and "method" in around.type else ""
    return f"super.{name}()" if name.isidentifier() else UNKNOWN


# --- Methods that are named by a symbol, and calls without the name

_NAMING_OWN = frozenset(
    "alias_method module_function private private_class_method protected public public_class_method remove_method"
    " undef_method".split()
)
"""Methods of a class that are given the names of its methods: https://docs.ruby-lang.org/en/master/Module.html."""

_NAMING = frozenset(
    "__send__ instance_method method public_method public_send respond_to? send singleton_method".split()
)
"""Methods that are given the name of one of the object first: https://docs.ruby-lang.org/en/master/Object.html."""

_CALLING = frozenset({"__send__", "public_send", "send"})


def _named_methods(node: Node) -> Iterator[Quoted]:
    """Yield the methods that a call is given by their names."""
    owner, method = node.child_by_field_name("receiver"), text(node.child_by_field_name("method"))
    arguments = _arguments(node)
    if owner is None and method in _NAMING_OWN:
        named = arguments[1:] if method == "alias_method" else arguments
        yield from (_named(one, "self", Role.Read) for argument in named for one in _written_name(argument))
    elif method in _NAMING and arguments:
        receiver = "self" if owner is None else text(owner) if owner.type in _SPELLED_PLAINLY else UNKNOWN
        role = Role.Call if method in _CALLING else Role.Read
        yield from (_named(one, receiver, role) for one in _written_name(arguments[0]))


def _passed_method(node: Node) -> Iterator[Quoted]:
    """Yield the method in ``each(&:name)``."""
    call = node.parent.parent if node.parent is not None else None
    owner = call.child_by_field_name("receiver") if call is not None else None
    plain = owner is not None and owner.type in _SPELLED_PLAINLY
    listed = call is not None and text(call.child_by_field_name("method")) in _OVER_ELEMENTS
    receiver = f"{text(owner)}*" if plain and listed else UNKNOWN
    yield from (_named(one, receiver, Role.Call) for child in node.named_children for one in _written_name(child))


_SPELLED_PLAINLY = frozenset({"constant", "identifier", "instance_variable", "self"})


def _named(node: Node, receiver: str, role: Role) -> Quoted:
    return Quoted(node, int(node.type == "simple_symbol"), _symbol(node), receiver, role)


_INITIALIZE = "initialize"


def _made_without_name(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the call of ``new`` of a class, which calls ``initialize``, and of what a method overrides."""
    owner, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is not None and text(method) == "new" and (owner is not None or _is_of_class(node)):
        yield ImplicitCall(method, f"new|{_INITIALIZE}", spell(owner) if owner is not None else "self")


def _overridden(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield ``super``, which calls the method of the same name of what the class inherits from."""
    term = _above(node, spell)
    if term != UNKNOWN:
        yield ImplicitCall(node, term.removeprefix("super.").removesuffix("()"), "super")


def _signs_of(method: str) -> Sequence[str]:
    return ("new", "super") if method == _INITIALIZE else ("super",)


def _absolute(node: Node, spell: Spell) -> str:
    """Spell ``A::B`` and ``::B``."""
    scope, name = node.child_by_field_name("scope"), text(node.child_by_field_name("name"))
    return then(spell(scope) if scope is not None else TOP, f".{name}")


def _at_top(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``::A``."""
    name = node.child_by_field_name("name")
    if name is not None and node.child_by_field_name("scope") is None:
        yield name, TOP


def _joined(node: Node, spell: Spell) -> str:
    """Spell ``a || b`` and ``a && b``; the results of other operators are not known."""
    operator, right = text(node.child_by_field_name("operator")), spell(node.child_by_field_name("right"))
    if operator in ("||", "or"):
        return either((spell(node.child_by_field_name("left")), right))
    return right if operator in ("&&", "and") else UNKNOWN


def _array(node: Node, spell: Spell) -> str:
    return object_of(terms.applied(COLLECTION, [either(map(spell, node.named_children))]))


def _last_of(node: Node, spell: Spell) -> str:
    """Spell the value of what holds statements: that of the last."""
    statements = [child for child in node.named_children if child.type not in _NO_VALUES]
    return spell(statements[-1]) if statements else UNKNOWN


_NO_VALUES = frozenset({"comment", "rescue", "ensure", "else"})


def _alone(node: Node, spell: Spell) -> str:
    """Spell what stands after ``return``, where it is one value."""
    return spell(node.named_children[0]) if node.named_child_count == 1 else UNKNOWN


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables on the left what is on the right; an operator but ``||`` gives them anything."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text(node.child_by_field_name("operator"))
    if left is None or right is None or operator not in ("", "||=", "&&="):
        return
    if left.type != "left_assignment_list":
        yield left, spell(right)
        return
    whole = right.type == "right_assignment_list" and right.named_child_count == left.named_child_count
    for i, target in enumerate(left.named_children):
        if target.type not in ("rest_assignment", "destructured_left_assignment"):
            yield target, spell(right.named_children[i]) if whole else then(spell(right), f"#{i}")


def _assigned_values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what an assignment defines its value, where that is no type on its own."""
    if _made(node) is None:
        yield from _given(node, spell)


def _of_object(name: Node) -> bool:
    """Tell the variables of an object, which are declared by giving them a value."""
    return name.type == "instance_variable"


def _assigned_attributes(assignment: Node) -> Sequence[Node]:
    """Return the names of the attributes that an assignment writes: ``a.b = c`` calls ``b=``."""
    left = assignment.child_by_field_name("left")
    targets = left.named_children if left is not None and left.type == "left_assignment_list" else [left]
    return [
        method
        for target in targets
        if target is not None and target.type == "call" and target.child_by_field_name("receiver") is not None
        for method in target.children_by_field_name("method")
    ]


def _defaults(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    for parameter in node.named_children:
        name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
        if name is not None and value is not None:
            yield name, spell(value)


def _block_values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the first parameter of a block an element of what the method is called of, or that itself."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or call.type != "call" or not node.named_children:
        return
    term, method = spell(call.child_by_field_name("receiver")), text(call.child_by_field_name("method"))
    if method in _OVER_ELEMENTS:
        yield node.named_children[0], then(term, "*")
    elif method in ("tap", "then", "yield_self"):
        yield node.named_children[0], term


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    if name is not None and value is not None and value.named_children:
        yield name, then(spell(value.named_children[0]), "*")


def _caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    exceptions = node.parent.child_by_field_name("exceptions") if node.parent is not None else None
    if exceptions is not None and node.named_children:
        yield node.named_children[0], either(object_of(spell(one)) for one in exceptions.named_children)


def _result(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a method the value of its body."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None and body is not None:
        yield name, spell(body)


def _is_read(node: Node) -> bool:
    """Tell that a method without parameters is called by its mere name, as a variable is read."""
    return node.child_by_field_name("parameters") is None


def _attribute_values(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give an attribute the variable of the object that it reads."""
    if _method(node) in _ATTRIBUTES:
        yield from ((name, f"@{_symbol(name)}") for name in _called_names(node))


def _is_attribute(node: Node) -> bool:
    return _method(node) in _ATTRIBUTES


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class or module includes, and what a class inherits from, in the order of the look-up."""
    body = node.child_by_field_name("body")
    calls = [child for child in body.named_children if child.type == "call"] if body is not None else []
    included = [call for call in calls if _method(call) in _INCLUDES]
    before = [call for call in included if _method(call) == "prepend"]
    for call in (*reversed(before), *reversed([call for call in included if call not in before])):
        yield from (spell(module) for module in _arguments(call) if module.type != "self")
    inherited = node.child_by_field_name("superclass")
    if inherited is not None and inherited.named_children:
        yield spell(inherited.named_children[0])


def _is(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``name.is_a?(Type)`` tells."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and receiver.type in _NARROWED and text(node.child_by_field_name("method")) in _TESTS:
        yield from ((text(receiver), object_of(spell(one))) for one in _arguments(node)[:1])


def _when(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``when Type`` tells of what the ``case`` is over."""
    over = node.parent.child_by_field_name("value") if node.parent is not None else None
    if over is not None and over.type in _NARROWED:
        patterns = [pattern.named_children[0] for pattern in node.children_by_field_name("pattern")]
        types = [one for one in patterns if one.type in ("constant", "scope_resolution")]
        yield text(over), either(object_of(spell(one)) for one in types)


_NARROWED = frozenset({"identifier", "instance_variable"})
_TERMS = {
    "argument_list": _alone,
    "array": _array,
    "assignment": terms.same("right"),
    "binary": _joined,
    "body_statement": _last_of,
    "call": _called,
    "conditional": terms.one_of("consequence", "alternative"),
    "element_reference": terms.stepped("object", "[]"),
    "else": _last_of,
    "if": terms.one_of("consequence", "alternative"),
    "operator_assignment": terms.one_of("left", "right"),
    "parenthesized_statements": _last_of,
    "scope_resolution": _absolute,
    "super": _above,
    "then": _last_of,
    "unless": terms.one_of("consequence", "alternative"),
}


def _require(node: Node) -> Iterator[Imported]:
    """Read ``require "a"`` with a literal path; a relative one is given a leading dot."""
    method = _method(node)
    arguments = _arguments(node)
    if method not in _REQUIRES or len(arguments) != 1 or arguments[0].type != "string":
        return
    parts = arguments[0].named_children
    if len(parts) == 1 and parts[0].type == "string_content":
        path = text(parts[0]).removesuffix(".rb")
        yield Imported(f"./{path}" if method == "require_relative" else path, "*", "")


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a require: beside the file, or on what is most likely the load path."""
    if module.startswith("."):
        beside = posixpath.normpath(f"{posixpath.join(posixpath.dirname(importer), module)}.rb")
        return (beside,) if paths.exists(beside) else ()
    for form in (f"lib/{module}.rb", f"{module}.rb"):
        if paths.exists(form):
            return (form,)
        found = paths.ending(form)
        if len(found) == 1:
            return found
    return ()


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside, above and below: a module is mostly told by its folder, and each file tells its own."""
    folder, _, name = path.rpartition("/")
    folders = dict.fromkeys((folder, posixpath.dirname(folder), posixpath.join(folder, name.rpartition(".")[0])))
    found = [other for each in folders if each for other in paths.inside(each)]
    return [other for other in dict.fromkeys(found) if other.endswith(".rb") and other != path]


_CALLABLE = Defines(
    _method_kind,
    member=SymbolKind.Method,
    within=_in_module,
    parameters=fields("parameters"),
    made=_result,
    getter=_is_read,
)


def _made_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what ``A = Class.new(B)`` inherits from."""
    call = _made(node)
    if call is not None and text(call.child_by_field_name("receiver")) == "Class":
        yield from map(spell, _arguments(call)[:1])


_ASSIGNMENT = Defines(_assignment_kind, name=_assigned, body=_made_body, made=_assigned_values, bases=_made_bases)


def _renames(old: str, new: str) -> str:
    """Refuse what would make a constant of what is none, or another kind of variable."""
    kind, becomes = _SIGIL.match(old), _SIGIL.match(new)
    same = kind is not None and becomes is not None and kind[0] == becomes[0]
    return "" if same and old[0].isupper() == new[0].isupper() else "its first letter says what it is"


_SIGIL = re.compile(r"[@$]*")
_KEYWORDS = frozenset(
    (
        "BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined? do else elsif end "
        "ensure false for if in module next nil not or redo rescue retry return self super then true undef unless "
        "until when while yield"
    ).split()
)

_COMPUTED = re.compile(
    r"""(?:(?<![\w.])|\bself\.)(?:public_send|__send__|send)\b\s*+\(?+\s*+(?!:\w+[?!=]?\s*(?:[,)]|$))"""
    r"""(?::?["'](?P<head>[^"'#\n]*))?""",
    re.MULTILINE,
)

LANGUAGE = Language(
    name="ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    filenames=("Rakefile", "Gemfile"),
    interpreters=("ruby",),
    grammar=("tree_sitter_ruby", "language"),
    definitions={
        "module": Defines(SymbolKind.Module, name=_last, container=_owner, bases=_bases),
        "class": Defines(SymbolKind.Class, name=_last, container=_owner, bases=_bases),
        "singleton_class": Defines(SymbolKind.Class, name=fields(), emits=False),
        "method": _CALLABLE,
        "singleton_method": _CALLABLE,
        "assignment": _ASSIGNMENT,
        "operator_assignment": _ASSIGNMENT,
        "alias": Defines(SymbolKind.Method, body=fields(), spell=_symbol),
        "call": Defines(
            _call_kind,
            name=_called_names,
            body=_call_body,
            spell=_symbol,
            emits=lambda node: bool(_called_names(node)),
            made=_attribute_values,
            getter=_is_attribute,
        ),
    },
    through=frozenset(
        "body_statement block_body begin if unless else elsif then if_modifier unless_modifier rescue ensure"
        " parenthesized_statements".split()
    ),
    module=no_module,
    lexis=lexing.RUBY,
    computed=_COMPUTED,
    keywords=_KEYWORDS,
    renames=_renames,
    identifier=re.compile(r"(?:@{1,2}|\$)?[^\W\d]\w*[?!]?"),
    scoping=Scoping(
        identifiers=frozenset({"identifier", "constant", "class_variable", "global_variable", "instance_variable"}),
        scopes={
            "module": ScopeKind.Namespace,
            "class": ScopeKind.Class,
            "singleton_class": ScopeKind.Block,
            "method": ScopeKind.Function,
            "singleton_method": ScopeKind.Function,
            "block": ScopeKind.Block,
            "do_block": ScopeKind.Block,
            "lambda": ScopeKind.Block,
        },
        binds={
            "method_parameters": Binds(_parameters, made=_defaults),
            "block_parameters": Binds(_parameters, made=_block_values),
            "lambda_parameters": Binds(_parameters),
            "assignment": dataclasses.replace(
                _bound("left", made=_given, member=_of_object), shadows=_read_before, writes=_assigned_attributes
            ),
            "operator_assignment": _bound("left", made=_given, member=_of_object),
            "for": _bound("pattern", made=_each),
            "exception_variable": Binds(lambda node: list(_locals(node)), made=_caught),
            "in_clause": _bound("pattern"),
        },
        members={"call": ("receiver", "method"), "scope_resolution": ("scope", "name")},
        fills={"scope_resolution": _at_top},
        roles={
            ("call", "method"): Role.Call,
            ("superclass", ""): Role.Inherit,
            ("assignment", "left"): Role.Write,
            ("operator_assignment", "left"): Role.Write,
        },
        endings={Role.Write: "="},
        renames_by_value=True,
        hidden=hidden_types.ruby,
        imports={"call": _require},
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        passes_on=True,
        autoloads=lambda name: name[:1].isupper(),
        lexical=True,
        calls_apart=True,
        this=frozenset({"self"}),
        above=frozenset({"super"}),
        terms=_TERMS,
        returns={"return": terms.same()},
        narrows={"call": _is, "when": _when},
        scattered=True,
        arguments={"pair": _keyword},
        texts={"pair": _shorthand},
        quotes={"call": _named_methods, "block_argument": _passed_method},
        implicit_calls={"call": _made_without_name, "super": _overridden},
        implicit_call_tokens=_signs_of,
        reads_are_calls=True,
        reopened=True,
        by_name=lambda _before, behind: behind.startswith(":"),
        opaque=frozenset({"element_reference"}),
    ),
)
