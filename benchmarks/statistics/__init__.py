"""Whether intervals, power and stopping rules keep their word: simulations."""
