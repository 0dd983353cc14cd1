"""What several models or runs say together: comparisons, correlates, predictions, planning."""
