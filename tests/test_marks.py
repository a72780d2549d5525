"""A file is code of the product or something beside it, by the names of its folders and its own."""

from __future__ import annotations

import pytest

from leadline_tools.index.tree.marks import Mark, has_generated_name, is_product, is_vendored, mark_of


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        ("src/cache/lru.py", Mark.Product),
        ("main.c", Mark.Product),
        ("drivers/perf/arm_pmu.c", Mark.Product),
        ("src/internal/fuzz/worker.go", Mark.Product),
        ("benchmarks/lru.py", Mark.Benchmark),
        ("crates/core/benches/lru.rs", Mark.Benchmark),
        ("perf/load.js", Mark.Benchmark),
        ("packages/core/perf/load.js", Mark.Benchmark),
        ("src/lru.bench.ts", Mark.Benchmark),
        ("fuzz/fuzz_targets/parse.rs", Mark.Test),
        ("pkg/lru/testdata/a.go", Mark.Test),
        ("src/__mocks__/fs.js", Mark.Test),
        ("e2e/login.ts", Mark.Test),
        ("src/lru_test.go", Mark.Test),
        ("benchmarks/test_lru.py", Mark.Benchmark),
        ("examples/shop/main.go", Mark.Example),
        ("src/stories/Button.tsx", Mark.Example),
        ("src/Button.stories.tsx", Mark.Example),
        ("third_party/zlib/inflate.c", Mark.Vendored),
        ("vendor/lru/lru_test.go", Mark.Vendored),
        ("api/shop.pb.go", Mark.Generated),
        ("src/lru.d.ts", Mark.Declarations),
        ("docs/conf.py", Mark.Documentation),
        ("docs/test_conf.py", Mark.Test),
        ("website/theme.js", Mark.Documentation),
        ("README.md", Mark.Documentation),
        ("pyproject.toml", Mark.Configuration),
        ("docs/openapi.yaml", Mark.Configuration),
    ],
)
def test_a_file_has_one_mark(path: str, mark: Mark) -> None:
    assert mark_of(path) is mark
    assert is_vendored(path) is (mark is Mark.Vendored)
    assert has_generated_name(path) is (mark is Mark.Generated)


@pytest.mark.parametrize("path", ["src/lru.py", "src/lru.d.ts", "app.yaml", "NOTES.md"])
def test_files_whose_names_say_nothing_else_count_as_product(path: str) -> None:
    assert is_product(path)


@pytest.mark.parametrize("path", ["benches/lru.rs", "docs/conf.py", "src/lru_test.go", "vendor/a.go", "api/a.pb.go"])
def test_files_beside_the_product_do_not(path: str) -> None:
    assert not is_product(path)
