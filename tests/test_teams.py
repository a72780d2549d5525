"""A hosted server shows each caller the repositories of their teams: nothing in any answer comes from another one.

The servers here are real ones over HTTP, their role of the database one that row security applies to. What a caller
gets from a server of all repositories is compared, byte for byte, with what the same caller gets from one that has
nothing but what they may see.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import serving
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.errors import SCHEME
from leadline_server.gate import Address, Tokens
from leadline_server.http import application
from leadline_server.monitoring import monitoring_routes
from leadline_server.packed_result import ResultIds
from leadline_server.page.routes import routes
from leadline_server.registry import TOOLS
from leadline_server.replicas.areas import areas
from leadline_server.replicas.server_role import grant_to_servers
from leadline_server.replicas.state import shared_state
from leadline_server.repositories.indexing import hosted_index, repository_indexer
from leadline_server.repositories.indexing_service import IndexingService
from leadline_server.repositories.sources import RepositorySource, Sources
from leadline_server.running import server_of
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.hosted.catalogue import EVERYONE
from leadline_tools.index.hosted.repository_teams import set_teams
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.result import Call
from postgres import PostgresServer
from repositories import commit

TEAMS = ("amber", "birch", "coral")
TOKENS = {team: f"a-token-of-team-{team}" for team in TEAMS}
OUTSIDER, BOTH, METRICS = "a-token-of-no-team-at-all", "a-token-of-two-teams", "a-token-that-reads-metrics"
POLICY = SecretPolicy()

SHARED = "def shared_everywhere(basket):\n    return basket\n\n\nSHARED_LIMIT = 3\n"
"""A file with which two teams have equal contents."""


def name_of(team: str) -> str:
    return f"code.example.org/{team}/{team}-store"


def files_of(team: str) -> Mapping[str, str]:
    """Return the files of a team: words that only it has, words that all have, and one content that all have."""
    own, capital = f"{team}ish", team.capitalize()
    return {
        "README.md": f"# {capital}\n\nSells {own} baskets. See `Basket`.\n",
        "src/basket.py": (
            f'class Basket:\n    """Holds {own} goods."""\n\n    def add_{team}(self, good):\n        self.goods = [good]\n'
            f"\n    def total(self):\n        return len(self.goods)\n\n\nclass {capital}Basket(Basket):\n"
            f"    def total(self):\n        return 0\n"
        ),
        "src/sale.py": (
            "from src.basket import Basket\nfrom src.shared import shared_everywhere\n\n\n"
            f"def sell_{team}(basket):\n    basket = Basket()\n    basket.add_{team}(1)\n"
            "    return shared_everywhere(basket).total()\n"
        ),
        "src/shared.py": SHARED,
        f"src/{team}_notes.txt": f"{own} " * (10 + len(team) * TEAMS.index(team)),
        **{f"lib/{own}_{number}.js": f"function {own}Part{number}() {{ return Basket }}\n" for number in range(4)},
        "broken.py": f"def broken_{team}(:\n",
    }


EVERYBODYS = "code.example.org/common"
COMMON = {"src/common.py": "def common_ground():\n    return Basket\n", "src/shared.py": SHARED}


@dataclass(frozen=True)
class Site:
    """A database with some repositories, and the two roles that use it."""

    owner: DatabaseAddress
    server: DatabaseAddress
    sources: Sources
    mirrors: Path

    def index(self, sources: Sources | None = None) -> None:
        """Bring the repositories of sources to the database, as the indexer does."""
        with repository_indexer(self.owner, self.mirrors, POLICY, ()) as indexing:
            service = IndexingService(sources or self.sources, indexing)
            for name in service.repositories():
                assert [*service.index(name)]

    def set_teams(self, teams: Mapping[str, Sequence[str]]) -> None:
        with closing(DatabasePool(self.owner)) as pool:
            set_teams(pool, teams, hides_others=False)


def made_site(postgres: PostgresServer, folder: Path, sources: Sources) -> Site:
    """Return a new database with repositories in it, whose roles are no administrators."""
    url = postgres.fresh()
    database = url.partition("/@/")[0].rpartition("@/")[2].partition("?")[0]
    with postgres.session(database) as session:
        for role in ("indexing", "serving"):
            session.execute(
                f"do $$ begin create role {role} login; exception when duplicate_object then end $$".encode()
            )
        session.execute(f"grant create, temporary on database {database} to indexing".encode())
        session.execute("create extension if not exists pg_trgm with schema public")
    owner, server = (DatabaseAddress.parse(url.replace("postgres@", f"{role}@")) for role in ("indexing", "serving"))
    migrate(owner, areas())
    grant_to_servers(owner, "serving")
    site = Site(owner, server, sources, folder / database)
    site.index()
    return site


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, RepositorySource]:
    """The repository of each team, and one that everyone may see."""
    folder = tmp_path_factory.mktemp("repositories")
    found: dict[str, RepositorySource] = {}
    for team, files in (*((team, files_of(team)) for team in TEAMS), (EVERYONE, COMMON)):
        place = folder / team.replace(EVERYONE, "everyone")
        commit(place, files)
        name = EVERYBODYS if team == EVERYONE else name_of(team)
        found[team] = RepositorySource(url=place.as_uri(), name=name, teams=(team,))
    return found


@pytest.fixture(scope="module")
def site(
    postgres: PostgresServer, repositories: Mapping[str, RepositorySource], tmp_path_factory: pytest.TempPathFactory
) -> Site:
    """The database of all teams."""
    return made_site(postgres, tmp_path_factory.mktemp("all"), Sources(repository=[*repositories.values()]))


@pytest.fixture(scope="module")
def sites(
    postgres: PostgresServer, repositories: Mapping[str, RepositorySource], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Site]:
    """For each team a database that has nothing but what its members may see."""
    return {
        team: made_site(
            postgres,
            tmp_path_factory.mktemp(team),
            Sources(repository=[repositories[team], repositories[EVERYONE]]),
        )
        for team in TEAMS
    }


@contextmanager
def served(site: Site) -> Iterator[int]:
    """Serve a database over HTTP; give the port."""
    index = hosted_index(site.server, POLICY, ())
    config = Config(Path("/"), None, "openai", database=site.server, hosted=True, long_ids=True)
    with closing(Session(config, index, shared_state(config, site.server, index))) as session:
        teams = {token: frozenset({team}) for team, token in TOKENS.items()}
        teams |= {OUTSIDER: frozenset({"nobody"}), BOTH: frozenset({"amber", "birch"})}
        tokens, metrics = Tokens(tuple(teams), teams), Tokens((METRICS,))
        pages = (*routes(session), *monitoring_routes(session))
        server = server_of(session)

        def made(port: int) -> Any:
            address = Address("127.0.0.1", port, (), tokens, stateless=True, metrics=metrics)
            return application(server, address, pages)

        with serving.in_thread(made) as port:
            yield port


@pytest.fixture(scope="module")
def port(site: Site) -> Iterator[int]:
    with served(site) as found:
        yield found


@pytest.fixture(scope="module")
def ports(sites: Mapping[str, Site]) -> Iterator[Mapping[str, int]]:
    with ExitStack() as servers:
        yield {team: servers.enter_context(served(site)) for team, site in sites.items()}


# Requests


def request(port: int, token: str, method: str, path: str, body: object = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=serving.DEADLINE)
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def rpc(port: int, token: str, method: str, **params: object) -> Mapping[str, Any]:
    """Return what a request of the protocol returns, or its error."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    status, text = request(port, token, "POST", "/mcp", asked)
    assert status == 200, text
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    answer = json.loads(lines[-1] if lines else text)
    return answer["result"] if "result" in answer else answer["error"]  # type: ignore[no-any-return]


def call(port: int, token: str, tool: str, turn: str = "", **arguments: object) -> str:
    meta = {"leadline/store": True, "leadline/turn": turn}
    return str(rpc(port, token, "tools/call", name=tool, arguments=arguments, _meta=meta)["content"][0]["text"])


def uri_of(answer: str) -> str:
    found = re.search(r"leadline://result/\w+", answer)
    assert found is not None, answer
    return found[0]


def questions(team: str) -> Sequence[tuple[str, Mapping[str, object]]]:
    """Return questions of a member of a team: about all, about what others have, and with mistakes."""
    root, foreign = name_of(team), next(other for other in TEAMS if other != team)
    theirs = name_of(foreign)
    about_all: list[tuple[str, Mapping[str, object]]] = [
        ("list_files", {}),
        ("list_files", {"recursive": True}),
        ("list_files", {"path": "code.example.org"}),
        ("list_files", {"path": "**/*.py", "recursive": True}),
        ("count_files", {}),
        ("count_files", {"by": "language"}),
        ("search_text", {"query": "Basket"}),
        ("search_text", {"query": "shared_everywhere", "max_tokens": 120}),
        ("search_text", {"query": r"\w+ish", "regex": True}),
        ("symbol_search", {"query": "Basket"}),
        ("symbol_search", {"query": "bas"}),
        ("symbol_search", {"query": "shared"}),
        ("symbol_search", {"query": "Baskte"}),
        ("find_code", {"query": "add goods to a basket"}),
        ("repo_map", {}),
        ("go_to_definition", {"symbol": "Basket"}),
        ("go_to_definition", {"symbol": "shared_everywhere"}),
        ("find_references", {"symbol": "shared_everywhere"}),
        ("find_references", {"symbol": "Basket", "tier": "name"}),
        ("find_implementations", {"symbol": "Basket"}),
        ("type_members", {"symbol": "Basket"}),
        ("call_hierarchy", {"symbol": "shared_everywhere"}),
        ("apply_code_fix", {}),
        ("apply_code_fix", {"pattern": "len($A)", "rewrite": "size($A)"}),
        ("budget", {}),
    ]
    about_own: list[tuple[str, Mapping[str, object]]] = [
        ("read_file", {"path": f"{root}/src/basket.py"}),
        ("document_symbols", {"path": f"{root}/src/basket.py", "detail": "full"}),
        ("apply_code_fix", {"path": root, "pattern": "len($A)", "rewrite": "size($A)"}),
        ("find_references", {"symbol": f"{root}/src/shared.py:shared_everywhere"}),
        ("rename_symbol", {"symbol": f"{root}/src/basket.py:Basket.total", "new_name": "sum"}),
    ]
    about_theirs: list[tuple[str, Mapping[str, object]]] = [
        ("list_files", {"path": theirs}),
        ("read_file", {"path": f"{theirs}/src/basket.py"}),
        ("read_file", {"path": f"{theirs}x/src/basket.py"}),
        ("document_symbols", {"path": f"{theirs}@main/src/basket.py"}),
        ("search_text", {"query": f"{foreign}ish"}),
        ("search_text", {"query": "Basket", "path": f"{theirs}/src"}),
        ("symbol_search", {"query": f"sell_{foreign}"}),
        ("symbol_search", {"query": f"{foreign.capitalize()}Basket"}),
        ("go_to_definition", {"symbol": f"sell_{foreign}"}),
        ("find_references", {"symbol": f"{theirs}/src/basket.py:Basket"}),
        ("type_members", {"symbol": f"{foreign.capitalize()}Basket"}),
        ("call_hierarchy", {"symbol": f"add_{foreign}"}),
        ("rename_symbol", {"symbol": f"sell_{foreign}", "new_name": "other"}),
        ("repo_map", {"focus": f"{foreign}ish"}),
        ("count_files", {"path": f"code.example.org/{foreign}"}),
        ("read_result", {"uri": "leadline://result/aaaaaaaaaaaaaaaaaaaaaaaaaa"}),
    ]
    return [*about_all, *about_own, *about_theirs]


@pytest.fixture
def plain_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids of results that are the same for every database: what they cost in tokens depends on their letters."""

    def uri(_self: ResultIds, principal: str, call: Call, _state: str) -> str:
        digest = hashlib.sha256(repr((principal, call.tool, call.arguments)).encode()).digest()
        return SCHEME + base64.b32encode(digest).decode().lower()[:26]

    monkeypatch.setattr(ResultIds, "uri", uri)


def assert_nothing_foreign(text: str, team: str, asked: object) -> None:
    """Check that an answer has no word of another team but those that the question has."""
    said = json.dumps(asked).lower()
    for other in TEAMS:
        if other != team:
            for word in re.findall(rf"\w*{other}\w*", text.lower()):
                assert word in said, f"{asked} shows {word}: {text}"


def test_every_tool_is_asked() -> None:
    assert {tool for tool, _ in questions("amber")} == set(TOOLS)


@pytest.mark.usefixtures("plain_ids")
@pytest.mark.parametrize("team", TEAMS)
def test_every_tool_answers_as_if_there_were_nothing_else(team: str, port: int, ports: Mapping[str, int]) -> None:
    for tool, asked in questions(team):
        found = call(port, TOKENS[team], tool, **asked)
        assert_nothing_foreign(found, team, asked)
        assert found == call(ports[team], TOKENS[team], tool, **asked), (tool, asked)
