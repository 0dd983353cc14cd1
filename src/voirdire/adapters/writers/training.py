"""Training data from cross-examinations: rejecting a fabrication (verification), and accuracy alone (knowledge).

The paper proposes to train error detection apart from knowledge and expects more from it (DDFT 9.2, prediction 1 of
9.4). The two arms make that a comparison: the same concepts, the same models, as many examples, another lesson.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.adapters.export_files import ExportError, ExportPlan, RunExport, manifest_content, new_folder, write_rows
from voirdire.adapters.loading import LoadedRun, load
from voirdire.adapters.writers.training_examples import (
    ArmName,
    Example,
    SortedAnswers,
    SplitPart,
    answers_of,
    both_sides,
    evened,
    for_knowledge,
    for_verification,
    pairs,
    singles,
    split_by_concept,
)
from voirdire.data.manifests import write_manifest
from voirdire.ddft.thresholds import PAPER
from voirdire.text.counting import counted

_SIDES: Mapping[ArmName, tuple[str, str]] = {
    "verification": ("rejecting", "accepting"),
    "knowledge": ("accurate", "inaccurate"),
}
_SHARED: Mapping[ArmName, str] = {"verification": "fabrications", "knowledge": "questions"}
_AT: Mapping[ArmName, str] = {"verification": "turn 4", "knowledge": "turns 1 to 3"}


def counts_of(
    arm: ArmName, answers: SortedAnswers, examples: Sequence[Example], parts: Mapping[str, SplitPart]
) -> dict[str, Any]:
    """An arm in numbers, for the manifest."""
    groups, shared = both_sides(arm, answers)
    written_examples = [example for part in parts.values() for example in part.arms[arm]]
    return {
        "answers": answers.counts(_SIDES[arm]),
        _SHARED[arm]: groups,
        f"{_SHARED[arm]}_with_both": shared,
        "made": len(examples),
        "rows": {name: len(part.arms[arm]) for name, part in parts.items()},
        "same_prompt": sum(example.same_prompt for example in written_examples),
    }


def summary(target: str, arm: ArmName, counts: Mapping[str, Any]) -> str:
    """An arm in one sentence."""
    noun = "pairs" if target == "dpo" else "answers"
    rows = ", ".join(f"{name} {count:,}" for name, count in counts["rows"].items())
    good, bad = _SIDES[arm]
    answers = counts["answers"]
    return f"{arm}: {noun} {rows}; {_tally(arm, answers['seen'], answers[good], answers[bad], answers['left_out'])}."


def nothing_to_learn(target: str, arm: ArmName, answers: SortedAnswers, runs: int) -> str:
    """Why there is nothing to learn, in numbers."""
    counts = (
        f"in {counted(runs, 'run')}, {_tally(arm, answers.seen, len(answers.good), len(answers.bad), answers.left_out)}"
    )
    if target == "sft":
        return f"There is no {_SIDES[arm][0]} answer to learn: {counts}."
    if not answers.good and not answers.bad:
        return f"No pair could be made: {counts}."
    groups, shared = both_sides(arm, answers)
    return (
        f"No pair could be made: {counts}; {_SHARED[arm]} with both kinds of answer: {shared:,} of {groups:,}. "
        "Add runs of other models, or more samples."
    )


def notes(target: str, runs: Sequence[LoadedRun], parts: Mapping[str, SplitPart]) -> list[str]:
    """What must be known before the data are used."""
    sentences = [f"{run.path}: {run.banner}" for run in runs if run.banner]
    juries = sorted({str(run.jury) for run in runs})
    if len(juries) > 1:
        sentences.append(f"The runs were judged by different juries: {', '.join(juries)}.")
    sentences += _uneven(parts)
    other = sum(not example.same_prompt for part in parts.values() for own in part.arms.values() for example in own)
    if target == "dpo" and other:
        sentences.append(
            f"In {counted(other, 'pair')} the rejected answer was given to a prompt that "
            "differs in the model's own earlier answers; the prompt is the chosen answer's, and metadata.same_prompt "
            "tells such pairs."
        )
    return sentences


def _tally(arm: ArmName, read: int, good: int, bad: int, left_out: Mapping[str, int]) -> str:
    names = _SIDES[arm]
    counts = f"of {counted(read, 'answer')} at {_AT[arm]}, "
    counts += f"{good:,} {'is' if good == 1 else 'are'} {names[0]}, {bad:,} {names[1]}"
    if not left_out:
        return counts
    reasons = "; ".join(f"{reason}: {count:,}" for reason, count in left_out.items())
    return f"{counts}, {sum(left_out.values()):,} left out ({reasons})"


def _uneven(parts: Mapping[str, SplitPart]) -> Iterator[str]:
    for name, part in parts.items():
        sizes = {arm: len(examples) for arm, examples in part.arms.items()}
        if len(set(sizes.values())) > 1:
            listing = ", ".join(f"{arm} {size:,}" for arm, size in sizes.items())
            yield f"In {name} the arms differ in size ({listing}): there are not enough knowledge examples."


_ARMS: Mapping[str | None, tuple[ArmName, ...]] = {
    None: ("verification", "knowledge"),
    "both": ("verification", "knowledge"),
    "verification": ("verification",),
    "knowledge": ("knowledge",),
}


def export_runs(plan: ExportPlan) -> RunExport:
    """Write preference pairs (`dpo`) or prompts with the answer to learn (`sft`) from one or several runs.

    Raises:
        ExportError: nothing can be learnt from these runs, a split leaves a part empty, or `out` is taken.
    """
    runs = [load(path, plan.jury) for path in plan.runs]
    theta = PAPER.failed_level_far if plan.theta is None else plan.theta
    if not 0 <= theta <= 1:
        raise ExportError(f"--theta is a FAR between 0 and 1; {theta:g} was given.")
    answers_by_arm = _sorted(_ARMS[plan.arm], runs, theta)
    examples = {arm: _examples(plan.target, arm, answers) for arm, answers in answers_by_arm.items()}
    first = next(iter(examples))
    if not examples[first]:
        raise ExportError(nothing_to_learn(plan.target, first, answers_by_arm[first], len(runs)))
    parts = {name: evened(part, plan.seed) for name, part in split_by_concept(examples, plan.split, plan.seed).items()}
    arms = {arm: counts_of(arm, answers, examples[arm], parts) for arm, answers in answers_by_arm.items()}
    sentences = notes(plan.target, runs, parts)
    more = {"theta": theta if "knowledge" in arms else None, "arms": arms, "notes": sentences}
    with new_folder(plan.out) as folder:
        _write(parts, folder)
        _, manifest = write_manifest(folder, _manifest(plan, runs, parts) | more)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    summary_lines = tuple(summary(plan.target, arm, counts) for arm, counts in arms.items())
    return RunExport(plan.out, files, manifest, summary_lines, tuple(sentences))


def _sorted(arms: Sequence[ArmName], runs: Sequence[LoadedRun], theta: float) -> dict[ArmName, SortedAnswers]:
    answers = [answer for run in runs for answer in answers_of(run)]
    return {arm: for_verification(answers) if arm == "verification" else for_knowledge(answers, theta) for arm in arms}


def _examples(target: str, arm: ArmName, answers: SortedAnswers) -> list[Example]:
    return pairs(arm, answers) if target == "dpo" else singles(arm, answers)


def _write(parts: Mapping[str, SplitPart], folder: Path) -> None:
    for name, part in parts.items():
        for arm, examples in part.arms.items():
            (folder / arm).mkdir(exist_ok=True)
            write_rows([dict(example.row) for example in examples], folder / arm / f"{name}.jsonl")


def _manifest(plan: ExportPlan, runs: Sequence[LoadedRun], parts: Mapping[str, SplitPart]) -> dict[str, Any]:
    return {
        **manifest_content(plan.target, runs[0].instrument, runs),
        "seed": plan.seed,
        "split": None if plan.split is None else {"share": plan.split, "by": "concept"},
        "concepts": {name: list(part.concepts) for name, part in parts.items()},
    }
