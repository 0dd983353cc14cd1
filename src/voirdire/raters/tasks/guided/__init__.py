"""Tasks that a guide describes: labels, a score, a preference or spans, of whatever is to be rated."""
