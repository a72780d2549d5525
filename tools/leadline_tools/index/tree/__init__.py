"""The files of a root on the disk: which there are, what is ignored or secret, and the one place that opens them."""
