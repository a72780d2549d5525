"""The sources of a shared server: a TOML file of repositories, and of owners on code hosts whose repositories count.

A repository is *named* by its host and its path there: ``github.com/acme/shop``. Secrets are never in the file: it
names variables of the environment that hold them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from leadline_server.access import valid_teams
from leadline_server.errors import BadSources
from leadline_tools.index.hosted.catalogue import EVERYONE
from leadline_tools.index.text.key_masking import mask_text

_SCP = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]+):(?P<path>(?!//)[^:]+)")
_SCHEMES = frozenset({"https", "ssh", "file"})
_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
_REF = re.compile(r"(?!-)[^\x00-\x20\x7f~^:?\[\\]+")
"""What a ref may be written with, by ``git check-ref-format``; ``*`` stands for any characters."""

_VARIABLE = re.compile(r"[A-Za-z_]\w*")


def _check_url(url: str) -> str:
    """Return an address that git may fetch from; raises ValueError for another transport, or a password in it."""
    parts = urlsplit(url)
    if mask_text(url) != url:
        raise ValueError("a key in an address is shown by git: use a credential helper, or an SSH key")
    if (parts.hostname or url.rpartition("@")[2]).startswith("-"):
        raise ValueError("a host cannot start with -")
    if parts.scheme in _SCHEMES and (parts.hostname or parts.scheme == "file") and parts.path.strip("/"):
        if parts.password:
            raise ValueError("a password in an address is shown by git: use a credential helper, or an SSH key")
        return url
    if "://" not in url and "::" not in url and _SCP.fullmatch(url):
        return url
    raise ValueError("an address starts with https://, ssh:// or file://, or is USER@HOST:PATH")


def _check_name(name: str) -> str:
    """Return a name of a repository; raises ValueError for one with an empty, ``.`` or ``..`` segment."""
    if not _NAME.fullmatch(name) or {".", ".."} & set(name.split("/")):
        raise ValueError("a name is HOST/PATH, of letters, digits, _, - and .")
    return name


def _check_ref(ref: str) -> str:
    """Return a pattern of refs; raises ValueError for what no ref can match."""
    if not _REF.fullmatch(ref) or ".." in ref or ref.endswith(("/", ".", ".lock")) or ref.startswith("/"):
        raise ValueError("no branch or tag can have that name")
    return ref


def _check_variable(name: str) -> str:
    """Return the name of a variable of the environment; raises ValueError for anything else, a secret perhaps."""
    if not _VARIABLE.fullmatch(name) or mask_text(name) != name:
        raise ValueError("this is the name of a variable that holds the secret, not the secret")
    return name


def _check_team(name: str) -> str:
    """Return the name of a team; raises ValueError for one that no caller can be in."""
    if name != EVERYONE and not valid_teams((name,)):
        raise ValueError("the name of a team has characters that cannot be in it")
    return name


def _check_api(url: str) -> str:
    """Return the address of an API; raises ValueError for one that could not keep a token secret."""
    parts = urlsplit(url)
    is_local = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    if not parts.hostname or parts.scheme not in ({"https", "http"} if is_local else {"https"}) or parts.query:
        raise ValueError("the address of an API starts with https://")
    return url.rstrip("/")


_Ref = Annotated[str, AfterValidator(_check_ref)]
_Variable = Annotated[str, AfterValidator(_check_variable)]
_Team = Annotated[str, AfterValidator(_check_team)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RepositorySource(_Table):
    """One repository.

    Attributes:
        url: Where git fetches it from.
        name: What it is called; by default its host and path.
        refs: Patterns of the branches and tags that are indexed; none for the default branch alone.
        teams: The teams that may see it; see ``Sources.teams_of``.

    """

    url: Annotated[str, AfterValidator(_check_url)]
    name: Annotated[str, AfterValidator(_check_name)] = ""
    refs: Sequence[_Ref] = ()
    teams: Sequence[_Team] = ()

    @property
    def title(self) -> str:
        """Return the name of the repository."""
        return self.name or name_of(self.url)

    def wants(self, ref: str, default: str) -> bool:
        """Return whether a branch or tag is indexed, of a repository with a ``default`` branch."""
        return any(fnmatchcase(ref, pattern) for pattern in self.refs) if self.refs else ref == default


class HostSource(_Table):
    """The repositories of an owner on a code host.

    Attributes:
        owner: The organisation or user of GitHub, the group of GitLab.
        api: The address of the host's API.
        token_variable: The variable of the environment that holds a token; empty for public repositories.
        include: Patterns of the paths that count, below the owner.
        exclude: Patterns of those that do not.
        archived: Whether archived repositories count.
        forks: Whether forks count.
        refs: As of a repository.
        teams: As of a repository.

    """

    owner: Annotated[str, Field(min_length=1), AfterValidator(_check_name)]
    api: str
    token_variable: Annotated[str, AfterValidator(lambda name: name and _check_variable(name))] = ""
    include: Sequence[str] = ("*",)
    exclude: Sequence[str] = ()
    archived: bool = False
    forks: bool = False
    refs: Sequence[_Ref] = ()
    teams: Sequence[_Team] = ()

    @property
    def token(self) -> str:
        """Return the token; raises BadSources where its variable is not set."""
        return _secret(self.token_variable) if self.token_variable else ""

    def takes(self, path: str) -> bool:
        """Return whether a repository counts, by its path below the owner."""
        return any(fnmatchcase(path, one) for one in self.include) and not any(
            fnmatchcase(path, one) for one in self.exclude
        )


class GitHubSource(HostSource):
    """The repositories of an organisation or user of GitHub."""

    api: Annotated[str, AfterValidator(_check_api)] = "https://api.github.com"


class GitLabSource(HostSource):
    """The projects of a group of GitLab, those of its subgroups included."""

    api: Annotated[str, AfterValidator(_check_api)] = "https://gitlab.com/api/v4"


class WebhookSecrets(_Table):
    """The variables that hold what code hosts sign or show with a webhook; empty where the host sends none."""

    github_secret_variable: _Variable | Literal[""] = ""
    gitlab_secret_variable: _Variable | Literal[""] = ""

    @property
    def github(self) -> str:
        """Return what GitHub signs with."""
        return _secret(self.github_secret_variable) if self.github_secret_variable else ""

    @property
    def gitlab(self) -> str:
        """Return what GitLab shows."""
        return _secret(self.gitlab_secret_variable) if self.gitlab_secret_variable else ""


class Sources(_Table):
    """All sources of a server.

    Attributes:
        repository: Single repositories.
        github: Owners on GitHub.
        gitlab: Groups on GitLab.
        webhooks: The secrets of webhooks.

    """

    repository: Sequence[RepositorySource] = ()
    github: Sequence[GitHubSource] = ()
    gitlab: Sequence[GitLabSource] = ()
    webhooks: WebhookSecrets = WebhookSecrets()

    @property
    def name_teams(self) -> bool:
        """Return whether any of them names a team."""
        return any(one.teams for one in self.repository) or any(one.teams for one in (*self.github, *self.gitlab))

    def teams_of(self, repository: RepositorySource) -> Collection[str]:
        """Return the teams that may see a repository of these sources.

        Without a team in any of them, everyone may see all. With one, nobody may see a repository that has none.
        """
        return repository.teams if self.name_teams else (EVERYONE,)


def load_sources(file: Path) -> Sources:
    """Return the sources in a TOML file; raises BadSources, which says where it is wrong."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSources(file, error.strerror or "it cannot be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSources(file, f"it is not TOML: {error}") from None
    try:
        sources = Sources.model_validate(found)
    except ValidationError as error:
        raise BadSources(file, _first(error)) from None
    _check_names(file, sources.repository)
    return sources


def name_of(url: str) -> str:
    """Return the name of a repository by its address: its host and its path, without ``.git``."""
    found = _SCP.fullmatch(url) if "://" not in url else None
    parts = urlsplit(url)
    host, path = (found["host"], found["path"]) if found else (parts.hostname or "local", parts.path)
    name = f"{host}/{path.strip('/').removesuffix('.git')}"
    return re.sub(r"[^\w./-]", "-", name)


def _check_names(file: Path, repositories: Sequence[RepositorySource]) -> None:
    """Raise BadSources where two repositories have a name, or one's begins with another's."""
    urls: dict[str, str] = {}
    for one in repositories:
        if one.title in urls:
            raise BadSources(file, f"{one.title} is the name of {urls[one.title]} and of {one.url}")
        urls[one.title] = one.url
    for title in urls:
        parents = [title[:at] for at, letter in enumerate(title) if letter == "/"]
        inside = next((parent for parent in parents if parent in urls), None)
        if inside is not None:
            raise BadSources(file, f"{title} lies inside {inside}: give one of them another name")


def _secret(variable: str) -> str:
    value = os.environ.get(variable, "")
    if not value:
        raise BadSources(None, f"the variable {variable} is not set")
    return value


def _first(error: ValidationError) -> str:
    """Return the first thing that is wrong with the tables of a file, and how many more there are."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    place = ".".join(str(part) for part in found[0]["loc"])
    said = _MESSAGES.get(found[0]["type"], found[0]["msg"].removeprefix("Value error, "))
    rest = f" ({len(found) - 1} more)" if len(found) > 1 else ""
    return f"{place}: {said}{rest}"


_MESSAGES: Mapping[str, str] = {"extra_forbidden": "there is no such key", "missing": "this key is missing"}
