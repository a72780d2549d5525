"""No key leaves the server, however a program has written it down, by whatever way out."""

from __future__ import annotations

import http.client
import json
import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from conftest import write
from keys import BODY, CONTEXTS, KEYS, PRIVATE, SECRET, SECRETS, shown
from leadline_server.logs import Format, configure, record_fields
from leadline_tools.index.text.key_masking import mask_keys
from torture.wire import Client, Lines, Web, connect

NAME = f"{KEYS['github']}.txt"
"""A file whose name is a key: nothing masks it as it is read."""

RUFF = {
    "extended": {"ruff.toml": f'extend = "{KEYS["github"]}"\n'},
    "unknown": {"ruff.toml": f'"{KEYS["gitlab"]}" = 1\n'},
    "selected": {"ruff.toml": f'[lint]\nselect = ["{KEYS["npm"]}"]\n'},
    "target": {"ruff.toml": f'target-version = "{KEYS["github"]}"\n'},
    "extended with a variable": {"ruff.toml": f'extend = "$X{KEYS["github"]}"\n'},
    "extended with a list": {"ruff.toml": f'extend = ["{KEYS["github"]}"]\n'},
    "required version": {"ruff.toml": f'required-version = "{KEYS["github"]}"\n'},
    "line length": {"ruff.toml": f'line-length = "{KEYS["google"]}"\n'},
    "ignored": {"ruff.toml": f'[lint.per-file-ignores]\n"*.py" = ["{KEYS["stripe"]}"]\n'},
    "twice": {"pyproject.toml": f'[tool.ruff]\n"{KEYS["github"]}" = 1\n"{KEYS["github"]}" = 2\n'},
}
BRANCHES = f"""import sys

if sys.argv:
    aws_secret_access_key = "{SECRET}"
else:
    aws_secret_access_key = "x"


def a_function_with_a_name_that_is_long_enough_for_a_header_to_be_cut_in_the_middle():
    return sys
"""
QUOTES = f"aws_secret_access_key = '{SECRET}'\nAccountKey = dict(secret_key='{SECRET}')\nprint('%s' % 'AKIA')\n"
"""What fixes of quotes and calls copy: a key apart from the name that tells that it is one."""

FUNCTION = "a_function_with_a_name_that_is_long_enough_for_a_header_to_be_cut_in_the_middle"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f"{issuer}.txt": "\n".join(context.format(key) for context in CONTEXTS) for issuer, key in KEYS.items()}
    files |= {f"private/{number}.txt": text for number, text in enumerate(PRIVATE.values())}
    files |= {f"configured/{name}/{path}": text for name, found in RUFF.items() for path, text in found.items()}
    files |= {f"configured/{name}/a.py": "import os\n" for name in RUFF}
    files |= {"ruff.toml": '[lint]\nselect = ["SIM"]\n', "branches.py": BRANCHES, NAME: "text\n"}
    files |= {"quotes/ruff.toml": '[lint]\nselect = ["Q", "C4", "UP"]\n', "quotes/a.py": QUOTES}
    files["secrets.txt"] = "\n".join(form.format(SECRET) for form in SECRETS)
    return write(tmp_path_factory.mktemp("keys"), files)


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(
    request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lines | Client]:
    with connect(request.param, root, tmp_path_factory.mktemp("cache")) as connected:
        yield connected


def leaked(text: str) -> list[str]:
    keys = [issuer for issuer, key in KEYS.items() if shown(key, text)]
    return keys + [line for line in (*BODY, SECRET) if line[-12:] in text]


@pytest.mark.parametrize("issuer", KEYS)
def test_a_key_is_masked_after_every_escape(client: Lines | Client, issuer: str) -> None:
    path = f"{issuer}.txt"
    for said in (
        client.call("read_file", path=path, max_tokens=9_000),
        client.call("search_text", query=KEYS[issuer][:3], path=path, max_tokens=9_000),
    ):
        assert not said.is_error
        assert not shown(KEYS[issuer], said.text)
    assert "no lines" in client.call("search_text", query=KEYS[issuer][-9:], path=path).text


def test_no_line_of_a_private_key_is_shown_whatever_it_stands_in(client: Lines | Client) -> None:
    for number, name in enumerate(PRIVATE):
        said = client.call("read_file", path=f"private/{number}.txt", max_tokens=9_000)
        assert not said.is_error
        assert not leaked(said.text), name


def test_a_secret_of_amazon_is_known_by_what_is_near_it(client: Lines | Client) -> None:
    said = client.call("read_file", path="secrets.txt", max_tokens=9_000)
    assert not [line for line in said.text.splitlines() if SECRET[-9:] in line]
    assert "SecretAccessKey" in said.text


@pytest.mark.parametrize("configuration", RUFF)
def test_what_a_program_says_of_a_configuration_is_masked(client: Lines | Client, configuration: str) -> None:
    said = client.call("apply_code_fix", path=f"configured/{configuration}/a.py")
    assert "ruff-config" in said.text
    assert not leaked(said.text)


def test_messages_and_titles_of_fixes_are_masked_as_the_file_is(client: Lines | Client) -> None:
    said = client.call("apply_code_fix", path="branches.py")
    assert "SIM108" in said.text
    assert not leaked(said.text)


@pytest.mark.parametrize("fix", ["all", "Q000", "C408:unsafe"])
def test_no_fix_shows_a_key_apart_from_what_tells_that_it_is_one(client: Lines | Client, fix: str) -> None:
    for said in (
        client.call("apply_code_fix", path="quotes/a.py"),
        client.call("apply_code_fix", path="quotes/a.py", fix=fix),
        client.call("apply_code_fix", path="quotes/a.py", pattern="dict($A)", rewrite="$A", fix="all"),
    ):
        assert not leaked(said.text), said.text
    assert "Q000" in client.call("apply_code_fix", path="quotes/a.py").text


def test_the_name_of_a_file_is_masked_too(client: Lines | Client) -> None:
    assert "ghp_<key masked>" in client.call("list_files", pattern="ghp*").text
    said = client.call("go_to_definition", symbol=KEYS["github"]).text
    assert "ghp_" in said
    assert not leaked(said)
    completion: Mapping[str, Any] = {
        "ref": {"type": "ref/prompt", "name": "explore"},
        "argument": {"name": "path", "value": "ghp"},
    }
    said = json.dumps(client.request("completion/complete", completion))
    said += json.dumps(client.request("prompts/get", {"name": "explore", "arguments": {"path": KEYS["github"]}}))
    assert not leaked(said)


@pytest.mark.parametrize("issuer", [issuer for issuer, key in KEYS.items() if key.isidentifier()])
def test_a_header_that_is_cut_in_the_middle_shows_no_half_of_a_key(client: Lines | Client, issuer: str) -> None:
    for name in (KEYS[issuer], f"TOKEN_{KEYS[issuer]}", f"{'x' * 90}_{KEYS[issuer]}"):
        said = client.call("rename_symbol", symbol=f"branches.py:{FUNCTION}", new_name=name).text
        assert said.startswith("rename_symbol preview"), said
        assert not leaked(said)


@pytest.mark.parametrize("issuer", KEYS)
def test_an_error_that_quotes_a_part_of_a_key_does_not_show_it(client: Lines | Client, issuer: str) -> None:
    key = KEYS[issuer]
    for around in ("{}", "x." * 20 + "{}", "x " * 45 + "{}" + " y" * 60, "{}" + " y" * 150, "({}"):
        text = around.format(key)
        for said in (
            client.call("go_to_definition", symbol=text),
            client.call("rename_symbol", symbol="branches.py:5", new_name=text),
            client.call("search_text", query=f"({text}", regex=True),
            client.call("read_result", uri=text),
            client.call("list_files", path=text),
            client.call("list_files", path=".", max_tokens=text),
            client.call("list_files", path=".", limit=text),
            client.call("list_files", **{text: 1}),
            client.call("apply_code_fix", path="branches.py", start_line=999, fix=text),
            client.call(text),
        ):
            assert not [key[at : at + 8] for at in range(4, len(key) - 8) if key[at : at + 8] in said.text], said.text


@pytest.mark.parametrize("issuer", ["slack", "openai", "json web token"])
def test_an_answer_or_a_prompt_that_offers_a_part_of_a_key_does_not_show_it(
    client: Lines | Client, issuer: str
) -> None:
    key = KEYS[issuer]
    for around in ("{}", "({})", "Bearer%20{}", "x " * 30 + "{}"):
        text = around.format(key)
        said = [
            client.call("symbol_search", query=text).text,
            client.call("find_code", query=f"where {text} is used").text,
            client.call("search_text", query=text).text,
            client.call("list_files", pattern=text).text,
        ]
        for name, argument in (("impact", "symbol"), ("find_code", "what"), ("explore", "path"), ("explore", "budget")):
            said.append(json.dumps(client.request("prompts/get", {"name": name, "arguments": {argument: text}})))
        said.append(json.dumps(client.request("prompts/get", {"name": text, "arguments": {}})))
        said.append(json.dumps(client.request("resources/read", {"uri": f"leadline://result/a?offset={text}"})))
        assert not [one for one in said if shown(key, one)]


def test_the_page_shows_no_key(root: Path, tmp_path: Path) -> None:
    with Web(root, tmp_path) as server:
        asked = json.dumps({"tool": "list_files", "arguments": {"pattern": "ghp*"}})
        for method, path, body in (("POST", "/page/call", asked), ("GET", "/page/map", ""), ("GET", "/", "")):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request(method, path, body, {"Content-Type": "application/json"})
            text = connection.getresponse().read().decode()
            connection.close()
            assert len(text) > 50
            assert not leaked(text)


@pytest.mark.parametrize("name", PRIVATE)
def test_masking_again_changes_nothing(name: str) -> None:
    masked = mask_keys(PRIVATE[name].encode())
    assert mask_keys(masked) is masked or mask_keys(masked) == masked
    assert len(masked) == len(PRIVATE[name].encode())


@pytest.mark.parametrize(
    "innocent",
    ["task-aBcDeFgHiJkLmNoPqRsTuVwXyZ012345", "the_task-proj-name-of-something-long", "ASIAPACIFICREGIONNAMES"],
)
def test_longer_words_that_end_like_the_beginning_of_a_key_are_shown(innocent: str) -> None:
    assert mask_keys(innocent.encode()) == innocent.encode()


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_log_shows_no_key(form: Format, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        configure("warning", form)
        logging.getLogger("leadline.calls").warning(
            "refused: %s", KEYS["github"], extra=record_fields(name=KEYS["slack"])
        )
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    said = capsys.readouterr().err
    assert "refused: ghp_<key masked>" in said
    assert not leaked(said)


@pytest.mark.parametrize(
    ("unit", "number"),
    [(f"{KEYS['amazon']}\n", 100_000), (f"{KEYS['amazon'][:4]} x", 600_000), (next(iter(PRIVATE.values())), 30_000)],
    ids=("keys", "beginnings", "private keys"),
)
def test_a_text_with_more_keys_than_any_is_masked_as_a_whole_in_little_time(unit: str, number: int) -> None:
    text = f"a = 1\n{unit * number}\nlast line, é\n".encode()
    started = time.process_time()
    masked = mask_keys(text)
    assert time.process_time() - started < 10
    assert not leaked(masked.decode())
    assert masked.startswith(b"a = 1\n")
    assert masked.endswith("\n**** ***** é\n".encode())
    assert [len(line) for line in masked.split(b"\n")] == [len(line) for line in text.split(b"\n")]
    assert mask_keys(masked) == masked


@pytest.mark.parametrize(
    "pattern", ["eyJaaaa", "-eyJaaaa", "ghp_", "secret_key ", "[0]sk-", "AKIAAAAAAAAAAAAAAAAA ", "M"]
)
def test_the_time_for_a_text_grows_no_faster_than_the_text(pattern: str) -> None:
    seconds = []
    for size in (200_000, 1_600_000):
        text = (pattern * size)[:size].encode()
        started = time.thread_time()
        mask_keys(text)
        seconds.append(time.thread_time() - started)
    assert seconds[1] <= 8 * 3 * max(seconds[0], 0.02)
