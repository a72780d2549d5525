"""The index of a tree: its files, their text, symbols and facts, kept fresh."""
