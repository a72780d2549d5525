"""The configuration file: what is given there need not be given each time, and what is wrong in it costs no answer."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server.cli import main
from leadline_server.config import Config, ToolLimit
from leadline_server.console.serve import serve
from leadline_server.database_type import DatabaseType
from leadline_server.settings import Settings, read
from leadline_server.sizes import SizeType
from leadline_tools.tool import TOOLS

DOCUMENTED = (Path(__file__).parents[1] / "docs" / "configuration.md").read_text(encoding="utf-8")
OPTIONS = [option for option in serve.params if isinstance(option, click.Option)]
every_option = pytest.mark.parametrize("option", OPTIONS, ids=[str(option.name) for option in OPTIONS])


def key(option: click.Option) -> str:
    return max(option.opts, key=len).removeprefix("--")


def valid(option: click.Option, folder: Path) -> str:
    """Return a value of an option as TOML."""
    if option.is_flag:
        value = "true"
    elif isinstance(option.type, click.types.IntParamType):
        value = "500"
    elif isinstance(option.type, SizeType):
        value = '"2 GB"'
    elif isinstance(option.type, DatabaseType):
        value = '"postgresql://user:secret@host/name"'
    elif isinstance(option.type, click.Choice):
        value = f'"{option.type.choices[-1]}"'
    elif isinstance(option.type, click.Path):
        (folder / "file").touch()
        value = f'"{folder if option.type.file_okay is False or not option.type.exists else folder / "file"}"'
    else:
        value = '"gpt-5"'
    return f"[{value}]" if option.multiple else value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "leadline.toml"


def settings(file: Path, text: str) -> Settings:
    file.write_text(text, encoding="utf-8")
    return read(file, OPTIONS)


def problem(file: Path, text: str) -> str:
    """Return the one thing that is wrong."""
    (told,) = settings(file, text).problems
    assert told.startswith(f"{file}: ")
    assert "\n" not in told
    return told.removeprefix(f"{file}: ")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("configured"), {f"folder/file_{i}.py": f"x = {i}\n" for i in range(15)})


def called(tree: Path, file: Path, *options: str, **environment: str) -> Result:
    """Run ``leadline call`` on a tree with a configuration file."""
    arguments = ["--config", str(file), "call", "list_files", "recursive=true", "--root", str(tree)]
    cache = ["--cache-dir", str(tree.with_name("cache"))]
    return CliRunner().invoke(main, [*arguments, *cache, *options], env=environment)


# What can be said


@every_option
def test_every_option_of_serve_can_stand_in_the_file(option: click.Option, file: Path, tmp_path: Path) -> None:
    found = settings(file, f"{key(option)} = {valid(option, tmp_path)}\n")
    assert found.problems == ()
    assert list(found.options) == [option.name]


@every_option
def test_every_option_of_serve_has_a_variable_and_is_documented_with_it(option: click.Option) -> None:
    variable = f"LEADLINE_{key(option).replace('-', '_').upper()}"
    assert option.envvar == variable
    assert f"| `{key(option)}` | `{variable}` |" in DOCUMENTED


def test_a_file_that_is_not_there_says_nothing_unless_it_was_named(tree: Path, file: Path) -> None:
    assert read(file, OPTIONS) == Settings(file)
    result = called(tree, file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{file}: there is no such configuration file" in result.stderr


def test_the_documented_example_is_understood(file: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", DOCUMENTED, re.DOTALL)
    assert examples
    assert [settings(file, example).problems for example in examples] == [()] * len(examples)


@pytest.mark.parametrize(
    ("written", "size"),
    [("500", 5 * 10**8), ('"500"', 5 * 10**8), ('"1.5 GB"', 15 * 10**8), ('"20kb"', 20_000), ("0", 0)],
)
def test_a_size_is_written_with_a_unit_or_in_megabytes(file: Path, written: str, size: int) -> None:
    assert settings(file, f"facts-size = {written}\n").options == {"facts_size": size}


@pytest.mark.parametrize(
    "written", ['"s3cret@host"', '["postgresql://u:s3cret@h/n"]', '"postgresql://u:s3cret@h@h/n"', "true"]
)
def test_a_database_in_the_file_is_never_shown(file: Path, written: str) -> None:
    found = problem(file, f"database = {written}\n")
    assert "database is not valid: expected an address such as postgresql://USER@HOST/DATABASE" in found
    assert "s3cret" not in found
    assert "secret" not in repr(settings(file, 'database = "postgresql://user:secret@host/name"\n'))


@pytest.mark.parametrize("written", ["true", '"much"', '"5 TB"', "-1", "1.5"])
def test_what_is_no_size_is_refused_with_what_is_one(file: Path, written: str) -> None:
    assert 'expected a size such as "500 MB" or "2 GB"' in problem(file, f"facts-size = {written}\n")


def test_a_home_folder_is_written_with_a_tilde(file: Path) -> None:
    found = settings(file, 'cache-dir = "~/somewhere"\n')
    assert found.options == {"cache_dir": Path.home() / "somewhere"}


# Precedence


def test_the_command_line_goes_before_the_environment_before_the_file_before_the_default(
    tree: Path, file: Path
) -> None:
    def budget(*options: str, **environment: str) -> str:
        result = called(tree, file, *options, **environment)
        assert result.exit_code == 0, result.output
        found = re.search(r"of ([\d,]+) tokens$", result.stdout.splitlines()[0])
        assert found is not None, result.stdout
        return found[1]

    file.write_text("")
    assert budget() == "2,000"
    file.write_text("max-tokens = 700\n")
    assert budget() == "700"
    assert budget(LEADLINE_MAX_TOKENS="800") == "800"
    assert budget("--max-tokens", "900", LEADLINE_MAX_TOKENS="800") == "900"


def test_the_file_is_found_in_the_folder_of_the_user(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline_server.settings.usual_path", lambda: tmp_path / "leadline.toml")
    write(tmp_path, {"leadline.toml": 'model = "claude"\n'})
    asked = ["call", "list_files", "--root", str(tree), "--cache-dir", str(tmp_path / "cache")]
    assert "| ~" in CliRunner().invoke(main, asked).stdout


def test_a_file_in_the_tree_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"leadline.toml": "max-tokens = 70\n"})
    asked = ["call", "list_files", "--root", str(tmp_path), "--cache-dir", str(tmp_path.with_name("other-cache"))]
    assert "of 2,000 tokens" in CliRunner().invoke(main, asked).stdout


# What is wrong


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("max_tokens = 5", "unknown key max_tokens: did you mean max-tokens?"),
        ('max-tokens = "many"', 'max-tokens = "many" is not valid: expected a whole number'),
        ("max-tokens = true", "max-tokens = true is not valid: expected a whole number"),
        ("max-tokens = 2.5", "max-tokens = 2.5 is not valid: expected a whole number"),
        ("turn-tokens = 0", "turn-tokens = 0 is not valid: expected a whole number from 1"),
        ("structured = 1", "structured = 1 is not valid: expected true or false"),
        ("model = 5", "model = 5 is not valid: expected a string"),
        ('cache-dir = "here"', 'cache-dir = "here" is not valid: expected a path that starts with / or ~'),
        ("limits = 5", "limits = 5 is not valid: expected a table with tools as keys"),
        ("[limits]\nread_files = 5", "unknown tool limits.read_files: did you mean read_file?"),
        ("[limits]\nread_file = 5", "limits.read_file = 5 is not valid: expected tokens from 60 to 20,000"),
        (
            "[limits]\nread_file = { asked = 99999 }",
            "limits.read_file.asked = 99999 is not valid: expected tokens from",
        ),
        ("[limits]\nread_file = { most = 99 }", "unknown key limits.read_file.most; the keys are unasked, asked"),
        ("max-tokens = ", "cannot be read as TOML: Invalid value"),
    ],
)
def test_what_is_wrong_is_told_in_a_line_with_what_is_allowed(file: Path, text: str, told: str) -> None:
    assert problem(file, text).startswith(told)


def test_a_key_that_is_like_none_gets_the_list_of_keys(file: Path) -> None:
    assert problem(file, "zzz = 1").endswith(", ".join(sorted([*map(key, OPTIONS), "limits"])))


def test_a_choice_names_what_can_be_chosen(file: Path) -> None:
    assert problem(file, 'log-format = "xml"').endswith('expected one of "text", "json"')


@pytest.mark.parametrize("content", [b"\xff\xfe", b"model = 'a\n'", b"\x00"])
def test_bytes_that_are_no_toml_are_a_problem_and_no_failure(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    (told,) = read(file, OPTIONS).problems
    assert told.startswith(f"{file}: cannot be read as TOML: ")


def test_a_folder_in_place_of_the_file_is_a_problem_and_no_failure(tmp_path: Path) -> None:
    (told,) = read(tmp_path, OPTIONS).problems
    assert "cannot be read as TOML: Is a directory" in told


def test_what_is_right_beside_what_is_wrong_holds(file: Path) -> None:
    found = settings(file, "max-tokens = 700\nzzz = 1\n[limits]\nread_file = 500\nlist_files = 1\n")
    assert found.options == {"max_tokens": 700}
    assert found.limits == {"read_file": ToolLimit(500, 500)}
    assert len(found.problems) == 2


def test_the_console_ends_with_a_line_for_each_problem_and_2(tree: Path, file: Path) -> None:
    file.write_text("zzz = 1\nmax-tokens = []\n")
    result = called(tree, file)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert [line.startswith(f"leadline: {file}: ") for line in result.stderr.splitlines()] == [True, True]


def test_the_server_says_so_and_serves_without(tree: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Config] = []
    monkeypatch.setattr("leadline_server.running.serve_stdio", served.append)
    file.write_text("zzz = 1\nmax-tokens = 700\n[limits]\nread_file = 500\n")
    result = CliRunner().invoke(main, ["--config", str(file), "serve", "--root", str(tree)])
    assert result.exit_code == 0, result.output
    assert "unknown key zzz" in result.stderr
    assert served[0].max_tokens == 700
    assert served[0].limits == {"read_file": ToolLimit(500, 500)}


# Limits by tool


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("500", ToolLimit(500, 500)),
        ("{ unasked = 500 }", ToolLimit(500, 9_000)),
        ("{ asked = 500 }", ToolLimit(500, 500)),
        ("{ unasked = 12000 }", ToolLimit(12_000, 12_000)),
        ("{ unasked = 700, asked = 500 }", ToolLimit(500, 500)),
        ("{}", ToolLimit(8_000, 9_000)),
    ],
)
def test_a_limit_is_a_number_or_one_each_for_unasked_and_asked(file: Path, text: str, limit: ToolLimit) -> None:
    assert settings(file, f"[limits]\nfind_references = {text}\n").limits == {"find_references": limit}


def test_a_tool_keeps_its_own_limit(opened: Open, large: Path) -> None:
    ask: Asking = opened(large, limits={"find_references": ToolLimit(200, 400)})
    for asked, most in ((None, 200), (5_000, 400), (100, 100)):
        given = {} if asked is None else {"max_tokens": asked}
        text = ask("find_references", symbol="pkg.core.Widget", **given)
        assert most // 2 < count(text) <= most
        assert f"of {most}" in text.splitlines()[0] or f"/{most}" in text.splitlines()[0]
    assert count(ask("document_symbols", path="pkg/core.py")) > 400


def test_a_tool_that_may_send_more_than_usual_sends_it_when_asked(opened: Open, large: Path) -> None:
    ask: Asking = opened(large, limits={"read_file": ToolLimit(2_000, 15_000)})
    text = ask("read_file", path="pkg/core.py", num_lines=1_000, max_tokens=20_000)
    assert 9_000 < count(text) <= 15_000 or "complete" in text.splitlines()[0]


LISTS = {
    "find_references",
    "symbol_search",
    "type_members",
    "find_implementations",
    "rename_symbol",
    "apply_code_fix",
}


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_unasked_the_safety_limits_hold_whatever_the_default(tool: str, tmp_path: Path) -> None:
    config = Config(tmp_path, None, "gpt-5", max_tokens=50_000)
    unasked = 600 if tool in {"find_code", "symbol_search"} else 8_000 if tool in LISTS else 9_000
    assert config.default_tokens(tool) == unasked
    assert config.most_tokens(tool) == (20_000 if tool == "read_result" else 9_000)


# detail

SHAPES = {
    "shapes.py": "class Shape:\n"
    '    """Documented: a shape."""\n\n'
    "    def area(self, scale: float = 1.0, *, unit: str = 'm') -> float:\n"
    '        """Documented: the area."""\n'
    "        return 0.0\n",
    **{
        f"round_{i}.py": "from shapes import Shape\n\n\n"
        f"class Round{i}(Shape):\n"
        f'    """Documented: a round shape."""\n\n'
        "    def area(self, scale: float = 1.0, *, unit: str = 'm') -> float:\n"
        f'        """Documented: the area of number {i}."""\n'
        "        return Shape().area(scale, unit=unit)\n"
        for i in range(8)
    },
}
DETAILED: dict[str, dict[str, object]] = {
    "symbol_search": {"query": "area"},
    "find_code": {"query": "area of a shape"},
    "document_symbols": {"path": "shapes.py"},
    "find_references": {"symbol": "shapes.Shape"},
    "type_members": {"symbol": "shapes.Shape"},
    "call_hierarchy": {"symbol": "shapes.Shape.area"},
    "find_implementations": {"symbol": "shapes.Shape"},
}
"""A question to each tool that has ``detail``."""


@pytest.fixture(scope="module")
def shapes(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("shapes"), SHAPES))


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS.values() if "detail" in tool.arguments.model_fields])
def test_detail_is_honoured_by_every_tool_that_has_it(shapes: Asking, tool: str) -> None:
    def cost(detail: str) -> int:
        text = shapes(tool, **DETAILED[tool], detail=detail, max_tokens=9_000)
        return count("".join(line for line in text.splitlines(keepends=True)[1:] if not line.startswith("all: ")))

    assert cost("lean") < cost("full")
    assert cost("lean") <= cost("auto") <= cost("full")
    assert "Documented" not in shapes(tool, **DETAILED[tool], detail="lean", max_tokens=9_000)


@pytest.mark.parametrize("tool", DETAILED)
def test_detail_that_is_none_of_the_three_is_refused(shapes: Asking, tool: str) -> None:
    assert "detail" in shapes.error(tool, **DETAILED[tool], detail="much")
