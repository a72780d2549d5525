"""Names at a place that are no symbols: local names, names that imports give, and the definitions that they lead to."""
