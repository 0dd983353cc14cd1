"""A call of each command that works, and the files for it: what the walk changes one value of."""

import csv
import gzip
import json
import shutil
from pathlib import Path

from tests.cli.here import voirdire
from tests.cognibench.grounded import COURT, FERRY
from tests.cognibench.made_data import write_data
from tests.ddft.concepts import examples
from tests.ddft.drafting.scripted import POLICY
from tests.ddft.test_published_records import dialogue, turn, write_turns
from tests.integrity.examples import raw_trials, study_rows

SERVER = "http://127.0.0.1:1/v1"
"""Replaced by the address of a server that answers."""
PORT = "PORT"
"""Replaced by its port, which is taken: what would serve for ever ends there."""
_MODEL = ("openai-api/a", "--base-url", SERVER)
_STUDY = (
    "-m",
    "simulated/steady",
    "--concepts",
    "recursion",
    "--levels",
    "0",
    "--jury",
    "simulated/judge,simulated/noisy",
)

BASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "detect": (("answers.jsonl",), ()),
    "report": (("run",), ("-o", "page.html")),
    "gate": (("run",), ("--min", "ER=0.1")),
    "export": (("run",), ("--to", "parquet", "-o", "tables")),
    "redact": (("run",), ("-o", "redacted")),
    "verify": (("run",), ()),
    "compare": (("run", "other"), ()),
    "view": (("nowhere",), ("--port", PORT)),
    "run": ((), (*_STUDY, "-o", "new")),
    "score": (("run",), ()),
    "show": (("run",), ()),
    "ddft import": (("turns",), ("-o", "imported")),
    "plan": ((), _STUDY),
    "ddft replicate": ((), ("--claim", "table-2-o3")),
    "ddft correlate": (("run",), ("--figures", "models.csv")),
    "ddft predictions": (("run",), ()),
    "validate": (("run",), ()),
    "concepts list": ((), ()),
    "concepts check": (("tides.yaml",), ()),
    "concepts draft": ((), ("--from", "policy.md", "--writer", *_MODEL, "-o", "drafted.yaml")),
    "cognibench bench": (("labelled.jsonl",), ("--detector", "lexical")),
    "cognibench diagnose": (("labels",), ("--human-labels", "labelled.jsonl")),
    "cognibench generate": (
        (),
        ("--references", "references.jsonl", "-m", *_MODEL, "--limit", "1", "--turns", "1", "-o", "g"),
    ),
    "label": (("labelled.jsonl",), ("--labeller", *_MODEL, "--votes", "1", "--limit", "1", "-o", "l")),
    "cognibench stats": (("labelled.jsonl",), ()),
    "integrity facts": (("facts.txt",), ()),
    "integrity score": (("violations.jsonl",), ()),
    "audit": (("results.csv",), ()),
    "integrity audit": ((), ("--responses", "responses.jsonl", "--facts", "facts.txt")),
    "integrity import": (("trials.json.gz",), ("-o", "answers.out.jsonl")),
    "integrity study": (("trials.json.gz",), ()),
    "detectors calibrate": (("lexical",), ("--data", "labelled.jsonl")),
    "detectors list": ((), ()),
    "detectors train lexical-learned": ((), ("--data", "labelled.jsonl", "-o", "learned")),
    "detectors train encoder": ((), ("--data", "labelled.jsonl", "--base", "nowhere", "-o", "e", "--dry-run")),
    "detectors train cognidet": ((), ("--data", "labelled.jsonl", "--base", "nowhere", "-o", "c", "--dry-run")),
    "jury bench": (("turns.jsonl.gz",), ("--judge", "simulated/judge")),
    "jury injection": ((), ("--judge", "reference", "--limit", "1", "--concept", "recursion", "--cases", "wrong")),
    "jury reliability": (("run",), ()),
    "jury sample": (("run",), ("--draw", "5", "-o", "sheet.new.csv")),
    "jury crosscheck": (("run", "sheet.csv"), ()),
    "jury worth": (("run",), ("--human", "ratings.voirdire")),
    "rate agreement": (("ratings.voirdire",), ()),
    "rate anchor": (("ratings.voirdire",), ("--with", "run")),
    "rate export": (("ratings.voirdire",), ("--to", "csv", "-o", "exported")),
    "rate import": (("ratings.voirdire", "ratings.jsonl"), ("--rater", "Ann")),
    "rate new": (("new.voirdire",), ("--task", "ddft", "--from", "run", "--rater", "Ann")),
    "rate plan": ((), ("--items", "10")),
    "rate serve": (("nowhere.voirdire",), ()),
    "rate links": (("ratings.voirdire",), ()),
    "rate status": (("ratings.voirdire",), ()),
    "models list": ((), ()),
    "models pull": (("no-such-model",), ()),
    "models check": (("openai-api/a",), ("--base-url", SERVER)),
}
"""Arguments and options of each command of the tree."""


def prepare(folder: Path, server: str) -> None:
    """Write everything that the calls read; labels come from a server that labels."""
    _texts(folder)
    voirdire("run", *_STUDY, "-o", folder / "run")
    other = ("-m", "simulated/gullible", *_STUDY[2:], "-o", folder / "other")
    voirdire("run", *other)
    voirdire(
        "integrity",
        "audit",
        "--responses",
        folder / "responses.jsonl",
        "--facts",
        folder / "facts.txt",
        "-o",
        folder / "audit",
    )
    voirdire("jury", "sample", folder / "run", "--draw", 5, "-o", folder / "sheet.csv")
    _fill_in(folder / "sheet.csv")
    voirdire("rate", "new", folder / "ratings.voirdire", "--task", "ddft", "--from", folder / "run", "--rater", "Ann")
    model = ("--labeller", "openai-api/a", "--base-url", server)
    voirdire("label", folder / "labelled.jsonl", *model, "--votes", 1, "-o", folder / "labels")


def _fill_in(sheet: Path) -> None:
    rows = list(csv.DictReader(sheet.read_text(encoding="utf-8-sig").splitlines(keepends=True)))
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"far": "0.5", "sas": "0.5"} for row in rows)


def _texts(folder: Path) -> None:
    answer = {"id": "a", "context": "The tower opened in 1889.", "answer": "It opened in 1899. It is tall."}
    responses = [{"id": "r", "response": "The bridge opened in 1911."}]
    (folder / "answers.jsonl").write_text(json.dumps(answer))
    (folder / "responses.jsonl").write_text("\n".join(map(json.dumps, responses)))
    (folder / "results.csv").write_text("item,model,score\n1,a,1\n2,a,0\n1,b,0\n2,b,0\n")
    (folder / "facts.txt").write_text("The bridge opened on 4 May 1907.\nIt cost 310,000 pounds.")
    (folder / "references.jsonl").write_text("\n".join(json.dumps(each.as_dict()) for each in (FERRY, COURT)))
    (folder / "policy.md").write_text(POLICY)
    (folder / "tides.yaml").write_text(examples.text())
    (folder / "models.csv").write_text("model,size\nsimulated/steady,7\n")
    (folder / "turns").mkdir()
    for number in range(20):
        (folder / "turns" / f"{number}.json").write_text(json.dumps(dialogue(subject_model=f"m{number}")))
    write_turns(folder / "turns.jsonl.gz", *(turn(model=f"m{number}", turn=1 + number % 5) for number in range(60)))
    found = {"type": "fact_denial", "sentence": 0, "span": "1911", "fact": "F1"}
    (folder / "violations.jsonl").write_text(json.dumps({"id": "r", "violations": [found]}))
    (folder / "ratings.jsonl").write_text("{}")
    write_data(folder / "labelled.jsonl", dialogues=4, labelled=4)
    with gzip.open(folder / "trials.json.gz", "wt") as file:
        json.dump(raw_trials(study_rows()), file)


def copy(master: Path, work: Path) -> None:
    """A fresh copy to work in."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(master, work)
