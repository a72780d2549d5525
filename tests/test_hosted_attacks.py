"""A hosted server and its indexer, attacked: by who can push to a repository, and by who reaches the server's port."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import serving
from keys import KEYS, shown
from leadline_server.cli import main
from leadline_server.outgoing import printable
from leadline_server.repositories.index_queue import IndexQueue
from leadline_tools.database.address import DatabaseAddress
from postgres import PostgresServer
from repositories import ENVIRONMENT, commit, git
from test_identity import AUDIENCE, Provider, forgeries, running
from torture.hostility import FORBIDDEN, questions
from torture.wire import Client, Served, environment

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="names of branches that are not UTF-8 are those of Linux"
)

TOKEN, SECRET = "alice-alice-alice-alice", "a-secret-of-the-webhooks"
KEY = KEYS["github"]
PASSWORD = "hunter2-correct-horse"
EVIL = "h.org/x/evil"
SEPARATED = "a\u2028b"
BRANCHES = (KEY, "x\u202ey", SEPARATED, "100%_x", "a;select(1)", "it's", "-option", "HEAD", "$(touch)", "{x}", "v1/src")
ANOTHER = "a-branch-of-the-folder-in-which-the-server-was-started"


@dataclass(frozen=True)
class Hosted:
    """A hosted server, and what the indexer printed before it was started."""

    port: int
    indexed: str
    database: str
    log: Path


def forge(folder: Path) -> None:
    """Commit a tree with names that lead out of it, to a branch of its own."""
    command = ["git", "hash-object", "-w", "--literally", "--stdin"]

    def write_object(kind: str, content: bytes) -> str:
        done = subprocess.run(
            [*command, "-t", kind], check=True, cwd=folder, env=ENVIRONMENT, input=content, capture_output=True
        )
        return done.stdout.decode().strip()

    blob = bytes.fromhex(write_object("blob", b"def forged(): pass\n"))
    names = (b"..", b".git", b"/etc", b"a/../../b.py", b"ok.py")
    tree = write_object("tree", b"".join(b"100644 " + name + b"\0" + blob for name in names))
    git(folder, "update-ref", "refs/heads/forged", git(folder, "commit-tree", tree, "-m", "forged"))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of sources: a repository of an attacker, and two whose names differ in a wildcard of SQL."""
    place = tmp_path_factory.mktemp("sources")
    evil = place / "evil"
    files: dict[str, str | bytes | None] = {
        "src/cart.py": "origin = 'main'\n",
        ".env": f"PASSWORD={PASSWORD}\n",
        "nul.py": b"def before_nul(): pass\n\0\n",
        "utf16.txt": b"\xff\xfe" + "word \0 ".encode("utf-16le") + b"\x00\xd8" + "afternul\n".encode("utf-16le"),
        "long.txt": "w" * 100_000 + "\n",
        "key.py": f"TOKEN = '{KEY}'\n",
        f"{KEY}.txt": "a file with a name\n",
        "new\nline.py": "def in_newline(): pass\n",
        os.fsdecode(b"bytes\xff.py"): "def in_bytes(): pass\n",
        ".gitattributes": "* filter=evil diff=evil export-subst\n",
        ".gitmodules": f'[submodule "x"]\n path = sm\n url = ext::sh -c touch {place / "SPRUNG"}\n',
        "huge.txt": b"a line that is repeated\n" * 3_000_000,
    }
    commit(evil, files)
    (evil / "link.py").symlink_to("/etc/passwd")
    (evil / "up").symlink_to("../../../../../../../etc")
    git(evil, "add", "-A")
    git(evil, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sm")
    git(evil, "commit", "-q", "-m", "links")
    git(evil, "config", "filter.evil.smudge", f"touch {place / 'SPRUNG'}")
    git(evil, "config", "uploadpack.packObjectsHook", f"touch {place / 'SPRUNG'}")
    git(evil, "tag", "v1")
    forge(evil)
    git(evil, "switch", "-q", "-c", "other")
    head = commit(evil, {"cart.py": "origin = 'at the top of another branch'\n"})
    for name in BRANCHES:
        git(evil, "update-ref", f"refs/heads/{name}", head)
    Path(os.fsdecode(os.fsencode(evil) + b"/.git/refs/heads/not-utf8\xff")).write_text(f"{head}\n")
    git(evil, "switch", "-q", "main")
    for name in ("a_b", "axb"):
        commit(place / name, {"one.py": f"def only_in_{name}(): pass\n"})
    file = place / "sources.toml"
    tables = (("evil", '["*"]'), ("a_b", "[]"), ("axb", "[]"))
    file.write_text(
        "".join(
            f'[[repository]]\nurl = "{(place / name).as_uri()}"\nname = "h.org/x/{name}"\nrefs = {refs}\n'
            for name, refs in tables
        )
        + '[webhooks]\ngithub_secret_variable = "HOOKS"\ngitlab_secret_variable = "HOOKS"\n'
    )
    return file


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    found = Provider()
    with running(found):
        yield found


@pytest.fixture(scope="module")
def hosted(
    sources: Path, provider: Provider, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hosted]:
    place = tmp_path_factory.mktemp("hosted")
    url = postgres.fresh()
    started_in = place / "started-in"
    commit(started_in, {"a.py": f"PASSWORD = '{PASSWORD}'\n"})
    git(started_in, "branch", ANOTHER)
    variables = environment(LEADLINE_DATABASE=url, HOOKS=SECRET)
    leadline = [sys.executable, "-P", "-m", "leadline_server"]
    subprocess.run([*leadline, "database", "migrate"], check=True, env=variables, capture_output=True)
    command = [*leadline, "indexer", "--once", "--sources", str(sources), "--cache-dir", str(place / "cache")]
    done = subprocess.run(command, check=False, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not sources.with_name("SPRUNG").exists()
    IndexQueue(DatabaseAddress.parse(url)).prepare()
    (place / "tokens").write_text(f"{TOKEN}\n")
    port = serving.free_port()
    options = [
        *("--http", f"127.0.0.1:{port}", "--sources", str(sources), "--token-file", str(place / "tokens")),
        *("--issuer", provider.issuer, "--audience", AUDIENCE, "--cache-dir", str(place / "served")),
        *("--model", "openai", "--log-level", "info"),
    ]
    # Where a person starts it there may be another repository, which nobody has named.
    away = ["/bin/sh", "-c", f'cd {started_in} && exec "$@"', "sh", *leadline, "serve", "--hosted", *options]
    with ExitStack() as stack:
        stack.callback(postgres.drop, url)
        stack.enter_context(serving.process(away, port, variables, place / "log"))
        yield Hosted(port, done.stdout + done.stderr, url, place / "log")


@pytest.fixture
def client(hosted: Hosted) -> Iterator[Client]:
    with closing(Client(Served(hosted.port), TOKEN)) as found:
        yield found


def test_a_branch_with_any_name_costs_no_other_its_place_and_reaches_no_terminal(hosted: Hosted) -> None:
    lines = hosted.indexed.splitlines()
    assert len([line for line in lines if line.startswith(f"{EVIL} ")]) == len(
        {*BRANCHES, "main", "other", "forged", "v1"}
    )
    assert lines[0].startswith(f"{EVIL} main at ")
    assert not shown(KEY, hosted.indexed)
    assert printable(hosted.indexed.replace("\n", "")) == hosted.indexed.replace("\n", "")


def test_a_branch_is_no_folder_of_another_ref(client: Client) -> None:
    assert "origin = 'main'" in client.call("read_file", path=f"{EVIL}@v1/src/cart.py").text
    assert "another branch" in client.call("read_file", path=f"{EVIL}@v1~src/cart.py").text
    assert "another branch" not in client.call("search_text", query="origin", path=f"{EVIL}@v1/src").text


def test_a_sign_that_a_database_knows_is_a_character_like_others(client: Client) -> None:
    assert "no lines" in client.call("search_text", query="only_in_axb", path="h.org/x/a_b").text
    assert "no lines" in client.call("search_text", query="only_in_a%", path="h.org/x/a_b").text
    for name in ("100%_x", "a;select(1)", "it's", "-option", "$(touch)"):
        assert "origin" in client.call("read_file", path=f"{EVIL}@{name}/cart.py").text


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (f"{EVIL}/.env", "neither read nor searched"),
        (f"{EVIL}/link.py", "symbolic link"),
        (f"{EVIL}/up/passwd", "no file or folder"),
        (f"{EVIL}/sm", "submodule"),
        (f"{EVIL}/../../../etc/passwd", "no file or folder"),
        (f"{EVIL}@forged/..", "is a folder"),
        (f"{EVIL}@forged/.git", "error"),
        (f"{EVIL}/nul.py", "is a binary file"),
        (f"{EVIL}/huge.txt", "more than the limit"),
        ("a.py", "no file or folder"),
        ("/etc/passwd", "not a path inside the root"),
    ],
)
def test_nothing_is_read_but_what_a_commit_has(client: Client, path: str, reason: str) -> None:
    said = client.call("read_file", path=path)
    assert said.is_error
    assert reason in said.text
    assert not any(bad in said.text for bad in (*FORBIDDEN, PASSWORD))


def test_odd_names_and_contents_are_found_and_keys_in_them_masked(client: Client) -> None:
    assert "in_newline" in client.call("read_file", path=f"{EVIL}/new\\x0aline.py").text
    assert "in_bytes" in client.call("read_file", path=f"{EVIL}/bytes\\xff.py").text
    assert "utf16.txt" in client.call("search_text", query="afternul", path=EVIL).text
    for said in (
        client.call("list_files", path=EVIL, max_tokens=9_000),
        client.call("read_file", path=f"{EVIL}/key.py"),
    ):
        assert "ghp_<key masked>" in said.text
        assert not shown(KEY, said.text)


@pytest.mark.parametrize("tool", ["list_files", "symbol_search", "find_code"])
@pytest.mark.parametrize("ref", [ANOTHER, "main", "HEAD"])
def test_the_repository_that_a_server_was_started_in_is_none_of_its_roots(client: Client, tool: str, ref: str) -> None:
    query = {} if tool == "list_files" else {"query": "origin"}
    said = client.call(tool, changed_since=ref, **query)
    assert said.is_error
    assert "the database has files, but no history" in said.text
    assert "started-in" not in said.text


def test_no_question_of_any_tool_is_an_internal_error_or_shows_a_secret(client: Client) -> None:
    wrong: list[str] = []
    asked = [(tool, arguments) for tool, arguments in questions() if "\\ud800" not in json.dumps(arguments)]
    for tool, arguments in islice(asked, 0, None, 7):
        said = client.call(tool, **arguments, max_tokens=300).text
        if "internal error" in said or shown(KEY, said) or any(bad in said for bad in (*FORBIDDEN, PASSWORD)):
            wrong.append(f"{tool}{arguments}: {said[:200]}")
    assert wrong == []


# Tokens and webhooks


def status(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=serving.DEADLINE)
    with closing(connection):
        connection.request(method, path, body, headers)
        return connection.getresponse().status


def token_status(port: int, token: str) -> int:
    return status(port, "GET", "/page/about", {"Authorization": f"Bearer {token}"})


def test_no_forged_token_passes_and_none_is_an_internal_error(hosted: Hosted, provider: Provider) -> None:
    assert token_status(hosted.port, provider.token()) == 200
    headers = (
        *('{"alg":"RS256","kid":"../../one"}', '{"alg":"RS256","kid":{}}', '{"alg":["RS256"]}', "[]", "5", "[" * 9_000),
        *(
            '{"alg":"RS256","kid":"one","jku":"http://127.0.0.1:1/"}',
            '{"alg":"RS256","kid":"\\ud800"}',
            '{"a":' * 1_800,
        ),
        *('{"alg":"HS256","kid":"one"}', '{"alg":"none"}', '{"alg":"RS256","kid":"one\\u0000"}'),
    )
    tokens = [f"{base64.urlsafe_b64encode(one.encode()).rstrip(b'=').decode()}.e30.AAAA" for one in headers]
    tokens += [one for one in forgeries(provider).values() if one.isascii()]
    claims: Sequence[Mapping[str, Any]] = (
        *({"sub": "\ud800"}, {"sub": 5}, {"sub": ["ada"]}, {"exp": 1e999}, {"exp": "soon"}, {"nbf": 1e999}),
        *({"aud": {"a": 1}}, {"aud": [AUDIENCE, 5]}, {"iat": 1e300}),
    )
    tokens += [provider.token(**one) for one in claims]
    assert {token: answer for token in tokens if (answer := token_status(hosted.port, token)) != 401} == {}


def hook(port: int, body: bytes, secret: str = SECRET) -> int:
    proof = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    return status(port, "POST", "/hooks/github", {"X-GitHub-Event": "push", "X-Hub-Signature-256": proof}, body)


def push(address: str) -> bytes:
    return json.dumps({"repository": {"html_url": address}, "ref": "refs/heads/main"}).encode()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://[::1", 400),
        ("https://h.org/x/\ud800", 400),
        ("https://h.org/x/evil\0", 404),
        ("https://h.org/x/ev%69l", 404),
        ("https://h.org/x/a%b", 404),
        ("file:///etc/passwd", 404),
        ("", 404),
    ],
)
def test_a_webhook_names_a_repository_or_nothing(hosted: Hosted, address: str, expected: int) -> None:
    assert hook(hosted.port, push(address)) == expected


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"repository":' * 100_000, b"\xff", b"{}", b"5"], ids=len)
def test_a_webhook_that_cannot_be_read_is_a_bad_request(hosted: Hosted, body: bytes) -> None:
    assert hook(hosted.port, body) == 400


def test_a_webhook_that_is_sent_again_and_again_is_worked_on_once(hosted: Hosted) -> None:
    assert [hook(hosted.port, push(f"https://{EVIL}")) for _ in range(20)] == [202] * 20
    assert hook(hosted.port, push(f"https://{EVIL}"), "another") == 401
    done: list[str] = []
    IndexQueue(DatabaseAddress.parse(hosted.database)).work(done.append, lambda: (), forever=False)
    assert done == [EVIL]


@pytest.mark.parametrize(
    "path", ["/hooks/../page/about", "/hooks/%2e%2e/page/about", "/hooks//mcp", "/hooks/gitlab/../../mcp"]
)
def test_the_path_of_a_webhook_is_no_way_around_the_token(hosted: Hosted, path: str) -> None:
    assert status(hosted.port, "GET", path, {}) in {401, 404, 405}


def test_the_log_has_neither_tokens_nor_what_was_asked(hosted: Hosted, client: Client, provider: Provider) -> None:
    client.call("search_text", query=f"{KEY} {PASSWORD}")
    shown_token = provider.token(sub="somebody-with-a-name")
    assert token_status(hosted.port, shown_token) == 200
    until = time.monotonic() + 30
    while "tool=search_text" not in (text := hosted.log.read_text()) and time.monotonic() < until:
        pass
    assert "tool=search_text" in text
    assert "Traceback" not in text
    assert not any(bad in text for bad in (TOKEN, SECRET, PASSWORD, shown_token, "somebody-with-a-name"))
    assert not shown(KEY, text)


# The file of sources


@pytest.mark.parametrize(
    "table",
    [
        f'[[repository]]\nurl = "https://{KEY}@github.com/acme/shop"\n',
        f'[[repository]]\nurl = "https://user:{KEY}@github.com/acme/shop"\n',
        f'[[repository]]\nurl = "https://github.com/acme/shop?token={KEY}"\n',
        f'[[github]]\nowner = "acme"\ntoken_variable = "{KEY}"\n',
        f'[[github]]\nowner = "{KEY}"\ntoken = "{KEY}"\n',
        f'[webhooks]\ngithub_secret_variable = "{KEY}"\n',
        f'[[github]]\nowner = "acme"\n"{KEY}" = 1\n',
        f'[[repository]]\nurl = "file:///x"\nname = "{KEY}"\n[[repository]]\nurl = "file:///y"\nname = "{KEY}"\n',
        f'a = "{KEY}\n"{KEY}" = 1\n',
    ],
    ids=range(9),
)
def test_a_secret_in_the_file_of_sources_is_refused_and_not_repeated(tmp_path: Path, table: str) -> None:
    file = tmp_path / "sources.toml"
    file.write_text(table)
    arguments = ["indexer", "--once", "--database", "postgresql://nobody@/none?host=/nowhere", "--sources", str(file)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code != 0
    assert str(file) in done.output
    assert not shown(KEY, done.output)
