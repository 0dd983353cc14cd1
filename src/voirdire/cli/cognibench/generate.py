"""`voirdire cognibench generate`."""
