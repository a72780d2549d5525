"""Resolution: from an occurrence of a name to the definition that it means."""
