"""The DDFT study: its scores recomputed, and its predictions put to other runs."""
