"""Pages for people: the statement of ``leadline stats --html``, and what a server shows at ``/``."""
