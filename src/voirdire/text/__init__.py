"""Text handling: sentences, alignment, numbers and names, overlap. Knows only the records."""
