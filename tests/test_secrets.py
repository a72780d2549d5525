"""What is secret in a tree leaves it by no tool, and every line and column stays that of the file."""

from __future__ import annotations

import json
import textwrap
from base64 import b64encode
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_server.cli import main
from leadline_tools.index.text.key_masking import MASK, mask_keys
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Known, decoded

PASSWORD = "correct-horse-battery"

_random = Random(7)


def some(characters: str, number: int) -> str:
    return "".join(_random.choice(characters) for _ in range(number))


UPPER, HEX = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdef"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

KEYS = {
    "amazon": ("AKIA", some(UPPER, 16)),
    "amazon secret": ("aws_secret_access_key = ", some(LETTERS, 40)),
    "github": ("ghp_", some(LETTERS, 36)),
    "github fine grained": ("github_pat_", some(LETTERS, 22) + "_" + some(LETTERS, 59)),
    "gitlab": ("glpat-", some(LETTERS, 20)),
    "openai": ("sk-proj-", some(LETTERS, 48)),
    "openai, older": ("sk-", some(LETTERS, 48)),
    "anthropic": ("sk-ant-", "api03-" + some(LETTERS, 93)),
    "slack": ("xoxb-", f"123456789012-{some(LETTERS, 24)}"),
    "stripe": ("sk_live_", some(LETTERS, 24)),
    "google": ("AIza", some(LETTERS, 35)),
    "jwt": ("eyJ", f"hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.{some(LETTERS, 43)}"),
    "npm": ("npm_", some(LETTERS, 36)),
    "npmrc": ("//registry.example.org/:_authToken=", some(LETTERS, 36)),
    "hugging face": ("hf_", some(LETTERS, 34)),
    "azure": ("AccountKey=", some(LETTERS, 86) + "=="),
    "age": ("AGE-SECRET-KEY-1", some(UPPER, 58)),
}
"""What begins a key and stays, and what is masked."""

BODY = textwrap.wrap(b64encode(_random.randbytes(1_200)).decode(), 64)
PEM = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])

PARTS_OF_PATHS = (
    *("certs/", "a.PEM", "a.pem", ".env", ".ENV", ".example", ".ssh/", "id_rsa", ".bak", "service-account", ".json"),
    *("service", "account", "\n", "/", "a/", "\udcff", "\u0130", "é", "x", "\ud800"),
)

SECRET_FILES = {
    ".env": f"PASSWORD={PASSWORD}\n",
    "deploy/prod.env": f"PASSWORD={PASSWORD}\n",
    "deploy/.env.production": f"PASSWORD={PASSWORD}\n",
    "id_ed25519": PEM,
    "certs/Server.KEY": PEM,
    "certs/server.pem": PEM,
    ".netrc": f"machine example.org login me password {PASSWORD}\n",
    ".aws/credentials": f"[default]\npassword = {PASSWORD}\n",
    ".ssh/config": f"# {PASSWORD}\n",
}
HARMLESS = (".env.example", "environment.py", "id_rsa.pub", "keys.py", "credentials.py", "monkey.txt", "src/env.ts")

SETTINGS = f'''"""Settings."""


def connect(user, token="{"".join(KEYS["github"])}", *, retries=3):
    """Connect with {"".join(KEYS["slack"])} to the service."""
    return user, token, retries  # after


PRIVATE = """{PEM}"""


def use():
    return connect("me")
'''


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with secret files, and keys in a file of code."""
    root = write(tmp_path_factory.mktemp("secrets"), {**SECRET_FILES, "app/settings.py": SETTINGS})
    for name in HARMLESS:
        write(root, {name: f"harmless {name.replace('/', '_').replace('.', '_')}\n"})
    (root / "innocent.txt").symlink_to(".env")
    return root


@pytest.fixture(scope="module")
def asking(opened: Open, tree: Path) -> Asking:
    return opened(tree)


HIDDEN = (PASSWORD, *BODY, KEYS["github"][1], KEYS["slack"][1])


def leaked(text: str) -> list[str]:
    return [secret for secret in HIDDEN if secret[:20] in text]


@pytest.mark.parametrize("path", sorted(SECRET_FILES))
def test_a_secret_file_is_listed_and_not_read(asking: Asking, path: str) -> None:
    name = path.rpartition("/")[2]
    assert name in asking("list_files", pattern=name, recursive=True)
    told = asking.error("read_file", path=path)
    assert "--allow-secrets" in told
    assert not leaked(told)


def test_a_secret_file_is_not_read_under_the_name_of_a_link(asking: Asking) -> None:
    assert "secrets" in asking.error("read_file", path="innocent.txt")


@pytest.mark.parametrize("path", HARMLESS)
def test_a_file_that_only_sounds_secret_is_read(asking: Asking, path: str) -> None:
    assert "harmless" in asking("read_file", path=path)


@pytest.mark.parametrize("regex", [False, True])
def test_secret_files_are_not_searched_and_the_answer_says_so(asking: Asking, regex: bool) -> None:
    found = asking("search_text", query=PASSWORD[:12], regex=regex)
    assert "no lines" in found
    assert f"secret, so not searched: {min(SECRET_FILES)} and {len(SECRET_FILES) - 1} more" in found


def test_a_search_of_one_secret_file_finds_nothing(asking: Asking) -> None:
    assert "secret, so not searched: .env" in asking("search_text", query="PASSWORD", path=".env")


QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("read_file", {"path": "app/settings.py"}),
    ("search_text", {"query": "token=", "context": 20}),
    ("search_text", {"query": "BEGIN", "context": 20}),
    ("symbol_search", {"query": "connect", "detail": "full"}),
    ("symbol_search", {"query": "PRIVATE", "detail": "full"}),
    ("document_symbols", {"path": "app/settings.py", "detail": "full"}),
    ("go_to_definition", {"symbol": "connect"}),
    ("find_references", {"symbol": "connect", "detail": "full"}),
    ("call_hierarchy", {"symbol": "connect", "detail": "full"}),
    ("repo_map", {}),
    ("find_code", {"query": "connect with the key", "detail": "full"}),
    ("type_members", {"symbol": "app.settings"}),
)


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS)
@pytest.mark.parametrize("as_json", [False, True])
def test_no_tool_shows_a_key_in_text_in_json_or_in_the_stored_result(
    asking: Asking, tool: str, arguments: dict[str, object], as_json: bool
) -> None:
    given = {**arguments, "max_tokens": 9_000}
    response = asking.session.call(Request(tool, given, as_json=as_json, store=True))
    assert not leaked(response.text)
    if not response.is_error:
        assert not leaked(asking.session.read_all(response.uri, 0))


def test_an_answer_in_which_a_key_is_masked_says_so(asking: Asking) -> None:
    assert f"keys in the text are masked: {MASK}\n" in asking("read_file", path="app/settings.py")
    assert MASK not in asking("read_file", path="app/settings.py", start_line=1, num_lines=3)


def test_a_masked_key_moves_no_line_and_no_column(asking: Asking) -> None:
    response = asking.session.call(
        Request("search_text", {"query": "# after", "max_tokens": 2_000}, store=True, as_json=True)
    )
    item = json.loads(response.text)["items"][0]
    lines = SETTINGS.splitlines()
    assert (item["line"], item["column"]) == (6, lines[5].index("# after") + 1)
    found = asking("search_text", query="retries=3")
    assert "4: def connect" in found


def test_a_search_cannot_be_asked_what_a_key_is(asking: Asking) -> None:
    for _, key in (KEYS["github"], KEYS["slack"], ("", BODY[3])):
        assert "no lines" in asking("search_text", query=key[:6], case_sensitive=True)
        assert "no lines" in asking("search_text", query=f"{key[:6]}.*", regex=True, case_sensitive=True)


@pytest.mark.parametrize("asked", [{"query": "masked"}, {"query": "<key"}, {"query": "y maske"}, {"query": "****"}])
@pytest.mark.parametrize("word", [False, True])
def test_no_search_finds_what_stands_in_place_of_a_key(asking: Asking, asked: dict[str, str], word: bool) -> None:
    assert "no lines" in asking("search_text", **asked, word=word, path="app/settings.py")


def test_what_was_allowed_by_name_is_read_as_it_is_and_nothing_else(opened: Open, tree: Path) -> None:
    allowed = opened(tree, allow_secrets=(".env", "app/settings.py"))
    assert PASSWORD in allowed("read_file", path=".env")
    assert PASSWORD in allowed("search_text", query=PASSWORD, path=".env")
    assert KEYS["github"][1] in allowed("read_file", path="app/settings.py")
    assert "secrets" in allowed.error("read_file", path="deploy/prod.env")


def test_what_one_server_may_read_is_not_kept_for_another(opened: Open, tree: Path, tmp_path: Path) -> None:
    question = {"query": PASSWORD[:9], "max_tokens": 60}
    allowed = opened(tree, cache=tmp_path, allow_secrets=("*",))
    assert "no lines" not in allowed("search_text", **question)
    assert "no lines" in opened(tree, cache=tmp_path)("search_text", **question)


def test_a_secret_file_is_allowed_on_the_command_line_or_in_the_environment(tree: Path, tmp_path: Path) -> None:
    command = ["call", "read_file", "path=.env", "--root", str(tree), "--cache-dir", str(tmp_path)]
    run = CliRunner().invoke
    assert run(main, command).exit_code == 1
    assert PASSWORD in run(main, [*command, "--allow-secrets", "*.pem", "--allow-secrets", ".env"]).output
    assert PASSWORD in run(main, command, env={"LEADLINE_ALLOW_SECRETS": "*.pem .env"}).output


@pytest.mark.parametrize("issuer", sorted(KEYS))
@pytest.mark.parametrize("around", ['x = "{}"', "{}", "# {} in a comment", '{{"a": ["{}"]}}', "é{} "])
def test_a_key_is_masked_whatever_it_stands_in(issuer: str, around: str) -> None:
    begins, rest = KEYS[issuer]
    text = around.format(begins + rest)
    if around.startswith("é") and begins[0].isalnum():
        text = text.replace("é", "é ")
    seen = mask_keys(text.encode()).decode()
    assert seen == text.replace(rest, MASK + "*" * (len(rest) - len(MASK)))


@pytest.mark.parametrize(
    "written",
    [
        PEM,
        PEM.replace("\n", "\r\n"),
        PEM.replace("\n", "\\n"),
        "\n".join(f'    "{line}\\n"' for line in PEM.splitlines()),
        "\n".join(f"// {line}" for line in PEM.splitlines()),
        "\n".join(f"# {line}" for line in PEM.splitlines()),
        " +\n".join(f"'{line}\\n'" for line in PEM.splitlines()),
        PEM.replace("RSA PRIVATE KEY-----\n", "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n", 1),
    ],
    ids=["plain", "crlf", "escaped", "strings", "slashes", "hashes", "joined", "headers"],
)
def test_a_private_key_is_masked_however_a_language_writes_it(written: str) -> None:
    seen = mask_keys(written.encode()).decode()
    assert not any(line[:12] in seen for line in BODY[:-1])
    assert seen.count("\n") == written.count("\n")
    assert "-----END" in seen


@pytest.mark.parametrize(
    "innocent",
    [
        "task-abcdefghijklmnopqrstuvwxyzabcdefghijklmnop",
        "sk-fading-circle-with-a-long-name-and-more-of-it",
        "AKIA is what begins an id",
        "eyJ2ZXJzaW9uIjozLCJmaWxlIjoi",
        "-----BEGIN PRIVATE KEY-----",
        'if text.startswith("-----BEGIN PRIVATE KEY-----"):\n    raise ThatIsAKeyAndItShouldNotBeHereError(text)\n',
        "-----BEGIN PUBLIC KEY-----\n" + BODY[0],
        "ghp_short",
        "self._auth=auth",
        "https://user:password@example.org/",
    ],
)
def test_what_is_no_key_is_left_alone(innocent: str) -> None:
    assert mask_keys(innocent.encode()).decode() == innocent


@given(st.binary(max_size=200), st.sampled_from(sorted(KEYS)), st.binary(max_size=200))
def test_masking_keeps_every_byte_that_is_no_key(before: bytes, issuer: str, after: bytes) -> None:
    text = before + b" " + "".join(KEYS[issuer]).encode() + b" " + after
    seen = mask_keys(text)
    assert len(seen) == len(text)
    assert seen.count(b"\n") == text.count(b"\n")
    assert mask_keys(seen) == seen


def test_the_policy_knows_names_in_any_case_and_exceptions() -> None:
    policy = SecretPolicy(("certs/*.pem",))
    assert policy.is_secret("A/.ENV")
    assert not policy.is_secret("A/.env.example")
    assert policy.is_secret("x/.git/config")
    assert not policy.is_secret("certs/a.pem")
    assert policy.is_secret("other/a.pem")


@given(st.lists(st.lists(st.sampled_from(PARTS_OF_PATHS), min_size=1, max_size=4).map("".join), max_size=12))
def test_the_secret_files_of_a_list_are_those_that_are_secret_by_themselves(paths: list[str]) -> None:
    policy = SecretPolicy(("certs/*.pem",))
    assert policy.secret_paths(paths) == frozenset(filter(policy.is_secret, paths))


@given(
    st.lists(st.sampled_from([f"{begin}{rest}" for begin, rest in KEYS.values()]) | st.text(max_size=5), max_size=4),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_a_text_that_is_known_from_before_is_read_as_the_first_time(parts: list[str], encoding: str) -> None:
    raw = "\n".join(parts).encode(encoding)
    first = decoded("a", raw)
    again = decoded("a", raw, known=Known(first.digest, first.line_count))
    assert (again.content, again.digest, again.masked) == (first.content, first.digest, first.masked)
    assert (again.encoding, again.size, again.line_count) == (first.encoding, first.size, first.line_count)


@pytest.mark.parametrize("before", ["x = 1\n", ""])
def test_a_key_that_comes_into_a_known_text_is_masked(before: str) -> None:
    old = decoded("a", before.encode())
    now = decoded("a", (before + "".join(KEYS["github"])).encode(), known=Known(old.digest, old.line_count))
    assert now.masked
    assert KEYS["github"][1] not in now.text
    assert now.line_count == len(now.lines())
