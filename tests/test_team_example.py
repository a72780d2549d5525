"""The example of a server for a team: its file is what Compose reads, and every command in it runs and answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

import serving
from repositories import commit
from round_robin import round_robin
from test_gate import connected, text_of

pytestmark = pytest.mark.anyio

EXAMPLE = Path(__file__).parents[1] / "examples" / "team"
SETTINGS = {
    "LEADLINE_HOST": "code.example.org",
    "LEADLINE_TOKEN": "a-token-of-the-team",
    "POSTGRES_PASSWORD": "word",
    "SERVER_PASSWORD": "other",
}
REFERENCE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


def read(settings: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the file as Compose reads it: with the settings in the place of its variables."""
    text = (EXAMPLE / "compose.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(REFERENCE.sub(lambda match: settings.get(match[1], match[2] or ""), text))  # type: ignore[no-any-return]


SERVICES: Mapping[str, Any] = read(SETTINGS)["services"]
OWN = {name: service for name, service in SERVICES.items() if service["image"] == "leadline"}


def test_every_setting_without_a_default_is_required() -> None:
    text = (EXAMPLE / "compose.yaml").read_text(encoding="utf-8")
    required = {match[1] for match in re.finditer(r"\$\{(\w+):\?\}", text)}
    assert required == SETTINGS.keys()


def role_of_servers() -> bytes:
    """Return the statement by which the example creates the role of the servers, for any number of databases."""
    script = (EXAMPLE / "roles.sh").read_text(encoding="utf-8")
    (statement,) = re.findall(r"^create role .*;$", script, re.MULTILINE)
    made = statement.replace(":'word'", "'other'")
    return f"do $$ begin {made} exception when duplicate_object then end $$".encode()


def test_services_name_each_other_and_the_files_beside_them() -> None:
    for name, service in SERVICES.items():
        assert set(service.get("depends_on", ())) <= SERVICES.keys(), name
        for volume in service.get("volumes", ()):
            place = volume.partition(":")[0]
            assert (EXAMPLE / place).is_file() if place.startswith(".") else place in read(SETTINGS)["volumes"], volume
    assert "dynamic a serve 8765" in (EXAMPLE / "Caddyfile").read_text(encoding="utf-8")


def test_our_services_write_nowhere_but_to_their_volumes_and_have_no_rights() -> None:
    assert OWN.keys() == {"migrate", "indexer", "serve"}
    for service in OWN.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]


async def test_every_command_runs_and_two_replicas_answer_as_one(database: str, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    commit(shop, {"src/cart.py": "class Cart:\n    def total(self):\n        return 1\n"})
    sources = tmp_path / "sources.toml"
    sources.write_text(f'[[repository]]\nurl = "{shop.as_uri()}"\nname = "example.org/acme/shop"\n')
    replaced = {"/etc/leadline/sources.toml": str(sources)}

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(role_of_servers())

    def environment(service: str) -> Mapping[str, str]:
        named = {name: str(value or "") for name, value in OWN[service]["environment"].items()}
        user = named["LEADLINE_DATABASE"].removeprefix("postgresql://").partition(":")[0]
        url = database if user == "leadline" else database.replace("postgres@", f"{user}@")
        own = {**named, "LEADLINE_DATABASE": url}
        return {**os.environ, **own, "LEADLINE_CACHE_DIR": str(tmp_path / f"cache-{service}")}

    def command(service: str, replace: Mapping[str, str] = replaced) -> Sequence[str]:
        words = [replace.get(word, word) for word in OWN[service]["command"]]
        return [sys.executable, "-m", "leadline_server", *words]

    subprocess.run(command("migrate"), check=True, env=environment("migrate"), timeout=120)
    indexer = subprocess.Popen(command("indexer"), env=environment("indexer"), stdout=subprocess.PIPE, text=True)
    try:
        assert indexer.stdout is not None
        assert re.match(r"example.org/acme/shop main at \w+: 1 files, 1 parsed", indexer.stdout.readline())
        with ExitStack() as servers:
            ports, proxy = [serving.free_port() for _ in range(2)], serving.free_port()
            for port in ports:
                given = {"0.0.0.0:8765": f"127.0.0.1:{port}", SETTINGS["LEADLINE_HOST"]: f"127.0.0.1:{proxy}"}
                servers.enter_context(serving.process([*command("serve", given)], port, dict(environment("serve"))))
            servers.enter_context(round_robin(ports, proxy))
            for _ in ports:
                async with connected(proxy, SETTINGS["LEADLINE_TOKEN"]) as client:
                    found = await client.call_tool("symbol_search", {"query": "Cart"})
                assert "example.org/acme/shop/src/cart.py" in text_of(found), json.dumps(found.model_dump(mode="json"))
    finally:
        indexer.terminate()
        indexer.communicate(timeout=30)
    assert indexer.returncode == 0
