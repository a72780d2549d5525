r"""Types in documentation comments of PHP, as terms: ``@var``, ``@param`` and ``@return``.

The names in them are those of the code around: ``\A\B`` is absolute, others are imported or of the namespace. Scalars
and ``null`` have no members and are left out.
https://docs.phpdoc.org/guide/references/phpdoc/types.html, https://phpstan.org/writing-php-code/phpdoc-types
"""

from __future__ import annotations

from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages.nodes import comment_before, root_of, text
from leadline_tools.languages.terms import COLLECTION, TOP, UNKNOWN, apply_type_arguments, either
from leadline_tools.lazy_regex import lazy_compile

_LONGEST = 2_000
"""Characters of a type that is read."""

_DEEPEST = 8
"""Types within types that are read."""

_REST = r"[ \t]+(?P<rest>[^\n]*(?:\n[ \t]*\*?[ \t]*[^@\s*/][^\n]*)*)"
"""What follows a tag, up to the next one."""

_TAG = lazy_compile(rf"@(?P<tag>var|param|return)(?![\w-]){_REST}")
_INHERITED = lazy_compile(rf"@(?:phpstan-|psalm-|template-)?(?:implements|extends){_REST}")
_VARIABLE = lazy_compile(r"[ \t]*(?:&|\.\.\.)*(\$\w+)")
_TEMPLATE = lazy_compile(r"@(?:phpstan-|psalm-)?(?:template(?:-covariant|-contravariant)?|(?:import-)?type)[ \t]+(\w+)")
_IMPORTED = lazy_compile(rb"(?m)^[ \t]*use[ \t]+(?!function\b|const\b)([^;(]+);")
_DECLARED = lazy_compile(rb"(?m)^[ \t]*(?:(?:abstract|final|readonly)[ \t]+)*(?:class|interface|trait|enum)[ \t]+(\w+)")
_TOKEN = lazy_compile(
    r"\s*(?:(?P<name>\\?[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*(?:[\\-][A-Za-z_][\w]*)*|\$this)"
    r"|(?P<literal>'[^'\n]*'|\"[^\"\n]*\"|-?\d[\w.]*)|(?P<sign>\.\.\.|::|\[\]|.))"
)

_TYPES = frozenset(
    {"class_declaration", "trait_declaration", "interface_declaration", "enum_declaration", "anonymous_class"}
)

_SCALARS = frozenset(
    "int integer string bool boolean float double null void false true never numeric scalar array-key class-string"
    " interface-string trait-string enum-string callable-string numeric-string non-empty-string literal-string"
    " lowercase-string non-falsy-string truthy-string positive-int negative-int non-negative-int non-positive-int"
    " non-zero-int resource key-of value-of int-mask int-mask-of".split()
)
"""What has no members."""

CONTAINERS = frozenset(
    "array list iterable non-empty-array non-empty-list associative-array Traversable Iterator IteratorAggregate"
    " Generator ArrayAccess ArrayIterator".split()
)
"""What holds elements of its last type argument, in loops and behind a key."""

_OPEN = frozenset({"mixed", "object", "callable", "closed-resource", "open-resource", "pure-callable", "Closure"})
"""What may have any members, or is called alone."""


def spell_documented_type(node: Node) -> str:
    """Return the term of the type that a comment gives to the property or the result of the function after it.

    UNKNOWN for none, and for one that is not known in all its parts.
    """
    return _certain(_find_type(node, "var" if node.type == "property_declaration" else "return", ""))


def spell_inherited_collection(node: Node) -> str:
    """Return the term of the collection that the comment of a class says it is: ``@implements IteratorAggregate<A>``.

    UNKNOWN for none.
    """
    comment = comment_before(node)
    for found in _INHERITED.finditer(comment) if "<" in comment else ():
        reader = _TypeReader(_unstarred(found["rest"])[:_LONGEST], _Names(node, comment))
        term = reader.read_type()
        if term.startswith(COLLECTION):
            return term
    return UNKNOWN


def spell_promoted_type(parameter: Node) -> str:
    """Return the same for the property that a parameter of a constructor is."""
    return _certain(spell_parameter_type(parameter))


def _certain(term: str) -> str:
    return UNKNOWN if term.endswith(UNKNOWN) else term


def spell_named_type(node: Node, variable: str) -> str:
    """Return the term of the type that a comment before a statement gives to a variable; UNKNOWN for none."""
    return _find_type(node, "var", variable)


def spell_parameter_type(parameter: Node) -> str:
    """Return the term of the type that the comment of a function gives to a parameter; UNKNOWN for none."""
    function = parameter.parent.parent if parameter.parent is not None else None
    if function is None:
        return UNKNOWN
    return _find_type(function, "param", text(parameter.child_by_field_name("name")))


def _find_type(node: Node, tag: str, variable: str) -> str:
    """Return the term of the type in the first tag of a name, if it names that variable or none is wanted."""
    comment = comment_before(node)
    sign = f"@{tag}"
    for found in _TAG.finditer(comment, comment.find(sign)) if sign in comment else ():
        if found["tag"] != tag or (variable not in found["rest"] and tag != "var"):
            continue
        reader = _TypeReader(_unstarred(found["rest"])[:_LONGEST], _Names(node, comment))
        term = reader.read_type()
        named = _VARIABLE.match(reader.rest)
        if not variable or (named is not None and named[1] == variable) or (named is None and tag == "var"):
            return term
    return UNKNOWN


def _unstarred(written: str) -> str:
    """Return what a tag says, without the stars that begin its lines and the end of the comment."""
    if "\n" not in written:
        return written.removesuffix("*/")
    lines = (line.lstrip(" \t").removeprefix("*") for line in written.removesuffix("*/").split("\n"))
    return "\n".join(lines)


class _Names:
    """What the names in the comment before a node may mean."""

    def __init__(self, node: Node, comment: str) -> None:
        self._node = node
        self._comment = comment

    def is_open(self, name: str) -> bool:
        """Return whether a name is that of a type parameter or of a type that only a comment declares."""
        around = self._node.parent.parent if self._node.parent is not None else None
        of_class = comment_before(around) if around is not None and around.type in _TYPES else ""
        return any(name in _TEMPLATE.findall(comment) for comment in (self._comment, of_class) if name in comment)

    def is_known(self, name: str) -> bool:
        """Return whether the file imports or declares a name: any other may lack its import, as no code may."""
        return name in _imports(root_of(self._node).text or b"")


@lru_cache(4)
def _imports(content: bytes) -> frozenset[str]:
    names = set[str]()
    for found in _IMPORTED.finditer(content):
        listed = found[1].decode("utf-8", "replace").replace("{", ",").replace("}", ",").split(",")
        names.update(one.split()[-1].rpartition("\\")[2] for one in listed if one.strip())
    names.update(found.decode("utf-8", "replace") for found in _DECLARED.findall(content))
    return frozenset(names)


_OWN = {"$this": "static", "static": "static", "self": "self"}


def _dotted(name: str) -> str:
    return name.replace("\\", ".")


class _TypeReader:
    """Reads the type at the beginning of a text.

    Attributes:
        rest: What follows the type.

    """

    def __init__(self, written: str, names: _Names) -> None:
        self.rest = written
        self._names = names

    def read_type(self, depth: int = 0) -> str:
        """Return the term of a union, an intersection or a single type; UNKNOWN where it names no type."""
        parts = [self._read_part(depth)]
        while self._take("|") or self._take("&"):
            parts.append(self._read_part(depth))
        known = either(one for one in parts if one)
        unsure = UNKNOWN in parts and known != UNKNOWN
        return f"{known}|{UNKNOWN}" if unsure else known

    def _read_part(self, depth: int) -> str:
        """Return the term of one type, empty for a scalar; with what is behind it that makes it an array."""
        self._take("?")
        term = self._read_atom(depth)
        while self._take("[]"):
            term = apply_type_arguments(COLLECTION, [term or UNKNOWN])
        return term

    def _read_atom(self, depth: int) -> str:
        if self._take("("):
            term = self.read_type(depth + 1)
            return term if self._take(")") else self._give_up()
        found = _TOKEN.match(self.rest)
        if found is None or depth > _DEEPEST or found["sign"]:
            return self._give_up()
        self.rest = self.rest[found.end() :]
        if found["literal"]:
            return ""
        return self._read_named(found["name"], depth)

    def _read_named(self, name: str, depth: int) -> str:
        """Return the term of a name with what follows it: type arguments, a shape, a signature, a constant."""
        arguments: list[str] = []
        if self._take("<"):
            arguments.append(self.read_type(depth + 1))
            while self._take(","):
                arguments.append(self.read_type(depth + 1))
            if not self._take(">"):
                return self._give_up()
        elif self.rest.startswith(("{", "(")):
            self._skip_brackets()
            if self.rest.startswith(":"):
                self._take(":")
                self.read_type(depth + 1)
            return UNKNOWN
        elif self._take("::"):
            return self._give_up()
        return self._term_of(name, arguments)

    def _term_of(self, name: str, arguments: list[str]) -> str:
        plain = name.removeprefix("\\")
        if plain.lower() in _SCALARS:
            return ""
        if plain in CONTAINERS:
            held = arguments[1:2] if plain == "Generator" and len(arguments) > 1 else arguments[-1:]
            return apply_type_arguments(COLLECTION, held) if held else UNKNOWN
        if plain in _OPEN or "-" in plain:
            return UNKNOWN
        if name in _OWN:
            return _OWN[name]
        return f"{TOP}.{_dotted(plain)}" if name.startswith("\\") else self._relative(name)

    def _relative(self, name: str) -> str:
        """Return the term of a name that is imported or of the namespace."""
        if self._names.is_open(name):
            return UNKNOWN
        return _dotted(name) if self._names.is_known(name.partition("\\")[0]) else f"{_dotted(name)}|{UNKNOWN}"

    def _take(self, sign: str) -> bool:
        """Take a sign, with blanks before it inside of a line; return whether it is there."""
        rest = self.rest.lstrip(" \t\n") if sign in (",", ">", ")", "|", "&") else self.rest
        if not rest.startswith(sign) or rest.startswith(("&$", "&...")):
            return False
        self.rest = rest[len(sign) :].lstrip(" \t\n") if sign != "[]" and sign not in ">)" else rest[len(sign) :]
        return True

    def _skip_brackets(self) -> None:
        depth = 0
        for at, sign in enumerate(self.rest):
            depth += (sign in "{(<") - (sign in "})>")
            if depth == 0:
                self.rest = self.rest[at + 1 :]
                return
        self.rest = ""

    def _give_up(self) -> str:
        """Read no more: what follows is no type that is known here."""
        self.rest = ""
        return UNKNOWN
