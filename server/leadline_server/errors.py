"""Errors between a client and a tool, and in the configuration of a client.

* LeadlineError
  x UnknownTool
  * NoSuchResult
    x ResultWithdrawn
  x Fault
  x Busy
  x BadPrompt
  x EditsNotAllowed
  x NotAnswered
  x TooManyOpenFiles
  x BadSources
  x CodeHostFailed
  x CodeHostRefused
  x MirrorFailed

  * ConfigurationError   the configuration of a client, which is left as it was
    x BrokenConfiguration
    x ChangedMeanwhile
    x NotWritable
"""
# ruff: noqa: N818  an error is named by what is wrong; its base says that it is one

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from leadline_tools.errors import LeadlineError, quoted
from leadline_tools.likeness import nearest

SCHEME: Final = "leadline://result/"
"""What the URI of a stored result begins with."""


class UnknownTool(LeadlineError):
    """There is no tool of that name; ``nearest`` is the one that was probably meant."""

    def __init__(self, name: str, tools: Iterable[str]) -> None:
        known = list(tools)
        super().__init__(f"There is no tool {quoted(name)}.")
        self.name = name
        self.nearest = nearest(name, known, 0.5)
        self.hint = f"Did you mean {self.nearest}?" if self.nearest else f"Tools: {', '.join(known)}."


class NoSuchResult(LeadlineError):
    """No result is kept under that URI; ``again`` is the call that computes it again, where that is known."""

    def __init__(self, uri: str, again: str = "") -> None:
        is_uri = uri.startswith(SCHEME)
        state = "has expired" if again else "does not exist" if is_uri else "is not the URI of a result"
        super().__init__(f"The result {quoted(uri)} {state}." if is_uri or again else f"{quoted(uri)} {state}.")
        self.uri = uri
        if again:
            self.hint = f"Call {again} again."
        elif is_uri:
            self.hint = "It may be another client's or older than a day. Call the tool again that returned it."
        else:
            self.hint = f"Call the tool again that returned it: its answer ends with the URI, {SCHEME}..."


class ResultWithdrawn(NoSuchResult):
    """A result is kept that is about a repository which its owner may not see any more, or which is gone."""

    def __init__(self, uri: str, again: str) -> None:
        super().__init__(uri, again)
        self.args = (f"The result {quoted(uri)} is about a repository that you may not see any more.",)


class TooManyOpenFiles(LeadlineError):
    """The system lets the process open no more files; ``limit`` is how many it may, 0 where that is not known."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The server has too many open files{f' ({limit:,} allowed)' if limit else ''}.")
        self.hint = "Raise the limit of the process (ulimit -n), or serve fewer roots."


class AddressTaken(LeadlineError):
    """Nothing can listen at ``host`` and ``port``; ``error`` is what the system says."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        super().__init__(f"Leadline cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}.")
        self.error = error
        self.hint = f"Use another port, such as --http {host}:{port + 1 if port < 65_535 else 8765}."


class BadSources(LeadlineError):
    """The sources of a shared server are not what they should be; ``file`` is where, ``reason`` says what is wrong."""

    hint = "docs/sources.md has the keys of every table."

    def __init__(self, file: Path | None, reason: str) -> None:
        place = f"The sources in {file}" if file is not None else "The sources"
        super().__init__(f"{place} cannot be used: {reason}.")
        self.file = file
        self.reason = reason


class CodeHostFailed(LeadlineError):
    """A code host cannot be reached, or answers with something else than its API; ``api`` is its address."""

    hint = "What is indexed stays, and Leadline requests the list again later."

    def __init__(self, api: str, reason: str) -> None:
        super().__init__(f"The code host {api} cannot list its repositories: {reason}.")
        self.api = api
        self.reason = reason


class CodeHostRefused(LeadlineError):
    """A code host does not answer this caller; it may be asked again after ``seconds``, 0 where it does not say."""

    def __init__(self, api: str, reason: str, seconds: float = 0.0) -> None:
        super().__init__(f"The code host {api} does not list the repositories: {reason}.")
        self.api = api
        self.seconds = seconds
        self.hint = f"Try again in {seconds:,.0f} s." if seconds else "Check the owner and the token in the sources."


class MirrorFailed(LeadlineError):
    """git could not bring a repository up to date; ``repository`` is its name, ``reason`` what git says."""

    hint = "What is indexed of it stays. Check the address, and whether git can fetch from it without a password."

    def __init__(self, repository: str, reason: str) -> None:
        super().__init__(f"The repository {repository} cannot be fetched: {reason.rstrip('.')}.")
        self.repository = repository
        self.reason = reason


class ConfigurationError(LeadlineError):
    """The configuration of a client that cannot be changed; ``path`` is the file, which is as it was."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


class BrokenConfiguration(ConfigurationError):
    """The file is not what its client could read; ``reason`` says where."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, f"{path} cannot be read, and was not changed: {' '.join(reason.split())}.")
        self.reason = reason
        self.hint = "Fix the file, or move it away, and try again."


class ChangedMeanwhile(ConfigurationError):
    """Another program wrote the file after its change was shown."""

    hint = "Try again."

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"Another program has just changed {path}, so it was not written.")


class NotWritable(ConfigurationError):
    """The file cannot be read or written; ``error`` is what the system says."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(path, f"{path} cannot be used: {error.strerror or error}.")
        self.error = error
        self.hint = "Change its permissions, or copy the change that --dry-run shows."


class BadPrompt(LeadlineError):
    """There is no such prompt, or it cannot be written from its arguments."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class EditsNotAllowed(LeadlineError):
    """The server was started without the right to write."""

    hint = "Without apply it returns the diff. To allow edits, a person starts the server with --allow-edits."

    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} may not write: this server is read-only.")
        self.tool = tool


class Fault(LeadlineError):
    """A tool failed with an internal error; ``error`` is the exception."""

    hint = "Try a narrower call or another tool. The log of the server has the location."

    def __init__(self, tool: str, error: Exception) -> None:
        super().__init__(
            f"{tool} failed with an internal error ({type(error).__name__}): a bug in Leadline, not in the call."
        )
        self.tool = tool
        self.error = error


class Busy(LeadlineError):
    """There are too many calls to answer them in time; ``reason`` says which."""

    hint = "Retry in a second, with fewer calls at once."

    def __init__(self, reason: str) -> None:
        super().__init__(f"The server is busy: {reason}.")
        self.reason = reason


class NoAnswer(LeadlineError):
    """The resident server has a call that may write, and does not answer."""

    hint = "Check the files, then call again; --alone answers without that server."

    def __init__(self) -> None:
        super().__init__("The resident server did not answer, and may have written.")
