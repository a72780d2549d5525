"""The state of a replica, opened: a pool, what is kept in the database, and the heartbeat."""

from __future__ import annotations

import os

from leadline_server.config import Config
from leadline_server.load import Load
from leadline_server.replicas.areas import areas
from leadline_server.replicas.heartbeat import Heartbeat
from leadline_server.replicas.ledger import SharedLedger
from leadline_server.replicas.results import SharedResults
from leadline_server.replicas.turns import SharedTurns
from leadline_server.state import State, session_info
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import check
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.index import Index


def shared_state(config: Config, address: DatabaseAddress, index: Index) -> State:
    """Return the state that a replica shares with others.

    Raises DatabaseError where the database cannot be used: its tables have to be those of this version.
    """
    check(address, areas())
    pool = DatabasePool(address, name=f"leadline-{os.getpid()}")
    try:
        results = SharedResults(pool, config.long_ids, index)
        turns = SharedTurns(pool, config.turn_tokens)
        ledger = SharedLedger(pool, session_info(config.profile))
        heartbeat = Heartbeat(pool, (results.expire, turns.expire, ledger.expire))
        heartbeat.start()
    except BaseException:
        pool.close()
        raise

    def close() -> None:
        heartbeat.close()
        pool.close()

    limits = Load(replicas=lambda: heartbeat.replicas)
    return State(results, turns, ledger, limits, pool.is_reachable, close, pool)
