"""What is wrong with the code, and what would mend it: each source of diagnostics is a checker."""
