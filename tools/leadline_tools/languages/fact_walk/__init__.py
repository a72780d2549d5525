"""The walk that gathers the facts of a file: one for every language, over a cursor, without recursion.

``walk`` visits the nodes. ``node_rules`` holds what a language says of a type of nodes, ``context`` what a node hands
down to its children, ``tables`` the facts so far. The other modules hold one noun each: scopes, definitions, bindings,
uses, imports, terms, evidence, calls. No tree outlives the walk.
"""
