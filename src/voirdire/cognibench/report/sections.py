"""The report of labelling runs, section by section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.cognibench.report.annotated_answers import readings_section
from voirdire.cognibench.report.breakdowns import breakdowns_section, labellers_section
from voirdire.cognibench.report.loader import ReportedRun, Share, load_runs
from voirdire.cognibench.report.people import PeopleComparison, compare_with_people, people_section
from voirdire.cognibench.report.tiers import labels_section, meaning_section
from voirdire.cognibench.report.verdict import verdict_section
from voirdire.cognibench.report.votes import votes_section
from voirdire.data.json_values import as_plain
from voirdire.detectors.records import REQUIREMENTS
from voirdire.documents.document import Document
from voirdire.documents.run_description import cost_section, provenance
from voirdire.text.counting import counted

_PROVENANCE = (
    ("instrument", "instrument"),
    ("labelled by", "model"),
    ("how", "plan"),
    ("answers", "answers"),
    ("hash of the answers (SHA-256)", "answers_sha256"),
    ("prompts (SHA-256)", "prompts"),
    ("seed", "seed"),
    ("server", "base_url"),
)


def document(runs: Sequence[Path], jury: str | None = None) -> Document:
    """The report of a labelling run, or of several side by side; nothing is asked.

    Args:
        runs: folders.
        jury: not looked at; labels have a labeller, and no jury.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: one is no labelling run.
    """
    loaded = load_runs(runs)
    comparisons = {run.name: compare_with_people(run) for run in loaded}
    sections = (
        verdict_section(loaded, comparisons),
        labels_section(loaded),
        people_section(loaded, comparisons),
        breakdowns_section(loaded),
        labellers_section(loaded),
        votes_section(loaded),
        cost_section({run.name: run.path for run in loaded}),
        meaning_section(),
        readings_section(loaded),
    )
    return Document(
        _title(loaded),
        _subtitle(loaded),
        tuple(section for section in sections if section is not None),
        provenance({run.name: _shortened(run.manifest) for run in loaded}, _PROVENANCE),
        {"instrument": "cognibench", "runs": [_as_dict(run, comparisons[run.name]) for run in loaded]},
    )


def _title(runs: Sequence[ReportedRun]) -> str:
    return f"CogniBench: {runs[0].name}" if len(runs) == 1 else f"CogniBench: {len(runs)} labelling runs"


def _subtitle(runs: Sequence[ReportedRun]) -> str:
    answers = sum(run.summary.answers for run in runs)
    who = ", ".join(dict.fromkeys(run.summary.model for run in runs))
    return f"Is each sentence faithful to what was given? {counted(answers, 'answer')}, labelled by {who}"


def _shortened(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest without the texts of examples, which say nothing in a list of settings."""
    plan = dict(manifest["plan"])
    contrasts = plan.pop("contrasts", ())
    return {**manifest, "plan": plan | ({"own examples": len(contrasts)} if contrasts else {})}


def _as_dict(run: ReportedRun, comparison: PeopleComparison | None) -> dict[str, Any]:
    return {
        "name": run.name,
        **run.summary.as_dict(),
        "hallucinated": {
            require: {
                "statements": _share(run.hallucinated_statements(require)),
                "words": _share(run.hallucinated_words(require)),
            }
            for require in REQUIREMENTS
        },
        "beside_people": as_plain(comparison),
        "dynamics": as_plain(run.dynamics),
    }


def _share(share: Share) -> dict[str, Any]:
    low, high = (None, None) if share.interval is None else share.interval[:2]
    counts = {"count": share.hits, "n": share.n, "could_be": as_plain(share.could_be)}
    return {"value": share.value, "low": low, "high": high, **counts}
