"""What is asked of an index: names, words, graphs, includes, relations, and the paths that a question is about."""
