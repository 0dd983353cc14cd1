"""The functions of `import voirdire as vd`: what the commands do, for notebooks and scripts.

Each command prints what its function here gives, so that both say the same.
"""
