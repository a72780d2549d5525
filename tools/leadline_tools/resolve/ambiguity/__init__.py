"""Names that mean several symbols: a section of the answer each."""
