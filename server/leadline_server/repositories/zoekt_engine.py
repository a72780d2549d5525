"""The text engine that a zoekt server is: https://github.com/sourcegraph/zoekt/blob/main/doc/json-api.md.

It is asked only for roots that it has at the very commit of the hosted index, before and after the search. All others,
and all where it fails, are searched for by another engine. It returns paths; whether they belong to a root of the
caller, and whether their contents match, is decided here.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.text.text_engine import Literal, TextCandidates, TextEngine

log = logging.getLogger("leadline.zoekt")

_SECONDS = 2.0
"""Seconds that a search may take."""

_MOST_MATCHES = 1_000_000
"""Matches after which zoekt stops: there are to be no others."""

_SKIPPED = 'content:"NOT-INDEXED: "'
"""What zoekt has in place of a file that it leaves out, for being large or strange: any of these may match."""

T = TypeVar("T", bound=BaseModel)


class _Branch(BaseModel):
    Name: str
    Version: str


class _Repository(BaseModel):
    Name: str
    ID: int = 0
    Branches: list[_Branch] | None = None


class _Entry(BaseModel):
    Repository: _Repository


class _Entries(BaseModel):
    Repos: list[_Entry] | None = None


class _ListReply(BaseModel):
    List: _Entries


class _File(BaseModel):
    FileName: str
    Repository: str
    Branches: list[str] | None = None


class _Result(BaseModel):
    Files: list[_File] | None = None
    Crashes: int = 0
    FilesSkipped: int = 0
    ShardsSkipped: int = 0


class _SearchReply(BaseModel):
    Result: _Result


class ZoektEngine:
    """Searches contents by a zoekt server.

    Args:
        url: Where the server is.
        reader: What reads the hosted index.
        otherwise: What searches for the roots that the server does not know.

    """

    def __init__(self, url: str, reader: HostedReader, otherwise: TextEngine) -> None:
        self._client = httpx2.Client(base_url=url.rstrip("/"), timeout=2 * _SECONDS)
        self._reader = reader
        self._otherwise = otherwise

    def candidates(self, required: Sequence[Sequence[Literal]], roots: Sequence[HostedIndex]) -> TextCandidates:
        """Return the files that may hold a literal of each group that is required."""
        try:
            known = self._searched(required, roots)
        except (httpx2.HTTPError, ValidationError, ValueError) as error:
            log.warning("zoekt did not answer, so the database is searched: %s", type(error).__name__)
            known = {}
        paths = [path for some in known.values() for path in some]
        searched = [root for root in roots if root.tree.name in known]
        unclear = self._reader.unclear_contents(sorted({root.repository for root in searched})) if searched else ()
        paths += (path for root in searched for path in root.paths_of(unclear))
        left = [root for root in roots if root.tree.name not in known]
        if not left:
            return TextCandidates(paths, ())
        other = self._otherwise.candidates(required, left)
        return TextCandidates([*paths, *other.paths], other.unknown)

    def _searched(
        self, required: Sequence[Sequence[Literal]], roots: Sequence[HostedIndex]
    ) -> Mapping[str, Sequence[str]]:
        """Return the files of each root for which the server answers, by the names of the roots."""
        before = self._branches(roots)
        if not before:
            return {}
        ids = sorted({number for number, _ in before.values()})
        asked = {
            "Q": query_of(required),
            "Opts": {
                "MaxWallTime": int(_SECONDS * 1e9),
                "ShardMaxMatchCount": _MOST_MATCHES,
                "TotalMaxMatchCount": _MOST_MATCHES,
            },
            **({"RepoIDs": ids} if 0 not in ids else {}),
        }
        result = self._post("/api/search", asked, _SearchReply).Result
        if result.Crashes or result.FilesSkipped or result.ShardsSkipped:
            return {}
        after = self._branches(roots)
        found: dict[str, list[str]] = {}
        by_repository: dict[str, list[HostedIndex]] = {}
        for root in roots:
            if root.tree.name in before and before[root.tree.name] == after.get(root.tree.name):
                found[root.tree.name] = []
                by_repository.setdefault(root.ref.repository, []).append(root)
        for file in result.Files or ():
            for root in by_repository.get(file.Repository, ()):
                path = f"{root.tree.name}/{file.FileName}"
                if before[root.tree.name][1] in (file.Branches or ()) and path in root.files:
                    found[root.tree.name].append(path)
        return found

    def _branches(self, roots: Sequence[HostedIndex]) -> Mapping[str, tuple[int, str]]:
        """Return what the server calls those roots that it has at their commit: the repository's id, and the branch."""
        entries = self._post("/api/list", {"Q": "repo:."}, _ListReply).List.Repos or ()
        listed = {entry.Repository.Name: entry.Repository for entry in entries}
        found = {}
        for root in roots:
            repository = listed.get(root.ref.repository)
            branches = repository.Branches or () if repository is not None else ()
            branch = next((one.Name for one in branches if one.Version == root.ref.commit), None)
            if repository is not None and branch is not None:
                found[root.tree.name] = repository.ID, branch
        return found

    def _post(self, path: str, asked: Mapping[str, object], model: type[T]) -> T:
        answer = self._client.post(path, json=asked)
        answer.raise_for_status()
        return model.model_validate_json(answer.content)


def query_of(required: Sequence[Sequence[Literal]]) -> str:
    """Return the query for files that hold a literal of each group, in whatever case, or that zoekt has left out.

    A group of one has no brackets: zoekt takes brackets without a space in them for a part of the text.
    """
    groups = " ".join(
        f"({' or '.join(map(_content, group))})" if len(group) > 1 else _content(group[0]) for group in required
    )
    return f"case:no ({groups} or {_SKIPPED})"


def _content(literal: Literal) -> str:
    """Return the part of a query for a literal: its longest piece, as an expression in quotes."""
    expression = re.sub(r"([^0-9a-z])", r"\\\1", max(literal, key=len))
    quoted = re.sub(r'(["\\])', r"\\\1", expression)
    return f'content:"{quoted}"'
