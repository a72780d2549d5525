"""The facts of files: kept by content, and computed before a question needs them."""
