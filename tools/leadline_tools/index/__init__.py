"""What is known of the tree: its files, their text, symbols and facts, kept fresh."""
