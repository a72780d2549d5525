"""Attributes of components of Vue in kebab case: https://vuejs.org/guide/components/props.html#prop-name-casing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

MODAL = """<script setup lang="ts">
defineProps<{ isOpen: boolean; title: string }>()
</script>
<template><div v-if="isOpen" class="is-open">{{ title }}</div></template>
<style>.is-open { color: red }</style>
"""
APP = """<script setup lang="ts">
import Modal from './Modal.vue'
const open = true
</script>
<template>
  <Modal :is-open="open" class="a is-open b" />
  <Modal
    v-model:is-open.lazy="open"
    title="is-open"
  />
  <Modal is-open-now />
</template>
"""


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"src/Modal.vue": MODAL, "src/App.vue": APP}))


def test_an_attribute_in_kebab_case_is_an_undecided_use_of_the_property(ask: Asking) -> None:
    answer = ask("find_references", symbol="src/Modal.vue:2:15")
    assert "2 references, 2 undecided" in answer.partition("\n")[0]
    assert "6: <Modal :is-open=" in answer
    assert "8: v-model:is-open.lazy=" in answer


def test_a_rename_names_the_attributes_that_it_leaves(ask: Asking) -> None:
    answer = ask("rename_symbol", symbol="src/Modal.vue:2:15", new_name="shown")
    assert "not changed: is-open src/App.vue:6, is-open src/App.vue:8" in answer


def test_other_symbols_are_complete(ask: Asking) -> None:
    assert "undecided" not in ask("find_references", symbol="src/Modal.vue:2:32").partition("\n")[0]
