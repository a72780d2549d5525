"""Java: https://docs.oracle.com/javase/specs/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, hidden_types, lexing, reach, terms
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Nodes,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    module_of_folder,
    place,
    text,
)
from leadline_tools.languages.terms import COLLECTION, FUNCTION, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_SOURCE_SET = re.compile(r"(?P<sets>(?:.*/)?src/)[^/]+/java/(?P<package>.+)")
"""Where a package lies below https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html."""

_ROOT = re.compile(r"(.*/)?src/[^/]+/java")
"""A folder that no package spells, though it is named like one."""


def _declared(node: Node) -> Sequence[Node]:
    """Return the names of a declaration of fields or local variables."""
    declarators = node.children_by_field_name("declarator")
    return [name for declarator in declarators for name in declarator.children_by_field_name("name")]


def _field_kind(node: Node) -> SymbolKind:
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    spelled = {child.type for child in modifiers.children} if modifiers is not None else set[str]()
    return SymbolKind.Constant if {"static", "final"} <= spelled else SymbolKind.Field


def _type(node: Node) -> Node | None:
    """Return the declared type; none for ``var`` and where a variable is an array of it (``int a[]``)."""
    kind = node.child_by_field_name("type")
    if text(kind) == "var" or any(_is_array(declarator) for declarator in node.children_by_field_name("declarator")):
        return None
    return kind


def _is_array(declarator: Node) -> bool:
    return declarator.child_by_field_name("dimensions") is not None


def _first_type(node: Node) -> Node | None:
    """Return the type that stands first in a pattern."""
    kind = next((child for child in node.named_children if child.type != "modifiers"), None)
    return None if text(kind) == "var" else kind


def _instance(node: Node) -> Node | None:
    return node.child_by_field_name("right")


def _last(kind: str) -> Nodes:
    """Return a function that gives the last child of a node where it is a ``kind``."""
    return lambda node: [child for child in node.named_children[-1:] if child.type == kind]


def _variadic(node: Node) -> Sequence[Node]:
    return [
        name
        for child in node.named_children
        if child.type == "variable_declarator"
        for name in child.children_by_field_name("name")
    ]


def _inferred(node: Node) -> Sequence[Node]:
    """Return the parameters of a lambda that spells no types."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or parameters.type == "formal_parameters":
        return ()
    return (parameters,) if parameters.type == "identifier" else parameters.named_children


def _ends(node: Node) -> Sequence[Node | None]:
    """Return the first and the last child: the grammar names no fields in ``a.B`` and ``a::b``."""
    children = [child for child in node.named_children if "annotation" not in child.type]
    return (children[0], children[-1]) if len(children) > 1 else (None, None)


# --- What types and values are spelled like


_STRING = terms.named(object_of("String"))


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a declaration that spells no type for them, with their values."""
    kind = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator") or [node]:
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is None:
            continue
        if text(kind) == "var":
            yield name, spell(value)
        elif kind is not None:
            yield name, object_of(_array(spell(kind), declarator))


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a loop an element of what is looped over."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, then(spell(node.child_by_field_name("value")), "*")


def _caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name = node.child_by_field_name("name")
    types = next((child for child in node.named_children if child.type == "catch_type"), None)
    if name is not None and types is not None:
        yield name, either(object_of(spell(one)) for one in types.named_children)


def _variadic_array(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    kind = next((child for child in node.named_children if child.type != "modifiers"), None)
    yield from ((name, object_of(terms.applied(COLLECTION, [spell(kind)]))) for name in _variadic(node))


def _bound(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it extends; an object of a type is at least an Object."""
    bounds = next((child.named_children for child in node.named_children if child.type == "type_bound"), ())
    around = node.parent.parent if node.parent is not None else None
    spelled = [spell(bound) for bound in bounds]
    if not bounds and around is not None and around.type != "method_declaration":
        spelled = ["Object"]
    yield from ((name, either(map(object_of, spelled))) for name in _parameter(node))


def _parameter(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children if child.type == "type_identifier"][:1]


def _array(element: str, node: Node | None) -> str:
    """Return the type of an array whose dimensions ``node`` spells."""
    for child in node.children_by_field_name("dimensions") if node is not None else ():
        for _ in range(1 if child.type == "dimensions_expr" else text(child).count("[")):
            element = terms.applied(COLLECTION, [element])
    return element


def _array_type(node: Node, spell: Spell) -> str:
    return _array(spell(node.child_by_field_name("element")), node)


def _new_array(node: Node, spell: Spell) -> str:
    return object_of(_array(spell(node.child_by_field_name("type")), node))


def _generic(node: Node, spell: Spell) -> str:
    """Spell a type with arguments; a wildcard stands for its bound, and a diamond for arguments that are not known."""
    kind, arguments = spell(node.named_children[0]), node.named_children[-1]
    named = [child for child in arguments.named_children if "comment" not in child.type]
    return terms.applied(kind, [spell(argument) for argument in named]) if named else then(kind, f"<{UNKNOWN}>")


def _wildcard(node: Node, spell: Spell) -> str:
    bound = node.named_children[-1] if node.named_children else None
    return UNKNOWN if bound is None or "annotation" in bound.type else spell(bound)


def _scoped(node: Node, spell: Spell) -> str:
    owner, member = _ends(node)
    return then(spell(owner), f".{text(member)}")


def _called(node: Node, spell: Spell) -> str:
    """Spell a call, also of a method of the class itself."""
    owner, name = node.child_by_field_name("object"), text(node.child_by_field_name("name"))
    if owner is None:
        return f"{name}()"
    above = any(child.type == "super" for child in node.children[1:])
    return UNKNOWN if above else then(spell(owner), f".{name}()")


def _field(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; ``A.this`` is an object of the class around."""
    owner, name = spell(node.child_by_field_name("object")), text(node.child_by_field_name("field"))
    return object_of(owner) if name == "this" else then(owner, f".{name}")


def _created(node: Node, spell: Spell) -> str:
    kind = spell(node.child_by_field_name("type"))
    outer = next((term for _, term in _created_in(node, spell)), "")
    return object_of(then(outer, f".{kind}") if outer else kind)


def _created_in(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a type that is made in an object of the type around it: ``outer.new Inner()``."""
    outer = node.named_children[0]
    kind = node.child_by_field_name("type")
    name = kind.named_children[0] if kind is not None and kind.type == "generic_type" else kind
    after = outer.next_sibling
    if name is not None and name.type == "type_identifier" and after is not None and after.type == ".":
        yield name, spell(outer)


def _delegated(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``this(..)`` and ``super(..)``, with the type whose constructor runs."""
    keyword, around = node.child_by_field_name("constructor"), node.parent
    while around is not None and around.type not in _CLASSES:
        around = around.parent
    declaration = around.parent if around is not None else None
    if keyword is None or declaration is None:
        return
    if keyword.type == "this":
        yield keyword, text(declaration.child_by_field_name("name")) or UNKNOWN
    else:
        extended = declaration.child_by_field_name("superclass")
        yield keyword, spell(extended.named_children[0]) if extended is not None else "Object"


def _cast(node: Node, spell: Spell) -> str:
    return either(object_of(spell(kind)) for kind in node.children_by_field_name("type"))


def _class_literal(node: Node, spell: Spell) -> str:
    return object_of(terms.applied("Class", [spell(node.named_children[0])]))


def _above(node: Node, spell: Spell) -> str:
    """Spell ``super``: an object of what the class around extends, and of nothing that it implements."""
    around = node.parent
    while around is not None and around.type not in _CLASSES:
        around = around.parent
    holder = around.parent if around is not None and around.type == "class_body" else None
    if holder is None or holder.type == "enum_constant":
        return object_of(spell(_enumeration(holder))) if holder is not None else UNKNOWN
    if holder.type == "object_creation_expression":
        return _created(holder, spell)
    extended = holder.child_by_field_name("superclass")
    return object_of(spell(extended.named_children[0]) if extended is not None else "Object")


def _sum(node: Node, _spell: Spell) -> str:
    """Spell an operator: a result that has members is a string."""
    return object_of("String") if text(node.child_by_field_name("operator")) == "+" else UNKNOWN


def _switch(node: Node, spell: Spell) -> str:
    """Spell a switch whose rules are values."""
    body = node.child_by_field_name("body")
    rules = [rule for rule in body.named_children if rule.type == "switch_rule"] if body is not None else []
    values = [rule.named_children[-1] for rule in rules]
    return either(spell(value.named_children[0]) for value in values if value.type == "expression_statement")


def _labels(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the labels of a switch, which may be constants of the enumeration that it is over."""
    around = node.parent
    while around is not None and around.type != "switch_expression":
        around = around.parent
    over = around.child_by_field_name("condition") if around is not None else None
    term = spell(over)
    for label in node.named_children if term != UNKNOWN else ():
        if label.type == "identifier":
            yield label, f"{term}|"


def _elements(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the elements that an annotation gives values to."""
    owner = spell(node.child_by_field_name("name"))
    listed = node.child_by_field_name("arguments")
    for pair in listed.named_children if listed is not None else ():
        key = pair.child_by_field_name("key") if pair.type == "element_value_pair" else None
        if key is not None:
            yield key, owner


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a type extends, else what all types of its kind do, then what it implements."""
    extended = node.child_by_field_name("superclass")
    if extended is not None:
        yield from (spell(kind) for kind in extended.named_children)
    implicit = _IMPLICIT.get(node.type)
    if implicit is not None:
        yield terms.applied(implicit, [text(node.child_by_field_name("name"))] if implicit == "Enum" else [])
    for child in node.named_children:
        if child.type in ("super_interfaces", "extends_interfaces"):
            yield from (spell(kind) for listed in child.named_children for kind in listed.named_children)


_CLASSES = frozenset({"class_body", "enum_body", "interface_body"})
_IMPLICIT = {
    "enum_declaration": "Enum",
    "record_declaration": "Record",
    "annotation_type_declaration": "java.lang.annotation.Annotation",
}
"""What types of some kinds inherit from."""


def _takes(node: Node, spell: Spell) -> str:
    """Spell what a method takes; with what it returns where it has no body, and a lambda may stand for it."""
    parameters = node.child_by_field_name("parameters")
    taken = [spell(_type(child)) for child in parameters.named_children if child.type in _TAKEN] if parameters else []
    if node.child_by_field_name("body") is not None or text(node.child_by_field_name("name")) in _OF_OBJECT:
        return terms.applied(FUNCTION, [UNKNOWN, *taken]) if any(one != UNKNOWN for one in taken) else UNKNOWN
    result = spell(node.child_by_field_name("type"))
    return terms.applied(FUNCTION, ["void" if result == UNKNOWN else result, *taken])


_TAKEN = frozenset({"formal_parameter", "spread_parameter"})
_OF_OBJECT = frozenset({"equals", "hashCode", "toString"})
"""Methods that every object has: an interface that declares them has none for a lambda to stand for."""


def _expected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda that spells no types what its place expects of a function."""
    names = _inferred(node)
    expected = _place(node, spell) if names else UNKNOWN
    yield from ((name, then(expected, f"%{i}")) for i, name in enumerate(names))


def _place(node: Node, spell: Spell) -> str:
    """Spell the function that is expected where a lambda stands: an object of its type, what a method takes there."""
    value, around = node, node.parent
    while around is not None and around.type in ("parenthesized_expression", "ternary_expression"):
        value, around = around, around.parent
    if around is not None and around.type == "argument_list":
        return _argument(value, around, spell)
    declared: Node | None = None
    match around:
        case Node(type="variable_declarator", parent=Node() as declaration):
            declared = _type(declaration)
        case Node(type="cast_expression"):
            declared = around.child_by_field_name("type")
        case Node(type="return_statement"):
            declared = _returned(around)
        case Node(type="assignment_expression"):
            return spell(around.child_by_field_name("left"))
        case _:
            pass
    return object_of(spell(declared))


def _argument(value: Node, arguments: Node, spell: Spell) -> str:
    """Spell what a method takes in the place of one of the arguments that it is called with."""
    call, at = arguments.parent, place(value)
    if call is None or call.type != "method_invocation" or at is None:
        return UNKNOWN
    return then(_called(call, spell).removesuffix("()"), f"%{at}")


def _returned(statement: Node) -> Node | None:
    """Return the type of the method around a statement; None inside a lambda."""
    around = statement.parent
    while around is not None and around.type not in ("method_declaration", "lambda_expression"):
        around = around.parent
    return around.child_by_field_name("type") if around is not None else None


def _generics(node: Node) -> Sequence[Node]:
    listed = node.child_by_field_name("type_parameters")
    return [name for child in listed.named_children for name in _parameter(child)] if listed is not None else ()


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a constant belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def _constant_bases(node: Node, spell: Spell) -> Iterator[str]:
    if node.child_by_field_name("body") is not None:
        yield spell(_enumeration(node))


def _anonymous(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what an anonymous class extends or implements."""
    around = node.parent
    if around is not None and around.type == "object_creation_expression":
        yield spell(around.child_by_field_name("type"))


# --- What the standard library gives and takes: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/

_ELEMENT = "!<this[]>"
_SAME = "!<this>"
_TAKES_EACH = "!<?,!<?,this*,this[]>>"
_PAIR = "()<this*,this[]>"
_COLLECTIONS = {
    **dict.fromkeys(
        "apply call ceiling element first firstElement floor get getFirst getLast getNow getOrDefault higher join last"
        " lastElement lower next nextElement orElse orElseGet orElseThrow peek peekFirst peekLast poll pollFirst"
        " pollLast pop previous put putIfAbsent remove removeFirst removeLast resultNow set take takeFirst"
        " takeLast".split(),
        _ELEMENT,
    ),
    **dict.fromkeys(
        "descendingIterator distinct elements findAny findFirst headSet iterator limit listIterator or parallel"
        " parallelStream reversed sequential skip stream subList subSet tailSet toList".split(),
        _SAME,
    ),
    **dict.fromkeys("dropWhile filter takeWhile".split(), "!<this,!<?,this*>>"),
    **dict.fromkeys("max min sorted".split(), "!<this,!<?,this*,this*>>"),
    "sort": "!<?,!<?,this*,this*>>",
    **dict.fromkeys(
        "allMatch anyMatch flatMap forEach forEachOrdered ifPresent ifPresentOrElse map mapMulti mapToDouble mapToInt"
        " mapToLong mapToObj noneMatch removeIf replaceAll thenAccept thenApply thenCompose".split(),
        _TAKES_EACH,
    ),
    "computeIfAbsent": "!<this[],?,!<?,this*>>",
    **dict.fromkeys("compute computeIfPresent".split(), "!<this[],?,!<?,this*,this[]>>"),
    "merge": "!<this[],?,?,!<?,this[],this[]>>",
    **dict.fromkeys("keySet keys navigableKeySet".split(), "!<[]<this*>>"),
    "values": "!<[]<this[]>>",
    "entrySet": f"!<[]<{_PAIR}>>",
    **dict.fromkeys("ceilingEntry firstEntry floorEntry higherEntry lastEntry lowerEntry".split(), f"!<{_PAIR}>"),
    "getKey": "!<this#0>",
    "getValue": "!<this#1>",
}
"""What methods of collections, maps, streams, optional values and futures give, and what functions they take."""

_HOLDERS = frozenset(
    (
        "AbstractCollection AbstractList AbstractMap AbstractQueue AbstractSequentialList AbstractSet"
        " ArrayBlockingQueue ArrayDeque ArrayList AtomicReference BaseStream BlockingDeque BlockingQueue"
        " Collection CompletableFuture CompletionStage ConcurrentHashMap ConcurrentLinkedDeque ConcurrentLinkedQueue"
        " ConcurrentMap ConcurrentNavigableMap ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList"
        " CopyOnWriteArraySet Deque Dictionary Entry EnumMap EnumSet Enumeration Future FutureTask HashMap"
        " HashSet Hashtable IdentityHashMap Iterable Iterator LinkedBlockingDeque LinkedBlockingQueue LinkedHashMap"
        " LinkedHashSet LinkedList LinkedTransferQueue List ListIterator Map NavigableMap NavigableSet Optional"
        " PhantomReference PriorityBlockingQueue PriorityQueue Queue Reference SequencedCollection SequencedMap"
        " SequencedSet ServiceLoader Set SoftReference SortedMap SortedSet Stack Stream ThreadLocal"
        " TransferQueue TreeMap TreeSet Vector WeakHashMap WeakReference"
    ).split()
)
"""What has these methods, in ``java.lang``, ``java.util`` and the packages below that."""

_FIRST, _BOTH = "!<?,this#0>", "!<?,this#0,this#1>"
_FUNCTIONS = {
    **dict.fromkeys("BiConsumer BiPredicate ToDoubleBiFunction ToIntBiFunction ToLongBiFunction".split(), _BOTH),
    **dict.fromkeys("Consumer ObjIntConsumer Predicate ToDoubleFunction ToIntFunction ToLongFunction".split(), _FIRST),
    **dict.fromkeys("Callable DoubleFunction IntFunction LongFunction Supplier".split(), "!<this#0>"),
    "BiFunction": "!<this#2,this#0,this#1>",
    "BinaryOperator": "!<this#0,this#0,this#0>",
    "Comparator": "!<?,this#0,this#0>",
    "Function": "!<this#1,this#0>",
    "UnaryOperator": "!<this#0,this#0>",
}
"""What the interfaces of ``java.util.function``, and those like them, are as functions."""

_TERMS = {
    "array_access": terms.stepped("array", "[]"),
    "array_creation_expression": _new_array,
    "array_type": _array_type,
    "assignment_expression": terms.same("left"),
    "binary_expression": _sum,
    "cast_expression": _cast,
    "class_literal": _class_literal,
    "field_access": _field,
    "generic_type": _generic,
    "annotated_type": lambda node, spell: spell(node.named_children[-1]),
    "method_invocation": _called,
    "object_creation_expression": _created,
    "parenthesized_expression": terms.same(),
    "scoped_type_identifier": _scoped,
    "string_literal": _STRING,
    "super": _above,
    "switch_expression": _switch,
    "template_expression": terms.same(),
    "ternary_expression": terms.one_of("consequence", "alternative"),
    "wildcard": _wildcard,
}


def _import(node: Node) -> Iterator[Imported]:
    """Read an import declaration: a type of a package, a static member of a type, or all of either."""
    path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    written = "".join(text(path).split())
    if any(child.type == "asterisk" for child in node.named_children):
        yield Imported(written, "*", "")
        return
    package, _, name = written.rpartition(".")
    if package:
        yield Imported(package, name, name)


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files of a package: those in the folders that its name spells below any root of sources."""
    inside = paths.inside(module.replace(".", "/")) if module else ()
    return [path for path in inside if path.endswith(".java") and _ROOT.fullmatch(path.rpartition("/")[0]) is None]


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package, those of the other source sets of a Maven module too."""
    folder = path.rpartition("/")[0]
    found = [file for file in paths.inside(folder) if file.rpartition("/")[0] == folder]
    if (here := _SOURCE_SET.fullmatch(folder)) is not None:
        for file in paths.inside(here["package"]):
            there = _SOURCE_SET.fullmatch(file.rpartition("/")[0])
            if there is not None and there["sets"] == here["sets"] and file not in found:
                found.append(file)
    return [file for file in found if file != path and file.endswith(".java")]


_PARAMETERS = fields("parameters")
_CALLABLE = Defines(SymbolKind.Method, parameters=_PARAMETERS, type=_type, takes=_takes)
_CONSTRUCTOR = Defines(SymbolKind.Constructor, parameters=_PARAMETERS)
_FIELDS = Defines(_field_kind, name=_declared, body=fields(), type=_type, made=_given, repeats=True)

# --- What the index does without

_INERT = (
    rb"""\"(?:\"\"[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)\"\"\"|(?!"")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)")"""
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
)
"""A string, a character, a comment, or a slash that begins none."""

_ARGUMENTS = blanking.nested(rb"<", rb"[^<>(){};=\"'/\n]++", rb">")
_WORD = rb"(?!record\b)[\w$.\x80-\xff]++(?>(?:%(a)s)?)(?>(?:\[\])*)[ \t]++(?>(?:%(a)s[ \t]*+)?)" % {b"a": _ARGUMENTS}
_HEAD = rb"[ \t]*+(?>(?:@[\w.]++[ \t]++)*)" + _WORD + rb"(?:@?" + _WORD + rb")*[\w$\x80-\xff]++[ \t]*+\("
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a constant of an enumeration,
whose body is that of a class, has no word before its name, and the header of a record has another."""

_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _HEAD + rb"))*)\n"
    rb"(?>(?:" + _HEAD + rb"(?>(?:[^(){};\"'/]++|\([^(){};\"'/]*+\))*)\)\s*+(?>(?:throws\b[^(){};=\"'/]*+)?)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?)"
)
_TYPE = re.compile(
    rb"(?:class(?<![\w.]class)|interface(?<!\winterface)|enum(?<!\wenum)|record(?<!\wrecord)(?=\s+[\w$\x80-\xff]|/))"
    rb"(?=[\s/])"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    typed = b"class" in body or b"interface" in body or b"enum" in body or b"record" in body
    return typed and _TYPE.search(body) is not None


def _bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of methods and constructors without types."""
    return blanking.bodies(content, _NEXT_BODY, _defines)


_KEYWORDS = frozenset(
    (
        "_ abstract assert boolean break byte case catch char class const continue default do double else enum "
        "extends false final finally float for goto if implements import instanceof int interface long native new "
        "null package private protected public return short static strictfp super switch synchronized this throw "
        "throws transient true try void volatile while"
    ).split()
)

_LOMBOK = re.compile(rb"^[ \t]*import\s+(?:static\s+)?lombok\b|@lombok\.", re.MULTILINE)
_ACCESSORS = frozenset({"Accessors", "Builder", "Data", "Getter", "Setter", "SuperBuilder", "Value", "With"})
"""The annotations of https://projectlombok.org/features/ that may add methods called like a field."""


def _reach(declared: reach.Declared) -> reach.Reach:
    """Tell of a symbol by its modifiers; other files may name a private field by the methods that Lombok adds."""
    if declared.kind is SymbolKind.Field and _LOMBOK.search(declared.content) is not None:
        return reach.Reach.Anywhere
    return reach.private(declared)


LANGUAGE = Language(
    name="java",
    extensions=(".java",),
    grammar=("tree_sitter_java", "language"),
    definitions={
        "module_declaration": Defines(SymbolKind.Module),
        "class_declaration": Defines(SymbolKind.Class, bases=_bases, generics=_generics),
        "record_declaration": Defines(SymbolKind.Class, head=_PARAMETERS, bases=_bases, generics=_generics),
        "formal_parameter": Defines(  # of a record, whose accessor it declares too: others are not entered
            SymbolKind.Field, body=fields(), type=_type, getter=lambda _node: True
        ),
        "interface_declaration": Defines(SymbolKind.Interface, bases=_bases, generics=_generics),
        "annotation_type_declaration": Defines(SymbolKind.Interface, bases=_bases),
        "enum_declaration": Defines(SymbolKind.Enum, bases=_bases),
        "enum_constant": Defines(SymbolKind.EnumMember, type=_enumeration, bases=_constant_bases),
        "method_declaration": _CALLABLE,
        "annotation_type_element_declaration": Defines(
            SymbolKind.Method, parameters=fields(), body=fields(), type=_type
        ),
        "constructor_declaration": _CONSTRUCTOR,
        "compact_constructor_declaration": _CONSTRUCTOR,
        "field_declaration": _FIELDS,
        "constant_declaration": Defines(SymbolKind.Constant, name=_declared, body=fields(), type=_type, made=_given),
    },
    through=frozenset({"enum_body_declarations"}),
    decorations=frozenset({"annotation", "marker_annotation"}),
    comments=frozenset({"block_comment", "line_comment"}),
    module=module_of_folder,
    named_after=True,
    lexis=lexing.JAVA,
    keywords=_KEYWORDS,
    reach=_reach,
    identifier=re.compile(r"(?:[^\W\d]|\$)[\w$]*"),
    bodies=_bodies,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "class_declaration": ScopeKind.Block,
            "record_declaration": ScopeKind.Block,
            "interface_declaration": ScopeKind.Block,
            "class_body": ScopeKind.Class,
            "interface_body": ScopeKind.Class,
            "annotation_type_body": ScopeKind.Class,
            "enum_body": ScopeKind.Class,
            "method_declaration": ScopeKind.Function,
            "constructor_declaration": ScopeKind.Function,
            "compact_constructor_declaration": ScopeKind.Function,
            "lambda_expression": ScopeKind.Function,
            "block": ScopeKind.Block,
            "constructor_body": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "enhanced_for_statement": ScopeKind.Block,
            "try_with_resources_statement": ScopeKind.Block,
            "catch_clause": ScopeKind.Block,
            "switch_block": ScopeKind.Block,
            "switch_rule": ScopeKind.Block,
            "switch_block_statement_group": ScopeKind.Block,
        },
        binds={
            "formal_parameter": Binds(fields("name"), type=_type),
            "spread_parameter": Binds(_variadic, made=_variadic_array),
            "catch_formal_parameter": Binds(fields("name"), made=_caught),
            "lambda_expression": Binds(_inferred, made=_expected),
            "local_variable_declaration": Binds(_declared, type=_type, made=_given, onward=True),
            "field_declaration": Binds(_declared, type=_type, made=_given),
            "enhanced_for_statement": Binds(fields("name"), type=_type, made=_each),
            "resource": Binds(fields("name"), type=_type, made=_given),
            "instanceof_expression": Binds(fields("name"), type=_instance),
            "type_pattern": Binds(_last("identifier"), type=_first_type),
            "record_pattern_component": Binds(_last("identifier"), type=_first_type),
            "type_parameter": Binds(_parameter, made=_bound, types=True),
        },
        members={
            "method_invocation": ("object", "name"),
            "field_access": ("object", "field"),
            "scoped_identifier": ("scope", "name"),
            "scoped_type_identifier": _ends,
            "method_reference": _ends,
        },
        roles={
            ("method_invocation", "name"): Role.Call,
            ("method_invocation", "arguments"): Role.Read,
            ("object_creation_expression", "type"): Role.Call,
            ("object_creation_expression", "arguments"): Role.Read,
            ("class_declaration", "superclass"): Role.Inherit,
            ("class_declaration", "interfaces"): Role.Inherit,
            ("record_declaration", "interfaces"): Role.Inherit,
            ("enum_declaration", "interfaces"): Role.Inherit,
            ("extends_interfaces", ""): Role.Inherit,
            ("type_arguments", ""): Role.Type,
            ("marker_annotation", "name"): Role.Decorator,
            ("annotation", "name"): Role.Decorator,
            ("annotation", "arguments"): Role.Read,
            ("assignment_expression", "left"): Role.Write,
            ("update_expression", ""): Role.Write,
            ("element_value_pair", "key"): Role.Other,
        },
        hidden=hidden_types.java,
        imports={"import_declaration": _import},
        ambient=(Imported("java.lang", "*", ""),),
        imports_members=True,
        keeps_imports=True,
        package_first=True,
        locate=_locate,
        siblings=_siblings,
        shares_packages=True,
        this=frozenset({"this"}),
        terms=_TERMS,
        collections=_COLLECTIONS,
        holders=_HOLDERS,
        standard="java.",
        functions=_FUNCTIONS,
        protocols={Op.Each: ("this.iterator().next()",)},
        fills={"switch_label": _labels, "annotation": _elements, "object_creation_expression": _created_in},
        constructs={"explicit_constructor_invocation": _delegated},
        constructor_keywords=frozenset({"this", "super"}),
        anonymous={"class_body": _anonymous},
        root="Object",
        closed=True,
        types_need_import=True,
        types_apart=True,
        calls_apart=True,
        fields_apart=True,
        adds_accessors=_ACCESSORS,
        adds_methods=frozenset({"ExtensionMethod"}),
        keys=frozenset(
            {
                ("package_declaration", ""),
                ("labeled_statement", ""),
                ("break_statement", ""),
                ("continue_statement", ""),
            }
        ),
        generic=frozenset({"generic_type"}),
        opaque=frozenset({"array_access"}),
    ),
)
