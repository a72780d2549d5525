"""All tortures: what each does, and how often it must have tried for its outcome to say anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torture import crashes, crowds, damage, doors, gates, hostility, leaks
from torture.outcome import Outcome, Scale


@dataclass(frozen=True)
class Torture:
    """One torture; ``least`` is how often it must try, in the full run and in the short one.

    ``timed`` says that it measures times or memory, so nothing else may run beside it.
    """

    name: str
    run: Callable[[Scale], Outcome]
    least: tuple[int, int]
    timed: bool = False


TORTURES = (
    Torture("hostile tree, all tools", hostility.hostile_tree, (700, 110)),
    Torture("links swapped", hostility.swapped_links, (1_600, 80)),
    Torture("parse bombs", hostility.parse_bombs, (72, 40)),
    Torture("odd exchanges", hostility.odd_exchanges, (700, 140)),
    Torture("16 clients at once", crowds.sixteen_clients, (1_600, 192), timed=True),
    Torture("three processes, one index", crowds.three_processes, (180, 24)),
    Torture("kill -9", crashes.kills, (54, 6)),
    Torture("kill -9 while editing", crashes.edits_killed, (37, 5)),
    Torture("faults of the index", crashes.index_faults, (58, 33)),
    Torture("branches switched", crashes.moving_tree, (120, 12)),
    Torture("lifecycles", crashes.lifecycles, (59, 7), timed=True),
    Torture("random damage", damage.random_damage, (78, 9)),
    Torture("odd trees", damage.odd_trees, (78, 18)),
    Torture("keys everywhere", leaks.keys_everywhere, (8_500, 1_150)),
    Torture("hostile neighbour", doors.hostile_neighbour, (601, 121), timed=True),
    Torture("doors held open", doors.doors_held_open, (406, 46), timed=True),
    Torture("gate of HTTP", gates.gate_matrix, (625, 625)),
    Torture("results guessed at", gates.isolation, (10_000, 200)),
    Torture("soak", crowds.soak, (1_000, 20), timed=True),
)
