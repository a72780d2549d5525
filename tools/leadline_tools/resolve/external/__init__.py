"""External uses: those that lead out of the code base."""
