"""Questions about an index: names, words, includes and relations."""
