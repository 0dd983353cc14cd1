"""The whole report: its parts in the order in which they are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_object, as_plain
from voirdire.ddft.report.comparison import comparison
from voirdire.ddft.report.cost import cost
from voirdire.ddft.report.curves import concepts, curves
from voirdire.ddft.report.dialogues import dialogues
from voirdire.ddft.report.far_sas_plane import plane
from voirdire.ddft.report.guide import guide
from voirdire.ddft.report.heat_map import heat_map
from voirdire.ddft.report.judges import judges
from voirdire.ddft.report.material import Material, read_material
from voirdire.ddft.report.own_thresholds import own_thresholds
from voirdire.ddft.report.paper_index import paper_index
from voirdire.ddft.report.profiles import profile
from voirdire.ddft.report.provenance import provenance
from voirdire.ddft.report.traps import outcomes, trap
from voirdire.ddft.report.turns import TurnMeans, as_data, turn_means, turns
from voirdire.ddft.report.validity_checks import checks
from voirdire.ddft.report.verdict import verdict
from voirdire.documents.document import Document
from voirdire.text.counting import counted


def document(runs: Sequence[Path], jury: str | None = None) -> Document:
    """Make the report of one run with one model or several, or of several runs together. Nothing is called.

    Args:
        runs: folders.
        jury: the judges' names, or the id, of the jury whose scores count; `None` for the one each run was held with.

    Raises:
        RunFolderError, StudyError, JuryError: a folder holds no run, or no such jury has judged it.
        RunsError: a folder is named twice.
        ReportError: no run is named, or one in which this jury has judged nothing.
    """
    return compose(read_material(runs, jury))


def compose(material: Material) -> Document:
    """The report of what has been read."""
    means = turn_means(material)
    sections = (
        verdict(material),
        heat_map(material),
        profile(material),
        own_thresholds([run.result for run in material.report_runs]),
        curves(material),
        concepts(material),
        turns(material, means),
        plane(material),
        trap(material),
        judges(material),
        checks(material),
        comparison(material),
        paper_index(material),
        cost(material),
        guide(material),
        dialogues(material),
    )
    return Document(
        title=_title(material),
        subtitle=_subtitle(material),
        sections=tuple(section for section in sections if section is not None),
        provenance=provenance(material),
        data=_data(material, means),
    )


def _title(material: Material) -> str:
    models = material.runs.count_of_all_models(material.models)
    judged = "" if models == material.model_count else f"{models} judged so far"
    if material.only is not None:
        return f"Cross-examination of {material.only.model}{judged and f' ({judged})'}"
    return f"Cross-examination of {judged or models}"


def _subtitle(material: Material) -> str:
    presets = ", ".join(dict.fromkeys(run.result.preset for run in material.report_runs))
    juries = ", ".join(of_jury.jury for of_jury in material.jury_results)
    parts = [
        "Drill-Down and Fabricate Test",
        f"preset {presets}",
        f"jury {juries}",
        _dialogues(material),
        counted(len(material.concepts), "concept"),
        _days(material, imported=False),
        f"imported {imported}" if (imported := _days(material, imported=True)) else "",
    ]
    return " · ".join(part for part in parts if part)


def _dialogues(material: Material) -> str:
    """How many were held; while some are not begun, how many were, of all of them."""
    total = sum(run.result.dialogues for run in material.report_runs)
    begun = len(material.turns[["run", "dialogue"]].drop_duplicates())
    if begun < total:
        return f"{begun:,} of {counted(total, 'dialogue')} begun"
    return counted(len(material.turns_of_judged[["run", "dialogue"]].drop_duplicates()), "dialogue")


def _days(material: Material, *, imported: bool) -> str:
    """When the runs began; of published records only the day of the import is known."""
    runs = [run for run in material.report_runs if run.imported == imported]
    days = sorted({str(run.manifest.get("info", {}).get("time", ""))[:10] for run in runs} - {""})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _data(material: Material, means: list[TurnMeans]) -> dict[str, Any]:
    """All numbers, as strict JSON."""
    return {
        "runs": [run.result.as_dict() | {"checks": as_plain(run.result.checks)} for run in material.report_runs],
        "turns": as_data(means),
        "traps": [as_object(each) | {"share": each.share} for each in outcomes(material)],
        "juries": [
            {"jury": of_jury.jury, "judges": list(of_jury.panel.judges)}
            if of_jury.report is None
            else of_jury.report.as_dict()
            for of_jury in material.jury_results
        ],
        "comparison": as_plain(material.comparison),
        "cautions": list(material.runs.cautions),
    }
