"""`python -m voirdire`: the same as the `voirdire` command."""

from voirdire.cli import main

main()
