"""One module each opens files, compiles a caller's patterns and starts programs: nothing else in the sources does.

The sources are walked as syntax. What a module needs besides for itself is named here with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import leadline_estimators
import leadline_server
import leadline_tools

SOURCES = [Path(package.__path__[0]) for package in (leadline_tools, leadline_server, leadline_estimators)]
MODULES = {
    f"{folder.name}/{file.relative_to(folder).as_posix()}": file
    for folder in SOURCES
    for file in sorted(folder.rglob("*.py"))
}

OPENING = {
    *("open", "os.open", "os.fdopen", "io.open", "codecs.open", "os.mkfifo", "os.read", "os.readv", "os.write"),
    *(".open", ".read_text", ".read_bytes", ".write_text", ".write_bytes", "shutil.copy", "shutil.copyfile"),
}
PROCESSES = {
    *("subprocess.Popen", "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"),
    *("os.system", "os.popen", "os.fork", "os.posix_spawn", "os.execv", "os.execve", "os.spawnv", "pty.spawn"),
    *("asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell", "anyio.run_process", "anyio.open_process"),
    *("multiprocessing.Process", "concurrent.futures.ProcessPoolExecutor"),
}
PATTERNS = {
    "lazy_compile",
    "re2.compile",
    "re.compile",
    "re.match",
    "re.search",
    "re.fullmatch",
    "re.sub",
    "re.split",
    "re.findall",
}
NEVER = {
    *("eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads", "marshal.load", "marshal.loads"),
    *("shelve.open", "dill.loads", "runpy.run_path", "importlib.util.spec_from_file_location", "os.system"),
    *("yaml.load", "tempfile.mktemp"),
}

MAY_OPEN = {
    "leadline_tools/index/tree/disk/disk_files.py": "the files of the tree: the choke point itself",
    "leadline_tools/index/tree/descent.py": "the choke point, for the way down to a file",
    "leadline_tools/index/trees.py": "the choke point, for the root that a path names",
    "leadline_tools/index/tree/mirror.py": "copies of files for programs, in a new folder of this user's alone",
    "leadline_tools/edits/writable_file.py": "edits that were allowed twice, in a folder that disk_files.py has opened",
    "leadline_tools/edits/journal.py": "the record of such edits, in the cache folder",
    "leadline_tools/index/store/fingerprint.py": "the modules of this package, for what an index depends on",
    "leadline_tools/index/changes/inotify.py": "the queue of the kernel",
    "leadline_tools/index/changes/watch.py": "the mounts, as the kernel lists them",
    "leadline_tools/index/tree/disk/git_files.py": "disk_files.py again, for the folder that git keeps its index in",
    "leadline_tools/index/tree/commit/repository.py": "disk_files.py again, for where git says that a repository is",
    "leadline_tools/index/tree/commit/ref_state.py": "disk_files.py again, for the refs of a repository",
    "leadline_tools/index/tree/programs.py": "the output of a program, and its state as the kernel shows it",
    "leadline_tools/index/tree/exit_with_server.py": "the pipe to the server, whose end is waited for",
    "leadline_tools/index/workers/worker.py": "the pipe to the server",
    "leadline_server/clients/configuration.py": "configurations of clients, named by the person who installs",
    "leadline_server/gate.py": "the file of tokens, named on the command line",
    "leadline_server/clients/skill.py": "the skill that is part of this package",
    "leadline_server/health/installation.py": "what is installed",
    "leadline_server/health/machine.py": "limits of the kernel",
    "leadline_server/repositories/index_queue.py": "the connections of the queue",
    "leadline_tools/database/migrations.py": "the migrations that are part of a package",
    "leadline_server/repositories/sources.py": "the file that names the repositories of a shared server",
    "leadline_server/lifecycle.py": "the name of the parent's program, as the kernel shows it",
    "leadline_server/stdio.py": "standard input",
    "leadline_server/memory.py": "the memory of this process, as the kernel counts it",
    "leadline_server/resident/command_line.py": "the user's own configuration, which is part of a server's key",
    "leadline_server/resident/lock.py": "the lock of a resident server, in the runtime folder",
    "leadline_server/resident/server.py": "its log, in the same place",
    "leadline_server/settings.py": "the user's own configuration",
    "leadline_server/console/stats.py": "the page that a person asked to be written",
    "leadline_server/page/document.py": "the parts of the page, which this package ships",
    "leadline_server/page/statement.py": "the parts of the page, which this package ships",
    "leadline_estimators/claude.py": "what this package ships",
    "leadline_estimators/tokenizer.py": "the ranks that this package ships",
}
MAY_START = {
    "leadline_tools/index/tree/programs.py": "the programs of others: the choke point itself",
    "leadline_tools/index/tree/exit_with_server.py": "the program that programs.py starts: this process becomes it",
    "leadline_tools/index/workers/worker_pool.py": "this package's own workers, by the running interpreter",
    "leadline_server/resident/client.py": "this package's own resident server, by the running interpreter",
}
MAY_COMPILE = {
    "leadline_tools/index/text/patterns.py": "the patterns of callers: the choke point itself",
    "leadline_tools/index/text/gitignore.py": "globs as atomic groups, which no name makes slow",
    "leadline_tools/index/questions/includes.py": "RE2, of an escaped name",
    "leadline_tools/index/text/macros.py": "an escaped name",
    "leadline_tools/index/packing/packed_facts.py": "the number of a role",
    "leadline_tools/lazy_regex.py": "what ``lazy_compile`` is given, whose calls are checked here too",
    "leadline_tools/index/text/key_masking.py": "RE2, of how keys begin; repeated classes, of what follows",
    "leadline_tools/index/text/code_words.py": "what a language says of its comments and strings",
    "leadline_tools/index/store/vocabulary.py": "escaped humps in atomic groups",
    "leadline_tools/languages/comment_syntax.py": "how comments begin and end, from a table of the module",
    "leadline_tools/resolve/bindings/exported_keys.py": "an escaped name",
    "leadline_tools/resolve/hierarchy/declared_subtypes.py": "an escaped name",
    "leadline_tools/languages/blanking.py": "what a language says of its bodies",
    "leadline_tools/languages/c/declarations.py": "words of C",
    "leadline_tools/languages/c/macros.py": "an escaped name, and parts of names between word characters",
    "leadline_tools/languages/c/source.py": "words of C",
    "leadline_tools/languages/cpp/specifier_macros.py": "RE2, of escaped words",
    "leadline_tools/languages/hosts/markup.py": "one of two quotes",
    "leadline_tools/languages/lexing.py": "what languages say of their comments and strings",
    "leadline_tools/languages/go/scopes.py": "an escaped name",
    "leadline_tools/languages/c/macro_declarations.py": "RE2, of escaped names and parts of names",
    "leadline_tools/resolve/symbols/augmentations.py": "RE2, of an escaped name",
    "leadline_tools/index/tree/marks.py": "names of folders and files, from tables of its own",
    "leadline_tools/resolve/hierarchy/macro_implementations.py": "an escaped name",
    "leadline_tools/languages/access.py": "an escaped name, and a keyword",
    "leadline_tools/resolve/external/literal_keys.py": "RE2, of an escaped name",
    "leadline_tools/resolve/hierarchy/structural_literals.py": "RE2, of an escaped name",
    "leadline_tools/resolve/bindings/macro_names.py": "RE2, of an escaped name",
    "leadline_tools/resolve/scopes/external_names.py": "escaped parts of names between word characters",
    "leadline_server/outgoing.py": "a class of characters, from the Unicode data",
    "leadline_estimators/overflow.py": "words of servers",
    "leadline_estimators/profiles.py": "names of families",
}


def name_of(node: ast.expr) -> str:
    """Return a dotted name; a method of anything is its name behind a dot."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
            return f"{owner}.{attribute}"
        case ast.Attribute(attr=attribute):
            return f".{attribute}"
        case _:
            return ""


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield name_of(node.func), node


def named(name: str, names: set[str]) -> bool:
    """Return whether a call is one of ``names``; a method of the tree is the choke point's own."""
    of_anything = "." in name and f".{name.rpartition('.')[2]}" in names
    return name in names or (of_anything and not name.startswith(("self.", "tree.")))


CALLS = {module: list(calls(ast.parse(file.read_text(encoding="utf-8")))) for module, file in MODULES.items()}


def test_only_the_choke_point_opens_files() -> None:
    found = {
        f"{module}:{call.lineno} {name}"
        for module in CALLS.keys() - MAY_OPEN.keys()
        for name, call in CALLS[module]
        if named(name, OPENING)
    }
    assert not found


def test_only_the_choke_points_start_processes_and_never_through_a_shell() -> None:
    everything = [(module, name, call) for module in CALLS for name, call in CALLS[module]]
    started = {f"{module}:{call.lineno}" for module, name, call in everything if name in PROCESSES}
    assert {place.partition(":")[0] for place in started} == MAY_START.keys()
    assert not [f"{m}:{call.lineno}" for m, _, call in everything if any(k.arg == "shell" for k in call.keywords)]


def is_constant(node: ast.expr, constants: set[str]) -> bool:
    """Return whether an expression is made of literals and the constants of its module alone."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in constants or name.isupper()
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.JoinedStr(values=parts):
            pass
        case ast.FormattedValue(value=value):
            parts = [value]
        case _:
            return False
    return all(is_constant(part, constants) for part in parts)


def constants_of(module: str) -> set[str]:
    """Return the names that a module assigns at its top."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def test_only_the_choke_point_compiles_a_pattern_that_is_not_written_in_the_sources() -> None:
    found = {
        f"{module}:{call.lineno} {name}"
        for module in CALLS.keys() - MAY_COMPILE.keys()
        for name, call in CALLS[module]
        if name in PATTERNS and not is_constant(call.args[0], constants_of(module))
    }
    assert not found


def test_no_group_is_repeated_possessively_which_python_before_3_11_5_gets_wrong() -> None:
    # https://github.com/python/cpython/issues/106052; an atomic group is the same and always right
    possessive = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")
    texts = (
        (module, node.lineno, node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
        for module, file in MODULES.items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
    assert not [f"{module}:{line}" for module, line, text in texts if possessive.search(text)]


def test_nothing_is_evaluated_and_nothing_unpickled() -> None:
    assert not [f"{module}:{call.lineno}" for module in CALLS for name, call in CALLS[module] if name in NEVER]


def test_every_exception_is_still_needed() -> None:
    for allowed, names in ((MAY_OPEN, OPENING), (MAY_START, PROCESSES), (MAY_COMPILE, PATTERNS)):
        for module in allowed:
            assert any(named(name, names) or name in names for name, _ in CALLS[module]), module
