"""Occurrences of names: the files that may use a symbol, likeliest first, and the tokens that spell its name."""
