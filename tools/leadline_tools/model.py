"""The nouns of the Language Server Protocol, as Leadline uses them.

Lines and columns are 1-based; a column counts Unicode code points. Paths are relative to the root, with ``/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SymbolKind(StrEnum):
    """LSP 3.17 ``SymbolKind``, by name."""

    File = "File"
    Module = "Module"
    Namespace = "Namespace"
    Package = "Package"
    Class = "Class"
    Method = "Method"
    Property = "Property"
    Field = "Field"
    Constructor = "Constructor"
    Enum = "Enum"
    Interface = "Interface"
    Function = "Function"
    Variable = "Variable"
    Constant = "Constant"
    String = "String"
    Number = "Number"
    Boolean = "Boolean"
    Array = "Array"
    Object = "Object"
    Key = "Key"
    Null = "Null"
    EnumMember = "EnumMember"
    Struct = "Struct"
    Event = "Event"
    Operator = "Operator"
    TypeParameter = "TypeParameter"


ALL_KINDS = frozenset(SymbolKind)


class Role(StrEnum):
    """What an occurrence of a name does there."""

    Definition = "definition"
    Import = "import"
    Call = "call"
    Read = "read"
    Write = "write"
    Type = "type"
    Inherit = "inherit"
    Decorator = "decorator"
    Other = "other"


class Tier(StrEnum):
    """How sure it is that an occurrence means the symbol, surest first."""

    Exact = "exact"
    Likely = "likely"
    Name = "name"


class Reason(StrEnum):
    """What decided the tier of an occurrence."""

    Definition = "definition"
    Scope = "scope"
    Import = "import"
    Receiver = "receiver"
    Server = "server"
    Name = "name"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in a file: LSP ``DocumentSymbol`` with what an index adds.

    ``about`` is the qualified name of the symbol that it is listed for, where an answer is about several. ``tier`` is
    ``name`` for a candidate that merely has the name in question: that it is meant is not known. ``same_parameters``
    says that it takes those of the member in question, so that a list of many need not repeat them.
    """

    name: str
    qualified_name: str
    kind: SymbolKind
    path: str
    line: int
    column: int
    end_line: int
    signature: str
    doc: str
    container: str
    about: str = ""
    tier: Tier = Tier.Exact
    same_parameters: bool = False


@dataclass(frozen=True, slots=True)
class OutlineSymbol:
    """A line of a file's outline: a symbol, how deep it is nested (0 is the file) and its parameters' names."""

    symbol: Symbol
    depth: int
    parameters: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a type, the names of its parameters, and the qualified name of the type that it comes from.

    ``parameters`` is None for what cannot be called; ``inherited_from`` is empty for the type's own. ``is_private``
    says that some code which can name the type cannot use the member.
    """

    symbol: Symbol
    parameters: tuple[str, ...] | None
    inherited_from: str
    is_private: bool = False


class Stop(StrEnum):
    """Why nothing stands below a function in a call hierarchy although there may be more.

    A cycle calls itself again. An overload calls another one of its name, and they are one function in the tree.
    """

    Cycle = "cycle"
    Overload = "overload"
    Above = "above"
    Below = "below"
    Late = "late"


@dataclass(frozen=True, slots=True)
class CallNode:
    """A function in a tree of calls: LSP ``CallHierarchyItem`` with the places of the calls.

    Args:
        symbol: What calls or is called; code outside of every function is its file.
        depth: How far it is from the root of the tree, at least 1.
        parent: The qualified name of what it stands below.
        sites: Line and column of each call: in its own file where it calls, in that of its parent where it is called.
        tier: How sure the surest of the calls is.
        outgoing: True where it is called by its parent, False where it calls it.
        stop: Why what may stand below it does not; None where nothing is missing, or where that would be too deep.
        about: The qualified name of the root of its tree, where an answer has several trees.

    """

    symbol: Symbol
    depth: int
    parent: str
    sites: tuple[tuple[int, int], ...]
    tier: Tier
    outgoing: bool
    stop: Stop | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class RankedSymbol:
    """A symbol of the map.

    Args:
        symbol: The symbol; an entry point that is a whole file has the kind ``File``.
        rank: What it says, compared with the other symbols of the map.
        reason: Why it is there, where that is not its use alone: a script, a main function, a route, an export.
        label: What it is called in a list of names: ``.name`` for a member that follows its type.
        tier: How soon it is left out where there is little room: 0 comes first.

    """

    symbol: Symbol
    rank: float
    reason: str = ""
    label: str = ""
    tier: int = 0


@dataclass(frozen=True, slots=True)
class MapPart:
    """A part of the tree on the map.

    Args:
        folders: Its folder; of what is not ranked some folders that hold it, most first. All end with a slash.
        mark: What it is where it is not ranked: tests, examples, copies, generated, documentation.
        files: How many files it has.
        bytes: Their size.
        text: One line on what it is.

    """

    folders: tuple[str, ...]
    mark: str
    files: int
    bytes: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchedWord:
    """A word of a question, and where a place has it: name, container, path, documentation, body.

    ``fields`` is empty where nobody asked for that.
    """

    word: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeMatch:
    """A place that answers a question in words: the symbol of a file that matches best, or a region of the file.

    Args:
        symbol: The symbol; a region has the kind ``File``, and its first line as the signature.
        words: The words of the question that it matches.
        mark: What its file is, where that is no code of the product: test, example, documentation and the like.
        score: What it says, compared with the other places.
        beside: Other symbols of the same file that match.

    """

    symbol: Symbol
    words: tuple[MatchedWord, ...]
    mark: str
    score: float
    beside: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a symbol is used: LSP ``Location`` with what the resolver knows of it.

    ``again`` holds the columns of further uses on the same line of which the same is known; ``about`` is the qualified
    name of the symbol that is used, where an answer is about several; ``receiver`` is where the object is declared
    whose member an undecided use names.
    """

    path: str
    line: int
    column: int
    end_column: int
    role: Role
    tier: Tier
    reason: Reason
    text: str
    container: str
    again: tuple[int, ...] = ()
    about: str = ""
    receiver: SourceLine | None = None


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A match of a text search; ``before`` and ``after`` are the lines around it.

    ``container`` is the dotted name of the innermost symbol around its line; empty for none, or for an unknown one.
    """

    path: str
    line: int
    column: int
    end_column: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    container: str = ""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a file, without its line end; ``about`` names the symbol, where an answer is about several.

    ``tier`` is ``likely`` for a line of a definition that is likely, but not certainly, the one in question.
    """

    path: str
    line: int
    text: str
    about: str = ""
    tier: Tier = Tier.Exact


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the tree; ``lines`` is 0 until it has been read."""

    path: str
    bytes: int
    lines: int
    language: str


@dataclass(frozen=True, slots=True)
class FileCount:
    """How many files, lines and bytes a group of files has; ``languages`` holds the bytes by language."""

    group: str
    files: int
    lines: int
    bytes: int
    languages: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines that an edit changes: whole lines with their ends as LF; an empty text stands for no line.

    Args:
        path: The file.
        start_line: The first line of ``old``; where that is empty, the line before which ``new`` stands.
        old: The lines as they were.
        new: The lines as the edit makes them.
        new_start_line: The first line of ``new`` once all hunks before it are made.
        before: Lines above, without their ends.
        after: Lines below.

    """

    path: str
    start_line: int
    old: str
    new: str
    new_start_line: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided:
    """A place that an edit leaves as it is, because nobody but a person can tell whether it is meant."""

    use: Occurrence

    @property
    def path(self) -> str:
        """Return the file."""
        return self.use.path


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a comment, a string or a text: an edit of code leaves it as it is; ``where`` says which it is."""

    match: TextMatch
    where: str

    @property
    def path(self) -> str:
        """Return the file."""
        return self.match.path


class Severity(StrEnum):
    """LSP ``DiagnosticSeverity``, worst first."""

    Error = "error"
    Warning = "warning"
    Information = "information"
    Hint = "hint"


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix on offer: what it is chosen by, what it does, and whether it may change what the code means."""

    id: str
    title: str
    unsafe: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong in a place: LSP ``Diagnostic`` with the fixes on offer; the end is the column behind the last."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    code: str
    message: str
    fixes: tuple[Fix, ...] = ()


Item = (
    Symbol
    | OutlineSymbol
    | RankedSymbol
    | CodeMatch
    | MapPart
    | CallNode
    | Member
    | Occurrence
    | TextMatch
    | Diagnostic
    | SourceLine
    | FileEntry
    | FileCount
    | Hunk
    | Undecided
    | Mention
)
"""What answers are made of."""
