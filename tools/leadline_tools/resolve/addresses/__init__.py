"""What callers write to name a symbol: an address, a position in a file, a focus; and the symbols that it means."""
