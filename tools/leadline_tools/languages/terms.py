"""Terms: how a file spells a value or a type, as far as the members of it can be looked up.

A term is text, so that facts stay small: names and what is done with them, from left to right.

    a.b           the member ``b`` of what ``a`` means
    a()           what a call of ``a`` returns: an object, where ``a`` is a class
    a[]           an element of ``a``
    a*            what a loop over ``a`` takes
    a;1           the element of ``a`` at a place: of a tuple its part, else the same as ``a[]``
    a#1           the second part of ``a``, counted from 0: of a tuple, of several results
    a%1, a%:b     what ``a`` takes as its second argument, counted from 0, or as the one called ``b``
    a^            ``a`` itself in the place of a type, whose objects would be meant
    a~            what the pointer ``a`` points to, ``a`` itself where it is none
    a&            an object of the type ``a``, where a value is meant
    a"2a          what the operator of ``a`` gives whose sign is ``*`` in hexadecimal; ``a`` where its type has none
    a"!<b>        ``a`` where a test says that it is no ``b``
    a"&<b>        ``a`` where a test says that it is a ``b`` too
    a"*<b>        ``b``, and ``a`` where nothing is known of that
    a"/<b>        of the alternatives of ``a`` those that a ``b`` may be assigned to; ``a`` where that is none
    a"^<b>        ``a`` without what inherits from ``b``: of values one of which is given, the types that all have
    a"-<b>        ``a`` without the members that ``b`` names: ``:c:d`` those two, ``d&`` those of the type ``d``
    a"+<b>        ``a`` with no other members than those
    a"=           the type for which a type predicate tests whose result is ``a``; nothing where it is no such result
    a"?6b         ``a`` as far as it may satisfy a condition, in hexadecimal: see ``discriminants``
    a<b,c>        ``a`` with type arguments
    a#<b,c>       the function or type ``a`` as it is called with ``b`` and ``c``; ``a#<=<d>,b,c>`` where the call has
                  to give a ``d``
    a|b           either
    a{3}          the name ``a`` as the scope 3 sees it, where the term is read in another one
    a{@12@15}     the name ``a`` as it is bound on line 12 or 15, if a value there is known; ``a{3@12}`` both
    @7            the type that is written out where it is used, with its members from the byte 7 on; a module that
                  is loaded there
    a|            as a receiver: what is taken is a member of ``a`` or else a name that stands alone

``[]``, ``()`` and ``!`` at the beginning stand for a collection, a tuple and a function: ``[]<T>`` has elements of
the type ``T``, ``()<A,B>`` two parts, ``!<T,A>`` returns ``T`` and takes ``A``. ``:a:b<A,B>`` has members of those
names and types and no others; ``:a:?<A>`` may have others, ``:a:<A,B>`` has others of the type ``B``.
``!<T,=<A>>`` takes any number of ``A``. ``'`` is a string, a number or the like. What cannot be spelled is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages.placed_names import HEAD, NAME, place_of
from leadline_tools.lazy_regex import lazy_compile

BARE = ""
"""The receiver of a name that stands alone."""

UNKNOWN = "?"
"""What cannot be spelled as a term."""

MACRO = "!"
"""The receiver of the name of a macro that stands alone: such names are looked up apart from all others."""

COLLECTION, TUPLE, FUNCTION = "[]", "()", "!"
"""What stands for types that no declaration names."""

PRIMITIVE = "'"
"""What stands for the types of strings, numbers and the like: what their members give is of such a type too."""

RECORD = ":"
"""What a type begins with whose members are written out, each behind one of these."""

PREDICATE = "is a"
"""What stands for the result of a type predicate, a function that tests whether its argument is a T: ``is a<T>``."""

VARIADIC = "="
"""What stands for the last thing that a function takes, if that may be several: ``=<A>``."""

RECEIVER = "!this"
"""What stands, beside a function type, for the object whose members such a function sees bare: ``!<B>|!this<A>``."""

OWN = 98
"""The place of that object: ``a%98`` is the one that the function ``a`` is called on."""

GIVEN = "type parameter"
"""What stands for the type parameter of a function from outside that is of the type of what it is given."""

ANY = ""
"""The name of those members of a record that have none of their own."""

DECLARED = "()&"
"""The receiver of a name where it is declared and no outline lists it: it is a member of nothing that is named."""

LABEL = ":="
"""The receiver of a name that is part of the name of a function, and means nothing by itself."""

POINTERS = "mut pointer", "const pointer"
"""What stands for pointers that have members of their own, as in Rust: what the first has not the second may have."""

TOP = "::"
"""The head of what is looked for outside of all namespaces: ``::a`` of Ruby is spelled ``::.a``."""

WRITTEN = "@"
"""What the term of something begins with that is known by its place."""

TAGS = "struct"
"""The name space of what a keyword says is a structure: ``struct a`` of C is spelled ``struct.a``."""

LAST = 99
"""The place of the last argument, where nothing else tells it: ``a%99`` is what ``a`` takes there."""

LONGEST = 240
"""Characters of each alternative of a term; what is longer is UNKNOWN."""

_LONGEST_GIVEN = 120
"""Characters of what a function is called with; what is longer is left out, first of what that is made with."""

_MOST_ALTERNATIVES = 64
"""Alternatives of a term; what has more is UNKNOWN: of some of them it would be known that it is none of the others."""


class Op(StrEnum):
    """What is done with what stands before."""

    Member = "."
    Call = "()"
    Item = "[]"
    Each = "*"
    Part = "#"
    At = ";"
    Parameter = "%"
    Itself = "^"
    Object = "&"
    Pointee = "~"
    Operator = '"'
    Where = '"?'
    Without = '"!<'
    Tested = '"&<'
    Otherwise = '"*<'
    Joined = '"^<'
    Assigned = '"/<'
    Omitted = '"-<'
    Picked = '"+<'
    Predicated = '"='
    Arguments = "<"
    Given = "#<"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done: ``name`` is that of the member, the number of the part, or what spells the operator."""

    op: Op
    name: str = ""
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A name, and what is done with it."""

    head: str
    steps: tuple[Step, ...]


Term = tuple[Path, ...]
"""The alternatives of a term, likeliest first."""

Spell = Callable[[Node | None], str]
"""From a node to its term."""

Spelling = Callable[[Node, Spell], str]
"""How a node of one type is spelled, given how its parts are."""

_TOKEN = lazy_compile(rf"\.#?{NAME}|[#;%]\d+|%:{NAME}|\"[!&*^/+-]<|\"=|\"\??[\da-f]+|\(\)|\[\]|#<|[*^&~<>,|]|{NAME}")


@lru_cache(20_000)
def parsed(term: str) -> Term:
    """Return the alternatives of a term; none for a damaged one."""
    tokens = _TOKEN.findall(term)
    if sum(map(len, tokens)) != len(term):
        return ()
    found, end = _alternatives(tokens, 0)
    return found if end == len(tokens) else ()


def _alternatives(tokens: Sequence[str], at: int) -> tuple[Term, int]:
    paths: list[Path] = []
    while at < len(tokens):
        path, at = _path(tokens, at)
        paths.append(path)
        if at >= len(tokens) or tokens[at] != "|":
            break
        at += 1
    return tuple(paths), at


def _path(tokens: Sequence[str], at: int) -> tuple[Path, int]:
    head, at = tokens[at], at + 1
    steps: list[Step] = []
    while at < len(tokens) and tokens[at] not in "|,>":
        token, at = tokens[at], at + 1
        if token in _WITH_ARGUMENTS:
            arguments, at = _arguments(tokens, at)
            steps.append(Step(Op(token), "", arguments))
        elif token.startswith(Op.Where):
            steps.append(Step(Op.Where, token[len(Op.Where) :]))
        elif token in _BY_TOKEN:
            steps.append(_BY_TOKEN[token])
        elif token[0] in _NUMBERED:
            steps.append(Step(Op(token[0]), token[1:]))
        else:
            return Path(UNKNOWN, ()), len(tokens)
    return Path(head, tuple(steps)), at


def _arguments(tokens: Sequence[str], at: int) -> tuple[tuple[Term, ...], int]:
    arguments: list[Term] = []
    while at < len(tokens) and tokens[at] != ">":
        argument, at = _alternatives(tokens, at)
        arguments.append(argument)
        at += at < len(tokens) and tokens[at] == ","
    return tuple(arguments), at + 1


_WITH_ARGUMENTS = tuple(op for op in Op if op.endswith("<"))
_NUMBERED = (Op.Member, Op.Part, Op.At, Op.Parameter, Op.Operator)
_BY_TOKEN = {str(op): Step(op) for op in (Op.Call, Op.Item, Op.Each, Op.Itself, Op.Object, Op.Pointee, Op.Predicated)}


def either(terms: Iterable[str]) -> str:
    """Return the term of what is one of ``terms``; those that are unknown are left out."""
    known = dict.fromkeys(part for term in terms if term not in (UNKNOWN, BARE) for part in _parts(term))
    return "|".join(known) if 0 < len(known) <= _MOST_ALTERNATIVES else UNKNOWN


def _parts(term: str) -> Iterable[str]:
    """Return the alternatives of a term, as they are written."""
    if "|" not in term:
        yield term
        return
    depth, start = 0, 0
    for i, char in enumerate(term):
        if char == "|" and not depth:
            yield term[start:i]
            start = i + 1
        depth += (char == "<") - (char == ">")
    yield term[start:]


def then(term: str, step: str) -> str:
    """Return the term of what ``step`` makes of each alternative of ``term``."""
    if term in (UNKNOWN, BARE):
        return UNKNOWN
    return "|".join([part + step for part in _parts(term)]) if "|" in term else term + step


def apply_operator(term: str, sign: str) -> str:
    """Return the term of what the operator of ``term`` gives that is written with a sign."""
    return then(term, f"{Op.Operator}{sign.encode().hex()}")


def where(term: str, condition: str) -> str:
    """Return the term of what ``term`` stands for where a condition holds; see ``discriminants``."""
    return then(term, f"{Op.Where}{condition.encode().hex()}")


def without(term: str, excluded: str) -> str:
    """Return the term of what ``term`` stands for where it is nothing of what ``excluded`` stands for."""
    return then(term, f"{Op.Without}{excluded}>") if excluded != UNKNOWN else UNKNOWN


def tested(term: str, found: str) -> str:
    """Return the term of what ``found`` stands for, and where that is nothing of what ``term`` does."""
    return then(term, f"{Op.Tested}{found}>") if found != UNKNOWN else UNKNOWN


def omitting(term: str, keys: str) -> str:
    """Return the term of what has the members of ``term`` but those that ``keys`` names."""
    return then(term, f"{Op.Omitted}{keys}>") if keys != UNKNOWN else term


def picking(term: str, keys: str) -> str:
    """Return the term of what has of the members of ``term`` those alone that ``keys`` names."""
    return then(term, f"{Op.Picked}{keys}>") if keys != UNKNOWN else term


def only_narrows(term: str) -> bool:
    """Return whether a term only says what something is not, or may be."""
    return Op.Without in term or Op.Tested in term


def sign_of(step: Step) -> str:
    """Return the sign of an operator, or a condition."""
    return bytes.fromhex(step.name).decode(errors="replace")


def owner(term: str, name: str) -> str:
    """Return the term of that of which ``term`` is the member ``name``: it need not be spelled once more."""
    return either(part.removesuffix(f".{name}") for part in _parts(term) if part.endswith(f".{name}"))


def put(term: str, given: Mapping[str, str]) -> str:
    """Return a term with what is ``given`` in place of the names in it: of the parameters of a function that it gives.

    It is UNKNOWN where one of them is, and where one of several things would have to stand among type arguments.
    """
    found: list[str] = []
    for part in _parts(term):
        head = HEAD.match(part)
        inner = {name[0] for name in HEAD.finditer(part) if name.start()}
        if any(given[name] == UNKNOWN or "|" in given[name] for name in inner & given.keys()):
            return UNKNOWN
        rest = HEAD.sub(lambda name: given.get(name[0], name[0]) if name.start() else name[0], part)
        if head is None or head[0] not in given:
            found.append(rest)
        elif given[head[0]] == UNKNOWN:
            return UNKNOWN
        else:
            found.append(then(given[head[0]], rest[head.end() :]))
    return either(found)


def apply_type_arguments(head: str, arguments: Iterable[str]) -> str:
    """Return a type with type arguments."""
    if head in (UNKNOWN, BARE):
        return UNKNOWN
    given = [argument or UNKNOWN for argument in arguments]
    return f"{head}<{','.join(given)}>" if any(argument != UNKNOWN for argument in given) else head


def call_with(
    function: str, arguments: Iterable[str], wanted: str = UNKNOWN, named: Iterable[tuple[str, str]] = ()
) -> str:
    """Return the term of a function that is called with ``arguments``, which is the same where none is known.

    ``wanted`` is the term of an object like the one that the call has to give; ``named`` has arguments with names.
    """
    keywords = record(((name, then(term, Op.Itself)) for name, term in named), closed=True)
    listed = [then(argument, Op.Itself) for argument in (*arguments, keywords)]
    while listed and listed[-1] == UNKNOWN:
        listed.pop()
    if wanted != UNKNOWN:
        listed.insert(0, apply_type_arguments(VARIADIC, (then(wanted, Op.Itself),)))
    step = f"{Op.Given}{','.join(listed)}>"
    if len(step) > _LONGEST_GIVEN:
        step = f"{Op.Given}{','.join(map(ungiven, listed))}>"
    return then(function, step) if listed and len(step) <= _LONGEST_GIVEN else function


def taken_at(place: int, name: str) -> str:
    """Return the step to what a function takes at a place, counted from 0, or by a name that is not empty."""
    return f"{Op.Parameter}{RECORD}{name}" if name else f"{Op.Parameter}{place}"


def ungiven(term: str) -> str:
    """Return a term without what its functions are called with."""
    kept: list[str] = []
    depth = 0
    for number, part in enumerate(term.split(Op.Given)):
        depth += number > 0
        start = 0
        for at, char in enumerate(part) if depth else ():
            depth += (char == "<") - (char == ">")
            if not depth:
                start = at + 1
                break
        if not depth:
            kept.append(part[start:])
    return "".join(kept)


def shorten_term(term: str) -> str:
    """Return a term that is not too long to be kept; without what its functions are called with, where that helps."""
    if len(term) > LONGEST:
        term = ungiven(term)
    if len(term) <= LONGEST:
        return term or UNKNOWN
    parts = list(_parts(term))
    fits = len(parts) <= _MOST_ALTERNATIVES and all(len(part) <= LONGEST for part in parts)
    return term if fits else UNKNOWN


def record(members: Iterable[tuple[str, str]], *, closed: bool) -> str:
    """Return a type of members with their types, those that are known; UNKNOWN where none is.

    A ``closed`` one has no other members. Names that are no identifiers are left out; so is ANY where it is not last.
    """
    known = {name: term for name, term in members if term not in (UNKNOWN, BARE) and (name.isidentifier() or not name)}
    if not known:
        return UNKNOWN
    others = known.pop(ANY, "")
    names = [*known, *([ANY] if others else [] if closed else [UNKNOWN])]
    return apply_type_arguments(
        "".join(f"{RECORD}{name}" for name in names), [*known.values(), *([others] if others else [])]
    )


def members_of_record(head: str) -> Sequence[str]:
    """Return the names of the members of a record."""
    return head.split(RECORD)[1:]


def member_of_record(head: str, name: str) -> int:
    """Return the place of the member's type among the arguments of a record, -1 for a name that it has not.

    It is the number of all members where the record may have others, of which nothing is known.
    """
    names = members_of_record(head)
    if name in names:
        return names.index(name)
    return len(names) - 1 if names[-1] in (ANY, UNKNOWN) else -1


def is_record(head: str) -> bool:
    """Return whether the name of a type is one of members that are written out."""
    return head.startswith(RECORD) and head != TOP


def type_names(term: Path) -> Iterator[str]:
    """Yield the name that a term begins with; of a type that is written out also those of its members' types."""
    yield place_of(term.head).name
    for step in term.steps if is_record(term.head) else ():
        if step.op is Op.Arguments:
            yield from (name for argument in step.arguments for one in argument for name in type_names(one))


def object_of(term: str) -> str:
    """Return the term of an object of a type; of ``a^`` that is ``a``."""
    if term in (UNKNOWN, BARE):
        return UNKNOWN
    return "|".join(part[:-1] if part.endswith(Op.Itself) else part + Op.Object for part in _parts(term))


def written_at(members: Node) -> str:
    """Return the term of a type that is written out where it is used, from the node of its members, or of a module."""
    return f"{WRITTEN}{members.start_byte}"


# --- How nodes are spelled


def same(field: str = "") -> Spelling:
    """Spell a node as its child in a field, or its first one: parentheses, ``await``, a pointer."""
    return lambda node, spell: spell(_child(node, field))


def spell_step(field: str, step: str) -> Spelling:
    """Spell a node as a step from its child in a field: a call, an element."""
    return lambda node, spell: then(spell(_child(node, field)), step)


def one_of(*fields: str) -> Spelling:
    """Spell a node as any of its children in some fields, or of all of them."""
    return lambda node, spell: either(
        spell(child) for child in (map(node.child_by_field_name, fields) if fields else node.named_children)
    )


def spell_always(term: str) -> Spelling:
    """Spell a node always the same: a literal."""
    return lambda _node, _spell: term


def _child(node: Node, field: str) -> Node | None:
    named = (child for child in node.named_children if "comment" not in child.type)
    return node.child_by_field_name(field) if field else next(named, None)
