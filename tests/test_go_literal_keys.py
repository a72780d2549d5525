"""Keys of literals of Go, which name fields and no methods: https://go.dev/ref/spec#Composite_literals."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

KEYS = """package task

import "example.com/task/gen"

type Task struct{ id int }

func (t *Task) Limit(n int) *Task { return t }

func one() any { return gen.Message{Limit: 3} }
func two() any {
	return []*gen.Message{{
		Limit: 3,
	}}
}
func three[T any]() any { return gen.Wrap[T]{Limit: 3} }
func four(task gen.Message) any {
	switch {
	case task.Limit:
	}
	return task.
		Limit
}
"""


def test_the_key_of_a_literal_of_an_unknown_type_is_no_method(tmp_path: Path, opened: Open) -> None:
    files = {"go.mod": "module example.com/task\n", "task.go": KEYS, "gen/gen.go": "package gen\n"}
    found = opened(write(tmp_path, files))("find_references", symbol="task.go:7:16")
    assert "account: exact 1, likely 2, another symbol 3\n" in found
    assert "{Limit" not in found
