"""The data and runs that the recorded commands read, the same every time."""

import csv
import gzip
import json
from pathlib import Path

from tests.cli.here import voirdire
from tests.cognibench.made_half import lines
from tests.extras.docs import _people
from tests.integrity.examples import raw_trials, study_rows
from tests.support.labelling_server import start_labelling_server
from tests.support.study import write_study
from voirdire.ddft.published import published_turns

CONCEPTS = "recursion,phoneme,derivative,harm-principle"
LABELS = Path(__file__).parents[1] / "jury" / "clarification_labels.csv"
FACTS = "The bridge opened on 4 May 1907.\nIt cost 310,000 pounds.\nIt is 212 metres long.\n"
RESPONSES = (
    ("good", "The bridge opened on 4 May 1907 and cost 310,000 pounds. It is 212 metres long."),
    ("bad", "The bridge opened on 4 May 1911. It cost 310,000 pounds, and it is very long."),
    ("vague", "The bridge may have opened in the early 1900s. Some say it cost a lot."),
    ("silent", "I can't help with that."),
)


def build(folder: Path) -> None:
    """Write everything that the recorded commands name."""
    _texts(folder)
    _runs(folder)
    _people_rate(folder)


def _texts(folder: Path) -> None:
    (folder / "labelled.jsonl").write_text("\n".join(lines()), encoding="utf-8")
    (folder / "facts.txt").write_text(FACTS)
    responses = [json.dumps({"id": name, "response": text}) for name, text in RESPONSES]
    (folder / "responses.jsonl").write_text("\n".join(responses))
    denial = {"type": "fact_denial", "sentence": 0, "span": "1911", "fact": "F1"}
    scored = [
        {"id": "bad", "response": RESPONSES[1][1], "violations": [denial]},
        {"id": "good", "response": RESPONSES[0][1], "violations": []},
    ]
    (folder / "violations.jsonl").write_text("\n".join(map(json.dumps, scored)))
    (folder / "models.csv").write_text("model,size\nsimulated/steady,70\nsimulated/fading,7\nsimulated/gullible,1\n")
    (folder / "labels.csv").write_bytes(LABELS.read_bytes())
    with gzip.open(folder / "trials.json.gz", "wt") as file:
        json.dump(raw_trials(study_rows()), file)
    scores = [
        f"q{item},{model},{judge},{(item * 3 + place) % 5 + lift}"
        for item in range(12)
        for place, model in enumerate(("a", "b"))
        for judge, lift in (("j", 0), ("k", item % 2), ("l", 1))
    ]
    (folder / "judged.csv").write_text("\n".join(["item,model,judge,score", *scores]))
    turns = published_turns()
    write_study(folder / "turns.jsonl", turns[turns["model"].isin(sorted(set(turns["model"]))[:4])])


def _runs(folder: Path) -> None:
    def ddft(name: str, *options: object) -> None:
        voirdire("run", "-o", folder / name, *options)

    three = [option for model in ("steady", "fading", "gullible") for option in ("-m", f"simulated/{model}")]
    jury = ("--jury", "simulated/judge,simulated/noisy,simulated/lenient")
    ddft("three", *three, "--concepts", CONCEPTS, "--levels", "0,0.5,1", *jury)
    ddft("fading", "-m", "simulated/fading", "--concepts", CONCEPTS, "--levels", "0,0.5,1", *jury)
    ddft("rules", "-m", "simulated/asking", "--concepts", "recursion,phoneme", "--levels", "0,1")
    ddft("no-trap", "-m", "simulated/steady", "--concepts", CONCEPTS, "--levels", "0,1", "--trap", "none", *jury)
    voirdire("ddft", "import", folder / "turns.jsonl", "-o", folder / "imported")
    voirdire("jury", "sample", folder / "three", "--draw", 30, "-o", folder / "sheet.csv")
    _fill_in(folder / "sheet.csv")
    audit = ("--responses", folder / "responses.jsonl", "--facts", folder / "facts.txt", "-o", folder / "audit")
    voirdire("integrity", "audit", *audit)
    with start_labelling_server() as server:
        model = ("--labeller", "openai-api/a", "--base-url", server, "--votes", 3)
        voirdire("label", folder / "labelled.jsonl", *model, "-o", folder / "labels")


def _fill_in(sheet: Path) -> None:
    rows = list(csv.DictReader(sheet.read_text(encoding="utf-8-sig").splitlines(keepends=True)))
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        for place, row in enumerate(rows):
            writer.writerow(row | {"far": str((place * 3 % 11) / 10), "sas": str((place * 7 % 11) / 10)})


def _people_rate(folder: Path) -> None:
    _people.make_turns(folder / "turns.voirdire", folder / "three")
    _people.rate_turns(folder / "turns.voirdire", folder / "three")
    _people.statements(folder / "statements.voirdire", folder / "labelled.jsonl")
