"""Doors to other tools: what is imported from here may need an extra."""
