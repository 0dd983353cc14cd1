"""Calls of hosted models: connection, request, reply, errors, and in what providers differ (`quirks`)."""
