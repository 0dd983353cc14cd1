"""The verdict: short paragraphs for somebody who knows nothing of the method, and what must not be missed."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.analysis import comparability
from voirdire.ddft.report import failed_checks, jury_description, run_description, verdict_one, verdict_study
from voirdire.ddft.report.failures import worst_failures
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.profiles import ranking
from voirdire.ddft.soundness import conclusion_of, qualification, qualified, unsound_runs
from voirdire.ddft.thresholds import PAPER
from voirdire.documents.document import Block, Bullets, Notice, Section, Text, Tone
from voirdire.text.counting import listed


def verdict(material: Material) -> Section:
    """What was found, in a sentence, a chart and the worst failures; how sure that is, and how the test was held.

    Whether to rely on it belongs to the first paragraph where the answer is no, or no for a part, so that a phone's
    first screen has it. Otherwise it stands below the chart.
    """
    only = material.only
    findings = verdict_study.findings(material) if only is None else verdict_one.findings(material, only)
    unanswered = run_description.unanswered(material)
    results = material.runs.results
    answered = len(unanswered) < len(material.profiles)
    conclusion = conclusion_of(results)
    unsound = answered and bool(unsound_runs(results))
    first, *others = [" ".join(sentences) for sentences in findings if sentences]
    sure = _qualification(material) if answered else ""
    in_part = bool(sure and conclusion.but_for)
    doubted = in_part or (bool(sure) and not conclusion.reliable)
    tone: Tone = "bad" if unsound or conclusion.reservations else "warn" if in_part else ""
    blocks = (
        *(Text(text, "bad") for text in unanswered),
        Text(_qualified(material, first) if doubted else first, tone),
        ranking(material),
        *worst_failures(material),
        *([Text(sure)] if sure and not doubted else []),
        *_cautions(material),
        *map(Text, others),
        *(Text(text, "warn") for text in failed_checks.no_effect_note(material)),
        *map(Text, _incomplete(material)),
        Text(_certainty(material)),
        Bullets(tuple(_background(material)), _METHOD_TITLE),
    )
    return Section("verdict", "Verdict", blocks)


def _qualification(material: Material) -> str:
    """What the checks leave of the finding."""
    if material.comparison is not None:
        return material.comparison.qualification
    return qualification(material.runs.results)


def _qualified(material: Material, finding: str) -> str:
    """The finding with what the checks leave of it."""
    if material.comparison is not None:
        return material.comparison.headline
    only = material.only
    return qualified(finding, material.runs.results, figures=only is None or not only.uneven)


def _certainty(material: Material) -> str:
    """What it rests on, and what it is no proof of."""
    only = material.only
    sure = verdict_study.certainty(material) if only is None else verdict_one.certainty(material, only)
    no_more = (
        f"This is a diagnosis, not a leaderboard: no proof that {'a' if only is None else 'the'} model is safe or fit "
        "for a purpose."
    )
    return " ".join([*sure, no_more])


def _background(material: Material) -> Iterator[str]:
    """Cautions that are but named above, how the test was held, and what else a careful reader asks for."""
    if _in_brief(material):
        yield from _notices(material)
    yield from run_description.run_sentences(material)
    only = material.only
    if only is not None:
        yield from verdict_one.accuracy(material, only)
    else:
        yield from verdict_study.details(material)
    yield from failed_checks.all_failures(material)
    yield from jury_description.judge_sentences(material)
    yield from jury_description.other_juries(material)
    if only is not None:
        yield from verdict_one.about_intervals(only)


_METHOD_TITLE = "How the test was held"
_OWN_THRESHOLDS = (
    "This preset counts by thresholds of its own, not the paper's; “The preset's own thresholds” shows the effect."
)


def _cautions(material: Material) -> Iterator[Block]:
    """Each of them; of several runs one line, with all of them below."""
    brief = _in_brief(material)
    if brief:
        yield Notice(f"{brief} In full under “{_METHOD_TITLE}”.")
        return
    yield from map(Notice, _notices(material))


def _in_brief(material: Material) -> str:
    """What is to be said of several runs in one line; nothing where one sentence is all there is."""
    return material.runs.caution_in_brief if len(material.report_runs) > 1 and any(_notices(material)) else ""


def _notices(material: Material) -> Iterator[str]:
    """Incomplete runs, runs that are different tests, banners, concepts that a jury can't judge."""
    for run in material.report_runs:
        if run.result.stopped:
            where = f"The run {run.path}" if len(material.report_runs) > 1 else "The run"
            yield f"{where} is not complete: {run.result.stopped}"
        if run.result.models_missing:
            where = f"{run.path}: " if len(material.report_runs) > 1 else ""
            yield f"{where}{run.result.models_missing}"
        if run.result.judges_missing:
            where = f"{run.path}: " if len(material.report_runs) > 1 else ""
            yield f"{where}{run.result.judges_missing}"
    if material.runs.thresholds == PAPER:
        yield from material.runs.about_thresholds
    else:
        yield _OWN_THRESHOLDS
    yield from comparability.cautions(material.result_by_name)
    of_juries = dict.fromkeys(text for each in material.runs.results for text in each.jury_warnings)
    yield from of_juries
    yield from jury_description.contested_note(material)


def _incomplete(material: Material) -> Iterator[str]:
    """That figures may still move, where calls of the run itself could move them."""
    unfinished = [run for run in material.report_runs if not (run.result.finished or run.result.useless_judges)]
    if not unfinished:
        return
    matches = (list(run_description.unfinished(material, run)) for run in unfinished)
    lacking = "; ".join(f"{head}: {what}" for head, what in next(filter(None, matches), []))
    what = (
        "All of this"
        if len(unfinished) == len(material.report_runs)
        else f"What rests on {listed([material.run_name(run) for run in unfinished])}"
    )
    yield f"{what} may still move{f' ({lacking})' if lacking else ''}."
