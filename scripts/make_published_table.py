"""Makes the packaged table of the published study's scores from its release.

    python scripts/make_published_table.py turns.jsonl.gz src/voirdire/data/published/ddft_turns.csv

Numbers go in, texts do not: of a question how many words it has, whether it names the concept, and the word that gives
the trap away; of an answer how many characters it has, and whether it asks what is meant.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from voirdire.ddft.published.make import published_table


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("source", type=Path)
    options.add_argument("target", type=Path)
    asked = options.parse_args()
    table = published_table(asked.source)
    table.to_csv(asked.target, index=False, lineterminator="\n")
    print(f"{len(table):,} turns of {table['model'].nunique()} models, {asked.target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
