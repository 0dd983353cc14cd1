"""A run as `voirdire show` and its neighbours show it: its profiles, its dialogues, what an import made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import run_alone
from voirdire.ddft.importing import Imported, skipped_sentence, unread_sentence
from voirdire.ddft.metric_labels import FIRST_FIGURES, METRICS, in_full
from voirdire.ddft.paper_index import explanation, relative_label, summary
from voirdire.ddft.plan import few_to_compare
from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.report import verdict_one
from voirdire.ddft.report.cost import turn_counts
from voirdire.ddft.report.dialogues import readings
from voirdire.ddft.report.material import verdicts_of
from voirdire.ddft.report.number_format import dollars
from voirdire.ddft.report.own_thresholds import own_thresholds
from voirdire.ddft.report.profiles import (
    SIDE_BY_SIDE,
    about_levels,
    answered_share_text,
    metrics_of_one,
    models_side_by_side,
    ranked_models,
    ranking_metric,
    score_at_level,
)
from voirdire.ddft.report.validity_checks import failures
from voirdire.ddft.results import Result
from voirdire.ddft.soundness import qualified, reservation
from voirdire.documents.cells import cautions, plain_table
from voirdire.documents.document import (
    Block,
    Bullets,
    Cell,
    Commands,
    Document,
    Readings,
    Section,
    Table,
    Text,
    brief,
    detail,
    document,
    hint,
)
from voirdire.documents.messages import not_complete
from voirdire.jury import REFERENCE
from voirdire.reason_codes import reason
from voirdire.text.counting import counted, listed

_MORE = (
    "V_K",
    "V_E",
    "V_E_strict",
    "V_E_proxy",
    "trap_acceptance",
    "entrenchment",
    "capitulation",
    "selective_verifier_failure",
    "coupled_collapse",
    "first_failing_level",
    "failed_at_0",
)
_OF_THE_PAPER = ("HOC", "HOC_onset", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm")
_PARTS = 6
"""ER and what it is made of; a first screen shows no more of a single model."""
_NUMBERS = 7
"""That follow the conclusion, each with its interval."""
_NOTES_ON_METRICS = {"note_undefined", "note_without_interval"}
"""Notes whose words stand beside the metrics themselves."""


def result_document(result: Result) -> Document:
    """The models side by side, best ER first, or the one; each by itself; before them whether the run is complete."""
    profiles = best_first(result.profiles, ranking_metric(result.profiles))
    several = len(profiles) > 1
    first: Iterable[Text | Section] = (
        _verdict(result, profiles) if several else (_conclusion(result, profile) for profile in profiles)
    )
    return document(
        *_incomplete(result),
        *first,
        *_notices(result),
        *(_several(profiles) if several else ()),
        *(
            section
            for place, profile in enumerate(profiles, 1)
            for section in _of_model(profile, result.profiles, place, beside=several)
        ),
        *([] if (beside := own_thresholds([result])) is None or not profiles else [beside]),
        Section("footer", "", tuple(_footer(result))),
    )


def import_document(imported: Imported) -> Document:
    """What an import made, and what it could not read."""
    not_read = (skipped_sentence(imported.skipped), unread_sentence(imported.unread))
    return document(
        *_incomplete(imported.result),
        *_notices(imported.result),
        models_side_by_side(best_first(imported.result.profiles)),
        *(Text(sentence, "warn") for sentence in not_read if sentence),
        *_footer(imported.result),
    )


def turns_document(result: Result) -> Document:
    """Every dialogue of a run, with each turn's scores and verdicts under this jury."""
    frames = (result.tables.turns, result.scores, verdicts_of(result))
    turns, scores, verdicts = (frame.assign(run=str(result.path)) for frame in frames)
    return document(Readings("dialogues", tuple(readings(turns, scores, verdicts, {})), "dialogues"))


def _conclusion(result: Result, profile: Profile) -> Section:
    """The result of one model; of one that is judged unevenly so far, under its name."""
    return Section(
        f"{profile.model}-result",
        profile.model if profile.uneven else "",
        (Text(qualified(_headline(profile), [result], figures=not profile.uneven), "strong"),),
    )


def _incomplete(result: Result) -> Iterator[Block]:
    if result.stopped is not None:
        yield Text(not_complete(result.stopped), "warn")
    if result.profiles and result.models_missing:
        yield Text(str(result.models_missing), "warn")
    if result.judges_missing:
        yield Text(str(result.judges_missing), "warn")


def _notices(result: Result) -> Iterator[Block]:
    if result.lone_judge and not reservation(result):
        yield Text(str(reason("note_lone_judge")))
    yield from cautions(result.jury_warnings)
    if result.jury == REFERENCE:
        yield Text(str(reason("note_form_alone", score=in_full("SAS"))), "warn")
    if result.also_judged:
        yield Text(str(result.also_judged))


def _several(profiles: Sequence[Profile]) -> Iterator[Section]:
    """The figure that models are ranked by, and what weakens it; for those who ask for more, the others beside it."""
    uneven = (Text(f"{each.model}: {each.uneven}", "warn") for each in profiles if each.uneven is not None)
    first = ("ER", ranking_metric(profiles))
    about = Bullets(_of_whom(profiles, lambda profile: [*_notes(profile), *_dashes(profile, first)]))
    ranked = ranked_models(profiles)
    yield Section("uneven", "", tuple(uneven))
    yield brief(*_first_numbers(ranked))
    yield detail("ranked", ranked)
    yield Section("about-ranked", "", (about,))
    others = [name for name in SIDE_BY_SIDE if name not in first]
    dashes = Bullets(_of_whom(profiles, lambda profile: _dashes(profile, others)))
    yield detail("side-by-side", models_side_by_side(profiles), dashes, title="Side by side")


def _first_numbers(table: Table) -> Iterator[Block]:
    """Those of seven models at most, each with its interval."""
    yield replace(table, id="first", rows=table.rows[:_NUMBERS])
    if len(table.rows) > _NUMBERS:
        yield hint(f"{counted(len(table.rows) - _NUMBERS, 'more model')}: ")


def _of_whom(profiles: Sequence[Profile], notes: Callable[[Profile], Iterable[str]]) -> tuple[str, ...]:
    """Each note once, with the models that it is about unless it is about all."""
    models_by_note: dict[str, list[str]] = {}
    for profile in profiles:
        for note in notes(profile):
            models_by_note.setdefault(note, []).append(profile.model)
    return tuple(
        note if len(models) == len(profiles) else f"{listed(models)}: {note}" for note, models in models_by_note.items()
    )


def _verdict(result: Result, profiles: Sequence[Profile]) -> Iterator[Text]:
    """Which model comes first and by how much, or why none does."""
    compared = compare(run_alone(result))
    yield Text(compared.headline, "strong")
    tested = [pair for pair in compared.pairs if pair.p is not None]
    if tested and all(pair.verdict == "cannot be decided" for pair in tested):
        models = {model for pair in tested for model in (pair.a, pair.b)}
        dialogues = min(each.n["turns"] // LAST_TURN for each in profiles if each.model in models)
        undecidable = few_to_compare(len(models), max(pair.n_concepts for pair in tested), dialogues)
        yield from [] if undecidable is None else [Text(str(undecidable))]


def _of_model(profile: Profile, study: Sequence[Profile], place: int, *, beside: bool) -> Iterator[Section]:
    """Its first figures; the others and the curve; the paper's index last, since it may rest on a handful of turns."""
    first = metrics_of_one(f"metrics-{place}", profile, [METRICS[name] for name in FIRST_FIGURES])
    if beside:
        yield detail(profile.model, Text(_headline(profile), "strong"), first, title=profile.model)
    else:
        parts = _without(first, "interval", "n")
        yield brief(replace(parts, id="parts", rows=parts.rows[:_PARTS]))
        yield detail(f"{profile.model}-metrics", first)
        yield Section(
            profile.model, "", (Bullets(tuple(note for note in _notes(profile) if note not in _headline(profile))),)
        )
    more = metrics_of_one(f"metrics-more-{place}", profile, [METRICS[name] for name in _MORE])
    yield Section(
        f"{profile.model}-more",
        f"{profile.model}: the fabrications, and level by level",
        (more, *([Text(_ENDS, "quiet")] if place == 1 else []), _curve(profile, place)),
        detail=True,
    )
    index = profile.paper_index
    label = relative_label(index, [each.paper_index for each in study])
    relative = f"; {label} among these models" if label else ""
    remark = explanation(index)
    yield Section(
        f"{profile.model}-paper-index",
        f"{profile.model}: the paper's index",
        (
            Text(f"The paper's index (CI index): {summary(index)}{relative}", "strong"),
            metrics_of_one(f"paper-metrics-{place}", profile, [METRICS[name] for name in _OF_THE_PAPER]),
            Bullets(() if remark is None else (remark,)),
        ),
        detail=True,
    )


def _without(table: Table, *keys: str) -> Table:
    return replace(table, columns=tuple(column for column in table.columns if column.key not in keys))


def _notes(profile: Profile) -> list[str]:
    few = None if profile.er is None else profile.few_traps_behind_er
    return [*([] if few is None else [f"{few}."]), *_other_notes(profile)]


def _other_notes(profile: Profile) -> list[str]:
    return [str(note) for note in profile.notes if note != profile.uneven and note.code not in _NOTES_ON_METRICS]


def _dashes(profile: Profile, names: Sequence[str]) -> Iterator[str]:
    """Why a figure that stands beside those of other models has no value."""
    for note in profile.notes:
        if note.code == "note_undefined":
            shown = tuple(name for name in cast(tuple[str, ...], note["metrics"]) if name in names)
            if shown:
                yield str(reason(note.code, metrics=shown, why=note["why"]))


def _headline(profile: Profile) -> str:
    """The result in a sentence, then what weakens it; of a model judged unevenly so far, only that."""
    if profile.uneven is not None:
        return str(profile.uneven)
    few, seldom = profile.few_turns_behind_er, answered_share_text(profile, "ER")
    weaker = [*([] if few is None else [str(few)]), *([f"{seldom[0].upper()}{seldom[1:]}."] if seldom else [])]
    return " ".join([verdict_one.headline(profile), *weaker])


_ENDS = (
    "An interval that ends at its value: that is the best (or worst) that so many answers can give. E and D are "
    "smoothed, so that their best lies below 1."
)


def _curve(profile: Profile, place: int) -> Table:
    rows: tuple[tuple[Cell | str, ...], ...] = (
        ("FAR, all five turns", *(score_at_level(profile, at.far, 2) for at in profile.curves)),
        ("SAS, all five turns", *(score_at_level(profile, at.sas, 2) for at in profile.curves)),
    )
    beside = f"K, S and the check compression_effect take {profile.first_turns} alone."
    return plain_table(
        f"curve-{place}",
        ("compression", *(f"{at.level:g}" for at in profile.curves)),
        rows,
        caption=f"{about_levels([profile])} {beside}".lstrip(),
    )


def _footer(result: Result) -> Iterator[Block]:
    totals, replies = result.totals, result.unusable.replies
    turns, unscored = (sum(profile.n[name] for profile in result.profiles) for name in ("turns", "unscored"))
    money = "cost unknown" if totals["unknown_price"] else dollars(totals["cost_usd"])
    juries = " for all juries" if result.other_juries else ""
    cached = f"{counted(totals['cached'], 'call')} from the cache, $0; " if totals["cached"] else ""
    unusable = f", {counted(replies, 'reply', 'replies')} of judges unusable" if replies else ""
    broken_off = f", {totals['interrupted']:,} broken off, which may be billed" if totals["interrupted"] else ""
    failed = totals["errors"] - totals["interrupted"]
    if result.profiles:
        yield from failures(result)
    yield Text(
        f"{turn_counts(result.turns, turns, unscored, result.turns_planned)}; "
        f"{counted(totals['calls'], 'call')}{juries} ({failed:,} failed{broken_off}{unusable}), {money}; {cached}"
        f"preset {result.preset}, jury {result.jury}."
    )
    if result.unusable.first:
        yield Text(f"The first that could not be used: {result.unusable.first}.")
    yield from _next_step(result)


def _next_step(result: Result) -> Iterator[Block]:
    """The commands that say more; of a run that nobody has judged, which they refuse, how to go on."""
    if not result.profiles:
        limit = (
            ", with a higher limit if one stopped it. Under a small limit add --connections 1: each model then ends a "
            "dialogue before it begins another."
        )
        go_on = "No turn has been judged yet. To go on, give the same command again"
        yield Text(f"{go_on}{limit if result.stopped_now else '.'}")
        yield Text(f"voirdire run continues this run with the option -o {result.path}")
        return
    jury = result.jury_option
    yield Text(f"The run is in {result.path}. To read more (no model is called):")
    steps = [
        ("report", "", "", "all of it on one page"),
        *([("compare", "", "", "which models differ")] if len(result.profiles) > 1 else []),
        ("show", " --all", ", all=True", "every figure, the curves, the paper's index"),
        ("validate", "", "", "was the test itself sound?"),
        ("show", " --texts", ", texts=True", "every dialogue"),
    ]
    given = f"{str(result.path)!r}{f', jury={result.jury!r}' if jury else ''}"
    yield Commands(
        tuple(f"voirdire {name} {result.path}{jury}{option}: {says}" for name, option, _, says in steps),
        python=tuple(f"vd.{name}({given}{argument}): {says}" for name, _, argument, says in steps),
    )
