"""Results of evaluations that others made: read, recomputed, checked. Nothing is called, nothing in a file is run."""
