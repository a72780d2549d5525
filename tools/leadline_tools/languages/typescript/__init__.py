"""TypeScript."""
