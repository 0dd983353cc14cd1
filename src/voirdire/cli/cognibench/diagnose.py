"""`voirdire cognibench diagnose`."""
