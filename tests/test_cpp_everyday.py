"""C++ as programs are written: unnamed namespaces, and what containers give that take an element."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

HEADER = "namespace app { enum class Topic { Order }; struct Bus { void publish(Topic t); }; }\n"
UNNAMED = """#include "a.hpp"
namespace {
using app::Topic;
using app::Bus;
}
int main() {
  Bus bus;
  bus.publish(Topic::Order);
  { using app::Topic; }
}
namespace inner { using Other = app::Topic; }
int late(Other other);
"""
CONTAINERS = """#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
struct Account { void deposit(long a); };
struct Other { void deposit(long a); };
std::map<std::string, std::unique_ptr<Account>> accounts;
void f(std::vector<Account> v, std::set<Account> s, std::optional<Account> o) {
  auto [at, fresh] = accounts.try_emplace("a", nullptr);
  at->second->deposit(1);
  auto made = accounts.emplace("a", nullptr);
  made.first->second->deposit(2);
  if (auto [x, ok] = accounts.insert({"b", nullptr}); ok) x->second->deposit(3);
  auto [p, q] = accounts.insert_or_assign("a", nullptr);
  p->second->deposit(4);
  auto [e, done] = s.insert(Account{});
  e->deposit(5);
  auto it = v.insert(v.end(), Account{});
  it->deposit(6);
  v.emplace(v.begin())->deposit(7);
  o.emplace().deposit(8);
}
"""


@pytest.fixture
def unnamed(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"a.hpp": HEADER, "a.cpp": UNNAMED}))


@pytest.mark.parametrize(("place", "found"), [("7:3", "a.hpp:1:52"), ("8:7", "a.hpp:1:63"), ("8:15", "a.hpp:1:28")])
def test_what_an_unnamed_namespace_takes_in_is_seen_around_it(place: str, found: str, unnamed: Asking) -> None:
    answer = unnamed("go_to_definition", symbol=f"a.cpp:{place}")
    assert f"in {found}" in answer
    assert "likely" not in answer


def test_what_a_named_namespace_declares_is_not_seen_around_it(unnamed: Asking) -> None:
    assert "Other" not in unnamed.response("go_to_definition", symbol="a.cpp:12:10").text.partition("\n")[0]


def test_what_a_container_gives_that_takes_an_element_points_to_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.cpp": CONTAINERS}))
    assert "9 references, complete" not in ask("find_references", symbol="a.cpp:8:21")
    answer = ask("find_references", symbol="a.cpp:7:23")
    assert "9 references, complete" in answer.partition("\n")[0]
    assert "complete" in ask("find_references", symbol="a.cpp:8:21").partition("\n")[0]
