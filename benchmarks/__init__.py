"""What was measured, to be measured again: `python -m benchmarks list`."""
