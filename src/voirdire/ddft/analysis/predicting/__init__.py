"""What goes with a model's reliability: figures given by the user, and the paper's own predictions and ablations."""
