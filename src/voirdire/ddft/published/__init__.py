"""The published study: its scores, what the paper says of them, and what holds on recomputing it."""
