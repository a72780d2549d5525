"""The file of a shared server's sources: what it names, and what is wrong with it is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline_server.errors import BadSources
from leadline_server.repositories.sources import Sources, load_sources, name_of


def written(folder: Path, text: str) -> Path:
    file = folder / "sources.toml"
    file.write_text(text, encoding="utf-8")
    return file


def loaded(folder: Path, text: str) -> Sources:
    return load_sources(written(folder, text))


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(BadSources) as error:
        loaded(folder, text)
    return error.value.reason


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/acme/shop.git", "github.com/acme/shop"),
        ("https://code.example.org:8443/group/sub/app/", "code.example.org/group/sub/app"),
        ("ssh://git@code.example.org/acme/shop.git", "code.example.org/acme/shop"),
        ("git@github.com:acme/shop.git", "github.com/acme/shop"),
        ("file:///srv/git/shop.git", "local/srv/git/shop"),
        ("https://code.example.org/acme/a b", "code.example.org/acme/a-b"),
    ],
)
def test_a_repository_has_the_name_of_its_host_and_path(url: str, name: str) -> None:
    assert name_of(url) == name


def test_without_patterns_the_default_branch_alone_is_indexed(tmp_path: Path) -> None:
    (one,) = loaded(tmp_path, '[[repository]]\nurl = "https://github.com/acme/shop"').repository
    assert one.wants("main", "main")
    assert not one.wants("develop", "main")


def test_patterns_choose_branches_and_tags(tmp_path: Path) -> None:
    (one,) = loaded(
        tmp_path, '[[repository]]\nurl = "https://github.com/acme/shop"\nrefs = ["main", "release/*"]'
    ).repository
    assert [ref for ref in ("main", "release/2", "feature/1") if one.wants(ref, "trunk")] == ["main", "release/2"]


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c id",
        "http://code.example.org/acme/shop",
        "git://code.example.org/acme/shop",
        "https://",
        "https://code.example.org",
        "/srv/git/shop.git",
    ],
)
def test_git_fetches_by_https_and_ssh_and_from_files_alone(tmp_path: Path, url: str) -> None:
    assert refusal(tmp_path, f'[[repository]]\nurl = "{url}"').startswith("repository.0.url: an address starts with")


@pytest.mark.parametrize("url", ["ssh://-oProxyCommand=id/x", "-oProxyCommand=id:x", "git@-oProxyCommand=id:x"])
def test_a_host_that_ssh_would_take_as_an_option_is_refused(tmp_path: Path, url: str) -> None:
    assert refusal(tmp_path, f'[[repository]]\nurl = "{url}"').endswith("a host cannot start with -")


def test_an_address_with_a_password_is_refused_without_showing_it(tmp_path: Path) -> None:
    reason = refusal(tmp_path, '[[repository]]\nurl = "https://bot:open-sesame@code.example.org/acme/shop"')
    assert "credential helper" in reason
    assert "open-sesame" not in reason


@pytest.mark.parametrize("ref", ["-main", "a..b", "a b", "x.lock", "/x", "x/", "a~1", "a^", "a:b"])
def test_what_no_branch_can_be_called_is_no_pattern(tmp_path: Path, ref: str) -> None:
    reason = refusal(tmp_path, f'[[repository]]\nurl = "https://github.com/acme/shop"\nrefs = ["{ref}"]')
    assert reason == "repository.0.refs.0: no branch or tag can have that name"


def test_two_repositories_have_two_names(tmp_path: Path) -> None:
    text = '[[repository]]\nurl = "https://github.com/acme/shop"\n[[repository]]\nurl = "git@github.com:acme/shop.git"'
    assert "github.com/acme/shop is the name of https://github.com/acme/shop and of" in refusal(tmp_path, text)


def test_no_repository_lies_inside_another(tmp_path: Path) -> None:
    text = '[[repository]]\nurl = "https://a.example/x"\n[[repository]]\nurl = "https://a.example/x/y"'
    assert refusal(tmp_path, text) == "a.example/x/y lies inside a.example/x: give one of them another name"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[repository]]\nurl = 3", "repository.0.url: Input should be a valid string"),
        ("[[repository]]", "repository.0.url: this key is missing"),
        ("[[repositories]]", "repositories: there is no such key"),
        (
            '[[github]]\nowner = "acme"\napi = "http://api.example.org"',
            "github.0.api: the address of an API starts with",
        ),
        (
            '[[github]]\nowner = "acme"\ntoken_variable = "ghp-1"',
            "github.0.token_variable: this is the name of a variable",
        ),
        ('[[gitlab]]\nowner = "../x"', "gitlab.0.owner: a name is HOST/PATH"),
        ("x = ", "it is not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    assert refusal(tmp_path, text).startswith(reason)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadSources, match="No such file"):
        load_sources(tmp_path / "none.toml")


def test_a_secret_whose_variable_is_not_set_is_said_by_the_name_of_the_variable(tmp_path: Path) -> None:
    (one,) = loaded(tmp_path, '[[github]]\nowner = "acme"\ntoken_variable = "LEADLINE_TEST_NONE"').github
    with pytest.raises(BadSources, match="LEADLINE_TEST_NONE is not set"):
        _ = one.token
