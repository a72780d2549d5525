r"""The patterns of gitignore(5): the rules of an ignore file, and the globs that the tools take.

Both are read by one parser into parts and written as one kind of regular expression. It never tries the same text twice
in ways that multiply: what a ``*`` or ``**`` skips is decided by the first place where the text up to the next one
matches, and an atomic group forbids to think again. That misses no match, since the next one may skip what is left.

Rules follow what git does where that is more than what its manual says:

* It matches bytes, so ``?`` is one byte of a name. Names are therefore compared as their bytes, one character each.
* ``**`` counts as a part of its own also directly behind the text that a pattern begins with: ``a/b**/c`` matches
  ``a/bc``.
* A pattern that is malformed (an unclosed bracket, a backslash at its end) matches nothing.

Letters are told apart by case everywhere; git's ``core.ignoreCase`` is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import NamedTuple

LONGEST = 1_000
"""Characters of the longest pattern; a longer line of an ignore file is no rule."""

_MOST_WILDCARDS = 2_000
"""Rules of one ignore file that need a regular expression; real files have a hundred, and each costs time per name."""

_MOST_ALTERNATIVES = 100
_SPECIAL = re.compile(r"[*?\[\\]")

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class _Kind(Enum):
    LITERAL = auto()
    ONE = auto()
    SLASH = auto()
    STAR = auto()
    DEEP = auto()


class _Part(NamedTuple):
    """A piece of a pattern; ``text`` is the character of a literal, else a regular expression."""

    kind: _Kind
    text: str


_ANY = _Part(_Kind.ONE, "[^/]")
_SLASH = _Part(_Kind.SLASH, "/")
_STAR = _Part(_Kind.STAR, "[^/]*?")
_MAYBE_FOLDERS = _Part(_Kind.DEEP, "(?:.*?/)??")
_FOLDERS = _Part(_Kind.DEEP, ".*?/")
_REST = _Part(_Kind.DEEP, ".*")


class _Rule(NamedTuple):
    """What a line of an ignore file says of the names that match it; later lines have greater numbers."""

    number: int
    ignored: bool
    folders_only: bool


class Names:
    """The names in a folder, for what rules say of all of them at once."""

    __slots__ = ("extensions", "lines", "names")

    def __init__(self, names: Collection[str]) -> None:
        self.names = names
        self.extensions = {name[name.rfind(".") :] for name in names}
        self.lines = "\n".join(("", *names, ""))


class _Wildcard(NamedTuple):
    """A rule that only a regular expression can decide.

    ``needle`` is text that each name it matches has as a line has it, and ``slashes`` how many slashes are in each path
    that it matches; None for any number.
    """

    regex: str
    rule: _Rule
    needle: str
    slashes: int | None


class _Wildcards:
    """The rules that only a regular expression can decide."""

    __slots__ = ("_any", "_rules")

    def __init__(self, rules: Sequence[_Wildcard]) -> None:
        self._rules = rules
        # Nearly every name matches none, which one test says of all.
        self._any = re.compile("|".join(one.regex for one in rules), re.DOTALL).fullmatch if rules else None

    def matching(self, text: str) -> Sequence[_Rule]:
        """Return the rules that match a text."""
        if self._any is None or not self._any(text):
            return ()
        return [one.rule for one in self._rules if re.fullmatch(one.regex, text, re.DOTALL)]

    def concern(self, lines: str, slashes: int) -> bool:
        """Return whether a rule may match one of the paths with so many slashes whose names are the lines of a text."""
        return any(one.needle in lines and one.slashes in {None, slashes} for one in self._rules)


class Rules:
    """The rules of one ignore file, in the folder that paths are relative to."""

    __slots__ = ("_extensions", "_name_wildcards", "_names", "_path_folders", "_path_wildcards", "_paths")

    def __init__(self, text: str) -> None:
        self._names: dict[str, list[_Rule]] = {}
        self._extensions: dict[str, list[_Rule]] = {}
        self._paths: dict[str, list[_Rule]] = {}
        in_names: list[_Wildcard] = []
        in_paths: list[_Wildcard] = []
        for number, line in enumerate(_as_bytes(text.removeprefix("\ufeff")).split("\n"), 1):
            self._add(number, line, in_names, in_paths)
        self._path_folders = {path[: path.rfind("/") + 1] for path in self._paths}
        self._name_wildcards = _Wildcards(in_names[:_MOST_WILDCARDS])
        self._path_wildcards = _Wildcards(in_paths[:_MOST_WILDCARDS])

    def verdict(self, name: str, relative: str, is_folder: bool) -> bool | None:
        """Say whether the last rule for a path ignores it (True) or re-includes it (False); None where no rule does.

        ``name`` is the last part of ``relative``. The folders above it are the caller's to ask about first: what an
        ignored folder holds is lost with it.
        """
        if not relative.isascii():
            name, relative = _as_bytes(name), _as_bytes(relative)
        dot = name.rfind(".")
        rules = (
            *self._names.get(name, ()),
            *self._paths.get(relative, ()),
            *(self._extensions.get(name[dot:], ()) if dot >= 0 else ()),
            *self._name_wildcards.matching(name),
            *self._path_wildcards.matching(relative),
        )
        if not rules:
            return None
        holding = [rule for rule in rules if is_folder or not rule.folders_only]
        return max(holding).ignored if holding else None

    def concern(self, folder: str, names: Names) -> bool:
        """Return whether a rule may say anything of a name in a folder; of most they do not, which is seen faster.

        ``folder`` is relative to that of the rules, and ends with a slash unless it is that.
        """
        return (
            not (names.lines.isascii() and folder.isascii())
            or not self._names.keys().isdisjoint(names.names)
            or not self._extensions.keys().isdisjoint(names.extensions)
            or folder in self._path_folders
            or self._name_wildcards.concern(names.lines, 0)
            or self._path_wildcards.concern(names.lines, folder.count("/"))
        )

    def _add(self, number: int, line: str, in_names: list[_Wildcard], in_paths: list[_Wildcard]) -> None:
        line = _without_trailing_spaces(line.removesuffix("\r"))
        if line.startswith("#") or len(line) > LONGEST:
            return
        pattern = line.removeprefix("!")
        path = pattern.removesuffix("/")
        rule = _Rule(number, ignored=not line.startswith("!"), folders_only=pattern.endswith("/"))
        anchored = "/" in path
        path = path.removeprefix("/")
        try:
            parts = _parsed(path, _literal_length(path) if anchored else 0)
        except ValueError:
            return
        literal = _literal(parts)
        if literal is not None:
            (self._paths if anchored else self._names).setdefault(literal, []).append(rule)
        elif not anchored and (extension := _extension(parts)):
            self._extensions.setdefault(extension, []).append(rule)
        else:
            wildcard = _Wildcard(_regex(parts), rule, _needle(parts), _slashes(parts))
            (in_paths if anchored else in_names).append(wildcard)


def _without_trailing_spaces(line: str) -> str:
    """Return a line without the spaces at its end, but with one that a backslash keeps."""
    text = line.rstrip(" ")
    backslashes = len(text) - len(text.rstrip("\\"))
    return f"{text} " if backslashes % 2 and text != line else text


def _as_bytes(text: str) -> str:
    """Return a string with one character for each byte of a name."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:
        # Windows has names with half of a pair of surrogates; they have no bytes, but are equal to themselves.
        return text.encode("utf-8", "surrogatepass").decode("latin-1")


# Globs


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """Return the test of paths, relative to the root, that a pattern given to a tool means.

    * Without a slash it matches the name of a file in any folder; with one, the path from the root. A slash in front
      does nothing but make it such a path.
    * ``*`` and ``?`` stay within a folder, ``**`` as a whole part does not.
    * What ends with a slash is a folder, and what has no wildcard in its last part may be one: all that it holds is
      matched.
    * ``{a,b}`` is either.

    A pattern that cannot mean anything is a ``ValueError`` that says why in one sentence.
    """
    if len(pattern) > LONGEST:
        raise ValueError(f"The pattern has {len(pattern):,} characters, more than the {LONGEST:,} that one may have.")
    globs = [_glob(alternative) for alternative in _alternatives(pattern)]
    suffixes = tuple(glob.suffix for glob in globs if glob.suffix)
    if len(suffixes) == len(globs):
        return lambda path: path.endswith(suffixes)
    matches = re.compile("|".join(glob.regex for glob in globs), re.DOTALL).fullmatch
    return lambda path: matches(path) is not None


class _Glob(NamedTuple):
    """One pattern as a regular expression for paths; ``suffix`` is not empty where that is all it asks for."""

    regex: str
    suffix: str


def _glob(pattern: str) -> _Glob:
    _must_make_sense(pattern)
    while pattern.startswith("./"):
        pattern = pattern[2:]
    path = pattern.rstrip("/")
    if path in {"", "."}:
        return _Glob(".*", "")
    parts = _parsed(path.lstrip("/"), 0)
    last = max((at for at, part in enumerate(parts) if part.kind in {_Kind.SLASH, _Kind.DEEP}), default=-1)
    anchored = last >= 0 or path.startswith("/")
    begin = "" if anchored else "(?:.*/)?"
    if path != pattern:
        return _Glob(f"{begin}{_regex(parts)}/.*", "")
    if _literal(parts[last + 1 :]) is not None:
        return _Glob(f"{begin}{_regex(parts)}(?:/.*)?", "")
    suffix = _literal(parts[1:]) if parts[0] is _STAR and not anchored else ""
    return _Glob(begin + _regex(parts), suffix or "")


def _must_make_sense(pattern: str) -> None:
    if not pattern:
        raise ValueError("The pattern is empty; leave it out to match every file.")
    if "\0" in pattern:
        raise ValueError("The pattern contains a NUL, which no path does.")
    if pattern.startswith("!"):
        raise ValueError(
            r"A pattern cannot exclude, path can; write \! for a name that begins with an exclamation mark."
        )


def _alternatives(pattern: str) -> list[str]:
    """Return the patterns that the braces of a pattern stand for."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        current = todo.pop()
        braces = _braces(current)
        if braces is None:
            done.append(current)
        else:
            begin, end, options = braces
            todo += [current[:begin] + option + current[end:] for option in options]
        if len(done) + len(todo) > _MOST_ALTERNATIVES:
            raise ValueError(f"The braces of the pattern stand for more than {_MOST_ALTERNATIVES} patterns.")
    return done


def _braces(pattern: str) -> tuple[int, int, list[str]] | None:
    """Return where the first braces with a comma begin and end, and what they offer."""
    opened: list[list[int]] = []
    at = 0
    while at < len(pattern):
        match pattern[at]:
            case "\\":
                at += 1
            case "[":
                at = _bracket(pattern, at)[1] - 1
            case "{":
                opened.append([at])
            case "," if opened:
                opened[-1].append(at)
            case "}" if opened:
                begin, *commas = opened.pop()
                if commas:
                    cuts = [begin, *commas, at]
                    return begin, at + 1, [pattern[a + 1 : b] for a, b in pairwise(cuts)]
        at += 1
    if opened:
        raise ValueError(r"The pattern has a { without its }; write \{ for a name that contains one.")
    return None


# The parser


def _parsed(pattern: str, beginning: int) -> list[_Part]:
    """Return the parts of a pattern; a ``**`` at ``beginning`` is taken for one behind a slash."""
    parts: list[_Part] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            part, at = _stars(pattern, at, beginning)
        elif character == "[":
            part, at = _bracket(pattern, at)
        elif character == "\\":
            if at + 1 == len(pattern):
                raise ValueError("The pattern ends with a backslash, which has nothing to escape.")
            part, at = _character(pattern[at + 1]), at + 2
        else:
            part, at = (_ANY if character == "?" else _character(character)), at + 1
        parts.append(part)
    return parts


def _character(character: str) -> _Part:
    return _SLASH if character == "/" else _Part(_Kind.LITERAL, character)


def _stars(pattern: str, at: int, beginning: int) -> tuple[_Part, int]:
    """Return what a run of stars means, and where the pattern goes on."""
    end = at
    while pattern.startswith("*", end):
        end += 1
    if end - at >= 2 and (at in {0, beginning} or pattern[at - 1] == "/"):
        if end == len(pattern):
            return _REST, end
        if pattern[end] == "/":
            return _MAYBE_FOLDERS, end + 1
        if pattern.startswith("\\/", end):
            # git's matcher lets no folder at all stand only for the plain slash.
            return _FOLDERS, end + 2
    return _STAR, end


def _bracket(pattern: str, at: int) -> tuple[_Part, int]:
    """Return what a bracket expression means, and where the pattern goes on."""
    at += 1
    negated = pattern[at : at + 1] in {"!", "^"}
    at += negated
    first, before, ranges = at, "", list[str]()
    while at == first or pattern[at : at + 1] != "]":
        if pattern.startswith("[:", at):
            named = pattern.find("]", at + 2)
            _must_be_closed(found=named >= 0)
            if pattern[named - 1] == ":" and named > at + 2:
                ranges.append(_named_class(pattern[at + 2 : named - 1]))
                at, before = named + 1, ""
                continue
        if pattern[at : at + 1] == "-" and before and pattern[at + 1 : at + 2] not in {"", "]"}:
            end, at = _member(pattern, at + 1)
            if before <= end:
                ranges.append(f"{re.escape(before)}-{re.escape(end)}")
            before = ""
        else:
            before, at = _member(pattern, at)
            ranges.append(re.escape(before))
    members = "".join(ranges)
    if negated:
        return _Part(_Kind.ONE, f"[^/{members}]"), at + 1
    return _Part(_Kind.ONE, f"(?!/)[{members}]" if members else "(?!)"), at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    """Return a character of a bracket expression, and where that goes on."""
    at += pattern[at : at + 1] == "\\"
    _must_be_closed(found=at < len(pattern))
    return pattern[at], at + 1


def _must_be_closed(*, found: bool) -> None:
    if not found:
        raise ValueError(r"The pattern has a [ without its ]; write \[ for a name that contains one.")


def _named_class(name: str) -> str:
    if name not in _CLASSES:
        raise ValueError(f"The pattern names a class of characters, [:{name[:20]}:], that does not exist.")
    return _CLASSES[name]


def _literal_length(pattern: str) -> int:
    """Return how much of a pattern is nothing but text."""
    special = _SPECIAL.search(pattern)
    return special.start() if special else len(pattern)


def _literal(parts: Sequence[_Part]) -> str | None:
    """Return the text that parts stand for, None where they can stand for several."""
    if all(part.kind in {_Kind.LITERAL, _Kind.SLASH} for part in parts):
        return "".join(part.text for part in parts)
    return None


def _extension(parts: Sequence[_Part]) -> str:
    """Return what ``*`` and text that begins with its only dot end with, nothing where parts are not that."""
    text = _literal(parts[1:]) if parts[0] is _STAR else None
    return text if text and text.rfind(".") == 0 else ""


def _needle(parts: Sequence[_Part]) -> str:
    """Return the longest text that each name which parts match has, with a line feed where it begins and ends."""
    line = _Part(_Kind.LITERAL, "\n")
    tail = _split(parts, _Kind.SLASH)[-1]
    deep = max((at for at, part in enumerate(tail) if part.kind is _Kind.DEEP), default=-1)
    if deep == len(tail) - 1:
        return ""
    begun = [line, *tail] if deep < 0 else tail[deep + 1 :]  # ``a/b**/c`` matches ``a/bc`` too
    texts: list[list[str]] = [[]]
    for part in (*begun, line):
        if part.kind is _Kind.LITERAL:
            texts[-1].append(part.text)
        else:
            texts.append([])
    return max(map("".join, texts), key=len)


def _slashes(parts: Sequence[_Part]) -> int | None:
    """Return how many slashes are in each path that parts match; None for any number."""
    kinds = [part.kind for part in parts]
    return None if _Kind.DEEP in kinds else kinds.count(_Kind.SLASH)


# The regular expression


def _regex(parts: Sequence[_Part]) -> str:
    """Return the regular expression of parts: what is before the first ``**``, then each with what follows it."""
    stretches = _split(parts, _Kind.DEEP)
    deep = [part.text for part in parts if part.kind is _Kind.DEEP]
    regex = [_stretch(stretches[0])]
    regex += [f"(?>{skipped}{_stretch(stretch)})" for skipped, stretch in zip(deep, stretches[1:-1], strict=False)]
    if deep:
        regex.append(deep[-1] + _stretch(stretches[-1]))
    return "".join(regex)


def _stretch(parts: Sequence[_Part]) -> str:
    """Return the regular expression of parts without ``**``, folder by folder."""
    return "/".join(_name(name) for name in _split(parts, _Kind.SLASH))


def _name(parts: Sequence[_Part]) -> str:
    """Return the regular expression of one name: what is before the first ``*``, then each with what follows it."""
    texts = ["".join(_one(part) for part in piece) for piece in _split(parts, _Kind.STAR)]
    middle = [f"(?>{_STAR.text}{text})" for text in texts[1:-1]]
    return "".join([texts[0], *middle, "[^/]*" + texts[-1] if len(texts) > 1 else ""])


def _one(part: _Part) -> str:
    return re.escape(part.text) if part.kind is _Kind.LITERAL else part.text


def _split(parts: Sequence[_Part], kind: _Kind) -> list[list[_Part]]:
    """Return the parts between those of a kind."""
    pieces: list[list[_Part]] = [[]]
    for part in parts:
        if part.kind is kind:
            pieces.append([])
        else:
            pieces[-1].append(part)
    return pieces
