"""Small projects made by hand, for whatever counts, compares or exports people's ratings.

Each builder takes what every rater said, item by item, `None` where a rater did not rate it:

    labelled_project({"ann": ["faithful", "reliable"], "ben": ["faithful", None]})
    scored_project({"ann": [deduction(85), deduction(70, holistic=60)], "ben": [deduction(85), None]})
    turns_project({"ann": [scored(0.9, 0.8), scored(None, 0.4, no_claims=True)]})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.ddft.person_check.records import key_of
from voirdire.integrity import load_taxonomy
from voirdire.raters.records import Document, GoldRating, Item, Project, Question, Rater, Rating, Settings

Value = Mapping[str, Any]

AT = "2025-11-22T10:00:00Z"
FACTS = [
    {"id": "F1", "text": "The bridge opened in 1932.", "central": True, "relevant": True, "side": None},
    {"id": "F2", "text": "The bridge carries eight lanes.", "central": False, "relevant": True, "side": None},
]


def labelled_project(
    labels: Mapping[str, Sequence[str | None]],
    *,
    per_answer: int = 1,
    groups: Sequence[str] | None = None,
    texts: Sequence[str] | None = None,
    practice: int = 0,
    questions: Sequence[tuple[str, int, bool]] = (),
    adjudicated: Mapping[int, str] | None = None,
    **settings: Any,
) -> Project:
    """A CogniBench project: statement n is sentence n % per_answer of the answer a{n // per_answer}.

    Args:
        labels: by rater, one for each statement.
        per_answer: statements in an answer.
        groups: of each answer; without it, every answer is a group.
        texts: of each statement.
        practice: how many answers, from the first, are practice.
        questions: (rater, number of the statement, whether afterwards).
        adjudicated: by number of the statement, what an adjudicator who saw the ratings said.
        settings: of `Settings`: `mode`, `raters_per_item` …
    """
    n = _length(labels)
    said = texts or [f"Statement {number} says this." for number in range(n)]
    answers = range(0, n, per_answer)
    documents = [
        _answer(f"a{place}", list(said[start : start + per_answer]), groups[place] if groups else f"g{place}")
        for place, start in enumerate(answers)
    ]
    items = [
        Item(
            id=f"a{number // per_answer}#{number % per_answer}",
            document=f"a{number // per_answer}",
            place=number % per_answer,
            pool="practice" if number // per_answer < practice else "live",
        )
        for number in range(n)
    ]
    values = {who: [None if label is None else labelled(label) for label in row] for who, row in labels.items()}
    decided = {number: labelled(label) for number, label in (adjudicated or {}).items()}
    return _project(
        Settings(task="cognibench", title="Labels", **settings), documents, items, values, decided, questions
    )


def scored_project(
    values: Mapping[str, Sequence[Value | None]],
    *,
    groups: Sequence[str] | None = None,
    name: str = "r",
    adjudicated: Mapping[int, Value] | None = None,
    **settings: Any,
) -> Project:
    """An integrity project of the responses r0, r1 …; values are made by `deduction`, `name` begins the items' ids."""
    n = _length(values)
    sentences = ["The bridge opened around 1930.", "It may carry traffic."]
    documents = [
        Document(
            id=f"{name}{place}",
            body={"context": "", "facts": FACTS, "response": " ".join(sentences), "sentences": _cut(sentences)},
            group=groups[place] if groups else f"g{place}",
            source={"item": f"r{place}"},
        )
        for place in range(n)
    ]
    items = [Item(id=document.id, document=document.id) for document in documents]
    return _project(Settings(task="integrity", title="Scores", **settings), documents, items, values, adjudicated or {})


def turns_project(
    values: Mapping[str, Sequence[Value | None]],
    *,
    groups: Sequence[str] | None = None,
    turns: Sequence[tuple[str, int, str]] | None = None,
    adjudicated: Mapping[int, Value] | None = None,
    **settings: Any,
) -> Project:
    """A DDFT project; values are made by `scored`. `turns` holds (dialogue, turn, answer) of each."""
    n = _length(values)
    places = turns or [(f"m|c{number}|0|0", 1, f"Answer {number}.") for number in range(n)]
    documents = [
        Document(
            id=key_of(*place),
            body=_turn(place[2]),
            group=groups[number] if groups else f"c{number}",
            source={"dialogue": place[0], "turn": place[1], "key": key_of(*place)},
        )
        for number, place in enumerate(places)
    ]
    items = [Item(id=document.id, document=document.id) for document in documents]
    return _project(Settings(task="ddft", title="Turns", **settings), documents, items, values, adjudicated or {})


def labelled(label: str, reason: str = "") -> Value:
    """The value of a statement's rating."""
    return {"label": label, "steps": [], "reason": reason}


def deduction(score: int, *, holistic: int | None = None, violations: Sequence[Value] = ()) -> Value:
    """The value of a response's rating; its band follows from the score."""
    return {
        "holistic": score if holistic is None else holistic,
        "violations": list(violations),
        "score": score,
        "band": load_taxonomy().band_of(score).name,
        "ambiguous": False,
        "note": "",
        "second_look": None,
    }


def violation(kind: str, sentence: int | None = 0, fact: str | None = None, span: str | None = None) -> Value:
    """One of a deduction's violations."""
    return {"type": kind, "sentence": sentence, "span": span, "fact": fact, "reason": "", "ambiguous": False}


def scored(far: float | None, sas: float | None, stance: str | None = None, *, no_claims: bool = False) -> Value:
    """The value of a turn's rating."""
    return {"far": far, "sas": sas, "no_claims": no_claims, "stance": stance, "comment": ""}


def _answer(name: str, sentences: list[str], group: str) -> Document:
    text = " ".join(sentences)
    body = {"context": "C.", "question": "Q?", "answer": text, "history": [], "statements": _cut(sentences)}
    return Document(id=name, body=body, group=group, source={"answer": name, "path": "answers.jsonl"})


def _turn(answer: str) -> Value:
    return {
        "concept": "Osmosis",
        "reference": "Water moves through a membrane.",
        "turn": 1,
        "history": [],
        "question": "What is it?",
        "answer": answer,
        "fabricated": "",
        "kind": "established",
        "as_of": "",
    }


def _cut(sentences: Sequence[str]) -> list[Value]:
    found, start = [], 0
    for text in sentences:
        found.append({"text": text, "start": start, "end": start + len(text)})
        start += len(text) + 1
    return found


def _length(rows: Mapping[str, Sequence[Any]]) -> int:
    lengths = {len(row) for row in rows.values()}
    assert len(lengths) == 1, "every rater needs an entry for every item"
    return lengths.pop()


def _project(
    settings: Settings,
    documents: Sequence[Document],
    items: Sequence[Item],
    values: Mapping[str, Sequence[Value | None]],
    adjudicated: Mapping[int, Value],
    questions: Sequence[tuple[str, int, bool]] = (),
) -> Project:
    raters = {who: Rater(who, who.capitalize()) for who in values}
    ratings = [
        _rating(items[place], who, value, seq)
        for seq, (who, place, value) in enumerate(
            ((who, place, value) for who, row in values.items() for place, value in enumerate(row) if value), start=1
        )
    ]
    if adjudicated:
        raters["judge"] = Rater("judge", "Judge", "adjudicator")
        ratings += [
            _rating(items[place], "judge", value, 1000 + place, role="adjudicator", blind=False)
            for place, value in adjudicated.items()
        ]
    return Project(
        settings=settings,
        documents={document.id: document for document in documents},
        items={item.id: item for item in items},
        raters=raters,
        ratings=tuple(ratings),
        gold={
            items[place].id: GoldRating(items[place].id, value, "adjudicated") for place, value in adjudicated.items()
        },
        questions=tuple(
            Question(seq=seq, rater=who, item=items[place].id, text="Why?", at=AT, afterwards=afterwards)
            for seq, (who, place, afterwards) in enumerate(questions, start=1)
        ),
    )


def _rating(item: Item, who: str, value: Value, seq: int, **more: Any) -> Rating:
    return Rating(
        item=item.id, rater=who, value=value, at=AT, seconds=20.0, pool=item.pool, phase=item.pool, seq=seq, **more
    )
