"""What failed checks leave of a report's findings."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.report.material import Material
from voirdire.ddft.report.run_description import sets_traps
from voirdire.ddft.soundness import NAMED, conclusion, conclusion_of, failed_check_ids, unsound_runs
from voirdire.text.counting import listed


def no_effect_note(material: Material) -> Iterator[str]:
    """That nothing can be said about compression, where all else stands."""
    runs = _runs_without_effect(material)
    if not runs or unsound_runs(material.runs.results):
        return
    where = "" if len(runs) == len(material.report_runs) else f" in {listed(runs)}"
    knows = "it knows" if material.only else "the models know"
    traps = "fabrications, " if any(map(sets_traps, material.report_runs)) else ""
    even = all(profile.uneven is None for profile in material.profiles)
    excluded = sorted(material.runs.no_evidence)
    of = f"for all models but {listed(excluded)}, " if excluded else ""
    rest = (
        f"; {of}{traps}accuracy and danger zone stand" if even and conclusion_of(material.runs.results).reliable else ""
    )
    yield (
        f"Taking the reference away made no difference that can be told{where} (the levels do nothing, or {knows} the "
        f"concepts anyway): nothing is shown of compression{rest}."
    )


def all_failures(material: Material) -> Iterator[str]:
    """Everything that makes the test unsound, where a paragraph names but some of it."""
    ids = failed_check_ids(material.runs.results)
    if len(ids) > NAMED:
        causes = conclusion_of(material.runs.results).causes
        yield f"Checks that fail: {'; '.join(causes[check] for check in ids)}."


def _runs_without_effect(material: Material) -> list[str]:
    return [material.run_name(run) for run in material.report_runs if conclusion(run.result).no_compression]
