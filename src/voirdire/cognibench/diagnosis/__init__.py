"""Diagnosis of a labeller (CogniBench 3.1, step 1): its labels beside human ones, and which errors recur."""
