"""The CogniBench paper: what it prints beside what its tables and its released answers give."""
