"""`voirdire cognibench bench`."""
