"""What makes and writes an index: workers that parse, the thread that writes, outlines for those who ask."""
