"""Training of detectors: grouped splits, an encoder, a generative CogniDet, and how they gain from more data.

What needs torch is imported by name only: `voirdire.detectors.training.encoder`, `….generative`.
"""
