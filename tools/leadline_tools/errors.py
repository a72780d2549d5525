"""Errors: what can go wrong, and what to call instead.

Every error derives from ``LeadlineError``; ``PathError`` is the base of those about a path that cannot be answered for.
``str(error)`` is one sentence that says what is wrong, ``error.hint`` one that says what to do; both are short, on one
line, and safe to show whatever a file is called.
"""
# ruff: noqa: N818  an error is named by what is wrong; its base says that it is one

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum

from leadline_tools.plurals import count_noun

_LONGEST = 200
"""Characters of a path or name that a message repeats."""

_MOST_NAMED = 3
"""Definitions that a message names."""


def quoted(name: str) -> str:
    """Return a name as a message shows it: quoted, on one line, escaped where it does not print, cut in the middle."""
    if len(name) > _LONGEST:
        half = _LONGEST // 2
        name = f"{name[:half]}...{name[-half:]}"
    return repr(name)


class LeadlineError(Exception):
    """Base of every error that the caller can do something about; ``hint`` says what."""

    hint: str = ""


def _with_entries(entries: Sequence[str], hint: str) -> str:
    """Return a hint behind the names of what is at the top of the tree."""
    return f"At the top are {', '.join(map(quoted, entries))}. {hint}"


class PathError(LeadlineError):
    """A path that cannot be answered for."""

    hint = "Call list_files to see the files."

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class PathOutside(PathError):
    """The path leaves the root, or a symbolic link on it does, or it is no path at all."""

    hint = "Give a path relative to the root, as list_files shows it."

    def __init__(self, path: str) -> None:
        super().__init__(path, f"{quoted(path)} is not a path inside the root.")


class PathNotFound(PathError):
    """Nothing has that path.

    ``nearest`` is the path that was probably meant, ``beside`` what is at the top of the tree.
    """

    def __init__(self, path: str, nearest: str | None = None, beside: Sequence[str] = ()) -> None:
        super().__init__(path, f"There is no file or folder {quoted(path)}.")
        self.nearest = nearest
        if nearest is not None:
            self.hint = f"Did you mean {quoted(nearest)}?"
        elif beside:
            self.hint = _with_entries(beside, self.hint)


class NotListed(PathError):
    """The file exists, but is neither listed, searched nor indexed; ``reason`` says why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, f"{quoted(path)} is neither searched nor indexed: {reason}.")
        self.reason = reason
        self.hint = f"Call read_file(path={json.dumps(path, ensure_ascii=False)}): it reads such files too."


class NoFileMatches(PathError):
    """A glob matches no file, or an exclusion leaves none.

    ``nearest`` is the glob or path that was probably meant, ``beside`` what is at the top of the tree.
    """

    def __init__(self, glob: str, nearest: str = "", every: int = 0, beside: Sequence[str] = ()) -> None:
        message = f"{quoted(glob)} excludes all {every:,} files." if every else f"No file matches {quoted(glob)}."
        super().__init__(glob, message)
        self.nearest = nearest
        if every:
            self.hint = "Exclude less, or omit path."
        elif nearest:
            self.hint = f"Did you mean {quoted(nearest)}?"
        elif beside:
            self.hint = _with_entries(beside, self.hint)


class IsFolder(PathError):
    """The path names a folder where a file is needed."""

    def __init__(self, path: str) -> None:
        super().__init__(path, f"{quoted(path or '.')} is a folder, not a file.")
        self.hint = f"Call list_files with path {quoted(path or '.')} to see the files in it."


class NotAFile(PathError):
    """The path names something that has no text; ``what`` says what, as in "a named pipe"."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(path, f"{quoted(path)} is {what}, not a file.")
        self.what = what


class BinaryFile(PathError):
    """The file is not text."""

    hint = "Only text files can be read."

    def __init__(self, path: str, size: int) -> None:
        super().__init__(path, f"{quoted(path)} is a binary file of {size:,} bytes.")
        self.size = size


class TooLarge(PathError):
    """The file is larger than what is read."""

    hint = "Leadline does not read files of that size."

    def __init__(self, path: str, size: int, limit: int) -> None:
        super().__init__(path, f"{quoted(path)} has {size:,} bytes, more than the limit of {limit:,}.")
        self.size = size
        self.limit = limit


class Unreadable(PathError):
    """The system refuses to read the file; ``reason`` is what it says."""

    hint = "Leadline has no permission to read it, or the disk fails."

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, f"{quoted(path)} cannot be read: {reason}.")
        self.reason = reason


class NotKept(Unreadable):
    """What keeps the files, such as a repository of git, has no content for that path."""

    hint = "Only files that are listed can be read. In a repository, git fsck shows what is missing."


class NoDescriptorLeft(Unreadable):
    """The process has too many open files to read another one."""

    hint = "Raise the limit of the process (ulimit -n), or serve fewer roots."


class SecretFile(PathError):
    """The file holds secrets, by its name or what it holds, and the server was not started to read it."""

    hint = "A person can start the server with --allow-secrets and a glob that matches it."

    def __init__(self, path: str) -> None:
        super().__init__(path, f"{quoted(path)} is neither read nor searched: its name or content marks it as secret.")


class NotWritable(PathError):
    """The file can be read, but may not be replaced; ``reason`` says why."""

    hint = "Nothing was written. Edit that file by hand, or make it writable."

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, f"{quoted(path)} cannot be written: {reason}.")
        self.reason = reason


class NotOnDisk(NotWritable):
    """The file is of a tree that is on no disk, such as that of a commit; ``reason`` says which."""

    hint = "Nothing was written. Edit a checkout of it."


class NotEncodable(PathError):
    """The encoding of the file cannot hold the new text, or is not known well enough to be kept."""

    hint = "Nothing was written. Convert the file to UTF-8 first, or use ASCII characters only."

    def __init__(self, path: str) -> None:
        super().__init__(path, f"The new text does not fit the encoding of {quoted(path)}.")


class UnusableRepository(LeadlineError):
    """A folder has no repository of git whose commits can be read; ``reason`` says why not, as part of a sentence."""

    def __init__(self, folder: str, reason: str, hint: str) -> None:
        super().__init__(f"The commits of {quoted(folder)} cannot be read: {reason}.")
        self.hint = hint


class UnknownCommit(LeadlineError):
    """A repository has no such branch, tag or commit; ``nearest`` are the names that were probably meant."""

    def __init__(self, ref: str, folder: str, nearest: Sequence[str] = (), hint: str = "") -> None:
        super().__init__(f"There is no commit {quoted(ref)} in {quoted(folder)}.")
        self.hint = hint or "Run git branch -a, or git tag, to see what there is."
        if nearest:
            self.hint = f"Did you mean {' or '.join(quoted(name) for name in nearest)}?"


class StillLooking(LeadlineError):
    """It is not known yet which files the tree has: to look at all of them takes longer than a call waits."""

    hint = "Call it again in a few seconds. Calls with the path of a file already work."

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The first scan of the tree is not finished after {seconds:g} s.")


class NotParsed(LeadlineError):
    """The file has no outline; ``reason`` says why."""

    hint = "Call read_file or search_text instead: they need no parser."

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{quoted(path)} has no outline: {reason}.")
        self.path = path
        self.reason = reason


class NotInTime(LeadlineError):
    """The names of a file were not resolved before the patience of the call ended."""

    hint = "Ask again: the server continues in the background. A longer --patience waits for it."

    def __init__(self, path: str) -> None:
        super().__init__(f"The names in {quoted(path)} were not resolved in time.")
        self.path = path


class NamesNotFoundInTime(LeadlineError):
    """Whether there is a definition of a name was not known before the patience of the call ended."""

    hint = "Ask again when the machine is less busy. A longer --patience waits for it."

    def __init__(self) -> None:
        super().__init__("The time ran out while names were looked up.")


class NotResolved(LeadlineError):
    """The file is in a language in which it is not known what a name means, so that nobody can say what uses it."""

    def __init__(self, path: str, name: str) -> None:
        super().__init__(f"Names are not resolved in the language of {quoted(path)}.")
        self.path = path
        self.hint = f"Call search_text(query={json.dumps(name, ensure_ascii=False)}, word=true) instead."


class NoSuchSymbol(LeadlineError):
    """No definition has that name; ``similar`` are names, or places, that were probably meant.

    Args:
        symbol: The address.
        similar: Names that are like it.
        left: How many files are not indexed yet, and may define it.
        word: The last part of the name.
        found: Where that stands: definitions with their qualified names, and places; each ends in ``path:line``.
        total: How many of these there are in all.
        holding: How many files hold the word, where nothing that is called so is defined.
        unparsed: One of them that could not be parsed; empty for none.
        maybe: Places in lines that did not parse and that may declare it.

    """

    def __init__(
        self,
        symbol: str,
        similar: tuple[str, ...] = (),
        left: int = 0,
        *,
        word: str = "",
        found: tuple[str, ...] = (),
        total: int = 0,
        holding: int = 0,
        unparsed: str = "",
        maybe: tuple[str, ...] = (),
    ) -> None:
        later = f" in what is indexed so far; {left:,} files are not yet: ask again" if left else ""
        shown = ", ".join(maybe[:_MOST_NAMED])
        lost = f"; lines that did not parse may declare it: {shown}" if maybe else ""
        super().__init__(f"There is no symbol {quoted(symbol)}{later}{lost}.")
        self.symbol = symbol
        self.similar = () if holding else tuple(one.rpartition(" ")[2] for one in found) or similar
        self.found = found
        alike = f"Similar: {', '.join(similar[:3])}." if similar else ""
        self._search = self._behind_search = ""
        if found:
            more = f" and {total - _MOST_NAMED:,} more" if total > _MOST_NAMED else ""
            self._behind_search = f"Found: {', '.join(found[:_MOST_NAMED])}{more}."
        elif holding:
            files = "1 file holds" if holding == 1 else f"{holding:,} files hold"
            unread = f", of which {quoted(unparsed)} could not be parsed" if unparsed else ""
            query = json.dumps(word[:60], ensure_ascii=False)
            self._search = (
                f"Nothing has that name, but {files} the word{unread}: call search_text(query={query}, word=true"
            )
            self._behind_search = f"). {alike}".rstrip()
        elif alike:
            self._behind_search = alike
        else:
            held = f"No indexed file holds the word {quoted(word)}. " if word and not left else ""
            self._behind_search = f"{held}Call symbol_search with a part of the name."
        self.hint = self._search + self._behind_search

    def with_unsearched(self, files: int) -> NoSuchSymbol:
        """Return the same error, which says that so many files were not searched for macros that declare the name."""
        self._behind_search += f" {count_noun(files, 'file')} with the word not searched for macros that declare it."
        self.hint = self._search + self._behind_search
        return self

    def hint_within(self, path: str) -> str:
        """Return the hint to a caller who asked about a ``path``: the search that it names is one in that path."""
        if not self._search or path in ("", ".") or len(path) > _LONGEST:
            return self.hint
        return f"{self._search}, path={json.dumps(path, ensure_ascii=False)}{self._behind_search}"


class FileNotSymbol(LeadlineError):
    """The address of a symbol is that of a file."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{quoted(path)} is a file, not a symbol.")
        self.path = path
        call = f"document_symbols(path={json.dumps(path, ensure_ascii=False)})"
        self.hint = f"Call {call}, or give path:line or path:name."


class NothingThere(LeadlineError):
    """No symbol is defined or used at a place.

    ``inside`` is the address of the symbol around it, empty for none; ``lines`` is how many lines the file has, where
    the place is behind the last.
    """

    def __init__(self, place: str, inside: str = "", lines: int = 0) -> None:
        super().__init__(f"No symbol is defined or used at {quoted(place)}.")
        self.place = place
        self.inside = inside
        self.hint = f"It is inside {inside}." if inside else "Call document_symbols to see what the file defines."
        if lines:
            self.hint = f"The file has {lines:,} lines. {self.hint}"


class Whence(StrEnum):
    """Where a name comes from that means no symbol."""

    Unknown = "is used here, but its definition was not found"
    Local = "is a local variable or parameter here, not a symbol"
    Attribute = "is a member here that an assignment, a literal or an unnamed type declares, not a symbol"
    Module = "is a module here, not a symbol"
    Outside = "comes from outside of the code base"


class NotUnderstood(LeadlineError):
    """A name is used at a place and means no symbol; ``whence`` says what is known of it.

    ``folder`` is the path of the folder that a module consists of, empty where it is another thing.
    """

    def __init__(self, place: str, name: str, whence: Whence, folder: str = "") -> None:
        super().__init__(f"{quoted(name)} {whence}: {quoted(place)}.")
        self.place = place
        self.name = name
        self.whence = whence
        word = json.dumps(name[:_LONGEST], ensure_ascii=False)
        known = f' or symbol_search(query={word}, match="exact")' if whence is Whence.Unknown else ""
        self.hint = f"Call search_text(query={word}, word=true){known}."
        if folder:
            listed = json.dumps(f"{folder}/", ensure_ascii=False)
            self.hint = f"It is a folder: call list_files(path={listed}), or search_text(query={word}, word=true)."


class DeclaredByMacro(LeadlineError):
    """The call of a macro declares a name, of the word at a ``place``: nothing but its uses is known."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(f"{quoted(name)} is declared by a macro, which makes it of the word in {place}.")
        self.name = name
        self.place = place
        self.hint = f"Nothing but its uses is known: call find_references(symbol={json.dumps(place)})."


class BadPattern(LeadlineError):
    """A glob, a regular expression or a pattern of code that cannot be used; ``reason`` says why."""

    hint = "Regular expressions are RE2 (no look-around, no back-references); globs are those of .gitignore."

    def __init__(self, pattern: str, reason: str, hint: str = "") -> None:
        super().__init__(f"The pattern {quoted(pattern)} cannot be used: {reason.rstrip('.')}.")
        self.pattern = pattern
        self.reason = reason
        if hint:
            self.hint = hint


class BadArgument(LeadlineError):
    """An argument that the tool does not take, or a value that it does not; ``allowed`` says what it takes."""

    def __init__(self, argument: str, problem: str, allowed: str = "") -> None:
        super().__init__(f"{argument}: {problem}.")
        self.argument = argument
        self.problem = problem
        self.hint = allowed


class NoSuchFix(LeadlineError):
    """No fix on offer has that id or mends that code; ``codes`` are those that can be mended."""

    def __init__(self, fix: str, codes: tuple[str, ...] = ()) -> None:
        super().__init__(f"There is no fix {quoted(fix)} here.")
        self.fix = fix
        self.codes = codes
        known = f"There are fixes for {', '.join(codes[:5])}. " if codes else "There are no fixes. "
        self.hint = f"{known}Ids change with the content of a file: call again without fix to list them."


class PastTheEnd(LeadlineError):
    """A page was asked for that begins behind the last item; ``total`` is how many there are."""

    def __init__(self, asked: str, total: str, call: str) -> None:
        super().__init__(f"{asked} is past the end: {total}.")
        self.asked = asked
        self.total = total
        self.hint = f"Call {call}."


class NotRenamed(LeadlineError):
    """A symbol cannot get a new name; ``reasons`` say why, the first of them in the message."""

    hint = "Nothing was changed."

    def __init__(self, symbol: str, new: str, reasons: Sequence[str], hint: str = "") -> None:
        left = len(reasons) - 2
        more = f"; and {left:,} more {'reason' if left == 1 else 'reasons'}" if left > 0 else ""
        super().__init__(f"{quoted(symbol)} cannot become {quoted(new)}: {'; '.join(reasons[:2])}{more}.")
        self.symbol = symbol
        self.new = new
        self.reasons = tuple(reasons)
        self.hint = hint or self.hint


class ChangedSince(LeadlineError):
    """Files are not what they were when the edit was planned, or when it was written; ``since`` says which."""

    hint = "Nothing was written. Call the tool again without apply to see what it would change now."

    def __init__(self, paths: Sequence[str], since: str = "since the preview") -> None:
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        super().__init__(f"{quoted(paths[0])}{more} changed {since}.")
        self.paths = tuple(paths)
        self.since = since


class NotWritten(LeadlineError):
    """Writing failed, and everything is as it was; ``left`` are files that could not be put back."""

    def __init__(self, reason: str, left: Sequence[str] = ()) -> None:
        super().__init__(f"The edit was not made: {reason}.")
        self.reason = reason
        self.left = tuple(left)
        if left:
            self.hint = f"These files were changed and could not be restored: {', '.join(map(quoted, left[:3]))}."
        else:
            self.hint = "No file was changed. Fix the cause, then call again."


class NothingToUndo(LeadlineError):
    """No edit that was made is kept under that URI."""

    hint = "An edit can be undone once, within 24 hours, with the URI from its answer."

    def __init__(self, uri: str) -> None:
        super().__init__(f"No edit is stored under {quoted(uri)}.")
        self.uri = uri


class NothingVisible(LeadlineError):
    """No repository is there for the teams of a caller; whether there are others is not said."""

    hint = "Ask its operator for a team that may."

    def __init__(self) -> None:
        super().__init__("You may see no repository of this server.")
