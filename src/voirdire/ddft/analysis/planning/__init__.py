"""How much must be asked so that a difference can be seen?"""
