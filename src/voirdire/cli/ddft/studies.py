"""`voirdire ddft predictions` and `correlate`: what several models say together."""
