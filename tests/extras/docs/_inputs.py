"""The files and runs that documented commands name and no earlier command of the page makes."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.cli.here import voirdire
from tests.ddft.drafting.scripted import POLICY
from tests.extras.docs import _evaluations, _people
from tests.extras.docs._collect import ROOT, fenced
from tests.extras.docs._table import FEW
from tests.integrity.examples import raw_trials, study_rows
from voirdire.raters.records import Mode

CONTEXTS = (
    ("mill", "The mill at Orrin was built in 1802. It ground wheat for three villages. The wheel broke in 1911."),
    ("bridge", "The bridge at Lenn opened in 1907. It is 212 metres long. It carries trains and carts."),
    ("school", "The school of Marr took in 40 pupils. Its first teacher was Ada Pell. It closed in 1954."),
    ("light", "The lighthouse of Sund was lit in 1871. Its keeper burned whale oil. It was moved in 1930."),
    ("well", "The well of Tarn is 31 metres deep. Monks dug it in 1240. It has never run dry."),
    ("fair", "The fair of Holm is held in May. Horses are sold there. It lasts for three days."),
)
"""(name, three true sentences) of places that don't exist; the labeller behind the server flags what has "wheat"."""

LABELS = "tests/jury/clarification_labels.csv"
FACTS = ["The bridge opened on 4 May 1907.", "It cost 310,000 pounds.", "It is 212 metres long."]
RESPONSES = [
    {"id": "good", "response": "The bridge opened on 4 May 1907 and cost 310,000 pounds. It is 212 metres long."},
    {"id": "bad", "response": "The bridge opened on 4 May 1911. It cost 310,000 pounds, and it is very long."},
]


def _lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def grounded_answers(path: Path) -> None:
    """The answers that docs/detect.md shows."""
    path.write_text(fenced("docs/detect.md", "json") + "\n", encoding="utf-8")


def grounded_rows(path: Path) -> None:
    """The same as Parquet."""
    shown = [json.loads(line) for line in fenced("docs/detect.md", "json").splitlines()]
    columns = pa.schema([(name, pa.string()) for name in ("id", "context", "question", "answer")])
    pq.write_table(pa.Table.from_pylist([each for each in shown if columns.names == list(each)], columns), path)


def grounded_table(path: Path) -> None:
    """Answers whose columns have names of their own."""
    path.write_text(
        "question,retrieved,reply\n"
        "When do I get my money back?,Refunds are paid within 14 days.,Refunds are paid within 30 days.\n",
        encoding="utf-8",
    )


def labelled(path: Path) -> None:
    """Answers with labels of people: about each context a true, an invented, a speculative and a reliable sentence."""
    _lines(path, [_labelled(name, context, turn) for name, context in CONTEXTS for turn in (1, 2)])


def _labelled(name: str, context: str, turn: int) -> dict[str, object]:
    true = context.split(". ")[turn].rstrip(".") + "."
    said = {
        true: "faithful",
        f"A famous queen visited the {name} twice and praised its wheat.": "invented",
        f"Everyone nearby surely felt proud of the {name} for generations.": "speculative",
        f"So the {name} must have mattered.": "reliable",
    }
    return {
        "id": f"{name}{turn}",
        "topic": "places",
        "model": f"model-{turn}",
        "context": context,
        "question": f"What is known of the {name}?",
        "answer": " ".join(said),
        "labels": said,
    }


def release(path: Path) -> None:
    """The same in the layout in which CogniBench's authors released theirs."""
    data = path.with_name("labelled.jsonl")
    labelled(data)
    voirdire("export", data, "--to", "released", "-o", path)


def references(path: Path) -> None:
    """A folder of texts to ask about."""
    path.mkdir()
    for name, context in CONTEXTS[:2]:
        (path / f"{name}.txt").write_text(f"{context} " * 3, encoding="utf-8")


def responses(path: Path) -> None:
    """Responses that carry their facts."""
    _lines(path, [{**each, "facts": FACTS} for each in RESPONSES])


def violations(path: Path) -> None:
    """A response with violations that somebody found."""
    found = {"type": "fact_denial", "sentence": 0, "span": "1911", "fact": "F1", "reason": "It opened in 1907."}
    _lines(path, [{"id": "bad", "violations": [found]}])


def trials(path: Path) -> None:
    """Scored trials, made up."""
    path.write_bytes(gzip.compress(json.dumps(raw_trials(study_rows())).encode()))


def turns(path: Path) -> None:
    """A published record in the study's form: two models, three concepts, all levels, three judges."""
    rows = []
    for model, shift in (("gpt-5", 0.1), ("o4-mini", 0.0)):
        for concept in ("recursion", "phoneme", "derivative"):
            for level in (0, 0.25, 0.5, 0.75, 1):
                for turn in range(1, 6):
                    rows.append(_turn(model, concept, level, turn, shift))
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


JUDGES = {"gpt-5.1": 0.0, "deepseek-v3.1": 0.1, "claude-opus-4-1": 0.15}
"""How much higher each scores."""
WEIGHTS = {"FAR": (0.25, 0.35, 0.40), "SAS": (0.40, 0.35, 0.25)}


def _turn(model: str, concept: str, level: float, turn: int, shift: float) -> dict[str, object]:
    place = len(concept) + 7 * turn + int(level * 20)
    far, sas = (place * 37 % 71) / 100 + shift, (place * 53 % 67) / 100
    judges = {
        judge: {"FAR": round(far + lenient, 2), "SAS": round(sas + lenient, 2)} for judge, lenient in JUDGES.items()
    }
    consensus = {
        name: sum(weight * judges[judge][name] for judge, weight in zip(judges, weights, strict=True))
        for name, weights in WEIGHTS.items()
    }
    return {
        "model": model,
        "concept": concept,
        "level": level,
        "turn": turn,
        "question": f"What is this concept about, in step {turn}?",
        "response": f"Could you tell me which concept you mean? It repeats itself {place} times at step {turn}.",
        "judges": judges,
        "consensus": consensus,
    }


def figures(path: Path) -> None:
    """Figures of the models in `study`."""
    rows = ("model,parameters", "simulated/steady,7", "simulated/fading,3", "simulated/gullible,70")
    path.write_text("\n".join(rows), encoding="utf-8")


def study(path: Path, *more: str, models: Sequence[str] = ("steady", "fading", "gullible")) -> None:
    """A run of three simulated models, judged by two simulated judges."""
    named = [part for name in models for part in ("-m", f"simulated/{name}")]
    jury = "simulated/judge,simulated/noisy"
    voirdire("run", *named, *FEW.split(), "--jury", jury, *more, "-o", path)


def control(path: Path) -> None:
    """The same without traps."""
    study(path, "--trap", "none")


def pair(path: Path, *more: str) -> None:
    """A run of two models: reports of it hold all that there is for three, and take half the time."""
    study(path, *more, models=("steady", "gullible"))


def labels(path: Path) -> None:
    """A run in which a model has labelled `labelled`."""
    data = path.with_name("labelled.jsonl")
    labelled(data)
    voirdire("label", data, "--labeller", "openai/gpt-5.1", "-o", path)


def statements(path: Path, mode: Mode = "sequential", *, rated: bool = True) -> None:
    """A project in which people label statements of `labelled`."""
    data = path.with_name("labelled.jsonl")
    labelled(data)
    _people.statements(path, data, mode, rated=rated)


def preset(path: Path) -> None:
    """The preset that docs/models.md shows, smaller."""
    text = fenced("docs/models.md", "yaml").replace("extends: sound", "extends: quick")
    path.write_text(text, encoding="utf-8")


def fill_in(folder: Path) -> None:
    """What a person does with the sheet of `jury sample`."""
    with (folder / "check.csv").open(newline="", encoding="utf-8") as sheet:
        rows = list(csv.DictReader(sheet))
    for row in rows:
        row |= {"far": "0.8", "sas": "0.9"}
    with (folder / "check.csv").open("w", newline="", encoding="utf-8") as sheet:
        filled = csv.DictWriter(sheet, rows[0].keys())
        filled.writeheader()
        filled.writerows(rows)


def rate(folder: Path) -> None:
    """What people do once a project is served; on pages that speak of its ratings alone, it is made first."""
    project, run = folder / "turns.voirdire", folder / "runs" / "study"
    if not project.exists():
        _people.make_turns(project, run)
    _people.rate_turns(project, run)


MODELS_JUDGED = {"alpha": 0.85, "beta": 0.6}
"""How often each is right."""


def judged() -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """What a lenient judge and one that tosses a coin say of two models' answers, and ratings of some of them."""
    chance = random.Random(2)
    rows: list[tuple[str, ...]] = [("item", "model", "cluster", "judge", "score", "output", "reason")]
    truth: list[tuple[str, ...]] = [("item", "model", "label", "reason")]
    for place in range(200):
        for model, right in MODELS_JUDGED.items():
            item, is_right = f"q{place}-{model}", chance.random() < right
            lenient = chance.random() < (0.98 if is_right else 0.35)
            shared = (item, model, f"q{place}")
            for judge, says in (("lenient", lenient), ("coin", chance.random() < 0.7)):
                rows.append((*shared, judge, str(int(says)), f"Answer {place} of {model}", f"{judge}: {says}"))
            truth.append((item, model, str(int(is_right)), "Checked by hand."))
    return rows, [truth[0], *chance.sample(truth[1:], 60)]


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


INPUTS: dict[str, Callable[[Path], object]] = {
    "answers.jsonl": grounded_answers,
    "answers.parquet": grounded_rows,
    "results.csv": _evaluations.table,
    "grades.csv": _evaluations.named_otherwise,
    "logs/": _evaluations.inspect_logs,
    "lm_eval/": _evaluations.lm_eval_run,
    "annotations.json": _evaluations.annotations,
    "arena.jsonl": _evaluations.arena,
    "duels.csv": _evaluations.duels,
    "table.csv": grounded_table,
    "responses.jsonl": responses,
    "labelled.jsonl": labelled,
    "both.jsonl": labelled,
    "cognibench_dev": release,
    "data/": labelled,
    "texts": references,
    "texts/": references,
    "facts.txt": lambda path: path.write_text("\n".join(FACTS), encoding="utf-8"),
    "violations.jsonl": violations,
    "integrity_trials.json.gz": trials,
    "turns.jsonl.gz": turns,
    "models.csv": figures,
    "runs/study": study,
    "runs/gpt": study,
    "runs/first": study,
    "runs/second": control,
    "runs/one": labels,
    "runs/two": labels,
    "runs/labels": labels,
    "labels": labels,
    "labels.voirdire": statements,
    "verdicts.csv": lambda path: _write(path, judged()[0]),
    "ratings.csv": lambda path: _write(path, judged()[1]),
    "independent.voirdire": lambda path: statements(path, "independent"),
    "again.voirdire": lambda path: statements(path, rated=False),
    "mine.yaml": preset,
    "guide.yaml": lambda path: path.write_text(fenced("docs/rate-anything.md", "yaml"), encoding="utf-8"),
    "leave-policy.md": lambda path: path.write_text(POLICY, encoding="utf-8"),
    "tests/jury/clarification_labels.csv": lambda path: path.write_bytes((ROOT / LABELS).read_bytes()),
}
"""How each is made, by the name that commands give it."""

INPUTS_ON_PAGE: dict[tuple[str, str], Callable[[Path], object]] = {
    ("docs/integrity.md", "answers.jsonl"): responses,
    ("docs/reports.md", "runs/first"): pair,
    ("docs/reports.md", "runs/second"): lambda path: pair(path, "--trap", "none"),
}
"""The same, where a page means something else by the name."""

BY_HAND: dict[str, Callable[[Path], None]] = {
    "voirdire jury crosscheck": fill_in,
    "voirdire rate plan turns.voirdire": rate,
    "voirdire rate anchor turns.voirdire": rate,
    "voirdire jury worth runs/study": rate,
    "voirdire rate agreement answers.voirdire": lambda folder: _people.rate_answers(folder / "answers.voirdire"),
}
"""What a reader does by hand before a command, by the command's beginning."""
