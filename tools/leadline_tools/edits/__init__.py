"""Changes of files: planned on what was read, shown as a diff, written all together or not at all, and taken back."""
