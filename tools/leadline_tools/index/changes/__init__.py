"""Changes of a tree: the queue of the system, the folders that are watched, the paths that may have changed."""
