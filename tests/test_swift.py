"""Swift: targets, whose files see each other in all folders, and labels, which are part of the names of functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

COMMAND = "public protocol Command {\n    func run()\n}\n"
MANIFEST = (
    "// swift-tools-version:5.9\nimport PackageDescription\n\n"
    'let package = Package(name: "kit", targets: [\n'
    '    .target(name: "Kit"),\n'
    '    .executableTarget(name: "tool", dependencies: [.target(name: "Kit")], path: "Extras/tool"),\n'
    '    .testTarget(name: "KitTests", dependencies: ["Kit"]),\n'
    "])\n"
)
PACKAGE = {
    "Package.swift": MANIFEST,
    "Sources/Kit/Protocols/Command.swift": COMMAND,
    "Sources/Kit/Commands/Deep/Build.swift": "public struct Build: Command {\n    public func run() {}\n}\n",
    "Extras/tool/Main/main.swift": "import Kit\n\nstruct Own: Command {\n    func run() { Helper().help() }\n}\n",
    "Extras/tool/Helpers/Helper.swift": "struct Helper {\n    func help() {}\n}\n",
    "Tests/KitTests/Cases/BuildTests.swift": "@testable import Kit\n\nstruct Fake: Command {\n    func run() {}\n}\n",
    "Tests/OtherTests/Alone.swift": "struct Alone: Command {\n    func run() {}\n}\n",
}
PROJECT = {
    "App.xcodeproj/project.pbxproj": "// !$*UTF8*$!\n",
    "App/Models/User.swift": "struct User {\n    let name: String\n}\n",
    "App/Views/Deep/Row.swift": "struct Row {\n    let user: User\n    func title() -> String { user.name }\n}\n",
}


def test_the_subtypes_of_a_protocol_are_found_in_every_folder_of_every_target(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PACKAGE))
    text = ask("find_implementations", symbol="Command")
    assert "3 subtypes, 1 undecided" in text.partition("\n")[0]
    assert all(name in text for name in ("struct Build", "struct Own", "struct Fake"))


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("Sources/Kit/Commands/Deep/Build.swift:1:22", "Sources/Kit/Protocols/Command.swift:1"),
        ("Extras/tool/Main/main.swift:4:18", "Extras/tool/Helpers/Helper.swift:1"),
        ("Extras/tool/Main/main.swift:4:27", "Extras/tool/Helpers/Helper.swift:2"),
        ("Tests/KitTests/Cases/BuildTests.swift:3:14", "Sources/Kit/Protocols/Command.swift:1"),
    ],
)
def test_a_name_leads_to_the_file_of_its_target_or_of_the_module_that_is_imported(
    place: str, path: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, PACKAGE))
    assert path in ask("go_to_definition", symbol=place)


@pytest.mark.parametrize(("place", "line"), [("2:15", 1), ("3:35", 2)])
def test_a_target_of_a_project_is_the_folder_beside_the_project_file(
    place: str, line: int, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, PROJECT))
    assert f"App/Models/User.swift:{line}" in ask("go_to_definition", symbol=f"App/Views/Deep/Row.swift:{place}")


LABELS = (
    "class Request {\n    func receive(data: Int) {}\n}\n\n"
    "class Delegate: NSObject {\n"
    "    init(receive name: String) {}\n"
    "    func session(_ task: Int, receive data: Int) {}\n"
    "    func run(request: Request) {\n"
    "        request.receive(data: 1)\n"
    "        session(1, receive: 2)\n"
    "    }\n}\n"
)


def test_the_label_of_a_parameter_is_no_use_of_a_method_that_is_called_alike(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.swift": LABELS}))
    text = ask("find_references", symbol="Request.receive")
    assert "account: exact 2, another symbol 3\n" in text
    assert "complete" in text.partition("\n")[0]


def test_a_method_is_renamed_without_the_labels_that_are_called_alike(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.swift": LABELS}))
    text = ask("rename_symbol", symbol="Request.receive", new_name="take")
    assert "+        request.take(data: 1)" in text
    assert "2 edits in 1 file" in text


def test_a_type_of_a_hundred_files_with_a_base_from_outside_is_resolved(tmp_path: Path, opened: Open) -> None:
    view = (
        "import SwiftUI\nstruct Row: View {{\n    let store: Store\n    var part{0}: Int {{ store.send(other) }}\n}}\n"
    )
    views = {f"Sources/App/View{number}.swift": view.format(number) for number in range(100)}
    store = "class Store {\n    func send(_ value: Int) -> Int { value }\n}\n"
    ask = opened(write(tmp_path, {**views, "Sources/App/Store.swift": store}))
    assert "account: exact 101\n" in ask("find_references", symbol="Store.send")


def test_examples_in_documentation_are_no_part_of_the_target(tmp_path: Path, opened: Open) -> None:
    tree = {
        "Sources/Kit/Kit.docc/Code/First.swift": "struct Row {\n    let first: Int\n}\n",
        "Sources/Kit/Kit.docc/Code/Second.swift": "struct Row {\n    let second: Int\n}\n",
        "Sources/Kit/Row.swift": "struct Row {\n    let real: Int\n}\n\nfunc show(row: Row) -> Int { row.real }\n",
    }
    ask = opened(write(tmp_path, tree))
    for place in ("5:16", "5:34"):
        assert "Kit.docc" not in ask("go_to_definition", symbol=f"Sources/Kit/Row.swift:{place}")
    assert "references, complete" in ask("find_references", symbol="Sources/Kit/Row.swift:2").partition("\n")[0]


GENERIC = {
    "Sources/Kit/Box.swift": "struct Box<T> {\n    var held: T\n    func get() -> T { held }\n}\n",
    "Sources/Kit/Pair.swift": (
        "struct Pair<T> {\n    var held: T\n}\nextension Pair {\n    func get() -> T { held }\n}\n"
    ),
    "Sources/Kit/More.swift": "extension Box {\n    func again() -> T { held }\n}\n",
}


def test_the_uses_of_a_type_parameter_are_listed_with_those_in_extensions_of_the_file(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, GENERIC))
    text = ask("find_references", symbol="Sources/Kit/Pair.swift:1:13")
    assert "3 references, complete" in text.partition("\n")[0]
    assert "5:" in text


def test_a_type_parameter_that_other_files_see_is_not_listed_as_if_it_were_local(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GENERIC))
    response = ask.response("find_references", symbol="Sources/Kit/Box.swift:1:12")
    assert response.is_error


EXTENSIONS = {
    "Sources/Kit/Sweep.swift": (
        "extension FileManager {\n    func sweep() {}\n}\nextension Probe {\n    func sweep() {}\n}\n"
    ),
    "Sources/Kit/Probe.swift": "struct Probe {}\n",
    "Sources/Kit/Use.swift": (
        "func use(manager: FileManager, probe: Probe) {\n"
        "    manager.sweep()\n"
        "    FileManager.default.sweep()\n"
        "    probe.sweep()\n"
        "}\n"
    ),
}


def test_a_use_of_what_an_extension_adds_to_a_type_from_outside_is_listed_or_counted_as_undecided(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, EXTENSIONS))
    text = ask("find_references", symbol="Sources/Kit/Sweep.swift:2:10")
    assert "2 references, 1 undecided" in text.replace(" in 2 files", "").partition("\n")[0]
    assert "manager.sweep()" in text


APART = {
    "Package.swift": (
        "// swift-tools-version:5.9\nimport PackageDescription\n\n"
        'let package = Package(name: "kit", targets: [.target(name: "Models"), .target(name: "UI")])\n'
    ),
    "Sources/Models/List.swift": "public struct List {\n    public let id: String\n}\npublic struct Entry {\n}\n",
    "Sources/UI/Alone.swift": "import SwiftUI\n\nlet shown = List { Text(0) }\nlet entry = Entry()\n",
    "Sources/UI/Both.swift": (
        "import Models\nimport SwiftUI\n\nlet kept: Models.List\nlet shown = List { Text(0) }\nlet entry = Entry()\n"
    ),
}


def test_what_another_file_imports_is_not_seen_and_a_name_of_two_modules_is_undecided(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, APART))
    text = ask("find_references", symbol="Sources/Models/List.swift:1:15")
    assert "account: exact 2, undecided 2\n" in text
    text = ask("find_references", symbol="Sources/Models/List.swift:4:15")
    assert "account: exact 2, undecided 1\n" in text


OVERLOADS = {
    "Sources/Kit/Routes.swift": "protocol Routes {}\nstruct Step {}\nstruct Guard {}\n",
    "Sources/Kit/Group.swift": (
        "extension Routes {\n    func grouped(_ steps: Step...) {}\n    func run(at: Int) {}\n}\n"
    ),
    "Sources/Kit/Guarded.swift": (
        "extension Routes {\n    func grouped(_ guards: Guard...) {}\n    func run(by: Int) {}\n}\n"
    ),
    "Sources/Kit/Use.swift": "func use(routes: Routes) {\n    routes.grouped(Guard())\n    routes.run(by: 1)\n}\n",
    "Sources/Kit/Base.swift": (
        "class Base {\n    func mark(_ place: Int?) {}\n}\n"
        "class Bar: Base {\n    func mark(x: Int, y: Int) { mark(x + y) }\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "account"),
    [
        ("Sources/Kit/Group.swift:2:10", "exact 1, likely 1"),
        ("Sources/Kit/Guarded.swift:2:10", "exact 1, likely 1"),
        ("Sources/Kit/Guarded.swift:3:10", "exact 2"),
        ("Sources/Kit/Group.swift:3:10", "exact 1"),
        ("Sources/Kit/Base.swift:2:10", "exact 2"),
    ],
)
def test_labels_choose_between_the_methods_of_all_parts_and_bases(
    symbol: str, account: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, OVERLOADS))
    text = ask("find_references", symbol=symbol)
    assert f"account: {account}" in text


MODULES = {
    "Package.swift": (
        "// swift-tools-version:5.9\nimport PackageDescription\n\n"
        'let package = Package(name: "kit", targets: [\n'
        '    .target(name: "Core"), .target(name: "Kit"), .target(name: "Else"),\n])\n'
    ),
    "Sources/Core/App.swift": "public final class App {\n    public func run() {}\n}\n",
    "Sources/Core/More.swift": "extension App {\n    func more() {}\n}\n",
    "Sources/Kit/Testing.swift": "import Core\n\nextension App: Runner {\n    func test() {}\n}\nprotocol Runner {}\n",
    "Sources/Else/App.swift": "class App {\n    func other() {}\n}\n",
}


def test_a_type_has_the_members_of_extensions_in_modules_that_import_it_and_none_of_a_namesake(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, MODULES))
    text = ask("type_members", symbol="Sources/Core/App.swift:1")
    assert "3 members, complete" in text.partition("\n")[0]
    assert "Runner" in text
    assert "1 member, complete" in ask("type_members", symbol="Sources/Else/App.swift:1").partition("\n")[0]
