"""Questions about an index: names, words, graphs, includes and relations."""
