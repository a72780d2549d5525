"""The tiers of uses: how sure it is that an occurrence means one symbol, and what proves that it means another."""
