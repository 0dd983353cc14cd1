"""How accurate detectors are on labelled answers."""
