"""PostgreSQL, which several servers share: only ``leadline serve --database`` and what prepares it use this package.

A *database address* is a URL ``postgresql://...`` whose password no message shows. A *pool* holds the connections of a
process. A *migration* is a numbered SQL file; the migrations of one package are its *area*, and each area of a database
is at the number of its last migration. All tables are in the schema ``leadline``, so a database can be shared with
other programs.

psycopg is an optional dependency: only ``address`` and ``errors`` can be imported without it.
"""
