"""Runs of every instrument, made in an instant."""

import json

from tests.cli.here import voirdire
from tests.cognibench.labelled import answer
from voirdire.cognibench.formats import write_jsonl
from voirdire.cognibench.labelling.records import ANSWERS, INSTRUMENT, NOTE, plan_as_dict
from voirdire.detectors.labelling import LabelPlan
from voirdire.detectors.labelling.records import JudgedStatement
from voirdire.detectors.records import hallucinated, type_of
from voirdire.runs import RunFolder, run_blocking

GULLIBLE = "simulated/subject?reject=0.4&question=0.3&accuracy=0.9..0.4"
STEADY = "simulated/steady"
CONCEPTS = "recursion,phoneme,derivative"
FACTS = ("The bridge opened on 4 May 1907.", "It cost 310,000 pounds.", "It is 212 metres long.")
RESPONSES = {
    "good": "The bridge opened on 4 May 1907 and cost 310,000 pounds. It is 212 metres long.",
    "bad": "The bridge opened on 4 May 1911. It cost 310,000 pounds, and it is very long.",
    "short": "It opened on 4 May 1907.",
    "formula": "=The bridge opened on 4 May 1907, cost 310,000 pounds and is 212 metres long.",
}


def stopped(path):
    """A cross-examination of six dialogues that a limit stopped in the middle of judging."""
    spec = ("-m", GULLIBLE, "--concepts", CONCEPTS, "--levels", "0,1", "--jury", "simulated/judge")
    voirdire("run", *spec, "--max-calls", 26, "-o", path, check=False)
    return path


def examined(path, *models, **options):
    """A cross-examination about three concepts at three levels, judged by a simulated judge."""
    given = {"concepts": CONCEPTS, "levels": "0,0.5,1", "jury": "simulated/judge"} | options
    subjects = [word for model in models for word in ("-m", model)]
    voirdire("run", *subjects, *[word for name in given for word in (f"--{name}", given[name])], "-o", path)
    return path


def labelled(path, *labels, asked=None, in_prompt=None):
    """A labelling run: an answer per list of labels, two of them per context, `None` for undecided."""
    answers = [
        answer(f"a{number}", *([None] * len(each)), group=f"g{number // 2}") for number, each in enumerate(labels)
    ]
    manifest = {"instrument": INSTRUMENT, "model": "openai/labeller", "plan": plan_as_dict(LabelPlan()), "seed": 0}
    with RunFolder.create(path, manifest | {"answers": asked or len(answers), "prompts": {"label": "abc"}}) as folder:
        write_jsonl(answers, path / ANSWERS)
        for each, own in zip(answers, labels, strict=True):
            body = {"judged": [_judged(label) for label in own], "repairs": 0, "reasons": [], "failed_calls": 0}
            body |= {"addresses": [], "echoes": []}
            run_blocking(folder.journal.note(each.id, 0, NOTE, body))
    return path


def audited(path, responses=RESPONSES, facts=FACTS):
    """An audit by rules."""
    lines = [json.dumps({"id": name, "response": text}) for name, text in responses.items()]
    path.parent.mkdir(exist_ok=True)
    (path.parent / "facts.txt").write_text("\n".join(facts))
    (path.parent / "responses.jsonl").write_text("\n".join(lines))
    voirdire(
        *("integrity", "audit", "--facts", path.parent / "facts.txt"),
        *("--responses", path.parent / "responses.jsonl", "-o", path),
    )
    return path


def _judged(label):
    if label is None:
        return JudgedStatement((None,) * 5, None, None, why="no vote").as_dict()
    vote = "hallu" if hallucinated(label) else "faithful"
    return JudgedStatement((vote,) * 5, hallucinated(label), label, type_of(label)).as_dict()
