"""Text handling: sentences, numbers and entities, overlap. Knows only the records."""
