"""Makes the packaged table of the published study's scores from its release.

    python scripts/make_published_table.py turns.jsonl.gz src/voirdire/data/published/ddft_turns.csv

Numbers go in, texts do not: of a question how many words it has, whether it names the concept, and the word that gives
the trap away; of an answer how many characters it has, and whether it asks what is meant.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pandas as pd

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.published_records import RecordedDialogue, RecordedTurn, read_source
from voirdire.ddft.traps import giveaway_in
from voirdire.ddft.validity.naming import names_concept
from voirdire.jury.clarification import asks_what_is_meant
from voirdire.records import Concept

FIGURES = ("question_words", "names_concept", "giveaway", "says_fictional", "answer_chars", "asks")
"""What the table says of the texts, which it does not hold."""

_FICTIONAL = re.compile(r"\bficti(on|tious)", re.IGNORECASE)


def published_table(source: Path) -> pd.DataFrame:
    """One row per turn: scores by judge and consensus, and figures of the texts (`FIGURES`).

    Raises:
        LayoutError: the source can't be read.
    """
    known = {name: each.concept for each in find_concepts() for name in (each.concept.id, *each.concept.aliases)}
    dialogues = sorted(read_source(source).dialogues, key=lambda each: (each.model, each.concept, each.level))
    return pd.DataFrame(
        [_row(dialogue, turn, known[dialogue.concept]) for dialogue in dialogues for turn in dialogue.turns]
    )


def _row(dialogue: RecordedDialogue, turn: RecordedTurn, concept: Concept) -> dict[str, Any]:
    judges = dict(sorted(turn.judges.items()))
    return {
        "model": dialogue.model,
        "concept": concept.id,
        "level": dialogue.level,
        "turn": turn.number,
        **{f"far_{judge}": far for judge, (far, _) in judges.items()},
        **{f"sas_{judge}": sas for judge, (_, sas) in judges.items()},
        "far": turn.consensus[0],
        "sas": turn.consensus[1],
        "question_words": len(turn.question.split()),
        "names_concept": int(names_concept(turn.question, concept)),
        "giveaway": (giveaway_in(turn.question) or "") if turn.number >= 4 else "",
        "says_fictional": int(turn.number >= 4 and bool(_FICTIONAL.search(turn.question))),
        "answer_chars": len(turn.answer),
        "asks": int(asks_what_is_meant(turn.answer)),
    }


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
