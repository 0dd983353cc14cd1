"""Published studies, computed again: what each publication prints, and what comes out of its data."""
