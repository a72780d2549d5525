"""What the new name of a symbol changes, and what is in its way."""
