"""The tools about the session itself: what it has spent, and the results that are stored for it."""
