"""The resident server: it keeps the index of a tree open between the calls of the console.

``leadline call`` connects to a socket in the runtime folder and sends one line; where nothing listens, it starts the
server. ``command_line``, ``address``, ``wire`` and ``client`` are what a call imports: they import nothing heavy.
"""
