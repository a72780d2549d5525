"""Scopes of Ruby: locals, parameters, and the names of methods in symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import fields, text
from leadline_tools.languages.ruby.outline import list_arguments, list_targets, list_written_name, spell_symbol
from leadline_tools.languages.rules.scopes import Binds
from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.rules.uses import Quoted, Written
from leadline_tools.languages.terms import BARE, TOP, UNKNOWN, Spell, object_of, then
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role

OVER_ELEMENTS: frozenset[str] = frozenset(
    "all? any? collect count detect drop_while each each_with_index each_with_object filter filter_map find find_all"
    " find_index flat_map group_by map max_by min_by none? partition reject select sort_by sum take_while".split()
)
"""Methods of collections whose block takes an element first."""


def is_local_variable(name: str) -> bool:
    """Return whether a name is that of a local variable, which at the top of a file is local to the file.

    https://docs.ruby-lang.org/en/3.3/syntax/assignment_rdoc.html
    """
    return name[:1].islower() or name.startswith("_")


_SYMBOL = lazy_compile(r"(?:^|[^\w:)\]}\"'?!]):$")
_TERNARY = lazy_compile(r"\?\s*[\w.@]*$")


def is_no_variable(before: str, behind: str) -> bool:
    """Return whether a word is ``@a``, ``$a``, ``:a`` or the key ``a:``, none of which is a local variable.

    https://docs.ruby-lang.org/en/3.3/syntax/literals_rdoc.html#label-Symbol+Literals
    """
    if before.endswith(("@", "$")) or _SYMBOL.search(before) is not None:
        return True
    return behind.startswith(":") and not behind.startswith("::") and _TERNARY.search(before) is None


def names_own_member(name: str) -> bool:
    """Return whether a name is that of a method, or of a variable of an object: no constant, ``@@a`` or ``$a``.

    https://docs.ruby-lang.org/en/3.3/syntax/modules_and_classes_rdoc.html#label-Scope
    """
    return not name[:1].isupper() and not name.startswith(("$", "@@"))


def yield_locals(target: Node | None) -> Iterator[Node]:
    """Yield the local variables in a target or a pattern."""
    stack = [target] if target is not None else []
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "instance_variable"):
            yield node
        elif node.type == "keyword_pattern" and node.child_by_field_name("value") is None:
            yield from fields("key")(node)
        elif node.type not in _READ_IN_PATTERNS:
            stack += node.named_children


_READ_IN_PATTERNS = frozenset(
    "call element_reference expression_reference_pattern scope_resolution variable_reference_pattern".split()
)
"""What names no variable that a target or a pattern gives a value: ``in ^a`` compares with one."""


def bind_fields(*names: str, made: Made | None = None, member: Callable[[Node], bool] | None = None) -> Binds:
    """Return how a node binds the local variables in some of its fields."""
    targets = lambda node: [name for part in fields(*names)(node) for name in yield_locals(part)]  # noqa: E731
    return Binds(targets, made=made, member=member or False, keys=_KEYS_OF_PATTERNS)


_KEYS_OF_PATTERNS = frozenset({"hash_key_symbol"})


def list_read_before(node: Node) -> Sequence[Node]:
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
        elif one.type not in _RUN_LATER:
            stack.extend(one.named_children)
        if one.type == "constant" and one.text == left.text:
            found.append(one)
    return found


_RUN_LATER = frozenset({"block", "do_block", "lambda"})
"""What is run after the constant has its value, as far as is known."""


def _is_in_module(node: Node) -> bool:
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type in ("class", "module")


def list_parameters(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; what a default is made of is none."""
    found: list[Node] = []
    for parameter in node.named_children:
        name = parameter.child_by_field_name("name")
        found += [name] if name is not None else yield_locals(parameter)
    return found


def find_argument_name(node: Node) -> Node | None:
    """Return the name of an argument; the keys of a hash are none."""
    key, listed = node.child_by_field_name("key"), node.parent is not None and node.parent.type == "argument_list"
    return key if listed and key is not None and key.type == "hash_key_symbol" else None


def read_shorthand(node: Node) -> Iterator[Written]:
    """Read ``a:`` without a value, which is that of the variable or the method ``a``."""
    key = node.child_by_field_name("key")
    if key is not None and key.type == "hash_key_symbol" and node.child_by_field_name("value") is None:
        yield Written(key.start_byte, text(key), Role.Read, BARE, short=True)


def read_key_of_pattern(node: Node) -> Iterator[Written]:
    """Read ``a:`` in a pattern: an attribute of what is matched, and without a value a variable that gets its value.

    https://docs.ruby-lang.org/en/master/syntax/pattern_matching_rdoc.html#label-Matching+non-primitive+objects-3A+deconstruct+and+deconstruct_keys
    """
    for key in fields("key")(node):
        is_variable = node.child_by_field_name("value") is None
        if key.type == "hash_key_symbol":
            yield Written(key.start_byte, text(key), Role.Call, _spell_matched(node), short=is_variable)
            if is_variable:
                yield Written(key.start_byte, text(key), Role.Write, BARE, short=True)


def _spell_matched(key: Node) -> str:
    """Return the term of what a pattern with a key is compared with: an object of its type, or a plain name."""
    pattern = key.parent
    if pattern is None or pattern.type != "hash_pattern":
        return UNKNOWN
    constant = pattern.child_by_field_name("class")
    if constant is not None:
        return object_of(text(constant).removeprefix("::").replace("::", "."))
    around = pattern.parent
    holder = around.parent if around is not None and around.type == "in_clause" else around
    value = holder.child_by_field_name("value") if holder is not None and holder.type in _MATCHES else None
    return _spell_plain(value)


_MATCHES = frozenset({"case_match", "match_pattern", "test_pattern"})


_NAME_OWN_METHODS = frozenset(
    "alias_method module_function private private_class_method protected public public_class_method remove_method"
    " undef_method".split()
)
"""Methods of a class that are given the names of its methods: https://docs.ruby-lang.org/en/master/Module.html."""


def _spell_type_around(node: Node) -> str:
    """Return the name of the module whose body a call stands in; that of the own object elsewhere."""
    body = node.parent
    module = body.parent if body is not None and body.type == "body_statement" else None
    if module is None or module.type != "module":
        return "self"
    return text(module.child_by_field_name("name")).replace("::", ".")


_NAME_CLASS_METHODS = frozenset({"private_class_method", "public_class_method"})
"""Those of them that are given the names of methods of the class itself."""

_NAME_METHODS = frozenset(
    "__send__ instance_method method public_method public_send respond_to? send singleton_method".split()
)
"""Methods that are given the name of one of the object first: https://docs.ruby-lang.org/en/master/Object.html."""

_CALL_BY_NAME = frozenset({"__send__", "public_send", "send"})


def read_named_methods(node: Node) -> Iterator[Quoted]:
    """Yield the methods that a call is given by their names."""
    owner, method = node.child_by_field_name("receiver"), text(node.child_by_field_name("method"))
    arguments = list_arguments(node)
    if owner is None and method in _NAME_OWN_METHODS:
        named = arguments[1:] if method == "alias_method" else arguments
        around = _spell_type_around(node)
        of = around if method in _NAME_CLASS_METHODS else object_of(around)
        yield from (_quote_method(one, of, Role.Read) for argument in named for one in list_written_name(argument))
    elif method in _NAME_METHODS and arguments:
        receiver = "self" if owner is None else text(owner) if owner.type in _PLAIN_RECEIVERS else UNKNOWN
        role = Role.Call if method in _CALL_BY_NAME else Role.Read
        yield from (_quote_method(one, receiver, role) for one in list_written_name(arguments[0]))


def read_written_member(node: Node) -> Iterator[Quoted]:
    """Yield the writer in ``a.b += 1``, which calls the reader ``b`` and then the writer ``b=``.

    https://docs.ruby-lang.org/en/master/syntax/assignment_rdoc.html#label-Abbreviated+Assignment
    """
    left = node.child_by_field_name("left")
    member = left.child_by_field_name("method") if left is not None and left.type == "call" else None
    if left is not None and member is not None and member.type == "identifier":
        yield Quoted(member, 0, text(member), _spell_plain(left.child_by_field_name("receiver")), Role.Write)


def _spell_plain(owner: Node | None) -> str:
    """Return the term of a name, or of methods that are called on one without arguments; UNKNOWN for anything else."""
    if owner is None:
        return UNKNOWN
    if owner.type in _PLAIN_RECEIVERS:
        return text(owner)
    if owner.type != "call" or owner.child_by_field_name("arguments") is not None:
        return UNKNOWN
    inner = _spell_plain(owner.child_by_field_name("receiver"))
    return then(inner, f".{text(owner.child_by_field_name('method'))}()")


def read_passed_method(node: Node) -> Iterator[Quoted]:
    """Yield the method in ``each(&:name)``."""
    call = node.parent.parent if node.parent is not None else None
    owner = call.child_by_field_name("receiver") if call is not None else None
    plain = owner is not None and owner.type in _PLAIN_RECEIVERS
    listed = call is not None and text(call.child_by_field_name("method")) in OVER_ELEMENTS
    receiver = f"{text(owner)}*" if plain and listed else UNKNOWN
    yield from (
        _quote_method(one, receiver, Role.Call) for child in node.named_children for one in list_written_name(child)
    )


_PLAIN_RECEIVERS = frozenset({"constant", "identifier", "instance_variable", "self"})


def _quote_method(node: Node, receiver: str, role: Role) -> Quoted:
    return Quoted(node, int(node.type == "simple_symbol"), spell_symbol(node), receiver, role)


def bind_top_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``::A``."""
    name = node.child_by_field_name("name")
    if name is not None and node.child_by_field_name("scope") is None:
        yield name, TOP


def is_of_object(name: Node) -> bool:
    """Tell the variables of an object, which are declared by giving them a value."""
    return name.type == "instance_variable"


def list_assigned_attributes(assignment: Node) -> Sequence[Node]:
    """Return the names of the attributes that an assignment writes: ``a.b = c`` calls ``b=``."""
    return [
        method
        for target in list_targets(assignment)
        if target.type == "call" and target.child_by_field_name("receiver") is not None
        for method in target.children_by_field_name("method")
    ]
