"""New knowledge-grounded dialogues (CogniBench 2.1): from references to a run folder, the same user for every model."""
