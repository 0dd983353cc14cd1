"""A walk over the command tree: every argument and option, with values that no one means to give."""
