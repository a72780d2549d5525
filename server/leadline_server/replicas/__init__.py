"""The state of *replicas*: servers that share a PostgreSQL database, so that any of them can answer any request.

``shared_state`` opens it. ``results``, ``turns`` and ``ledger`` implement the interfaces of ``leadline_server.state``;
``heartbeat`` counts the replicas, of which each allows a client its share of the limits. The tables are in
``migrations``. This package needs the extra ``leadline[server]``.
"""
