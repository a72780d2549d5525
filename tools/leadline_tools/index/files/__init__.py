"""The files of a tree in memory: what is known of each, how far they are indexed, and lists of them."""
