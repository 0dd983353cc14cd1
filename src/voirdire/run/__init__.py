"""A run: its folder, its journal, and the runner that makes calls."""
