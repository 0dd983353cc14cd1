"""What is to be taken out of a run, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.paths import set_paths
from voirdire.data.plain import as_object
from voirdire.documents.cells import count, text
from voirdire.documents.document import Block, Column, Document, Table, Text, document
from voirdire.run.redacting import KINDS

NOT_LOOKED_FOR = (
    "Names of people, e-mail addresses, telephone numbers and the like were not looked for: a model may have written "
    "some, and so may you in a concept or a data set. Read the copy, and name what is to go with --hide-text or --hide."
)

NAMES_STAY = (
    "Names of models, judges and concepts stay, and were not looked through for names of people: look at run.json, and "
    "name what is to go with --hide-text or --hide."
)
"""Said of a copy of figures alone."""

LEFT_OUT = {
    "bodies": "bodies of requests and responses as they were on the wire",
    "fence_secret": "the secret that fences were made with",
    "keys": "keys of calls, which could be used to try out what a hidden text was",
    "command": "the command line",
    "git": "the state of your git repository",
    "platform": "the machine's platform",
    "key_names": "names of the environment variables that hold keys",
    "files": "files of the folder that are no part of the run",
    "texts": "all texts, and the journal",
}
"""What is left out whole, by kind."""


@dataclass(frozen=True, slots=True)
class RedactPlan:
    """Of which run a copy is made, where, and what goes beside what always does."""

    run: Path
    out: Path
    patterns: tuple[str, ...] = ()
    """Regular expressions: what they match is hidden in every text."""
    texts: tuple[str, ...] = ()
    """Hidden in every text, in any case."""
    figures_only: bool = False
    """Leave out the journal and every text: only figures and where they come from."""

    def __post_init__(self) -> None:
        set_paths(self, "run", "out")


@dataclass(frozen=True, slots=True)
class Redacted:
    """What came of it."""

    out: Path
    hidden: Mapping[str, int]
    """How many places within texts, by kind (`run.redacting.KINDS`)."""
    left_out: Mapping[str, int]
    """How many of what was left out whole, by kind (`LEFT_OUT`)."""
    other_files: tuple[str, ...]
    """Files of the run's folder that were not copied."""
    not_looked_for: str = NOT_LOOKED_FOR

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return as_object(self)


_FILES = 5
"""Files that were not copied and are named."""


def redacted_document(done: Redacted) -> Document:
    """What was taken out by kind, what was not looked for, and where the copy is."""
    blocks: list[Block] = [_counts("hidden", "Taken out of texts", done.hidden, KINDS)]
    blocks.append(_counts("left-out", "Left out", done.left_out, LEFT_OUT))
    if done.other_files:
        more = f" and {len(done.other_files) - _FILES} more" if len(done.other_files) > _FILES else ""
        blocks.append(Text(f"Not copied: {', '.join(done.other_files[:_FILES])}{more}."))
    return document(*blocks, Text(done.not_looked_for), Text(f"The copy is in {done.out}."))


def _counts(id: str, title: str, counts: Mapping[str, int], kinds: Mapping[str, str]) -> Table:
    rows = tuple({"count": count(number), "kind": text(kinds[kind])} for kind, number in counts.items())
    return Table(id, (Column("count", "", numeric=True), Column("kind", "")), rows, title)
