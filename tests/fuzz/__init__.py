"""What takes bytes or texts that strangers wrote, as targets of a fuzzer: see ``targets``."""
