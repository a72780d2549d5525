"""A hosted server shows each caller the repositories of their teams: nothing in any answer comes from another one.

The servers here are real ones over HTTP, their role of the database one that row security applies to. What a caller
gets from a server of all repositories is compared, byte for byte, with what the same caller gets from one that has
nothing but what they may see.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import serving
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.errors import SCHEME
from leadline_server.gate import Address, Tokens
from leadline_server.http import application
from leadline_server.monitoring import monitoring_routes
from leadline_server.packed_result import ResultIds
from leadline_server.page.routes import routes
from leadline_server.prompts import PROMPTS
from leadline_server.registry import TOOLS
from leadline_server.replicas.areas import areas
from leadline_server.replicas.server_role import grant_to_servers
from leadline_server.replicas.state import shared_state
from leadline_server.repositories.index_queue import IndexQueue
from leadline_server.repositories.indexing import SourceRef, hosted_index, repository_indexer
from leadline_server.repositories.indexing_service import IndexingService
from leadline_server.repositories.sources import RepositorySource, Sources
from leadline_server.running import server_of
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from leadline_tools.database.pool import DatabasePool, connected
from leadline_tools.errors import LeadlineError, NothingVisible
from leadline_tools.index.hosted.blob_form import rules_of
from leadline_tools.index.hosted.catalogue import EVERYONE, Catalogue
from leadline_tools.index.hosted.hosted_files import HostedTree
from leadline_tools.index.hosted.hosted_reader import HostedReader, RefState
from leadline_tools.index.hosted.writing.repository_teams import Teams, set_teams
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.result import Call
from postgres import PostgresServer
from repositories import ENVIRONMENT, commit, git

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
            f'class Basket:\n    """Holds {own} goods."""\n\n'
            f"    def add_{team}(self, good):\n        self.goods = [good]\n"
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

    def set_teams(self, teams: Teams) -> None:
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


def call(port: int, token: str, tool: str, **arguments: object) -> str:
    return call_in_turn(port, token, "", tool, **arguments)


def call_in_turn(port: int, token: str, turn: str, tool: str, **arguments: object) -> str:
    meta = {"leadline/store": True, "leadline/turn": turn}
    return str(rpc(port, token, "tools/call", name=tool, arguments=arguments, _meta=meta)["content"][0]["text"])


def stored(port: int, token: str, tool: str, **arguments: object) -> str:
    """Return the URI of the complete result of a call."""
    found = rpc(port, token, "tools/call", name=tool, arguments=arguments, _meta={"leadline/store": True})
    return str(found["_meta"]["leadline/uri"])


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
    """Ids of results and ages that are the same for every database: what they cost depends on their letters."""

    def uri(_self: ResultIds, principal: str, call: Call, _state: str) -> str:
        digest = hashlib.sha256(repr((principal, call.tool, call.arguments)).encode()).digest()
        return SCHEME + base64.b32encode(digest).decode().lower()[:26]

    monkeypatch.setattr(ResultIds, "uri", uri)
    monkeypatch.setattr(HostedTree, "age", 0.0)


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


@pytest.mark.usefixtures("plain_ids")
@pytest.mark.parametrize("team", TEAMS)
def test_prompts_and_completions_know_nothing_else(team: str, port: int, ports: Mapping[str, int]) -> None:
    foreign = next(other for other in TEAMS if other != team)
    listed = {prompt["name"]: prompt for prompt in rpc(port, TOKENS[team], "prompts/list")["prompts"]}
    asked: list[tuple[str, dict[str, Any]]] = []
    for name, prompt in listed.items():
        arguments = {one["name"]: one for one in prompt["arguments"]}
        values = {
            "what": f"where {foreign}ish goods are added to a Basket",
            "question": "where are goods added?",
            "symbol": "shared_everywhere",
            "path": name_of(team),
        }
        required = {key: values[key] for key, one in arguments.items() if one.get("required")}
        asked.append(("prompts/get", {"name": name, "arguments": required}))
        if "symbol" in arguments:
            asked.append(("prompts/get", {"name": name, "arguments": {**required, "symbol": f"sell_{foreign}"}}))
        if "path" in arguments:
            asked.append(("prompts/get", {"name": name, "arguments": {**required, "path": name_of(foreign)}}))
        for key in arguments:
            for typed in ("", "code", "code.example.org/", f"{name_of(foreign)}/", name_of(team), "s", "Bas", "shared"):
                reference = {"type": "ref/prompt", "name": name}
                asked.append(("completion/complete", {"ref": reference, "argument": {"name": key, "value": typed}}))
    assert len(asked) > 20
    for method, params in asked:
        found = rpc(port, TOKENS[team], method, **params)
        assert_nothing_foreign(json.dumps(found), team, params)
        assert found == rpc(ports[team], TOKENS[team], method, **params), params
    for method in ("resources/list", "resources/templates/list", "tools/list", "prompts/list"):
        assert_nothing_foreign(json.dumps(rpc(port, TOKENS[team], method)), team, method)


def test_what_is_the_same_for_all_clients_names_no_repository(port: int) -> None:
    client = {"name": "test", "version": "1"}
    told = rpc(port, OUTSIDER, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
    assert "list_files lists them" in told["instructions"]
    assert "code.example.org" not in json.dumps(told)


@pytest.mark.usefixtures("plain_ids")
@pytest.mark.parametrize("team", TEAMS)
def test_the_page_shows_nothing_else(team: str, port: int, ports: Mapping[str, int]) -> None:
    root, foreign = name_of(team), next(other for other in TEAMS if other != team)
    paths = ["/", "/page/about", "/page/state", "/page/map"]
    paths += [f"/page/map?path={quote(path)}" for path in ("code.example.org", root, f"{root}/src", name_of(foreign))]
    paths += [f"/page/highlights?path={quote(f'{name}/src/basket.py')}&last=9" for name in (root, name_of(foreign))]
    for path in paths:
        found = request(port, TOKENS[team], "GET", path)
        assert_nothing_foreign(found[1], team, path)
        assert found == request(ports[team], TOKENS[team], "GET", path), path
    for tool, arguments in (
        ("search_text", {"query": "Basket"}),
        ("read_file", {"path": f"{name_of(foreign)}/README.md"}),
    ):
        body = {"tool": tool, "arguments": arguments}
        one, other = (request(number, TOKENS[team], "POST", "/page/call", body) for number in (port, ports[team]))
        assert_nothing_foreign(one[1], team, body)
        assert one == other
    uri = quote(stored(port, TOKENS[team], "search_text", query="Basket"))
    assert uri == quote(stored(ports[team], TOKENS[team], "search_text", query="Basket"))
    for path in (f"/page/preview?uri={uri}&max_tokens=300", f"/page/items?uri={uri}&offset=1"):
        found = request(port, TOKENS[team], "GET", path)
        assert_nothing_foreign(found[1], team, path)
        assert found == request(ports[team], TOKENS[team], "GET", path), path


def test_members_of_two_teams_see_the_repositories_of_both_and_others_those_of_everyone(port: int) -> None:
    both = call(port, BOTH, "list_files")
    assert all((name_of(team) in both) is (team != "coral") for team in TEAMS)
    assert EVERYBODYS in both
    nobody = call(port, OUTSIDER, "list_files")
    assert EVERYBODYS in nobody
    assert not any(team in nobody for team in TEAMS)


def test_metrics_count_all_and_name_nothing(port: int, site: Site) -> None:
    status, text = request(port, METRICS, "GET", "/metrics")
    files = sum(map(len, [COMMON, *(files_of(team) for team in TEAMS)]))
    assert status == 200
    assert f"leadline_index_files {float(files)}" in text
    assert not any(team in text for team in TEAMS)
    assert site.sources.name_teams
    for token in (*TOKENS.values(), OUTSIDER):
        assert request(port, token, "GET", "/metrics")[0] == 401
    assert request(port, METRICS, "POST", "/mcp", {})[0] == 401


@pytest.mark.parametrize("token", ["", "a-token-of-somebody-else", f"{TOKENS['amber']}x", TOKENS["amber"][:-1]])
def test_without_a_token_of_the_server_nothing_is_shown(port: int, token: str) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_files", "arguments": {}}}
    for method, path, body in (("POST", "/mcp", asked), ("GET", "/", None), ("GET", "/page/about", None)):
        status, text = request(port, token, method, path, body)
        assert (status, text) == (401, "A token is required.")


# Access that is withdrawn, and given


@pytest.fixture
def own_site(postgres: PostgresServer, repositories: Mapping[str, RepositorySource], tmp_path: Path) -> Iterator[Site]:
    """A database of its own, in which a test changes who may see what."""
    sources = Sources(repository=[repositories["amber"], repositories["birch"], repositories[EVERYONE]])
    site = made_site(postgres, tmp_path, sources)
    yield site
    postgres.drop(site.owner.url)


def test_access_that_is_withdrawn_ends_with_the_next_request(own_site: Site) -> None:
    amber, mine = TOKENS["amber"], name_of("amber")
    with served(own_site) as port:
        whole = call_in_turn(port, amber, "one", "search_text", query="Basket")
        sent_already = call_in_turn(port, amber, "one", "search_text", query="Basket")
        assert len(sent_already) < len(whole)
        about_both = stored(port, amber, "search_text", query="Basket")
        about_one = stored(port, amber, "read_file", path=f"{EVERYBODYS}/src/common.py")
        assert mine in json.dumps(rpc(port, amber, "resources/read", uri=f"{about_both}?limit=0"))

        own_site.set_teams({mine: ("birch",)})
        refused = f"The result '{about_both}' is about a repository that you may not see any more."
        assert refused in call(port, amber, "read_result", uri=about_both)
        for query in ("", "?limit=0", "?offset=1&limit=1"):
            answer = json.dumps(rpc(port, amber, "resources/read", uri=f"{about_both}{query}"))
            assert refused in answer
            assert "Holds" not in answer
        for path in (f"/page/preview?uri={quote(about_both)}&max_tokens=300", f"/page/items?uri={quote(about_both)}"):
            status, text = request(port, amber, "GET", path)
            assert (status, "may not see any more" in text) == (404, True)
        assert "common_ground" in call(port, amber, "read_result", uri=about_one)
        again = call_in_turn(port, amber, "one", "search_text", query="Basket")
        assert "amber" not in again
        assert f"{EVERYBODYS}/src/common.py" in again
        assert mine not in call(port, amber, "list_files")
        assert "amberish" not in call(port, amber, "read_file", path=f"{mine}/README.md")
        assert mine in call(port, TOKENS["birch"], "list_files")

        own_site.set_teams({mine: ("amber",)})
        assert call(port, amber, "search_text", query="Basket").startswith(whole.partition("\n")[0].partition(" | ")[0])
        assert mine in call(port, amber, "read_result", uri=about_both)


def test_who_may_see_nothing_gets_an_error_that_says_so_and_no_more(own_site: Site) -> None:
    own_site.set_teams({EVERYBODYS: ()})
    with served(own_site) as port:
        for tool, asked in questions("coral"):
            if tool not in {"budget", "read_result"}:
                found = call(port, TOKENS["coral"], tool, **asked)
                assert found == f"error: {NothingVisible()} {NothingVisible.hint}\n"
        prompt = rpc(port, TOKENS["coral"], "prompts/get", name=next(iter(PROMPTS)), arguments={})
        assert "You may see no repository" in prompt["message"]
        assert request(port, TOKENS["coral"], "GET", "/")[0] == 200
        assert request(port, TOKENS["coral"], "GET", "/page/about")[0] == 404
        assert name_of("amber") in call(port, TOKENS["amber"], "list_files")


def seen_in(site: Site) -> Mapping[str, set[str]]:
    """Return the teams that may see each repository, as the database has them."""
    found: dict[str, set[str]] = {}
    with connected(site.owner) as connection:
        connection.execute("set leadline.writes = on")
        for name, team in connection.execute(
            "select name, team from repository left join repository_team on repository = id"
        ):
            found.setdefault(name, set())
            if team is not None:
                found[name].add(team)
    return found


def test_the_teams_of_the_sources_are_those_of_the_database(
    own_site: Site, repositories: Mapping[str, RepositorySource]
) -> None:
    amber, birch = name_of("amber"), name_of("birch")
    assert seen_in(own_site) == {amber: {"amber"}, birch: {"birch"}, EVERYBODYS: {EVERYONE}}

    def index(**teams: Sequence[str]) -> Mapping[str, set[str]]:
        changed = [repositories[name].model_copy(update={"teams": some}) for name, some in teams.items()]
        own_site.index(Sources(repository=changed))
        return seen_in(own_site)

    assert index(amber=["birch", "coral"], birch=["birch"]) == {
        amber: {"birch", "coral"},
        birch: {"birch"},
        EVERYBODYS: set(),  # in no source any more
    }
    assert index(amber=[], birch=["birch"]) == {amber: set(), birch: {"birch"}, EVERYBODYS: set()}
    assert index(amber=[], birch=[]) == {amber: {EVERYONE}, birch: {EVERYONE}, EVERYBODYS: set()}


def test_a_repository_of_the_command_line_is_everyones_unless_another_is_not(
    postgres: PostgresServer, repositories: Mapping[str, RepositorySource], tmp_path: Path
) -> None:
    site = made_site(postgres, tmp_path, Sources(repository=[repositories["amber"].model_copy(update={"teams": ()})]))
    assert seen_in(site) == {name_of("amber"): {EVERYONE}}
    with repository_indexer(site.owner, site.mirrors, POLICY, ()) as indexing:
        assert [*indexing.index_repository(repositories["birch"])]
        assert seen_in(site)[name_of("birch")] == {EVERYONE}
        site.set_teams({name_of("birch"): ("birch",)})
        assert [*indexing.index_repository(repositories["coral"])]
        assert [*indexing.index_repository(repositories["birch"])]
    assert seen_in(site) == {name_of("amber"): {EVERYONE}, name_of("birch"): {"birch"}, name_of("coral"): set()}
    postgres.drop(site.owner.url)


def test_a_content_that_a_repository_does_not_have_is_given_to_it_by_no_other(own_site: Site, tmp_path: Path) -> None:
    theirs = Path(own_site.sources.repository[0].url.removeprefix("file://"))
    wanted = git(theirs, "rev-parse", "HEAD:src/basket.py")
    own = tmp_path / "thief"
    commit(own, {"a.py": "x = 1\n"})
    entry = f"100644 blob {wanted}\tstolen.py\n"
    made = subprocess.run(
        ["git", "mktree", "--missing"],
        cwd=own,
        env=ENVIRONMENT,
        input=entry,
        check=True,
        capture_output=True,
        text=True,
    )
    forged = git(own, "commit-tree", made.stdout.strip(), "-m", "forged")
    git(own, "update-ref", "refs/heads/main", forged)
    thief = "code.example.org/thief"
    with repository_indexer(own_site.owner, own_site.mirrors, POLICY, ()) as indexing:
        for place in (own.as_uri(), str(own)):
            with contextlib.suppress(LeadlineError):  # git fetches no such commit
                assert [*indexing.index(SourceRef(thief, place, "main"))]
    own_site.set_teams({thief: ("coral",)})
    with served(own_site) as port:
        for tool, asked in (
            ("read_file", {"path": f"{thief}/stolen.py"}),
            ("search_text", {"query": "goods"}),
            ("symbol_search", {"query": "Basket"}),
            ("list_files", {"path": thief, "recursive": True}),
        ):
            assert "amber" not in call(port, TOKENS["coral"], tool, **asked)


# Row security


def all_rows(address: DatabaseAddress, setting: str) -> Mapping[str, int]:
    """Return how many rows of each guarded table a role reads, with a setting of its own."""
    with connected(address) as connection, connection.transaction():
        connection.execute(setting.encode())
        return {
            table: int(connection.execute(f"select count(*) from {table}".encode()).fetchall()[0][0])
            for table in ("repository", "ref", "vocabulary", "repository_team")
        }


@pytest.mark.parametrize("role", ["owner", "server"])
def test_who_reads_without_a_catalogue_sees_nothing(site: Site, role: str) -> None:
    address = site.owner if role == "owner" else site.server
    assert set(all_rows(address, "select 1").values()) == {0}
    assert all_rows(address, "set local leadline.teams = '*'")["repository"] == 1
    assert all_rows(address, "set local leadline.teams = 'amber'")["ref"] == 1
    with closing(DatabasePool(address)) as pool:
        reading = HostedReader(pool)
        refs = Catalogue(reading, {"amber", "birch"}).refs()
        assert [ref.repository for ref in refs] == [name_of("amber"), name_of("birch"), EVERYBODYS]
        for ref in refs:
            mine = Catalogue(reading, {"amber"})
            assert (mine.manifest(ref.id) is None) is (ref.repository == name_of("birch"))
            assert bool(mine.vocabulary(ref.id)) is (ref.repository != name_of("birch"))
        with reading.transaction():
            assert Catalogue(reading, {"amber"}).refs() != Catalogue(reading, {"birch"}).refs()


def test_the_role_of_servers_cannot_let_itself_see_all(site: Site) -> None:
    assert set(all_rows(site.server, "set local leadline.writes = on").values()) == {0}
    assert all_rows(site.owner, "set local leadline.writes = on")["repository"] == len(TEAMS) + 1
    for statement in (
        "insert into repository_team values(1, 'coral')",
        "update ref set commit = ''",
        "delete from posting",
        "truncate answer",
        "alter table repository disable row level security",
        "create table leadline.other(id integer)",
    ):
        with connected(site.server) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())


def test_the_role_of_servers_can_queue_what_a_webhook_names(own_site: Site) -> None:
    IndexQueue(own_site.owner).prepare()
    assert IndexQueue(own_site.server).request([name_of("amber")]) == 1
    assert IndexQueue(own_site.server).request([name_of("amber")]) == 0


def test_the_first_line_holds_where_row_security_does_not_apply(site: Site) -> None:
    administrator = DatabaseAddress.parse(site.owner.url.replace("indexing@", "postgres@"))
    assert all_rows(administrator, "select 1")["repository"] == len(TEAMS) + 1
    with served(Site(site.owner, administrator, site.sources, site.mirrors)) as port:
        for tool, asked in questions("birch"):
            assert_nothing_foreign(call(port, TOKENS["birch"], tool, **asked), "birch", asked)
        assert name_of("birch") in call(port, TOKENS["birch"], "list_files")


_TEAM = st.sampled_from(["amber", "birch", "it's", "größe/x", "a b", EVERYONE, "", "two\nlines", "%", "{amber}"])


@settings(max_examples=60, deadline=None)
@given(wanted=st.lists(st.frozensets(_TEAM.filter(bool)), min_size=3, max_size=3), asking=st.frozensets(_TEAM))
def test_a_catalogue_has_what_a_team_of_the_caller_may_see(
    site: Site, wanted: Sequence[frozenset[str]], asking: frozenset[str]
) -> None:
    names = [name_of(team) for team in TEAMS]
    before = seen_in(site)
    try:
        site.set_teams(dict(zip(names, wanted, strict=True)))
        with closing(DatabasePool(site.server)) as pool:
            refs: Sequence[RefState] = Catalogue(HostedReader(pool), asking).refs()
    finally:
        site.set_teams({name: sorted(teams) for name, teams in before.items()})
    mine = {team for team in asking if team and "\n" not in team} | {EVERYONE}
    assert {ref.repository for ref in refs} == {
        EVERYBODYS,
        *(name for name, teams in zip(names, wanted, strict=True) if mine & teams),
    }
    assert all(ref.rules == rules_of(POLICY) for ref in refs)
