"""Who judged, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        text = (
            _names_text(*_who_judged(of_jury, material)) if scored else f"No turn has a score of the panel ({panel})."
        )
        runs = [material.run_name(run) for run in its_runs]
        yield text if len(material.jury_results) == 1 else f"{listed(runs)}: {text[:1].lower()}{text[1:]}"


def basis_text(material: Material) -> str:
    """What the numbers rest on beside the concepts: "3 judges", for a sentence on it."""
    panels = {_who_judged(of_jury, material) for of_jury in material.jury_results}
    if {judges for judges, _ in panels} == {(REFERENCE,)}:
        return "fixed rules"
    if len(panels) > 1:
        return "judges who differ from run to run"
    ((names, silent),) = panels
    beside = "; ".join([*(names if len(names) == 1 else ()), *_no_verdict(silent)])
    who = "one judge" if len(names) == 1 else counted(len(names), "judge")
    return f"{who} ({beside})" if beside else who


def _who_judged(of_jury: JuryResults, material: Material) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The judges of a jury who gave verdicts, without copies, and those who gave none in any of its runs."""
    results = [result for result in material.runs.results if result.jury == of_jury.jury]
    silent = set(of_jury.panel.judges).intersection(*(result.silent_judges for result in results))
    copies = set.intersection(*({why["copy"] for why in result.copied_judges} for result in results))
    judges = [each for each in of_jury.panel.judges if each not in copies]
    return tuple(each for each in judges if each not in silent), tuple(each for each in judges if each in silent)


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


def _names_text(names: Sequence[str], silent: Sequence[str]) -> str:
    if list(names) == [REFERENCE]:
        rules = "The scores come from fixed rules that understand nothing (the reference panel)."
        return f"{rules} {reason('note_form_alone', score=in_full('SAS'))}"
    others = "".join(f"; {each}" for each in _no_verdict(silent))
    if len(names) == 1:
        return f"One judge gave all scores ({names[0]}); another might have given others{others}."
    among = "; the reference panel among them is fixed rules" if REFERENCE in names else ""
    who = f"{counted(len(names), 'judge')} ({listed(names, _NAMED)})"
    return f"The scores are by {who}, whose agreement stands under Judges side by side{among}{others}."
