"""How fast: time, memory, and what that is beside other ways of doing the same."""
