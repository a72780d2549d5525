"""The writing of the hosted index, by indexers alone: from the tree of a commit to the next state of a ref.

``content_parser`` reads and parses, ``ref_writer`` decides what is new, ``repository_writer`` and ``repository_teams``
change the tables, and ``collector`` deletes what nothing has any more.
"""
