"""The walk that finds the definitions in a syntax tree: one pruned walk for every language.

Bodies are entered only through the node types that a language names, never by recursion: hostile nesting costs time,
not the stack. ``walk`` is the walk, ``sources`` parses sources for it; the other modules hold one noun each.
"""
