"""PHP: documentation comments say of what types properties, parameters, results and variables are."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

MODEL = (
    "<?php\nnamespace App\\Model;\n\n"
    "class User { public function rename() {} }\n\nclass Other { public function rename() {} }\n"
)
HEAD = "<?php\nnamespace App;\n\nuse App\\Model\\{Other, User};\n\n"
DOCUMENTED = {
    "property": (
        "class A {\n    /**\n     * The user.\n     *\n     * @var \\App\\Model\\User|null\n     */\n"
        "    protected $user;\n"
        "    function run() { $this->user->rename(); }\n}\n"
    ),
    "result of a method without code": (
        "interface A {\n    /**\n     * @param  string  $name\n     * @return User\n     */\n"
        "    public function find($name);\n}\n\nfunction run(A $a) { $a->find('x')->rename(); }\n"
    ),
    "result beside code": "/** @return User */\nfunction find() { return cache('user'); }\n\nfind()->rename();\n",
    "parameter": "/** @param ?User $user the one */\nfunction run($other, $user) { $user->rename(); }\n",
    "promoted parameter": (
        "class A {\n    /** @param User $user */\n    function __construct(private $user) {}\n\n"
        "    function run() { $this->user->rename(); }\n}\n"
    ),
    "elements of an array": (
        "class A {\n    /** @var array<string, User> */\n    private $users = [];\n\n"
        "    function run() { foreach ($this->users as $user) { $user->rename(); } }\n}\n"
    ),
    "elements behind a key": "/** @param User[] $users */\nfunction run($users) { $users['a']->rename(); }\n",
    "variable": "/** @var User $user */\n$user = make();\n$user->rename();\n",
    "variable of a loop": "/** @var User $user */\nforeach (all() as $user) { $user->rename(); }\n",
    "the own type": (
        "class A {\n    /** @var User */\n    public $user;\n\n"
        "    /** @return $this */\n    function fresh() { return load(); }\n}\n\n"
        "(new A())->fresh()->fresh()->user->rename();\n"
    ),
}
UNDECIDED = {
    "type parameter of the class": (
        "/** @template User */\nclass A {\n    /** @return User */\n    function find() { return load(); }\n}\n\n"
        "(new A())->find()->rename();\n"
    ),
    "one of several, of which one is not known": (
        "/** @param User|mixed $user */\nfunction run($user) { $user->rename(); }\n"
    ),
    "property of which one of several types is not known": (
        "class A {\n    /** @var User|mixed */\n    public $user;\n\n    function run() { $this->user->rename(); }\n}\n"
    ),
    "result that nothing imports": (
        "/** @return Missing */\nfunction find() { return load(); }\n\nfind()->rename();\n"
    ),
    "name that nothing imports": "/** @param Missing $user */\nfunction run($user) { $user->rename(); }\n",
    "another parameter": "/** @param User $user */\nfunction run($user, $other) { $other->rename(); }\n",
}


def _asked(tmp_path: Path, opened: Open, code: str) -> Asking:
    return opened(write(tmp_path, {"Model/User.php": MODEL, "a.php": HEAD + code}))


@pytest.mark.parametrize("code", DOCUMENTED.values(), ids=DOCUMENTED)
def test_a_comment_says_of_what_type_something_is(tmp_path: Path, opened: Open, code: str) -> None:
    ask = _asked(tmp_path, opened, code)
    text = ask("find_references", symbol="User.rename")
    assert "exact 2" in text
    assert "2 references in 2 files, complete" in text
    assert "1 reference, complete" in ask("find_references", symbol="Other.rename")


@pytest.mark.parametrize("code", UNDECIDED.values(), ids=UNDECIDED)
def test_a_comment_that_leaves_a_type_open_hides_no_use(tmp_path: Path, opened: Open, code: str) -> None:
    ask = _asked(tmp_path, opened, code)
    for symbol in ("User.rename", "Other.rename"):
        assert "a.php" in ask("find_references", symbol=symbol)


def test_a_declared_type_goes_before_that_of_a_comment(tmp_path: Path, opened: Open) -> None:
    code = "/** @param Other $user */\nfunction run(User $user) { $user->rename(); }\n"
    assert "exact 2" in _asked(tmp_path, opened, code)("find_references", symbol="User.rename")
