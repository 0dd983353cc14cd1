"""Writing training data: a folder per arm, a file per part, a manifest that counts what is left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.adapters.export._files import write_rows
from voirdire.adapters.export._manifest import new_folder, said_of
from voirdire.adapters.export.records import Exported, ExportError, ExportPlan
from voirdire.adapters.export.training import telling
from voirdire.adapters.export.training.examples import pairs, singles
from voirdire.adapters.export.training.parts import Part, evened, split_by_concept
from voirdire.adapters.export.training.reading import answers_of, for_knowledge, for_verification
from voirdire.adapters.export.training.records import ArmName, Example, Sorted
from voirdire.adapters.loading import LoadedRun
from voirdire.data.manifests import write_manifest
from voirdire.ddft.profile import THETA

_ARMS: Mapping[str | None, tuple[ArmName, ...]] = {
    None: ("verification", "knowledge"),
    "both": ("verification", "knowledge"),
    "verification": ("verification",),
    "knowledge": ("knowledge",),
}


def export_training(plan: ExportPlan, runs: Sequence[LoadedRun]) -> Exported:
    """Write preference pairs (`dpo`) or prompts with the answer to learn (`sft`) from one or several runs.

    Raises:
        ExportError: nothing can be learnt from these runs, a split leaves a part empty, or `out` is taken.
    """
    theta = THETA if plan.theta is None else plan.theta
    if not 0 <= theta <= 1:
        raise ExportError(f"--theta is a FAR between 0 and 1; {theta:g} was given.")
    found = _sorted(_ARMS[plan.arm], runs, theta)
    examples = {arm: _examples(plan.target, arm, answers) for arm, answers in found.items()}
    first = next(iter(examples))
    if not examples[first]:
        raise ExportError(telling.nothing(plan.target, first, found[first], len(runs)))
    parts = {name: evened(part, plan.seed) for name, part in split_by_concept(examples, plan.split, plan.seed).items()}
    arms = {arm: telling.counts_of(arm, answers, examples[arm], parts) for arm, answers in found.items()}
    notes = telling.notes(plan.target, runs, parts)
    more = {"theta": theta if "knowledge" in arms else None, "arms": arms, "notes": notes}
    with new_folder(plan.out) as folder:
        _write(parts, folder)
        _, manifest = write_manifest(folder, _manifest(plan, runs, parts) | more)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    said = tuple(telling.summary(plan.target, arm, counts) for arm, counts in arms.items())
    return Exported(plan.out, files, manifest, said, tuple(notes))


def _sorted(arms: Sequence[ArmName], runs: Sequence[LoadedRun], theta: float) -> dict[ArmName, Sorted]:
    answers = [answer for run in runs for answer in answers_of(run)]
    return {arm: for_verification(answers) if arm == "verification" else for_knowledge(answers, theta) for arm in arms}


def _examples(target: str, arm: ArmName, found: Sorted) -> list[Example]:
    return pairs(arm, found) if target == "dpo" else singles(arm, found)


def _write(parts: Mapping[str, Part], folder: Path) -> None:
    for name, part in parts.items():
        for arm, examples in part.arms.items():
            (folder / arm).mkdir(exist_ok=True)
            write_rows([dict(example.row) for example in examples], folder / arm / f"{name}.jsonl")


def _manifest(plan: ExportPlan, runs: Sequence[LoadedRun], parts: Mapping[str, Part]) -> dict[str, Any]:
    return {
        **said_of(plan.target, "ddft", runs),
        "seed": plan.seed,
        "split": None if plan.split is None else {"share": plan.split, "by": "concept"},
        "concepts": {name: list(part.concepts) for name, part in parts.items()},
    }
