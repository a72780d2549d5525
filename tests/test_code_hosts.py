"""Code hosts list the repositories of an owner, page by page; what they refuse is said, and no token leaves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest

from leadline_server.errors import CodeHostFailed, CodeHostRefused
from leadline_server.repositories.code_hosts import list_repositories
from leadline_server.repositories.sources import GitHubSource, GitLabSource, HostSource

API = "https://api.example.org"
Answer = Callable[[httpx2.Request], httpx2.Response]


def page(items: object, *, following: str = "") -> httpx2.Response:
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return httpx2.Response(200, json=items, headers=headers)


def github(name: str, **more: object) -> Mapping[str, object]:
    return {"full_name": f"acme/{name}", "clone_url": f"https://code.example.org/acme/{name}.git", **more}


def gitlab(path: str, **more: object) -> Mapping[str, object]:
    return {"path_with_namespace": path, "http_url_to_repo": f"https://code.example.org/{path}.git", **more}


def names(source: HostSource, answer: Answer) -> list[str]:
    return [one.title for one in list_repositories(source, httpx2.MockTransport(answer))]


def source(**more: Any) -> GitHubSource:
    return GitHubSource(owner="acme", api=API, **more)


def test_every_page_of_an_organisation_is_read() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.params.get("page") == "2":
            return page([github("tools")])
        assert request.url.path == "/orgs/acme/repos"
        return page([github("shop")], following=f"{API}/orgs/acme/repos?page=2")

    assert names(source(), answer) == ["code.example.org/acme/shop", "code.example.org/acme/tools"]


def test_a_user_is_asked_about_where_there_is_no_organisation() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return page([github("shop")]) if request.url.path == "/users/acme/repos" else httpx2.Response(404)

    assert names(source(), answer) == ["code.example.org/acme/shop"]


def test_archived_repositories_forks_and_disabled_ones_count_only_where_they_are_wanted() -> None:
    listed = [github("a"), github("b", archived=True), github("c", fork=True), github("d", disabled=True)]
    assert names(source(), lambda _request: page(listed)) == ["code.example.org/acme/a"]
    wanted = source(archived=True, forks=True)
    assert [one[-1] for one in names(wanted, lambda _request: page(listed))] == ["a", "b", "c"]


def test_patterns_choose_repositories() -> None:
    listed = [github("shop"), github("shop-old"), github("site")]
    chosen = source(include=["shop*"], exclude=["*-old"])
    assert names(chosen, lambda _request: page(listed)) == ["code.example.org/acme/shop"]


def test_the_projects_of_subgroups_of_gitlab_are_listed_by_their_paths_below_the_group() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.url.raw_path.startswith(b"/groups/acme%2Fplatform/projects?")
        return page([gitlab("acme/platform/api"), gitlab("acme/platform/web/site"), gitlab("acme/platform/old")])

    group = GitLabSource(owner="acme/platform", api=API, exclude=["old"])
    assert names(group, answer) == ["code.example.org/acme/platform/api", "code.example.org/acme/platform/web/site"]


def test_the_refs_of_the_owner_are_those_of_each_repository() -> None:
    (one,) = list_repositories(source(refs=["main"]), httpx2.MockTransport(lambda _request: page([github("shop")])))
    assert one.refs == ["main"]


def test_the_token_is_sent_to_the_host_and_never_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_TEST_TOKEN", "token-of-a-test")
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return page([github("shop")], following="https://elsewhere.example/orgs/acme/repos?page=2")

    with pytest.raises(CodeHostFailed, match="next page is on another host"):
        names(source(token_variable="LEADLINE_TEST_TOKEN"), answer)
    assert [(one.url.host, one.headers["authorization"]) for one in seen] == [
        ("api.example.org", "Bearer token-of-a-test")
    ]


def test_a_redirection_is_not_followed() -> None:
    moved = httpx2.Response(302, headers={"Location": "https://elsewhere.example/"})
    with pytest.raises(CodeHostFailed, match="status 302"):
        names(source(), lambda _request: moved)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (httpx2.Response(401), "to nobody without a token"),
        (httpx2.Response(403), "to nobody without a token"),
        (httpx2.Response(404), "there is no acme"),
        (httpx2.Response(429, headers={"Retry-After": "60"}), "rate limit"),
        (httpx2.Response(403, headers={"X-RateLimit-Remaining": "0"}), "rate limit"),
    ],
)
def test_a_refusal_of_the_host_is_said(answer: httpx2.Response, message: str) -> None:
    with pytest.raises(CodeHostRefused, match=message):
        names(source(), lambda _request: answer)


def test_when_to_ask_again_is_told() -> None:
    limited = httpx2.Response(429, headers={"Retry-After": "60"})
    with pytest.raises(CodeHostRefused) as error:
        names(source(), lambda _request: limited)
    assert (error.value.seconds, error.value.hint) == (60.0, "Try again in 60 s.")


@pytest.mark.parametrize("said", ['{"message": "none"}', "{}", "[1]", "[{}]", "not JSON", "null"])
def test_what_is_no_list_of_repositories_is_said(said: str) -> None:
    with pytest.raises(CodeHostFailed, match="not a list of repositories"):
        names(source(), lambda _request: httpx2.Response(200, text=said))


def test_an_address_that_git_must_not_get_is_refused() -> None:
    listed = [github("shop", clone_url="ext::sh -c id")]
    with pytest.raises(CodeHostFailed, match="not https"):
        names(source(), lambda _request: page(listed))


def test_a_host_that_cannot_be_reached_is_said() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectTimeout("no answer", request=request)

    with pytest.raises(CodeHostFailed, match="cannot be reached"):
        names(source(), answer)
