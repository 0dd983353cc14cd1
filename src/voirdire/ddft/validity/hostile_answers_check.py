"""Do answers speak to their judges, and did what they say get into verdicts? The check `hostile_answers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pandas as pd

from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import (
    QUOTES,
    models_above,
    most_of_model,
    quote,
    sample_across_models,
    share,
    share_of,
    tally,
)
from voirdire.jury.hostile_answers import Address, find_addresses, find_echo
from voirdire.models.secrets import without_known_secrets
from voirdire.reason_codes import Reason, reason

MANY_ECHOES = 0.01
"""Of verdicts on one model. One that took over an order is to be read; when one in a hundred did, the subject has a
hand in them."""

JUMP = 0.3
"""By how much a judge's score of an answer that speaks to it must lie above the other judges' mean to be named: on the
published study, two judges of one answer differ by 0.2 on average."""

_PLACE = ["dialogue", "turn"]
_Place = tuple[str, int]


@dataclass(slots=True)
class _Echoes:
    """What justifications make of orders."""

    hits: pd.Series[bool]
    """One per verdict with a justification."""
    models: pd.Series[str]
    """Whose answer each of them is about."""
    shown: list[Reason]
    """The first echoes, quoted."""


def hostile_answers(record: RunRecord) -> Check:
    """Do answers speak to whoever judges them, and do verdicts echo it?"""
    attempts = _attempts(record)
    there = record.answered()
    hits = pd.Series(there.index.isin(list(attempts)), index=there.index)[there]
    value, interval = share(hits, record.turns.loc[hits.index, "concept"])
    if value is None:
        return Check("hostile_answers", "warn", None, None, (reason("no_answer"),))
    rows = record.turns.loc[list(attempts), [*_PLACE, "model"]]
    at = dict(zip(zip(rows["dialogue"], rows["turn"], strict=True), attempts.items(), strict=True))
    echoes = _find_echoes(record, at)
    evidence = [share_of("answers_hostile", hits)]
    if attempts:
        by_model = rows["model"].value_counts().items()
        counts = tuple(reason("model_answers", model=str(model), answers=int(n)) for model, n in by_model)
        evidence.append(reason("by_model", models=counts))
        evidence += _quoted(rows, attempts)
    evidence += [*_echo_evidence(echoes), *_jumps(record, at)]
    many = models_above(MANY_ECHOES, echoes.hits, echoes.models)
    status: Status = "fail" if many else "warn" if echoes.hits.any() or attempts else "pass"
    return Check("hostile_answers", status, value, interval, tuple(evidence), tally(hits), many)


def _attempts(record: RunRecord) -> dict[Any, tuple[Address, ...]]:
    """What answers say to their judges, by the answer's place among the turns; the others are not held."""
    places = list(record.turns.index[record.turns["addresses"]])
    return {place: find_addresses(answer) for place, answer in _texts(record, places).items()}


def _quoted(rows: pd.DataFrame, attempts: Mapping[Any, Sequence[Address]]) -> Iterator[Reason]:
    for place, row in sample_across_models(rows).iterrows():
        for first in attempts[place][:1]:  # none where a secret was all of it
            quoted = quote(first.text)
            yield reason(
                "address_quoted", dialogue=row["dialogue"], turn=int(row["turn"]), kind=first.kind, quote=quoted
            )


def _find_echoes(record: RunRecord, at: Mapping[_Place, tuple[Any, Sequence[Address]]]) -> _Echoes:
    """Which verdicts take over an order, with quotes of the first."""
    echoes = record.verdicts["echoes"]
    first = list(echoes.index[echoes][:QUOTES])
    justified: list[Any] = []
    shown: list[Reason] = []
    for piece in record.justifications():
        justified.extend(piece.index[piece.fillna("") != ""])
        for place, text in piece[piece.index.intersection(first)].items():
            row = record.verdicts.loc[cast(int, place)]
            justification = without_known_secrets(str(text))
            dialogue, turn = str(row["dialogue"]), cast(int, row["turn"])
            quoted = quote(_words(record, at, (dialogue, turn), justification))
            judge = str(row["judge"])
            shown.append(reason("verdict_quoted", dialogue=dialogue, turn=turn, judge=judge, quote=quoted))
    models = record.turns.drop_duplicates("dialogue").set_index("dialogue")["model"]
    return _Echoes(echoes[justified], record.verdicts.loc[justified, "dialogue"].map(models), shown)


def _words(
    record: RunRecord, at: Mapping[_Place, tuple[Any, Sequence[Address]]], place: _Place, justification: str
) -> str:
    """The sentence of a justification that echoes an order, of its own turn or of one before."""
    read = [at[each] for turn in range(1, place[1] + 1) if (each := (place[0], turn)) in at]
    answers = _texts(record, [number for number, _ in read]).values()
    return find_echo("\n\n".join(answers), justification, [attempt for _, attempts in read for attempt in attempts])


def _texts(record: RunRecord, places: Sequence[Any]) -> Mapping[Any, str]:
    """The answers at these places, without known secrets: passages are cut out of them."""
    if not places:
        return {}
    return {
        place: without_known_secrets(str(answer))
        for piece in record.answers()
        for place, answer in piece[piece.index.intersection(list(places))].items()
    }


def _echo_evidence(echoes: _Echoes) -> Iterator[Reason]:
    if echoes.hits.empty:
        yield reason("no_justification")
        return
    yield share_of("justifications_echoing", echoes.hits)
    yield from most_of_model(echoes.hits, echoes.models)
    yield from echoes.shown


def _jumps(record: RunRecord, at: Mapping[_Place, object]) -> Iterator[Reason]:
    """Scores of such answers that lie far above what the other judges give the same answer."""
    if not at:
        return
    verdicts = record.verdicts[pd.MultiIndex.from_frame(record.verdicts[_PLACE]).isin(list(at))]
    for score in ("far", "sas"):
        table = verdicts.pivot(index=_PLACE, columns="judge", values=score)
        for judge in table.columns if table.shape[1] > 1 else ():
            above = table[judge] - table.drop(columns=judge).mean(axis=1)
            high = above[above >= JUMP]
            if len(high):
                dialogue, turn = high.index[0]
                yield reason(
                    "scores_above_others",
                    judge=judge,
                    answers=len(high),
                    score=score.upper(),
                    jump=JUMP,
                    dialogue=dialogue,
                    turn=int(turn),
                )
