"""How often rules and detectors are right, on labelled texts."""
