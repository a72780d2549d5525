"""The programs that start the server: where each keeps its configuration, and how an entry gets into it."""
