"""All uses of a symbol, who calls it, and the account of what was not examined."""
