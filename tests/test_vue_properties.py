"""The properties of a Vue component in its template."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

CARD = {
    "types.ts": "export interface Shared { caption: string }\n",
    "Card.vue": (
        '<script setup lang="ts">\ninterface Props {\n  label: string;\n  items: { id: number }[];\n}\n'
        "const props = withDefaults(defineProps<Props>(), {});\nconst total = props.items.length;\n</script>\n"
        '<template>\n  <p v-for="item in items" :key="item.id">{{ label + total }}</p>\n'
        '  <b v-for="label in items" :class="label">{{ label.id }}</b>\n  <i :class="{ label }" />\n</template>\n'
    ),
    "Row.vue": (
        '<script setup lang="ts">\ndefineProps<{ title: string }>();\n</script>\n'
        "<template><p>{{ title }}</p></template>\n"
    ),
    "Foreign.vue": (
        '<script setup lang="ts">\nimport type { Shared } from "./types";\ndefineProps<Shared>();\n</script>\n'
        "<template><p>{{ caption }}</p></template>\n"
    ),
}


def test_a_template_uses_the_properties_that_its_script_declares(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CARD))
    items = ask("find_references", symbol="Props.items")
    assert "exact 4" in items
    assert '10: <p v-for="item in items" :key="item.id">' in items
    assert '11: <b v-for="label in items"' in items
    title = ask("find_references", symbol="Row.vue:2:15")
    assert "4: <template><p>{{ title }}</p></template>" in title
    assert "complete" in title
    assert "Props.label" in ask("go_to_definition", symbol="Card.vue:10:47")


def test_what_a_loop_of_a_template_binds_is_no_property(tmp_path: Path, opened: Open) -> None:
    label = opened(write(tmp_path, CARD))("find_references", symbol="Props.label")
    assert "{{ label + total }}" in label
    assert "{{ label.id }}" not in label


def test_a_key_that_is_a_property_at_once_is_left_to_the_caller(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, CARD))("rename_symbol", symbol="Props.label", new_name="text")
    assert "{{ text + total }}" in shown
    assert '-  <i :class="{ label }" />' not in shown
    assert "undecided, not changed: Card.vue" in shown


def test_a_name_that_may_be_a_property_of_a_type_of_another_file_is_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CARD))
    assert "undecided: Foreign.vue" in ask("find_references", symbol="Shared.caption")
