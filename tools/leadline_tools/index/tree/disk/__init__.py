"""The tree on the disk: which files a folder has, what is ignored, and the one place that opens them."""
