"""What registries and hosts are told of the server: ``server.json`` and the manifest of the ``.mcpb`` bundle."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from leadline_server import __version__
from leadline_server.config import TURN_TOKENS
from leadline_server.toolset import sort_tools
from leadline_tools.tool import TOOLS

ROOT = Path(__file__).parent.parent
NAME = "io.github.leadline/leadline"
"""The name in the registry; README.md says the same, which proves that the package belongs to it."""

_PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_SHORT = "Code navigation that fits a token budget and knows what every answer costs"
"""The registry takes 100 characters."""

_SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def server_json() -> str:
    """Return ``server.json``, with which the server is published in the registry of MCP servers."""
    return _written(
        {
            "$schema": _SERVER_SCHEMA,
            "name": NAME,
            "title": "Leadline",
            "description": _SHORT,
            "version": __version__,
            "packages": [
                {
                    "registryType": "pypi",
                    "registryBaseUrl": "https://pypi.org",
                    "identifier": _PROJECT["name"],
                    "version": __version__,
                    "runtimeHint": "uvx",
                    "transport": {"type": "stdio"},
                    "packageArguments": [
                        {"type": "positional", "value": "serve"},
                        {
                            "type": "named",
                            "name": "--root",
                            "description": "The folder to navigate",
                            "format": "filepath",
                            "isRequired": True,
                        },
                    ],
                    "environmentVariables": [
                        {
                            "name": "LEADLINE_MODEL",
                            "description": "The model whose tokens are counted: a name or a family",
                            "placeholder": "claude",
                        }
                    ],
                }
            ],
        }
    )


def bundle_manifest() -> str:
    """Return ``manifest.json`` of the bundle, which Claude Desktop installs with a click and runs with uv."""
    options = ["--root", "${user_config.root}", "--model", "${user_config.model}", "--turn-tokens", str(TURN_TOKENS)]
    return _written(
        {
            "manifest_version": "0.4",
            "name": _PROJECT["name"],
            "display_name": "Leadline",
            "version": __version__,
            "description": _SHORT,
            "long_description": f"{_PROJECT['description']}. Nothing leaves your machine.",
            "author": {"name": "The Leadline developers"},
            "license": _PROJECT["license"],
            "keywords": _PROJECT["keywords"],
            "server": {
                "type": "uv",
                "entry_point": "server/leadline_server/__main__.py",
                "mcp_config": {
                    "command": "uv",
                    "args": ["run", "--directory", "${__dirname}", "leadline", "serve", *options],
                },
            },
            "user_config": {
                "root": {
                    "type": "directory",
                    "title": "Folder",
                    "description": "The repository to navigate",
                    "required": True,
                },
                "model": {
                    "type": "string",
                    "title": "Model",
                    "description": "The model whose tokens are counted: a name or a family",
                    "default": "claude",
                },
            },
            "tools": [
                {"name": name, "description": " ".join(TOOLS[name].description.split())} for name in sort_tools(TOOLS)
            ],
            "compatibility": {
                "platforms": ["darwin", "win32", "linux"],
                "runtimes": {"python": _PROJECT["requires-python"]},
            },
        }
    )


_PLUGIN = "packaging/claude-plugin"
"""The folder of the plug-in of Claude Code, below the repository."""


def marketplace_json() -> str:
    """Return the manifest that makes this repository a marketplace of Claude Code, with one plug-in."""
    return _written(
        {
            "name": _PROJECT["name"],
            "owner": {"name": "The Leadline developers"},
            "plugins": [{"name": _PROJECT["name"], "source": f"./{_PLUGIN}", "description": _SHORT}],
        }
    )


def plugin_json() -> str:
    """Return the manifest of the plug-in: the server, started by uvx, beside the skill in its folder."""
    return _written(
        {
            "name": _PROJECT["name"],
            "version": __version__,
            "description": _SHORT,
            "author": {"name": "The Leadline developers"},
            "license": _PROJECT["license"],
            "keywords": _PROJECT["keywords"],
            "mcpServers": {
                _PROJECT["name"]: {"command": "uvx", "args": [_PROJECT["name"], "serve", "--model", "claude"]}
            },
        }
    )


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
