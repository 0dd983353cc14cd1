"""Labelling answers with a language model (CogniBench 3): from data to a run folder, and back."""
