"""Random sequences of faults over one run folder, and what must hold whatever happens (docs/faults.md)."""
