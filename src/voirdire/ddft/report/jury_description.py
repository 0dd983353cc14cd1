"""Who judged, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.report.material import JuryResults, Material
from voirdire.ddft.report.run_description import REFERENCE
from voirdire.reason_codes import reason
from voirdire.text.counting import counted, listed

_NAMED = 6


def judge_sentences(material: Material) -> Iterator[str]:
    """Who gave the scores, jury by jury, and what that is worth."""
    for of_jury in material.jury_results:
        its_runs = [run for run in material.report_runs if run.result.jury == of_jury.jury]
        scored = any(run.result.any_score for run in its_runs)
        panel = listed(of_jury.panel.judges, _NAMED)
        text = _names_text(_who_judged(of_jury, material)) if scored else f"No turn has a score of the panel ({panel})."
        runs = [material.run_name(run) for run in its_runs]
        yield text if len(material.jury_results) == 1 else f"{listed(runs)}: {text[:1].lower()}{text[1:]}"


def other_juries(material: Material) -> Iterator[str]:
    """Who else judged which run."""
    for run in material.report_runs:
        if run.result.also_judged:
            where = f"{run.path}: " if len(material.report_runs) > 1 else ""
            yield f"{where}{run.result.also_judged}"


def basis_text(material: Material) -> str:
    """What the numbers rest on beside the concepts: "3 judges", for a sentence on it."""
    panels = {_who_judged(of_jury, material) for of_jury in material.jury_results}
    if {panel.judges for panel in panels} == {(REFERENCE,)}:
        return "fixed rules"
    if len(panels) > 1:
        return "judges who differ from run to run"
    (panel,) = panels
    alone = [listed(panel.judges)] if panel.voices == 1 else []
    beside = "; ".join([*alone, *_as_one(panel), *_no_verdict(panel.silent)])
    who = "one judge" if panel.voices == 1 else counted(panel.voices, "judge")
    return f"{who} ({beside})" if beside else who


class _WhoJudged(NamedTuple):
    """Who of a jury gave verdicts, in all of its runs together."""

    judges: tuple[str, ...]
    """Who gave any."""
    silent: tuple[str, ...]
    """Who gave none in any run."""
    copies: tuple[tuple[str, ...], ...]
    """Of the judges, those who gave the same verdicts in every run."""

    @property
    def voices(self) -> int:
        """Copies count as one judge."""
        return len(self.judges) - sum(len(group) - 1 for group in self.copies)


def _who_judged(of_jury: JuryResults, material: Material) -> _WhoJudged:
    results = [result for result in material.runs.results if result.jury == of_jury.jury]
    silent = set(of_jury.panel.judges).intersection(*(result.silent_judges for result in results))
    groups = [
        {cast("tuple[str, ...]", why["judges"]) for why in result.copied_judges if why.code == "copied_judge"}
        for result in results
    ]
    judges = of_jury.panel.judges
    return _WhoJudged(
        tuple(each for each in judges if each not in silent),
        tuple(each for each in judges if each in silent),
        tuple(sorted(set.intersection(*groups))),
    )


def _as_one(panel: _WhoJudged) -> Iterator[str]:
    yield from (f"{listed(group, _NAMED)} are one, counted more than once" for group in panel.copies)


def _no_verdict(judges: Sequence[str]) -> Iterator[str]:
    if judges:
        yield f"{listed(judges, _NAMED)} gave no verdict"


def contested_note(material: Material) -> Iterator[str]:
    """That the reference panel can't judge what is in dispute, where it had to."""
    by_rules = {of_jury.jury for of_jury in material.jury_results if REFERENCE in of_jury.panel.judges}
    names = sorted(
        {
            concept.name
            for run in material.report_runs
            if run.result.jury in by_rules
            for concept in run.concepts.values()
            if concept.kind == "contested"
        }
    )
    if names:
        yield (
            f"Contested: {listed(names, _NAMED)}. The reference panel can't tell a view that is ascribed to those who "
            "hold it from one that is given as settled, so its scores here do not say whether a model took sides. Have "
            "a jury of models judge these (voirdire score RUN --jury A,B,C)."
        )


def _names_text(panel: _WhoJudged) -> str:
    names = panel.judges
    if names == (REFERENCE,):
        rules = "The scores come from fixed rules that understand nothing (the reference panel)."
        return f"{rules} {reason('note_form_alone', score=in_full('SAS'))}"
    others = "".join(f"; {each}" for each in _no_verdict(panel.silent))
    beside = "; ".join([listed(names, _NAMED), *_as_one(panel)])
    if panel.voices == 1:
        return f"One judge gave all scores ({beside}); another might have given others{others}."
    among = "; the reference panel among them is fixed rules" if REFERENCE in names else ""
    who = f"{counted(panel.voices, 'judge')} ({beside})"
    return f"The scores are by {who}, whose agreement stands under Judges side by side{among}{others}."
