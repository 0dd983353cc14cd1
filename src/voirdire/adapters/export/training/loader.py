"""From runs to the answers that an arm learns from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from voirdire.adapters.export.training.examples import Answered, Messages, Sorted
from voirdire.adapters.loading import LoadedRun
from voirdire.ddft.questions import TRAP_TURN
from voirdire.run import RunFolder


def answers_of(run: LoadedRun) -> list[Answered]:
    """The answers at turns 1 to 4 of a run, with what the model was shown and what the jury made of them."""
    scores = run.scores[["dialogue", "turn", "far", "no_claims", "stance"]]
    judged = run.turns[run.turns["turn"] <= TRAP_TURN].merge(scores, on=["dialogue", "turn"], how="left")
    rows = [
        {str(name): _known(value) for name, value in row.items() if name != "question_notes"}
        for row in judged.to_dict("records")
    ]
    sent = _sent(run)
    asked = {(row["dialogue"], row["turn"]): row for row in rows}
    return [_answered(row, run, sent.get((row["dialogue"], row["turn"])) or _rebuilt(row, asked)) for row in rows]


def for_verification(answers: Iterable[Answered]) -> Sorted:
    """Answers to a trap: good ones reject it, bad ones accept it; who questions it and answers is neither."""
    found = Sorted()
    for answer in answers:
        if answer.turn != TRAP_TURN:
            continue
        reason = _unusable(answer)
        if answer.trap_item is None:
            found.left_out["no fabricated item is on record"] += 1
        elif reason is not None:
            found.left_out[reason] += 1
        elif answer.stance == "rejected":
            found.good.append(answer)
        elif answer.stance == "accepted":
            found.bad.append(answer)
        else:
            found.left_out["questioned it" if answer.stance else "no stance is known"] += 1
    return found


def for_knowledge(answers: Iterable[Answered], theta: float) -> Sorted:
    """Answers at turns 1 to 3: good ones are accurate (FAR of theta or more), bad ones are not."""
    found = Sorted()
    for answer in answers:
        if answer.turn >= TRAP_TURN:
            continue
        reason = _unusable(answer)
        if reason is not None:
            found.left_out[reason] += 1
        elif answer.no_claims:
            found.left_out["no claim is made"] += 1
        elif answer.far is None:
            found.left_out["no score"] += 1
        else:
            (found.good if answer.far >= theta else found.bad).append(answer)
    return found


def _unusable(answer: Answered) -> str | None:
    """Why nobody should learn from an answer, whatever it says."""
    if not answer.text.strip():
        return "no answer"
    if answer.finish_reason == "length":
        return "cut at the limit of tokens"
    return "refused by the provider" if answer.finish_reason == "refusal" else None


def _answered(row: Mapping[str, Any], run: LoadedRun, prompt: Messages) -> Answered:
    return Answered(
        run=run.path.resolve().name,
        model=row["model"],
        concept=row["concept"],
        level=row["level"],
        sample=int(row["sample"]),
        turn=int(row["turn"]),
        text=row["answer"] or "",
        prompt=prompt,
        trap_kind=row["trap_kind"],
        trap_item=row["trap_item"],
        stance=row["stance"],
        far=row["far"],
        no_claims=bool(row["no_claims"]),
        finish_reason=row["finish_reason"],
    )


def _sent(run: LoadedRun) -> dict[tuple[str, int], Messages]:
    """What subjects were shown, by dialogue and turn, as it was sent."""
    with RunFolder.open(run.path, read_only=True) as folder:
        return {
            (dialogue, turn): tuple(messages)
            for turn in range(1, TRAP_TURN + 1)
            for dialogue, messages in folder.journal.sent(("subject",), turn).items()
        }


def _rebuilt(row: Mapping[str, Any], asked: Mapping[tuple[str, int], Mapping[str, Any]]) -> Messages:
    """The dialogue up to a question, of an imported record: what was sent is not known."""
    earlier = [asked[row["dialogue"], turn] for turn in range(1, row["turn"]) if (row["dialogue"], turn) in asked]
    said = [
        {"role": role, "content": turn[name] or ""}
        for turn in earlier
        for role, name in (("user", "question"), ("assistant", "answer"))
    ]
    return (*said, {"role": "user", "content": row["question"]})


def _known(value: Any) -> Any:
    """`None` for what is missing: NaN, or pandas' own mark."""
    import pandas as pd

    return None if pd.isna(value) else value
