"""Statistics: arrays in, NamedTuples out. Knows nothing of language models."""
