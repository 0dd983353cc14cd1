"""The sheet on which a person checks turns: which turns it holds, what it shows, and what was filled in."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from voirdire.data.cells import csv_text
from voirdire.data.files import FileError
from voirdire.data.sheets import read_sheet
from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.person_check.records import (
    THRESHOLD,
    CrosscheckError,
    DrawnTurn,
    JudgedRun,
    Rating,
    SampledTurn,
    read_judged,
)
from voirdire.models.secrets import without_known_secrets
from voirdire.records import STANCES, Stance
from voirdire.text.counting import counted

MIN_TURNS = 5


def sample_turns(path: Path, turns: int, *, seed: int = 0, jury: str | None = None) -> list[SampledTurn]:
    """Turns of a run for a person to check, in random order: see `draw_turns`.

    Args:
        path: of the run folder.
        turns: how many.
        seed: of the draws and the order.
        jury: the judges' names, or the id, of the jury whose scores spread the sample; `None` for the run's own.

    Raises:
        CrosscheckError: fewer turns are wanted than five, or there are fewer scored ones.
        JuryError: no such jury has judged the run.
        RunFolderError: there is no run.
    """
    judged = read_judged(path, jury)
    if not MIN_TURNS <= turns <= len(judged.turns):
        raise CrosscheckError(
            f"{path} has {counted(len(judged.turns), 'scored turn')}, and {turns} can't be drawn; give a number from "
            f"{MIN_TURNS} to {len(judged.turns)}."
        )
    return [turn.shown for turn in draw_turns(judged, turns, seed=seed)]


def draw_turns(judged: JudgedRun, turns: int, *, seed: int = 0) -> list[DrawnTurn]:
    """Draw turns of a run, in random order.

    The scored turns are sorted by number, then by the jury's FAR (those without claims first), and cut into as many
    equal stretches as turns are wanted; one is drawn from each. So every turn has nearly the same chance (the lengths
    of stretches differ by one at most), and plain means of the sample hold for the run.

    Args:
        judged: the run under a jury.
        turns: how many, from 1 to the number of scored turns; all of them are given back as they are, shuffled.
        seed: of the draws and the order.
    """
    scored = judged.turns
    rng = random.Random(f"{seed}/crosscheck")  # noqa: S311 - a reproducible sample
    ordered = scored.assign(lot=[rng.random() for _ in range(len(scored))]).sort_values(
        ["turn", "far", "lot"], na_position="first"
    )
    chosen = [
        (ordered.iloc[rng.randrange(low, high)].to_dict(), high - low) for low, high in _stretches(len(ordered), turns)
    ]
    rng.shuffle(chosen)
    return [
        DrawnTurn(_sampled_turn(row, judged), row["dialogue"], row["concept"], _stratum(row), length)
        for row, length in chosen
    ]


def _stretches(length: int, parts: int) -> list[tuple[int, int]]:
    cuts = [round(part * length / parts) for part in range(parts + 1)]
    return list(pairwise(cuts))


def _stratum(row: Mapping[Any, Any]) -> str:
    if row["no_claims"]:
        side = "no claims"
    else:
        side = f"{in_full('FAR')} {f'{THRESHOLD} or more' if row['far'] >= THRESHOLD else f'below {THRESHOLD}'}"
    return f"turn {row['turn']}, {side}"


def _sampled_turn(row: Mapping[Any, Any], judged: JudgedRun) -> SampledTurn:
    answers = judged.answered
    before = answers[(answers["dialogue"] == row["dialogue"]) & (answers["turn"] < row["turn"])].sort_values("turn")
    concept = judged.concepts.get(row["concept"])
    trap = row["trap_item"]
    return SampledTurn(
        key=row["key"],
        concept=concept.name if concept else row["concept"],
        turn=int(row["turn"]),
        reference=concept.reference if concept else "",
        history=tuple(zip(before["question"], before["answer"], strict=True)),
        question=row["question"],
        answer=row["answer"],
        fabricated=trap if isinstance(trap, str) else "",
        kind=concept.kind if concept else "established",
        as_of=concept.as_of if concept else "",
    )


SHOWN = ("row", "key", "concept", "turn", "reference", "earlier", "question", "answer", "fabricated")
ASKED = ("far", "sas", "no_claims", "stance", "comment")
MAX_BYTES = 50_000_000
_YES, _NO = ("yes", "y", "true", "x", "1"), ("", "no", "n", "false", "0")
_CODES = ("utf-8-sig", "cp1252")


def drawn_message(run: Path, sheet: Path, turns: int) -> str:
    """How many turns a sheet holds, and what to do once they are judged."""
    return f"{counted(turns, 'turn')} in {sheet}: when they are judged, voirdire jury crosscheck {run} {sheet}"


def sheet_text(turns: Sequence[SampledTurn]) -> str:
    """The sheet without known secrets: what is to be judged, and empty columns for what a person says of it."""
    rows = (
        [number, turn.key, *(getattr(turn, name) for name in SHOWN[2:]), *[""] * len(ASKED)]
        for number, turn in enumerate(without_known_secrets(turns), start=1)
    )
    return "\ufeff" + csv_text([[*SHOWN, *ASKED], *rows])  # spreadsheets take it for UTF-8 only with this mark


def read_ratings(path: Path) -> list[Rating]:
    """The rows of a sheet that a person has filled in; empty ones are left out.

    As spreadsheets save it: UTF-8, UTF-16 or Windows' Western European code, with commas, semicolons or tabs between
    cells, and decimal commas.

    Raises:
        CrosscheckError: no such file, no such columns, no rows, a value that is not allowed, or no row is filled in.
    """
    try:
        columns, rows = read_sheet(path, MAX_BYTES, codes=_CODES, padded=True)
    except FileError as error:
        raise CrosscheckError(f"{error} Give a sheet made by: jury sample.") from None
    missing = [name for name in ("key", *ASKED) if name not in columns]
    if missing:
        raise CrosscheckError(f"{path} lacks the columns {', '.join(missing)}; give a sheet made by: jury sample.")
    if not rows:
        raise CrosscheckError(f"{path} holds the heads of the columns and no row; give a sheet made by: jury sample.")
    rows_by_number = [(number - 1, dict(zip(columns, cells, strict=True))) for number, cells in rows]
    ratings = [_rating(row, f"{path}, row {number}") for number, row in rows_by_number if _filled(row)]
    if not ratings:
        raise CrosscheckError(f"No row of {path} is filled in; give far, sas or no_claims for the turns you judged.")
    return ratings


def _filled(row: Mapping[str, str]) -> bool:
    return any(row[name].strip() for name in ("far", "sas", "no_claims", "stance"))


def _rating(row: Mapping[str, str], where: str) -> Rating:
    cells = {name: row[name].strip() for name in ("key", *ASKED)}
    no_claims = cells["no_claims"].lower()
    if no_claims not in (*_YES, *_NO):
        raise CrosscheckError(f"{where}: no_claims is {cells['no_claims']!r}; write yes, or leave it empty.")
    far = _score(cells["far"], "far", where)
    if no_claims in _YES and far is not None:
        raise CrosscheckError(f"{where}: an answer without claims has no far; leave one of the two empty.")
    return Rating(
        key=cells["key"],
        far=far,
        sas=_score(cells["sas"], "sas", where),
        no_claims=no_claims in _YES,
        stance=_stance(cells["stance"].lower(), where),
        comment=cells["comment"],
    )


def _score(cell: str, name: str, where: str) -> float | None:
    if not cell:
        return None
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise CrosscheckError(f"{where}: {name} is {cell!r}; write a number from 0 to 1.")
    return value


def _stance(cell: str, where: str) -> Stance | None:
    for stance in STANCES:
        if cell == stance:
            return stance
    if cell:
        raise CrosscheckError(f"{where}: stance is {cell!r}; write one of {', '.join(STANCES)}, or leave it empty.")
    return None
