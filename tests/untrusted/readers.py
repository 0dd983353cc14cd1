"""Every reader of tables and JSON: a small valid file, how it is read, and how it may refuse."""

import gzip
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.raters.exchange import examples
from voirdire.cognibench.formats import iter_answers
from voirdire.cognibench.generation.references import read_references
from voirdire.ddft.analysis.external_figures import as_numbers, read_figures
from voirdire.ddft.person_check.records import SampledTurn
from voirdire.ddft.person_check.sheet import read_ratings, sheet_text
from voirdire.ddft.published_records import read_source
from voirdire.integrity.items import checked_items
from voirdire.integrity.trials import SCHEMA, read_trials
from voirdire.jury.published import read_labels
from voirdire.raters.exchange.importer import read_entries
from voirdire.raters.tasks.cognibench.builder import documents_of
from voirdire.raters.tasks.cognibench.judgements import read_detections

STATEMENT = {"text": "It opened in 1932.", "start": 0, "end": 18, "label": "faithful"}
ANSWER = {
    "id": "a",
    "context": "The bridge opened in 1932.",
    "question": "When?",
    "answer": "It opened in 1932. It is red.",
    "history": [{"user": "Hello?", "assistant": "Hello."}],
    "turn": 1,
    "topic": "bridges",
    "statements": [STATEMENT, {"start": 19, "end": 29, "label": None}],
}
DIALOGUE = {
    "id": 7,
    "contexts": [{"text": "One."}, "Two."],
    "turns": [{"user": "What?", "assistant": "That. And this.", "labels": {"That.": "reliable"}}],
}
RELEASED = {
    "id": "b_1",
    "reference": "The bridge opened in 1932.",
    "current_turn": "<user>When?<assistant>In 1932. It is red.",
    "dialogue": "<user>Hello?<assistant>Hello.",
    "turn_index": 1,
}
LISTS = {"faithfulness_list": ["In 1932."], "factual_hallu_list": ["It is red."], "misleading_list": []}
LABELS = {"b_1": {"sentence_label_dict": {"In 1932.": [["faithful"]], "It is red.": [["invented"]]}, **LISTS}}
SOURCE = {"source_id": "s", "task_type": "QA", "source_info": {"question": "When?", "passages": "In 1932."}}
RESPONSE = {
    "id": "r",
    "source_id": "s",
    "model": "m",
    "split": "test",
    "response": "In 1932. It is red.",
    "labels": [{"start": 9, "end": 19, "text": "It is red."}],
}
RESPONSE_TO_SCORE = {
    "id": "x",
    "response": "The bridge opened around 1930.",
    "facts": [{"id": "F1", "text": "The bridge opened in 1932.", "central": True}],
    "context": "A case.",
    "violations": [{"type": "denial", "sentence": 0, "span": "around", "fact": "F1", "reason": "blurred"}],
    "holistic": 70,
}
CELL = {"likert": {"judge": [80, 70, 75], "other": {"s": [None, None, None], "recovered": [1, 2, 3]}}}
TRIALS = {
    "_schema": SCHEMA,
    "evaluators": ["judge", "other"],
    "dims": ["ei", "vt", "overall"],
    "models": [{"id": "m"}],
    "constitutions": [{"id": "c", "system_prompt": "Be honest."}],
    "scenarios": [
        {
            "id": "s",
            "title": "T",
            "category": "k",
            "description": "D.",
            "facts": ["It opened in 1932."],
            "ambiguous": [],
            "decision_point": "What now?",
        }
    ],
    "trials": [
        {
            "id": "t",
            "scenario": "s",
            "constitution": "c",
            "model": "m",
            "reasoning": "R.",
            "recommendation": "Do.",
            "values": ["truth"],
            "tradeoffs": "None.",
            "ei_explanations": {"judge": "fine"},
            "scores": CELL,
        }
    ],
}
TURN = {
    "model": "m",
    "concept": "recursion",
    "level": 0.5,
    "turn": 1,
    "question": "What is it?",
    "response": "It calls itself.",
    "judges": {"j": {"FAR": 0.5, "SAS": 1}},
    "consensus": {"FAR": 0.5, "SAS": 1},
}
RECORD = {
    "subject_model": "m",
    "concept": "recursion",
    "compression_level": 0,
    "conversation_log": [
        {"role": "user", "content": "What?"},
        {"role": "assistant", "content": "That.", "evaluation": {"judges": {"j": {"FAR": 1}}, "consensus": {}}},
    ],
}
RATING = {"item": "a_1#0", "rater": "Ana", "value": {"label": "faithful", "steps": [], "reason": "so"}, "seconds": 3}
TASK = {
    "id": 1,
    "data": {"context": "C.", "answer": "It opened. It is red.", "question": "When?", "history": [["Hi?", "Hi."]]},
    "predictions": [{"result": []}],
}
ANNOTATED = {
    "data": {"item": "a_1#0"},
    "annotations": [
        {
            "completed_by": {"email": "ana@example.org"},
            "lead_time": 3.5,
            "created_at": "2026-01-01",
            "result": [
                {
                    "id": "1",
                    "from_name": "label",
                    "to_name": "statement",
                    "type": "choices",
                    "value": {"choices": ["faithful"]},
                }
            ],
        }
    ],
}
FINDING = {"id": "a_1", "turn": 0, "sentence": "It opened.", "start": 0, "end": 10, "score": 0.5, "flagged": True}


@dataclass(frozen=True)
class Reader:
    """A reader and its files."""

    values: Mapping[str, Any]
    """What stands in each file: an object, a list of them (lines, rows), or text. The first is the one to be broken."""
    read: Callable[[Path], object]
    """From the folder or the first file to what is read."""
    whole: bool = False
    """Whether the folder is read."""

    @property
    def name(self) -> str:
        return next(iter(self.values))

    def __call__(self, folder: Path) -> object:
        return self.read(folder if self.whole else folder / self.name)


def encoded(name: str, value: Any) -> bytes:
    """A value as a file of its kind."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if name.endswith(".parquet"):
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(value), out)
        return out.getvalue()
    lines = ".jsonl" in name
    text = "".join(json.dumps(each) + "\n" for each in value) if lines else json.dumps(value)
    return gzip.compress(text.encode(), 1, mtime=0) if name.endswith(".gz") else text.encode()


def answers(path: Path) -> object:
    return list(iter_answers(path))


def figures(path: Path) -> object:
    table = read_figures(path, ["m"]).table
    return [as_numbers(table[name]) for name in table.columns]


def ratings(source: str) -> Callable[[Path], object]:
    return lambda path: read_entries(path, examples.statements(), source).entries


def detections(path: Path) -> object:
    return read_detections(examples.statements(), path).units


TURNS = [SampledTurn("k", "recursion", 1, "R.", (), "What?", "=That", "")]
SHEET = sheet_text(TURNS).replace("What?,'=That,,,,,,", "What?,'=That,,0.5,1,,,fine")
READERS = {
    "answers, lines": Reader({"log.jsonl": [ANSWER, DIALOGUE]}, answers),
    "answers, list": Reader({"log.json": [ANSWER]}, answers),
    "answers, Parquet": Reader({"log.parquet": [ANSWER]}, answers),
    "released": Reader({"dialogues.json": [RELEASED], "labels.json": LABELS}, answers, whole=True),
    "released labels": Reader({"labels.json": LABELS, "dialogues.json": [RELEASED]}, answers, whole=True),
    "RAGTruth": Reader({"response.jsonl": [RESPONSE], "source_info.jsonl": [SOURCE]}, answers, whole=True),
    "RAGTruth sources": Reader({"source_info.jsonl": [SOURCE], "response.jsonl": [RESPONSE]}, answers, whole=True),
    "responses, lines": Reader({"r.jsonl": [RESPONSE_TO_SCORE]}, lambda path: list(checked_items(path))),
    "responses, document": Reader({"r.json": RESPONSE_TO_SCORE}, lambda path: list(checked_items(path))),
    "responses, Parquet": Reader({"r.parquet": [RESPONSE_TO_SCORE]}, lambda path: list(checked_items(path))),
    "trials": Reader({"trials.json": TRIALS}, read_trials),
    "trials, gzipped": Reader({"trials.json.gz": TRIALS}, read_trials),
    "references, lines": Reader({"r.jsonl": [{"id": "a", "topic": "law", "text": "T."}]}, read_references),
    "references, CSV": Reader({"r.csv": "id,topic,text\na,law,T.\n"}, read_references),
    "published turns": Reader({"turns.jsonl": [TURN]}, lambda path: read_source(path).dialogues),
    "published turns, gzipped": Reader({"turns.jsonl.gz": [TURN]}, lambda path: read_source(path).dialogues),
    "published dialogues": Reader({"d.json": RECORD}, lambda path: read_source(path).dialogues, whole=True),
    "figures": Reader({"f.csv": "model,parameters\nm,1.5\n"}, figures),
    "crosscheck": Reader({"sheet.csv": SHEET}, read_ratings),
    "labels of answers": Reader({"l.csv": "model,concept,level,label\nm,recursion,0.5,neither\n"}, read_labels),
    "ratings, lines": Reader({"r.jsonl": [RATING]}, ratings("jsonl")),
    "ratings, CSV": Reader({"r.csv": "item,rater,label,seconds,steps\na_1#0,Ana,faithful,3,[]\n"}, ratings("csv")),
    "ratings, Label Studio": Reader({"tasks.json": [ANNOTATED]}, ratings("label-studio")),
    "tasks, Label Studio": Reader({"tasks.json": [TASK]}, lambda path: documents_of(path).documents),
    "findings": Reader({"found.jsonl": [FINDING]}, detections),
}
