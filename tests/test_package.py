"""What is built is whole, says one version everywhere, and runs where nothing else is installed.

``scripts/package`` builds and installs; ``scripts/check`` does so before the tests.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import bundle
import jsonschema.validators
import manifests
import pytest
from jsonschema.validators import validator_for

from consoles import DEADLINE, Console
from leadline_server import __version__
from leadline_server.clients.skill import skill_text
from leadline_server.console.serve import serve
from leadline_tools.tool import TOOLS

ROOT = Path(__file__).parent.parent
SCHEMAS = Path(__file__).parent / "schemas"
BUILT = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {"leadline_server", "leadline_tools", "leadline_estimators"}
VERSIONS = ("3.11", "3.12", "3.13", "3.14")

built = pytest.mark.skipif(
    not (BUILT / ".made").exists() and "LEADLINE_PACKAGED" not in os.environ, reason="scripts/package has not run"
)


def only(pattern: str) -> Path:
    """Return the one file that was built of a kind."""
    (found,) = BUILT.glob(pattern)
    return found


def valid(instance: dict[str, Any], schema: str) -> None:
    written = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    checker = validator_for(written, jsonschema.Draft7Validator)
    checker(written, format_checker=checker.FORMAT_CHECKER).validate(instance)


# The wheel and the sdist


def test_to_build_it_takes_the_builder_alone() -> None:
    system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert [re.split(r"[<>=]", needed)[0] for needed in system["requires"]] == ["hatchling"]


@built
def test_the_wheel_holds_the_three_packages_and_nothing_else() -> None:
    with zipfile.ZipFile(only("*.whl")) as wheel:
        names = wheel.namelist()
        entries = wheel.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert {name.partition("/")[0] for name in names} == {*PACKAGES, f"leadline-{__version__}.dist-info"}
    for package in PACKAGES:
        assert f"{package}/py.typed" in names
    assert any(name.endswith("/fb374d419588a4632f3f557e76b4b70aebbca790") for name in names), "the ranks"
    licences = [name for name in names if "/licenses/" in name]
    assert len(licences) == len(PROJECT["license-files"])
    assert "leadline = leadline_server.__main__:main" in entries


@built
def test_the_sdist_holds_what_is_needed_to_build_and_test() -> None:
    with tarfile.open(only("*.tar.gz")) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "tests/conftest.py", "fixtures/go/go.mod"} <= names
    assert not [name for name in names if name.startswith(("bench/", "dist/", ".venv"))]


compiled = pytest.mark.skipif(
    not (BUILT / "compiled").exists(), reason="scripts/package has not run, or found no compiler of C"
)


@compiled
def test_the_compiled_wheel_is_for_one_system_and_has_each_source_beside_its_library() -> None:
    (wheel,) = (BUILT / "wheels").glob("*.whl")
    assert not wheel.stem.endswith("-any")
    sources = {path.relative_to(BUILT / "compiled") for path in (BUILT / "compiled").rglob("*.py")}
    with zipfile.ZipFile(only("*.whl")) as pure:
        assert {path.as_posix() for path in sources} == {name for name in pure.namelist() if name.endswith(".py")}


@compiled
def test_what_is_to_be_compiled_is_and_is_what_runs() -> None:
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    modules = [f"leadline_tools.{module}" for module in hook["wheel"]["hooks"]["custom"]["modules"]]
    asked = (
        "import importlib, json, sys; sys.path.insert(0, sys.argv[1]); "
        "print(json.dumps([importlib.import_module(name).__file__ for name in sys.argv[2:]]))"
    )
    command = [sys.executable, "-c", asked, str(BUILT / "compiled"), *modules]
    ran = subprocess.run(command, cwd=BUILT, timeout=DEADLINE, check=True, capture_output=True, text=True)
    assert {Path(file).suffix for file in json.loads(ran.stdout)} <= {".so", ".pyd"}


@compiled
def test_doctor_tells_that_what_walks_the_trees_is_compiled() -> None:
    asked = "import sys; sys.path.insert(0, sys.argv[1]); from leadline_server.health import installation as i; "
    command = [sys.executable, "-c", asked + "print(*i.check_installation())", str(BUILT / "compiled")]
    ran = subprocess.run(command, cwd=BUILT, timeout=DEADLINE, check=True, capture_output=True, text=True)
    assert "compiled code walks the trees" in ran.stdout


def environments() -> list[Path]:
    return sorted(BUILT.glob("python3.*"))


@built
def test_the_wheel_was_installed_for_every_python_that_there_is() -> None:
    found = [folder.name.removeprefix("python") for folder in environments()]
    assert found, "scripts/package found no Python"
    assert set(found) <= set(VERSIONS)


@built
@pytest.mark.parametrize("version", VERSIONS)
def test_the_installed_command_answers_on_a_fresh_machine(console: Console, version: str) -> None:
    folder = BUILT / f"python{version}"
    if not folder.exists():
        pytest.skip(f"no Python {version} here")
    (console.folder / "app.py").write_text("def sail():\n    return 1\n", encoding="utf-8")
    variables = {name: value for name, value in console.environment.items() if name != "PYTHONPATH"}

    def ran(*arguments: str) -> str:
        command = [str(folder / "bin" / "leadline"), *arguments]
        return subprocess.run(
            command, cwd=console.folder, env=variables, timeout=DEADLINE, check=True, capture_output=True, text=True
        ).stdout

    assert ran("--version").strip() == f"leadline, version {__version__}"
    assert "app.py" in ran("call", "go_to_definition", "symbol=sail", "--cache-dir", str(console.home / "cache"))


@built
def test_uvx_runs_the_wheel() -> None:
    written = BUILT / "uvx.json"
    if not written.exists():
        pytest.skip("uvx could not get the dependencies")
    assert {tool["name"] for tool in json.loads(written.read_text(encoding="utf-8"))["tools"]} == set(TOOLS)


def test_the_command_is_called_like_the_distribution_so_that_uvx_finds_it() -> None:
    assert list(PROJECT["scripts"]) == [PROJECT["name"]]


def test_the_version_is_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert json.loads(manifests.server_json())["version"] == __version__
    assert json.loads(manifests.bundle_manifest())["version"] == __version__
    tracked = [*ROOT.glob("*.toml"), *ROOT.glob("*.md"), *(ROOT / "scripts").iterdir(), ROOT / "Dockerfile"]
    for path in tracked:
        if path.is_file() and path.name != "CHANGELOG.md":
            assert f'"{__version__}"' not in path.read_text(encoding="utf-8"), path


# The registry and the bundle


def test_server_json_is_valid_and_starts_the_server() -> None:
    written = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    valid(written, "server.schema.json")
    (package,) = written["packages"]
    assert (package["identifier"], package["version"], written["version"]) == (
        PROJECT["name"],
        __version__,
        __version__,
    )
    options = {option for parameter in serve.params for option in parameter.opts}
    positional, *named = package["packageArguments"]
    assert positional["value"] == "serve"
    assert {argument["name"] for argument in named} <= options
    variables = {parameter.envvar for parameter in serve.params}
    assert {variable["name"] for variable in package["environmentVariables"]} <= variables


def test_the_schema_of_server_json_refuses_what_is_wrong() -> None:
    written = json.loads(manifests.server_json())
    mistakes: list[dict[str, Any]] = [
        {"name": "leadline"},
        {"description": "x" * 101},
        {"version": 1},
        {"packages": [{}]},
    ]
    for wrong in mistakes:
        with pytest.raises(jsonschema.ValidationError):
            valid(written | wrong, "server.schema.json")


def test_the_readme_proves_that_the_package_belongs_to_the_name() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"<!-- mcp-name: {json.loads(manifests.server_json())['name']} -->" in readme


def test_the_manifest_of_the_bundle_is_valid_and_names_every_tool() -> None:
    written = json.loads((ROOT / "packaging" / "manifest.json").read_text(encoding="utf-8"))
    valid(written, "mcpb-manifest-v0.4.schema.json")
    assert written["manifest_version"] == "0.4"
    assert written["server"]["type"] == "uv"
    assert {tool["name"] for tool in written["tools"]} == set(TOOLS)
    arguments = written["server"]["mcp_config"]["args"]
    options = {option for parameter in serve.params for option in parameter.opts}
    assert {argument for argument in arguments[arguments.index("serve") :] if argument.startswith("--")} <= options
    given = set(re.findall(r"\$\{user_config\.(\w+)\}", " ".join(arguments)))
    assert given == set(written["user_config"])


def test_the_plug_in_of_claude_code_starts_the_server_and_has_the_skill() -> None:
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
    (listed,) = market["plugins"]
    folder = ROOT / listed["source"]
    plugin = json.loads((folder / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
    assert (listed["name"], plugin["name"], plugin["version"]) == (market["name"], "leadline", __version__)
    server = plugin["mcpServers"]["leadline"]
    program, command, *options = server["args"]
    assert (server["command"], program, command) == ("uvx", "leadline", "serve")
    known = {option for parameter in serve.params for option in parameter.opts}
    assert {word for word in options if word.startswith("--")} <= known
    assert (folder / "skills" / "leadline" / "SKILL.md").read_text(encoding="utf-8") == skill_text()


def test_the_bundle_has_all_that_the_project_is_built_from(tmp_path: Path) -> None:
    bundle.lay_out(tmp_path / "bundle")
    files = {path.relative_to(tmp_path / "bundle").as_posix() for path in (tmp_path / "bundle").rglob("*")}
    assert {"manifest.json", "pyproject.toml", "README.md", "packaging/metadata.py", *PROJECT["license-files"]} <= files
    assert json.loads(manifests.bundle_manifest())["server"]["entry_point"] in files
    assert not [name for name in files if "__pycache__" in name]


@built
def test_the_bundle_is_packed() -> None:
    packed = BUILT / "leadline.mcpb"
    if not packed.exists():
        pytest.skip("no npx here")
    with zipfile.ZipFile(packed) as archive:
        packed_manifest = json.loads(archive.read("manifest.json"))
        assert packed_manifest == json.loads(manifests.bundle_manifest()), "it is old: run scripts/package"
        assert "server/leadline_server/cli.py" in archive.namelist()


# The container

CONTEXT = set(bundle.PARTS)
"""What an image is built from: it has compiled modules."""


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line)]


def test_the_container_runs_as_nobody_in_the_mounted_repository() -> None:
    last = instructions()[max(number for number, (name, _) in enumerate(instructions()) if name == "FROM") :]
    values = dict(last)
    assert re.fullmatch(r"[1-9]\d+", values["USER"]), "a number, so that a host can tell that it is not root"
    assert values["WORKDIR"] == "/repo"
    assert json.loads(values["ENTRYPOINT"]) == list(PROJECT["scripts"])
    assert json.loads(values["CMD"]) == ["serve"]
    assert [name for name, _ in last].index("USER") > [name for name, _ in last].index("RUN")
    set_here = dict(pair.split("=", 1) for pair in values["ENV"].split())
    assert set_here["LEADLINE_ROOT"] == "/repo"
    assert {name for name in set_here if name.startswith("LEADLINE_")} <= {option.envvar for option in serve.params}


def test_the_container_has_the_name_of_the_registry() -> None:
    assert ("LABEL", f'io.modelcontextprotocol.server.name="{manifests.NAME}"') in instructions()


def test_the_container_is_built_from_what_there_is_and_a_python_that_is_supported() -> None:
    for name, rest in instructions():
        if name == "FROM":
            assert rest.split()[0].removeprefix("python:").removesuffix("-slim") in VERSIONS
        if name == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources)
            assert set(sources) <= CONTEXT
        assert name != "ADD"
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert allowed[0] == "*"
    assert {line[1:] for line in allowed if line.startswith("!")} == CONTEXT


def test_without_a_place_to_write_the_answer_is_the_same(console: Console) -> None:
    (console.folder / "app.py").write_text("def sail():\n    return 1\n", encoding="utf-8")
    ran = console.process("call", "go_to_definition", "symbol=sail", "--cache-dir", f"{os.devnull}/cache")
    assert ran.code == 0, ran.err
    assert "def sail" in ran.out


# The workflows


def test_tests_run_for_every_supported_python_on_three_systems() -> None:
    written = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    matrix = re.search(r"python: \[(.*)\]", written)
    assert matrix is not None
    assert tuple(json.loads(f"[{matrix[1]}]")) == VERSIONS
    assert all(f"{system}-latest" in written for system in ("ubuntu", "macos", "windows"))
    declared = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if ":: Python :: 3." in name]
    assert tuple(declared) == VERSIONS
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"


def test_a_release_is_published_without_a_token() -> None:
    written = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "id-token: write" in written
    assert "secrets." not in written


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_the_digest_of_a_commit_and_every_download_by_a_checksum(workflow: Path) -> None:
    written = workflow.read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)(.*)", written)
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action
    assert "releases/latest" not in written
    assert written.count("curl ") == written.count("sha256sum --check")


def test_contributors_find_what_they_expect() -> None:
    expected = (
        *("AGENTS.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", ".pre-commit-config.yaml"),
        *(".github/dependabot.yml", ".github/pull_request_template.md", ".github/ISSUE_TEMPLATE/bug.yml"),
    )
    for name in expected:
        assert (ROOT / name).read_text(encoding="utf-8").strip(), name
    agents = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    for script in re.findall(r"`(scripts/\w+)", agents):
        assert os.access(ROOT / script, os.X_OK), script
