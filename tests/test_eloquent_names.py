"""Models of Laravel: accessors and mutators are attributes, and scopes are called without their prefix."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "app/Models/User.php": (
        "<?php\nnamespace App\\Models;\n\nuse Illuminate\\Database\\Eloquent\\Casts\\Attribute;\n"
        "use Illuminate\\Database\\Eloquent\\Model;\nuse Illuminate\\Foundation\\Auth\\User as Authenticatable;\n"
        "use Other\\Package\\Base;\n\n"
        "class User extends Authenticatable\n{\n"
        "    public function getFullNameAttribute(): string { return ''; }\n"
        "    public function setPasswordAttribute($value): void {}\n"
        "    protected function nickName(): Attribute { return Attribute::make(get: fn () => ''); }\n"
        "    public function scopeActive($query): void {}\n"
        "    public function own(): string { return $this->full_name; }\n}\n"
        "class Post extends Model { use Dates; }\n"
        "trait Dates { public function scopeRecent($query) {} }\n"
        "class Plain { public function scopeActive() {} public function getFullNameAttribute() {} }\n"
        "class Perhaps extends Base { public function scopeMade($query) {} }\n"
    ),
    "app/Use.php": (
        "<?php\nnamespace App;\n\nuse App\\Models\\{Perhaps, Plain, Post, User};\n\nclass Pages\n{\n"
        "    public function run(User $user, Post $post, Plain $plain, Perhaps $made, $other): void\n    {\n"
        "        echo $user->full_name;\n        $user->password = 'x';\n        echo $user->nick_name;\n"
        "        User::active()->get();\n        User::query()->active();\n        Post::recent();\n"
        "        $made->made();\n        $active = 1;\n        $full_name = '';\n    }\n}\n"
    ),
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.mark.parametrize(
    ("place", "line"), [("10:21", 11), ("11:16", 12), ("12:21", 13), ("13:16", 14), ("15:16", 18)], ids=str
)
def test_an_attribute_or_a_call_of_a_model_leads_to_its_method(shop: Asking, place: str, line: int) -> None:
    assert f"in app/Models/User.php:{line}" in shop("go_to_definition", symbol=f"app/Use.php:{place}")


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        ("User.getFullNameAttribute", "3 references in 2 files, complete"),
        ("setPasswordAttribute", "2 references in 2 files, complete"),
        ("nickName", "2 references in 2 files, complete"),
        ("User.scopeActive", "2 references in 2 files, 1 undecided"),
        ("scopeRecent", "2 references in 2 files, complete"),
        ("Plain.scopeActive", "1 reference, complete"),
        ("Plain.getFullNameAttribute", "1 reference, complete"),
    ],
)
def test_uses_as_an_attribute_or_a_scope_are_listed(shop: Asking, symbol: str, said: str) -> None:
    assert said in shop("find_references", symbol=symbol)


def test_a_scope_of_what_may_be_a_model_is_undecided(shop: Asking) -> None:
    assert "1 reference, 1 undecided" in shop("find_references", symbol="scopeMade")


def test_a_new_name_of_a_scope_names_the_calls_that_it_leaves(shop: Asking) -> None:
    assert "active app/Use.php:13" in shop("rename_symbol", symbol="User.scopeActive", new_name="scopeLive")
