"""What ends other servers, done to this one through the wire, and counted: see ``table``."""
