"""Every tool and every language is what its registry promises; a new one is checked without an edit here."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import subprocess
import sys
import tomllib
import typing
import warnings
from collections import Counter
from collections.abc import Iterator
from enum import EnumType
from functools import cache
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest
import tree_sitter

import leadline_tools.languages
import leadline_tools.navigation
from conftest import write
from expectations import FIXTURES
from leadline_server.app import schema, tool_declaration
from leadline_tools.languages import HOSTS, LANGUAGES, PARSED, SHARED_FOLDERS, language_in, language_of, pack
from leadline_tools.languages.language import Language
from leadline_tools.model import Role, SymbolKind
from leadline_tools.tool import TOOLS, WRITING, Takes, Tool, tool
from questions import QUESTIONS

WRITERS = {"rename_symbol", "apply_code_fix"}
"""The tools that may change files, if the server allows it."""

READS_STORED = {"read_result"}
"""The tools that no question to a tree can be put to: they go on with the answer to one."""

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"

every_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def modules_in(package: ModuleType) -> set[str]:
    return {path.stem for folder in package.__path__ for path in Path(folder).glob("*.py")} - {"__init__"}


def folders_in(package: ModuleType) -> set[str]:
    return {path.parent.name for folder in package.__path__ for path in Path(folder).glob("*/__init__.py")}


def choices(tool: Tool) -> Iterator[tuple[str, list[str]]]:
    """Yield the parameters of a tool that take one of a few values, with these."""
    for name, field in tool.arguments.model_fields.items():
        if typing.get_origin(field.annotation) is typing.Literal:
            yield name, list(typing.get_args(field.annotation))
        elif isinstance(field.annotation, EnumType):
            yield name, [str(member) for member in field.annotation]


# Tools


@every_tool
def test_a_tool_says_in_a_sentence_what_it_answers(tool: Tool) -> None:
    description = tool_declaration(tool).description
    assert description
    assert re.match(r"[A-Z].{10,}\.", description)
    assert "\n" not in description


@every_tool
def test_a_tool_is_one_module_of_its_name(tool: Tool) -> None:
    package, _, module = tool.run.__module__.rpartition(".")
    assert module == tool.name == tool.run.__name__
    assert package in {"leadline_tools.navigation", "leadline_server.session_tools"}
    assert inspect.getdoc(sys.modules[tool.run.__module__])


def test_every_module_of_navigation_is_a_tool() -> None:
    assert modules_in(leadline_tools.navigation) <= set(TOOLS)


@every_tool
def test_every_parameter_has_a_type_and_the_first_is_what_the_question_is_put_to(tool: Tool) -> None:
    signature = inspect.signature(tool.run)
    hints = typing.get_type_hints(tool.run)
    context, *parameters = signature.parameters
    assert hints[context] is tool.context
    assert list(tool.arguments.model_fields) == [*parameters, *(WRITING if tool.writes else ())]
    assert not WRITING.keys() & set(parameters)
    assert set(signature.parameters) | {"return"} == set(hints)
    assert "max_tokens" not in parameters


@every_tool
def test_every_argument_in_the_schema_has_a_type_and_max_tokens_is_one(tool: Tool) -> None:
    properties = schema(tool)["properties"]
    assert set(properties) == {*tool.arguments.model_fields, "max_tokens"}
    assert {field["type"] for field in properties.values()} <= {"string", "integer", "boolean"}
    assert properties["max_tokens"]["type"] == "integer"
    assert "max_tokens" not in schema(tool).get("required", ())


@every_tool
def test_a_schema_has_no_titles_no_references_and_is_valid(tool: Tool) -> None:
    made = schema(tool)
    jsonschema.Draft202012Validator.check_schema(made)
    text = json.dumps(made)
    assert '"title"' not in text
    assert "$ref" not in text
    assert "$defs" not in text


@every_tool
def test_a_schema_lists_the_values_of_a_parameter_that_takes_one_of_a_few(tool: Tool) -> None:
    properties = schema(tool)["properties"]
    assert {name: properties[name].get("enum") for name, _ in choices(tool)} == dict(choices(tool))


@every_tool
def test_what_a_parameter_without_a_default_needs_is_required(tool: Tool) -> None:
    made = schema(tool)
    assert tuple(made.get("required", ())) == tool.required


@every_tool
def test_a_schema_has_the_defaults_that_cannot_be_guessed(tool: Tool) -> None:
    fields = {name: field.default for name, field in tool.arguments.model_fields.items() if name not in tool.required}
    first = {name: values[0] for name, values in choices(tool)}
    declared = {name: default for name, default in fields.items() if default not in {"", ".", 0, first.get(name)}}
    properties = schema(tool)["properties"]
    assert {name: field["default"] for name, field in properties.items() if "default" in field} == declared


@every_tool
def test_a_tool_has_a_question_in_the_tests_that_its_schema_and_its_model_accept(tool: Tool) -> None:
    asked = [arguments for name, arguments in QUESTIONS if name == tool.name]
    assert asked or tool.name in READS_STORED
    for arguments in asked:
        jsonschema.validate({**arguments, "max_tokens": 100}, schema(tool))
        tool.arguments.model_validate(arguments)


@every_tool
def test_a_tool_only_reads_and_says_so_unless_it_is_there_to_write(tool: Tool) -> None:
    annotations = tool_declaration(tool).annotations
    assert annotations is not None
    assert annotations.open_world_hint is False
    assert annotations.read_only_hint is not tool.writes
    assert tool.writes <= (tool.name in WRITERS)


@every_tool
def test_parameters_that_take_symbols_files_or_folders_are_strings(tool: Tool) -> None:
    properties = schema(tool)["properties"]
    assert all(properties[name]["type"] == "string" for name in tool.takes)
    addresses = {Takes.Symbol, Takes.Type, Takes.Callable}
    assert ("symbol" in properties) is bool(addresses.intersection(tool.takes.values()))
    assert "path" not in properties or tool.takes["path"] not in addresses


def test_two_tools_of_one_name_are_refused() -> None:
    def read_file(index: object) -> None:
        """Collide."""

    before = dict(TOOLS)
    with pytest.raises(ValueError, match="two tools are called 'read_file'"):
        tool(read_file)
    assert before == TOOLS


# Languages


@cache
def vocabulary(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the node types and the fields in the grammar of a language."""
    module, function = LANGUAGES[name].grammar
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of wheels with older bindings
        grammar = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    kinds = {str(grammar.node_kind_for_id(number)) for number in range(grammar.node_kind_count)}
    return frozenset(kinds | {"ERROR"}), frozenset(
        str(grammar.field_name_for_id(number)) for number in range(1, grammar.field_count + 1)
    )


SHARED = ({"c", "cpp"}, {"javascript", "typescript", "tsx"})
"""Languages that take over each other's data, in which one may name what only the other has."""


def known(language: Language) -> tuple[set[str], set[str]]:
    names = next((group for group in SHARED if language.name in group), {language.name})
    found = [vocabulary(name) for name in names]
    return {kind for kinds, _ in found for kind in kinds}, {field for _, fields in found for field in fields}


@every_language
def test_the_grammar_of_a_language_is_a_dependency_and_parses(language: Language) -> None:
    module = language.grammar[0].replace("_", "-")
    dependencies = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    assert any(re.match(rf"{module}[>=<]", dependency) for dependency in dependencies)
    assert language.parser().parse(b"").root_node.end_byte == 0


def named_kinds(language: Language) -> Iterator[tuple[str, set[str]]]:
    """Yield every part of a language that names node types, with these."""
    yield "definitions", set(language.outline.definitions)
    for part in ("through", "wrappers", "prefixes", "comments"):
        yield part, set(getattr(language.outline, part))
    semantics = language.semantics
    if semantics is not None:
        for part in ("identifiers", "type_identifiers", "opens", "body_kinds", "binds", "opaque", "globals"):
            yield part, set(getattr(semantics.scopes, part))
        yield "statements", set(semantics.imports.statements)
        yield "members", set(semantics.uses.members)
        for part in ("roles", "keys"):
            yield part, {kind for kind, _ in getattr(semantics.uses, part)}


@every_language
def test_every_node_type_that_a_language_names_is_in_its_grammar(language: Language) -> None:
    kinds, _ = known(language)
    unknown = {part: sorted(named - kinds) for part, named in named_kinds(language)}
    assert {part: names for part, names in unknown.items() if names} == {}


@every_language
def test_every_field_that_a_language_names_is_in_its_grammar(language: Language) -> None:
    semantics = language.semantics
    if semantics is None:
        assert language.outline.definitions
        return
    _, fields = known(language)
    pairs = [pair for pair in semantics.uses.members.values() if isinstance(pair, tuple)]
    named = {field for pair in pairs for field in pair}
    named |= {field for _, field in (*semantics.uses.roles, *semantics.uses.keys) if field}
    assert named - fields == set()


@every_language
def test_the_kinds_and_roles_of_a_language_are_those_of_the_protocol(language: Language) -> None:
    kinds = {rule.kind for rule in language.outline.definitions.values() if not callable(rule.kind)}
    assert kinds <= set(SymbolKind)
    assert language.semantics is None or set(language.semantics.uses.roles.values()) <= set(Role)


@every_language
def test_what_resolves_names_has_identifiers_and_scopes(language: Language) -> None:
    semantics = language.semantics
    if semantics is None:
        assert not language.relatives
        return
    assert semantics.scopes.identifiers
    assert semantics.scopes.type_identifiers <= semantics.scopes.identifiers
    assert semantics.scopes.opens


def test_no_two_languages_claim_an_extension_or_a_file_name() -> None:
    extensions = Counter(extension for language in LANGUAGES.values() for extension in language.files.extensions)
    filenames = Counter(name for language in LANGUAGES.values() for name in language.files.filenames)
    assert [claimed for claimed, times in (extensions + filenames).items() if times > 1] == []


@every_language
def test_a_language_is_found_by_each_of_its_extensions_and_file_names_whatever_their_case(language: Language) -> None:
    assert language.files.extensions or language.files.filenames
    for extension in language.files.extensions:
        assert extension == extension.lower()
        assert extension.startswith(".")
        assert language_of(f"a.b/c.d{extension}") is PARSED[language.name]
        assert language_of(f"X{extension.upper()}") is PARSED[language.name]
    for name in language.files.filenames:
        assert language_of(f"folder/{name}") is language


@every_language
def test_a_script_without_an_extension_is_known_by_its_interpreter(language: Language) -> None:
    for interpreter in language.files.interpreters:
        for line in (f"#!/usr/bin/env {interpreter}\n", f"#!/bin/{interpreter} -e\n"):
            found = language_in("bin/tool", line.encode())
            assert found is not None, line
            assert found.name == language.name, line


@pytest.mark.parametrize("path", ["README", "a.unknown", ".gitignore", "py", "dir.py/file", "", "."])
def test_what_belongs_to_no_language_is_none(path: str) -> None:
    assert language_of(path) is None


@every_language
def test_a_language_has_a_fixture_folder_and_files_of_its_own_in_it(language: Language) -> None:
    files = [file for file in (FIXTURES / language.name).rglob("*") if file.is_file()]
    assert any(language_in(file.name, file.read_bytes()) is PARSED[language.name] for file in files)


@pytest.mark.parametrize("folder", sorted(folders_in(leadline_tools.languages) - SHARED_FOLDERS))
def test_a_folder_of_a_language_has_its_rules_and_says_what_they_rest_on(folder: str) -> None:
    loaded = importlib.import_module(f"leadline_tools.languages.{folder}.rules")
    assert loaded.__doc__
    mine = getattr(loaded, "LANGUAGES", None) or [loaded.LANGUAGE]
    there = [language for language in mine if pack.is_installed() or not language.grammar[0].startswith(pack.PACKAGE)]
    assert mine
    assert all(LANGUAGES[language.name] is language for language in there)


@pytest.mark.parametrize("module", sorted(modules_in(leadline_tools.languages)))
def test_a_module_beside_the_languages_says_what_several_share(module: str) -> None:
    loaded = importlib.import_module(f"leadline_tools.languages.{module}")
    assert loaded.__doc__
    assert not hasattr(loaded, "LANGUAGE")


@every_language
def test_a_language_has_a_lower_case_name_and_relatives_that_exist(language: Language) -> None:
    assert re.fullmatch(r"[a-z]+", language.name)
    assert not language.relatives or language.relatives in LANGUAGES


def test_languages_whose_files_import_each_other_are_of_one_group() -> None:
    groups = [{LANGUAGES[name].language_group for name in group} for group in SHARED]
    assert [len(group) for group in groups] == [1, 1]


def test_every_fixture_folder_is_of_a_language() -> None:
    assert {folder.name for folder in FIXTURES.iterdir() if folder.is_dir()} == {*LANGUAGES, *HOSTS}


def test_a_command_that_serves_nobody_does_not_wait_for_mcp(tmp_path: Path) -> None:
    code = (
        "import atexit, sys; atexit.register(lambda: print('mcp' in sys.modules));"
        "from leadline_server.cli import main; main()"
    )
    root = write(tmp_path / "tree", {"a.py": "a = 1\n"})
    where = ["--root", str(root), "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [sys.executable, "-c", code, "call", "count_files", *where], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("count_files"), done.stderr
    assert done.stdout.splitlines()[-1] == "False"
