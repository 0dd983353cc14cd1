"""Coverage-guided fuzzing of what reads files and replies of others: `python -m fuzz NAME --seconds 60`.

It needs `pip install atheris`, and is no part of CI: the tests under tests/untrusted draw the same kinds of input. A
target is a module with `SEEDS` (valid inputs) and `one(data)`, which ends in an error of voirdire's or in none.
"""
