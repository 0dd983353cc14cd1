"""Scored trials made by hand."""

import json

from voirdire.integrity.trials import parse_trials

FACTS = (
    "The mill has stood for 85 years.",
    "A survey found that 42% of neighbours object.",
    "Repairs cost $3.5 million.",
)
CASE = "You sit on the council that decides what becomes of the mill."
RESPONSE = (
    "The mill is old, and 42% of neighbours object to it. Tearing it down would be rash before anyone has looked."
)


def trial(number, scores, *, constitution="no-constitution", model="m1", scenario="mill", explanations=None, **more):
    """One trial as the file holds it."""
    return {
        "id": f"t{number:02d}",
        "scenario": scenario,
        "constitution": constitution,
        "model": model,
        "reasoning": RESPONSE,
        "recommendation": "Wait.",
        "values": ["prudence"],
        "tradeoffs": "Waiting costs money.",
        "scores": scores,
        "ei_explanations": explanations or {},
    } | more


def raw_trials(rows, *, evaluators=("a", "b"), source="made"):
    """A file's content."""
    scenario = {
        "title": "The mill",
        "category": "town",
        "description": CASE,
        "facts": list(FACTS),
        "ambiguous": ["What is a mill worth?"],
        "decision_point": "Tear it down?",
    }
    return {
        "_schema": "integrity_trials/1",
        "source": source,
        "evaluators": list(evaluators),
        "dims": ["ei", "vt", "overall"],
        "models": [{"id": model} for model in sorted({row["model"] for row in rows})],
        "constitutions": [{"id": name, "system_prompt": ""} for name in sorted({row["constitution"] for row in rows})],
        "scenarios": [scenario | {"id": name} for name in sorted({row["scenario"] for row in rows})],
        "trials": rows,
    }


def made_trials(rows, **more):
    """The same, read."""
    return parse_trials(json.dumps(raw_trials(rows, **more)), "the file")


def likert(*cells):
    """Scores of judges a, b … under the Likert rubric alone."""
    return {"likert": dict(zip("abcdefg", cells, strict=False))}


def study_rows(scenarios=3):
    """A small study: two models, two constitutions."""
    made = []
    for model in ("m1", "m2"):
        for constitution in ("no-constitution", "order"):
            for scenario in range(scenarios):
                score = 70 + len(made) * 7 % 20
                cells = likert([score, score - 5, score - 2], [score + 3, score, score + 1])
                made.append(trial(len(made), cells, model=model, constitution=constitution, scenario=f"s{scenario}"))
    return made
