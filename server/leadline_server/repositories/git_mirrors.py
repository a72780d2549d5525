"""Mirrors of repositories: bare copies on the indexer's disk, with the branches and tags that are indexed.

git runs without hooks, without other transports than that of the address, and without asking anybody for a password.
Nothing is ever checked out. The operator's own configuration of git counts, since it may name a credential helper.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from leadline_server.errors import MirrorFailed
from leadline_server.repositories.sources import RepositorySource
from leadline_tools.errors import quoted
from leadline_tools.index.tree.git_command import ENVIRONMENT
from leadline_tools.index.tree.programs import Limits, Outcome, find_program, run

_LISTING = Limits(seconds=60.0, output=64 << 20)
_FETCHING = Limits(seconds=3_600.0)
_LOCAL = Limits(seconds=60.0, output=64 << 20)

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_PEELED = "^{}"

_GUARDED = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor="),
    *("-c", "fetch.recurseSubmodules=false"),
    *("-c", "gc.autoDetach=false"),
    *("-c", "http.followRedirects=initial"),
    *("-c", "http.lowSpeedLimit=1000"),
    *("-c", "http.lowSpeedTime=60"),
)
_ENVIRONMENT = {name: value for name, value in ENVIRONMENT.items() if name != "GIT_CONFIG_GLOBAL"} | {
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30"
}
"""That of every command of git, but for the configuration of the operator."""


@dataclass(frozen=True, slots=True)
class RemoteRefs:
    """What a repository has.

    Args:
        default: The name of its default branch; empty where it has none, as an empty repository.
        refs: Its branches and tags by full name (``refs/heads/main``), each with its object.

    """

    default: str
    refs: Mapping[str, str]


class GitMirror:
    """The mirror of one repository.

    Attributes:
        path: The bare repository.

    """

    def __init__(self, folder: Path, source: RepositorySource) -> None:
        """Take the ``folder`` of all mirrors."""
        self._source = source
        self.path = folder / f"{quote(source.title, safe='')}.git"

    def remote(self) -> RemoteRefs:
        """Ask the repository for its branches and tags; raises MirrorFailed."""
        url = self._source.url
        said = self._git(_LISTING, "ls-remote", "--symref", "--", url, "HEAD", f"{_HEADS}*", f"{_TAGS}*").output
        default, refs = "", dict[str, str]()
        for line in _lines(said):
            first, _, ref = line.partition("\t")
            if first.startswith("ref: ") and ref == "HEAD":
                default = first.removeprefix(f"ref: {_HEADS}")
            elif ref.startswith((_HEADS, _TAGS)) and not ref.endswith(_PEELED):
                refs[ref] = first
        return RemoteRefs(default, refs)

    def update(self) -> Mapping[str, str]:
        """Fetch what is indexed of the repository, and drop the rest.

        Returns the commits by the short names of their branches and tags, that of the default branch first; of a branch
        and a tag of one name, the branch. Raises MirrorFailed, after which the mirror has what it had.
        """
        remote = self.remote()
        wanted = [ref for ref in remote.refs if self._source.wants(_short(ref), remote.default)]
        if not self.path.exists():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._git(_LOCAL, "init", "--quiet", "--bare", "--", str(self.path))
        if wanted:
            specs = [f"+{ref}:{ref}" for ref in wanted]
            self._inside(
                _FETCHING,
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-write-fetch-head",
                "--stdin",
                "--",
                self._source.url,
                given="".join(f"{spec}\n" for spec in specs),
            )
        gone = [ref for ref in self._commits() if ref not in wanted]
        if gone:
            self._inside(_LOCAL, "update-ref", "--stdin", given="".join(f"delete {ref}\n" for ref in gone))
        commits = self._commits()
        found = {_short(ref): commits[ref] for ref in sorted(commits, key=lambda ref: not ref.startswith(_TAGS))}
        return {name: found[name] for name in sorted(found, key=lambda name: name != remote.default)}

    def _commits(self) -> Mapping[str, str]:
        """Return the commits of the mirror's branches and tags by their full names; a tag of no commit is left out."""
        form = "%(refname)%09%(objecttype)%09%(objectname)%09%(*objecttype)%09%(*objectname)"
        said = self._inside(_LOCAL, "for-each-ref", f"--format={form}", _HEADS, _TAGS).output
        commits: dict[str, str] = {}
        for line in _lines(said):
            ref, kind, name, tagged_kind, tagged_name = line.split("\t")
            if "commit" in (kind, tagged_kind):
                commits[ref] = name if kind == "commit" else tagged_name
        return commits

    def _inside(self, limits: Limits, *arguments: str, given: str = "") -> Outcome:
        return self._git(limits, "--git-dir", str(self.path), *arguments, given=given)

    def _git(self, limits: Limits, *arguments: str, given: str = "") -> Outcome:
        """Run git; raises MirrorFailed with what it says last."""
        git = find_program("git", str(self.path))
        if git is None:
            raise MirrorFailed(self._source.title, "git is not installed")
        environment = {**_ENVIRONMENT, "GIT_ALLOW_PROTOCOL": _transport(self._source.url)}
        try:
            done = run([git, *_GUARDED, *arguments], os.sep, limits, environment, given.encode())
        except OSError as error:
            raise MirrorFailed(self._source.title, error.strerror or "git does not start") from None
        if done.stopped or done.code:
            raise MirrorFailed(self._source.title, done.stopped or _last_line(done.errors))
        return done


def _transport(url: str) -> str:
    """Return the one transport that git may use for an address."""
    return urlsplit(url).scheme if "://" in url else "ssh"


def _short(ref: str) -> str:
    return ref.removeprefix(_HEADS).removeprefix(_TAGS)


def _lines(said: bytes) -> Iterator[str]:
    """Yield the lines that git says, but those with names that are not UTF-8: no database holds them.

    A name may have any other separator of lines in it.
    """
    for line in said.split(b"\n"):
        with suppress(UnicodeDecodeError):
            if line:
                yield line.decode()


def _last_line(errors: bytes) -> str:
    """Return what git says is wrong: the first line that begins with ``fatal`` or ``error``, else the last."""
    lines: Sequence[str] = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    found = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[-1] if lines else "")
    return quoted(found.removeprefix("fatal: ").removeprefix("error: ")) if found else "git failed without a message"
