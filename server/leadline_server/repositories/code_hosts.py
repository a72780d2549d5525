"""The repositories of an owner on a code host, by the host's API.

GitHub: https://docs.github.com/en/rest/repos/repos#list-organization-repositories, and those of a user where there is
no organisation of that name. GitLab: https://docs.gitlab.com/api/groups/#list-projects. Lists come in pages, the next
of which a ``Link`` header names (RFC 8288).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import BaseModel, TypeAdapter, ValidationError

from leadline_server.errors import CodeHostFailed, CodeHostRefused
from leadline_server.repositories.sources import GitHubSource, GitLabSource, HostSource, RepositorySource

T = TypeVar("T", bound=BaseModel)
Query = Mapping[str, str | int]

_LIST = TypeAdapter(list[Mapping[str, Any]])
_PAGE = 100
_MOST_PAGES = 1_000
_SECONDS = 30.0
_LARGEST_PAGE = 32 << 20
_FORBIDDEN = 403
_LIMITED = frozenset({_FORBIDDEN, 429})
_MISSING = 404
_UNAUTHORIZED = 401


class _GitHubRepository(BaseModel):
    full_name: str
    clone_url: str
    archived: bool = False
    fork: bool = False
    disabled: bool = False


class _GitLabProject(BaseModel):
    path_with_namespace: str
    http_url_to_repo: str
    archived: bool = False
    forked_from_project: Mapping[str, Any] | None = None
    repository_access_level: str = "enabled"


def list_repositories(source: HostSource, transport: httpx2.BaseTransport | None = None) -> Iterator[RepositorySource]:
    """Yield the repositories of an owner that count.

    Raises CodeHostRefused for an unknown owner, a wrong token or a rate limit, and CodeHostFailed where the host cannot
    be reached or does not answer as its API does.
    """
    with _client(source, transport) as client:
        yield from _of_github(source, client) if isinstance(source, GitHubSource) else _of_gitlab(source, client)


def _of_github(source: HostSource, client: httpx2.Client) -> Iterator[RepositorySource]:
    owner = quote(source.owner, safe="")
    asked: Query = {"per_page": _PAGE, "type": "all"}
    first = _get(source, client, f"{source.api}/orgs/{owner}/repos", asked)
    if first.status_code == _MISSING:
        first = _get(source, client, f"{source.api}/users/{owner}/repos", {"per_page": _PAGE, "type": "owner"})
    for one in _items(source, client, first, _GitHubRepository):
        hidden = one.disabled or (one.archived and not source.archived) or (one.fork and not source.forks)
        if not hidden and source.takes(one.full_name.partition("/")[2]):
            yield _repository(source, one.clone_url)


def _of_gitlab(source: HostSource, client: httpx2.Client) -> Iterator[RepositorySource]:
    asked: Query = {"per_page": _PAGE, "include_subgroups": "true", "order_by": "id", "sort": "asc"}
    first = _get(source, client, f"{source.api}/groups/{quote(source.owner, safe='')}/projects", asked)
    for one in _items(source, client, first, _GitLabProject):
        fork = one.forked_from_project is not None
        hidden = (one.archived and not source.archived) or (fork and not source.forks)
        below = one.path_with_namespace.removeprefix(f"{source.owner}/")
        if not hidden and one.repository_access_level != "disabled" and source.takes(below):
            yield _repository(source, one.http_url_to_repo)


def _repository(source: HostSource, url: str) -> RepositorySource:
    """Return a repository that a host has listed; raises CodeHostFailed for an address that git must not get."""
    try:
        return RepositorySource(url=url, refs=source.refs, teams=source.teams)
    except ValidationError:
        raise CodeHostFailed(source.api, "it lists a repository with an address that is not https") from None


def _items(source: HostSource, client: httpx2.Client, first: httpx2.Response, model: type[T]) -> Iterator[T]:
    """Yield what the pages list that begin with a first one."""
    page: httpx2.Response | None = first
    for _ in range(_MOST_PAGES):
        if page is None:
            return
        _check(source, page)
        try:
            listed = _LIST.validate_json(page.content)
            found = [model.model_validate(one) for one in listed]
        except ValidationError:
            raise CodeHostFailed(source.api, "its answer is not a list of repositories") from None
        yield from found
        following = page.links.get("next", {}).get("url")
        if following and not _is_same_host(source.api, following):
            raise CodeHostFailed(source.api, "its next page is on another host")
        page = _get(source, client, following, {}) if following else None
    raise CodeHostFailed(source.api, f"its list has more than {_MOST_PAGES:,} pages")


def _get(source: HostSource, client: httpx2.Client, url: str, asked: Query) -> httpx2.Response:
    """Return the answer of a host; raises CodeHostFailed where it cannot be reached."""
    try:
        return client.get(url, params=asked or None)
    except httpx2.HTTPError as error:
        raise CodeHostFailed(source.api, f"it cannot be reached ({type(error).__name__})") from None


def _check(source: HostSource, page: httpx2.Response) -> None:
    """Raise an error for an answer that is no page."""
    status = page.status_code
    if status in _LIMITED and _is_limit(page):
        raise CodeHostRefused(source.api, "its rate limit is reached", _wait(page))
    if status == _UNAUTHORIZED or status in _LIMITED:
        raise CodeHostRefused(
            source.api,
            f"the token may not list {source.owner}"
            if source.token_variable
            else f"it lists {source.owner} to nobody without a token: set token_variable",
        )
    if status == _MISSING:
        raise CodeHostRefused(source.api, f"there is no {source.owner}, or the token may not see it")
    if not page.is_success or len(page.content) > _LARGEST_PAGE:
        raise CodeHostFailed(source.api, f"it answers with status {status}")


def _is_limit(page: httpx2.Response) -> bool:
    """Return whether an answer says that there were too many requests; GitHub says so with 403 as well."""
    said = "retry-after" in page.headers or page.headers.get("x-ratelimit-remaining") == "0"
    return said or page.status_code != _FORBIDDEN


def _wait(page: httpx2.Response) -> float:
    """Return the seconds after which a host may be asked again; 0 where it does not say."""
    value = page.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _is_same_host(one: str, other: str) -> bool:
    first, second = urlsplit(one), urlsplit(other)
    return (first.scheme, first.netloc) == (second.scheme, second.netloc)


def _client(source: HostSource, transport: httpx2.BaseTransport | None) -> httpx2.Client:
    """Return a client that follows no redirection, so that a token goes to no other host."""
    name = "PRIVATE-TOKEN" if isinstance(source, GitLabSource) else "Authorization"
    token = source.token
    value = token if isinstance(source, GitLabSource) else f"Bearer {token}"
    headers = {"Accept": "application/json", "User-Agent": "leadline"} | ({name: value} if token else {})
    return httpx2.Client(headers=headers, transport=transport, timeout=_SECONDS, follow_redirects=False)
