"""Analyses of labelled answers: what they are made of and where they are unfaithful, by turn, position, model …."""
