"""`voirdire cognibench stats`."""
