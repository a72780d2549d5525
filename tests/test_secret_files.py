"""Files of secrets are neither read nor searched, whatever they are called: copies, credentials of programs, links."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import write
from torture.wire import Client, Lines, connect

PASSWORD = "correct-horse-battery"

BY_NAME = (
    *(".env~", "#.env#", ".env_old", ".env.1", ".env ", "id_rsa.bak", "id_rsa_old", "id_rsa~", ".id_rsa.swp"),
    *("server.pem.bak", "server.key.old", "key.pem~", "id_rsa copy", "id_rsa (1)"),
    *(".env.example/.env", ".env.template/prod/.env", ".env.dist/.env.production", ".env.sample/prod.env"),
    *(".npmrc", ".my.cnf", "kubeconfig", "service-account.json", "secrets.yml", ".s3cfg", ".boto", ".terraformrc"),
    *("terraform.tfvars", "x.tfstate", ".cargo/credentials.toml", ".config/gh/hosts.yml", ".azure/accessTokens.json"),
    *(
        ".config/gcloud/application_default_credentials.json",
        ".dockerconfigjson",
        "secring.gpg",
        "sub/.docker/config.json",
    ),
    *(".git/config.worktree", ".git/modules/sub/config", ".git/worktrees/w/config.worktree", ".git/FETCH_HEAD"),
    *(".git/logs/HEAD", ".git/config", "sub/.git/config", "A/.SSH/x", "a/b/.ssh/known", ".aws/sso/cache/x.json"),
    *("b/.env/real", "A/ID_RSA", "KEY.PEM"),
)
BY_CONTENT = {
    "cluster.yml": f"apiVersion: v1\nkind: Config\nusers:\n- user:\n    password: {PASSWORD}\n",
    "state.json": f'{{\n  "version": 4,\n  "terraform_version": "1.9",\n  "lineage": "x", "p": "{PASSWORD}"\n}}\n',
    "google.json": f'{{"type": "service_account", "private_key_id": "{PASSWORD}"}}\n',
    "adc.json": f'{{"type": "authorized_user", "refresh_token": "{PASSWORD}"}}\n',
    "docker.json": f'{{"auths": {{"example.org": {{"auth": "{PASSWORD}"}}}}}}\n',
}
HARMLESS = {
    **dict.fromkeys(
        ("app/.env.example", "app/.env.sample", "id_rsa.pub", "env.py", "key.h", "vault.go", "hosts.yml"), "harmless\n"
    ),
    "docs.md": "harmless\napiVersion: v1\nkind: Config\n    password: something\n",
    "state.py": 'harmless = {"terraform_version": 1, "lineage": 2}\n',
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of secret files, two of which have another name too."""
    root = write(tmp_path_factory.mktemp("secret"), {**dict.fromkeys(BY_NAME, PASSWORD), **BY_CONTENT, **HARMLESS})
    write(root, {".env": PASSWORD, "deep/er/.env": PASSWORD})
    os.link(root / ".env", root / "deep" / "notes.txt")
    os.link(root / "deep" / "er" / ".env", root / "deep" / "er" / "beside.txt")
    write(root, {"one.txt": "harmless\n"})
    os.link(root / "one.txt", root / "two.txt")
    return root


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(
    request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lines | Client]:
    with connect(request.param, root, tmp_path_factory.mktemp("cache")) as connected:
        yield connected


@pytest.mark.parametrize("path", [*BY_NAME, *BY_CONTENT, "deep/notes.txt", "deep/er/beside.txt"])
def test_a_secret_file_is_refused(client: Lines | Client, path: str) -> None:
    said = client.call("read_file", path=path)
    assert said.is_error
    assert "--allow-secrets" in said.text
    assert PASSWORD not in said.text


@pytest.mark.parametrize("path", [*HARMLESS, "one.txt", "two.txt"])
def test_a_file_that_shows_or_mentions_what_a_secret_one_holds_is_read(client: Lines | Client, path: str) -> None:
    assert "harmless" in client.call("read_file", path=path).text


def test_no_secret_file_is_searched(client: Lines | Client) -> None:
    for path in (".", "deep", "cluster.yml"):
        for regex in (False, True):
            assert "no lines" in client.call("search_text", query=PASSWORD, path=path, regex=regex).text


def test_a_secret_file_is_listed_and_an_answer_says_that_it_was_not_searched(client: Lines | Client) -> None:
    assert "id_rsa.bak" in client.call("list_files", pattern="id_rsa*").text
    assert "not searched" in client.call("search_text", query=PASSWORD).text


def test_no_other_tool_shows_what_a_secret_file_holds(client: Lines | Client) -> None:
    for tool in ("document_symbols", "repo_map", "list_files", "count_files", "apply_code_fix"):
        for path in ("google.json", "cluster.yml", ".env.example/.env", "deep"):
            assert PASSWORD not in client.call(tool, path=path).text
