"""A small agent that answers questions about code, within the window of any model."""
