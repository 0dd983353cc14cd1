"""What was asked of the models of a report, in words: from what runs hold, not from what they were meant to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from voirdire.ddft.report.material import Material, ReportRun
from voirdire.jury.panel import REFERENCE
from voirdire.text.counting import capitalised, counted, listed

__all__ = ["REFERENCE", "TRAP_TURN", "run_sentences", "sets_traps", "stances_at_the_trap", "unfinished"]

TRAP_TURN = 4
_TURNS = 5


def run_sentences(material: Material) -> Iterator[str]:
    """Who was asked how much about what, with what at hand."""
    turns = material.turns_of_judged
    dialogues = len(turns[["run", "dialogue"]].drop_duplicates())
    who = f"{material.only.model} was" if material.only else _several(material)
    about = f"about {counted(len(material.concepts), 'concept')}"
    if len(material.concepts) <= 3:
        about += f" ({listed(material.concepts)})"
    levels = sorted(float(level) for level in turns["level"].unique())
    references = list(
        dict.fromkeys(_reference_text(report_run.manifest["preset"], levels) for report_run in material.report_runs)
    )
    how = references[0] if len(references) == 1 else "under rules that differ from run to run"
    where = "one dialogue" if dialogues == 1 else f"each of {counted(dialogues, 'dialogue')}"
    yield f"{who} asked {_questions(turns)} in {where} {about}, {how}."
    for report_run in material.report_runs:
        run = f" in {material.run_name(report_run)}" if len(material.report_runs) > 1 else ""
        yield from (f"{head.capitalize()}{run}: {what}." for head, what in unfinished(material, report_run))
        yield from _ended_by_rule(report_run, run)
    yield from _traps(material)


def _several(material: Material) -> str:
    own = {model for run in material.report_runs for model in run.names}
    return f"{material.model_count} {'was' if len(own) == 1 else 'were'}"


def unanswered(material: Material) -> list[str]:
    """Of each model that no call reached: that nothing is known of it."""
    asked = material.turns.groupby("model", sort=False)["error"].agg(["size", "count"])
    silent = asked.loc[asked["size"] == asked["count"], "size"]
    failures = material.runs.failures
    return [
        f"{model} gave no answer, as every call to it failed ({counted(number, 'question')} asked)"
        f"{f': {failures[model]}' if model in failures else ''}."
        for model, number in ((str(model), number) for model, number in silent.items())
    ]


def unfinished(material: Material, run: ReportRun) -> Iterator[tuple[str, str]]:
    """What an unfinished run lacks, as in ("not yet begun", "60 of 120 dialogues").

    That is dialogues, turns of those that it has begun, and verdicts on what it has asked.
    """
    result, turns = run.result, _rows_of(run, material.turns)
    if result.stopped is None:
        return
    begun = turns["dialogue"].nunique()
    if begun < result.dialogues:
        yield "not yet begun", f"{result.dialogues - begun:,} of {counted(result.dialogues, 'dialogue')}"
    yield from (("not yet asked", what) for what in _turns_missing(turns, run))
    if result.not_judged:
        judged = set(_rows_of(run, material.scores)["turn"])
        none_of = [str(turn) for turn in sorted(set(turns["turn"]) - judged)]
        whole = f", none at {'turn' if len(none_of) == 1 else 'turns'} {listed(none_of)}" if none_of else ""
        yield "not yet judged", f"{result.not_judged:,} of {counted(result.turns, 'answer')}{whole}"


def _turns_missing(turns: pd.DataFrame, run: ReportRun) -> Iterator[str]:
    dialogues_by_turn = turns.groupby("turn")["dialogue"].nunique()
    begun = int(dialogues_by_turn.max())
    always = run.manifest["preset"]["turn5"] == "always"
    lacking = {turn: int(dialogues_by_turn.get(turn, 0)) for turn in range(1, _TURNS + (1 if always else 0))}
    nowhere = [str(turn) for turn, count in lacking.items() if not count]
    if nowhere:
        yield f"{'turn' if len(nowhere) == 1 else 'turns'} {listed(nowhere)}"
    for turn, count in lacking.items():
        if 0 < count < begun:
            yield f"turn {turn} in {begun - count} of {counted(begun, 'dialogue')}"


def _ended_by_rule(run: ReportRun, where: str) -> Iterator[str]:
    """How much of its grid a run with a stopping rule asked, and what that means for intervals."""
    interim_analyses = [
        profile.interim_analyses for profile in run.result.profiles if profile.interim_analyses is not None
    ]
    if interim_analyses:
        n_asked, grid = (sum(getattr(each, name) for each in interim_analyses) for name in ("asked", "dialogues"))
        yield (
            f"Each model was asked{where} until its interval was narrow enough or nothing was left to ask "
            f"({interim_analyses[0].rule}): {n_asked:,} of {counted(grid, 'dialogue')} in all. "
            "Intervals of single models are corrected for looking on the way."
        )


def sets_traps(run: ReportRun) -> bool:
    """Whether a run was to set traps."""
    return bool(run.manifest["preset"]["trap"] != "none")


def stances_at_the_trap(material: Material) -> pd.Series:
    """The jury's word on what each answer at turn 4 made of the trap; missing where there is none."""
    scores = material.scores
    stances: pd.Series = scores.loc[scores["turn"] == TRAP_TURN, "stance"]
    return stances


def _rows_of(run: ReportRun, frame: pd.DataFrame) -> pd.DataFrame:
    own: pd.DataFrame = frame[frame["run"] == run.path]
    return own


def _questions(turns: pd.DataFrame) -> str:
    """As many as were asked in a dialogue: "five questions"."""
    questions_by_dialogue = turns.groupby(["run", "dialogue"])["turn"].nunique()
    fewest, most = int(questions_by_dialogue.min()), int(questions_by_dialogue.max())
    words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
    if fewest == most:
        return "one question" if most == 1 else f"{words[most]} questions"
    return f"{words[fewest]} {'or' if most - fewest == 1 else 'to'} {words[most]} questions"


def _reference_text(preset: Mapping[str, Any], levels: list[float]) -> str:
    unnamed = "" if preset["name_concept"] else "without being told which concept was meant"
    if preset["compression"] is None:
        return f"{unnamed} and without a reference text" if unnamed else "without a reference text"
    text = _at_hand(preset, levels)
    return f"{unnamed}, {text}" if unnamed else text


def _at_hand(preset: Mapping[str, Any], levels: list[float]) -> str:
    first, last = levels[0], levels[-1]
    if len(levels) == 1:
        much = {0.0: "the whole reference text", 1.0: "none of the reference text"}.get(first, "part of the reference")
        only = "the only level" if len(preset["levels"]) == 1 else "the only level so far"
        return f"with {much} at hand (compression {first:g}, {only})"
    if (first, last) == (0, 1):
        return "while the reference text at hand was cut from all of it (compression 0) to nothing (1)"
    return f"with the reference text at hand at compression {listed([f'{level:g}' for level in levels])}"


def _traps(material: Material) -> Iterator[str]:
    runs_by_text: dict[str, list[ReportRun]] = {}
    for run in material.report_runs:
        runs_by_text.setdefault(_trap(material, run), []).append(run)
    for what, runs in runs_by_text.items():
        if what:
            where = "" if len(runs_by_text) == 1 else f"In {listed([material.run_name(run) for run in runs])}: "
            yield f"{where}{what if where else capitalised(what)}."


def _trap(material: Material, run: ReportRun) -> str:
    if not sets_traps(run):
        return "no fabrication was set"
    turns = _rows_of(run, material.turns)
    if not (turns["turn"] == TRAP_TURN).any():
        return ""
    if turns["trap_item"].notna().any():
        return "the fourth question of each dialogue takes a fabrication for granted"
    return "the fourth question of each dialogue is meant to hold a fabrication, but which one is not on record"
