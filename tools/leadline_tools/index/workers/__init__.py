"""Worker processes, which parse files: their pool, what the server and they send each other, their outlines."""
