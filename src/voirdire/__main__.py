"""The `voirdire` command, also as `python -m voirdire`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still loading ends as one later does, without a traceback."""
    try:
        from voirdire.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
