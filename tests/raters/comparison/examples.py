"""Runs made in an instant, and projects of people who rated what stands in them."""

import json

from tests.adapters.examples import examined, labelled
from tests.raters._projects import deduction, labelled_project, scored_project, turns_project
from voirdire.ddft.person_check.records import read_judged
from voirdire.integrity.results import audit_kind
from voirdire.runs import RunFolder, run_blocking

SENTENCES = ["The bridge opened around 1930.", "It may carry traffic."]


def label_run(path, *labels):
    """A labelling run with an answer per list of labels."""
    return labelled(path, *labels)


def label_project(run_labels, people, **options):
    """People's labels of the statements of `label_run(path, *run_labels)`, a list a rater; answers are equally long."""
    per_answer = len(run_labels[0])
    texts = [f"a{answer}{place} word word word" for answer in range(len(run_labels)) for place in range(per_answer)]
    groups = [f"g{answer // 2}" for answer in range(len(run_labels))]
    return labelled_project(people, per_answer=per_answer, texts=texts, groups=groups, **options)


def detector_file(path, labels, flags):
    """What `voirdire detect --out` writes of the same answers; `None`: it is small talk, which has no score."""
    lines = []
    for answer, own in enumerate(labels):
        start = 0
        for place in range(len(own)):
            text = f"a{answer}{place} word word word"
            flag = flags[answer][place]
            lines.append(
                {"id": f"a{answer}", "turn": 0, "sentence": text, "start": start, "end": start + len(text)}
                | {"score": None if flag is None else float(flag), "flagged": bool(flag)}
                | {"small_talk": flag is None, "reasons": []}
            )
            start += len(text) + 1
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def audit_run(path, auditors):
    """An integrity run; `auditors` holds each one's violations, a list per response r0, r1 …"""
    responses = len(next(iter(auditors.values())))
    facts = [
        {"id": "F1", "text": "The bridge opened in 1932.", "central": True},
        {"id": "F2", "text": "The bridge carries eight lanes."},
    ]
    manifest = {
        "instrument": "integrity",
        "auditors": list(auditors),
        "responses": "responses.jsonl",
        "facts": None,
        "taxonomy": None,
        "critical": "sum",
        "editorializing": 0,
        "base_url": None,
    }
    with RunFolder.create(path, manifest) as folder:
        lines = [{"id": f"r{n}", "response": " ".join(SENTENCES), "facts": facts} for n in range(responses)]
        (path / "responses.jsonl").write_text("\n".join(map(json.dumps, lines)))
        for name, found in auditors.items():
            for place, violations in enumerate(found):
                body = {"auditor": name, "violations": [_kept(each) for each in violations], "voided": []}
                body |= {"coverage": [], "missing": None, "call_failed": False, "repairs": 0}
                run_blocking(folder.journal.note(f"r{place}", 0, audit_kind(name), body))
    return path


def audit_project(people, **options):
    """People's violations of the responses of `audit_run`; scores are 100 less 10 for each.

    Items have ids of their own (x0, x1 …), as those that are made of a run do.
    """
    values = {
        who: [None if found is None else deduction(100 - 10 * len(found), violations=found) for found in row]
        for who, row in people.items()
    }
    return scored_project(values, name="x", **options)


def turn_run(path):
    """A small cross-examination under two judges."""
    return examined(path, "simulated/steady", jury="simulated/judge,reference", levels="0,1")


def turn_project(run, people):
    """A project of all turns of a run; `people` maps each rater to a function of (far, sas, number of the turn).

    Every dialogue is a group: three concepts would be too few for intervals.
    """
    turns = read_judged(run).turns
    rows = turns.to_dict("records")
    values = {
        who: [rate(row["far"], row["sas"], number) for number, row in enumerate(rows)] for who, rate in people.items()
    }
    places = [(row["dialogue"], int(row["turn"]), row["answer"]) for row in rows]
    return turns_project(values, turns=places, groups=[row["dialogue"] for row in rows])


def _kept(violation):
    wanted = ("type", "sentence", "span", "fact", "reason")
    return {name: violation[name] for name in wanted} | {"source": "auditor", "confidence": None}
