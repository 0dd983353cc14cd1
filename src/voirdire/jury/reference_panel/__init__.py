"""The reference panel: a deterministic judge for use with no LLM at all. It begins in `judge.py`."""
