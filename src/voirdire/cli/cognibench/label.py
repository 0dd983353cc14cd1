"""`voirdire cognibench label`."""
