"""Pairs that are labelled by how they are made."""
