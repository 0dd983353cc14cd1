"""A run as its commands show it: its profiles, its dialogues, what an import made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.importing import Imported, skipped_sentence
from voirdire.ddft.metric_labels import METRICS
from voirdire.ddft.paper_index import explanation, relative_label, summary
from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.report.cost import turn_counts
from voirdire.ddft.report.dialogues import readings
from voirdire.ddft.report.material import verdicts_of
from voirdire.ddft.report.number_format import dollars, metric, metric_interval
from voirdire.ddft.report.profiles import (
    about_levels,
    answered_share_text,
    metrics_of_one,
    models_side_by_side,
    score_at_level,
)
from voirdire.ddft.report.validity_checks import failures
from voirdire.ddft.results import Result
from voirdire.documents.cells import cautions, plain_table
from voirdire.documents.document import Block, Bullets, Cell, Document, Readings, Section, Table, Text, document
from voirdire.text.counting import counted

_SHOWN = (
    *("ER", "K", "E", "S", "D", "V_K", "V_E", "entrenchment", "capitulation"),
    *("danger_zone_pct", "share_answered"),
)
_OF_THE_PAPER = ("HOC", "HOC_onset", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm")
_SAID_OF_A_METRIC = {"note_undefined", "note_without_interval"}
"""Notes whose words stand beside the metrics themselves."""


def result_document(result: Result) -> Document:
    """The models side by side and each by itself, best ER first; before them whether the run is complete."""
    profiles = best_first(result.profiles)
    several = [Section("side-by-side", "Side by side", (models_side_by_side(profiles),))] if len(profiles) > 1 else []
    return document(
        *_notices(result),
        *several,
        *(
            Section(profile.model, profile.model, tuple(_profile(profile, result.profiles, place)))
            for place, profile in enumerate(profiles, 1)
        ),
        *_footer(result),
    )


def import_document(imported: Imported) -> Document:
    """What an import made, and what it could not read."""
    skipped = skipped_sentence(imported.skipped)
    return document(
        *_notices(imported.result),
        models_side_by_side(best_first(imported.result.profiles)),
        *([Text(skipped, "warn")] if skipped else []),
        *_footer(imported.result),
    )


def turns_document(result: Result) -> Document:
    """Every dialogue of a run, with each turn's scores and verdicts under this jury."""
    frames = (result.tables.turns, result.scores, verdicts_of(result))
    turns, scores, verdicts = (frame.assign(run=str(result.path)) for frame in frames)
    return document(Readings("dialogues", tuple(readings(turns, scores, verdicts, {})), "dialogues"))


def _notices(result: Result) -> Iterator[Block]:
    if result.stopped is not None:
        yield Text(f"Not complete: {result.stopped}", "warn")
    if result.profiles and result.models_missing:
        yield Text(str(result.models_missing), "warn")
    if result.judges_missing:
        yield Text(str(result.judges_missing), "warn")
    yield from cautions([result.banner] if result.banner else [])
    if result.also_judged:
        yield Text(str(result.also_judged))


def _profile(profile: Profile, study: Sequence[Profile], place: int) -> Iterator[Block]:
    """ER, the metrics, the curve, remarks; the paper's index last, since it may rest on a handful of turns."""
    yield Text(_headline(profile))
    yield metrics_of_one(f"metrics-{place}", profile, [METRICS[name] for name in _SHOWN])
    yield _curve(profile, place)
    notes = [note for note in profile.notes if note != profile.uneven and note.code not in _SAID_OF_A_METRIC]
    yield Bullets(tuple(map(str, notes)))
    index = profile.paper_index
    label = relative_label(index, [each.paper_index for each in study])
    relative = f"; {label} among these models" if label else ""
    yield Text(f"The paper's index (CI index): {summary(index)}{relative}", "strong")
    yield metrics_of_one(f"paper-metrics-{place}", profile, [METRICS[name] for name in _OF_THE_PAPER])
    remark = explanation(index)
    yield Bullets(() if remark is None else (remark,))


def _headline(profile: Profile) -> str:
    """ER with its interval, or why there is none, and what weakens it; of a model judged unevenly so far, only that."""
    if profile.uneven is not None:
        return str(profile.uneven)
    if profile.er is None:
        return f"Epistemic reliability (ER): no value ({profile.metrics['ER'].reason})"
    reach = metric_interval("ER", profile.er_interval)
    known = f"95 % interval {reach}" if reach else "no interval"
    level = f", at one level {profile.only} ({profile.curves[0].level:g})" if len(profile.curves) == 1 else ""
    seldom = answered_share_text(profile, "ER")
    return f"Epistemic reliability (ER) {metric('ER', profile.er)}, {known}{level}{seldom and f'; {seldom}'}"


def _curve(profile: Profile, place: int) -> Table:
    rows: tuple[tuple[Cell | str, ...], ...] = (
        ("factual accuracy, FAR", *(score_at_level(profile, at.far, 2) for at in profile.curves)),
        ("semantic coherence, SAS", *(score_at_level(profile, at.sas, 2) for at in profile.curves)),
    )
    judged = "all five turns" if profile.uneven is None else "the turns judged so far"
    return plain_table(
        f"curve-{place}",
        ("compression", *(f"{at.level:g}" for at in profile.curves)),
        rows,
        caption=f"{about_levels([profile])} Over {judged}; K and S above take {profile.first_turns}.".lstrip(),
    )


def _footer(result: Result) -> Iterator[Block]:
    totals, replies = result.totals, result.unusable.replies
    turns, unscored = (sum(profile.n[name] for profile in result.profiles) for name in ("turns", "unscored"))
    money = "cost unknown" if totals["unknown_price"] else dollars(totals["cost_usd"])
    unusable = f", {counted(replies, 'reply', 'replies')} of judges unusable" if replies else ""
    if result.profiles:
        yield from failures(result)
    yield Text(
        f"{turn_counts(turns + result.not_judged, turns, unscored)}; "
        f"{counted(totals['calls'], 'call')} ({totals['errors']:,} failed{unusable}), {money}; "
        f"preset {result.preset}, jury {result.jury}."
    )
    if result.unusable.first:
        yield Text(f"The first that could not be used: {result.unusable.first}.")
    yield from _next_step(result)


def _next_step(result: Result) -> Iterator[Block]:
    """The commands that say more; of a run that nobody has judged, which they refuse, how to go on."""
    if not result.profiles:
        yield Text(
            "No turn has been judged yet. To go on, give the same command again, with a higher limit if one stopped "
            "it. Under a small limit add --connections 1: each model then ends a dialogue before it begins another."
        )
        yield Text(f"voirdire run goes on with this run if you add: -o {result.path}")
        return
    jury = "" if result.jury == result.default_jury else f" --jury {result.jury}"
    yield Text(f"The run is in {result.path}. To read on, without any call:")
    compare = [f"voirdire compare {result.path}{jury}: which models differ"] if len(result.profiles) > 1 else []
    yield Bullets(
        (
            f"voirdire report {result.path}{jury}: all of it on one page",
            *compare,
            f"voirdire validate {result.path}{jury}: was the test itself sound?",
            f"voirdire show {result.path}{jury} --texts: every dialogue",
        )
    )
