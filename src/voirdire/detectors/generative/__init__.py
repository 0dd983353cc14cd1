"""Detectors that write: CogniDet, RAGTruth's, FAVA's. Importing them imports no torch; opening a local model does."""
