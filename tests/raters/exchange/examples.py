"""Projects with values that people may enter, hostile texts among them."""

import asyncio
from dataclasses import replace

from hypothesis import strategies as st

from voirdire.detectors.records import LABELS
from voirdire.integrity import EstablishedFact, load_taxonomy
from voirdire.raters.exchange.field_checks import check_value
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Item, Project, Question, Rater, Rating, Row, Settings
from voirdire.raters.rows import IMPORTED
from voirdire.raters.store import Store
from voirdire.raters.tasks.base import NewRow
from voirdire.raters.tasks.cognibench.ladder import walk
from voirdire.raters.tasks.integrity.builder import body_of
from voirdire.records import STANCES

AT = "2025-11-22T10:00:00.000+00:00"
HOSTILE = (
    "<script>alert('x')</script>",
    '=HYPERLINK("http://example.invalid")',
    "'=1+1",
    "\u202eright to left\u202c \u05d0\u05d1",
    "zero\u200bwidth, a null\x00 and a bell\x07",
    "line\u2028separator\x85next\r\nreturn\rfeed\n",
    "👨🏻‍🚒 beyond the first plane 💩",
    '"quoted", and; separated\tby all',
    "",
    " ",
)
texts = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
shares = st.floats(0, 1, allow_nan=False)
PATHS = {
    "irrelevant": ["yes"],
    "faithful": ["no", "factual", "yes"],
    "invented": ["no", "factual", "no"],
    "misleading": ["no", "cognitive", "no"],
    "speculative": ["no", "cognitive", "yes", "no"],
    "reliable": ["no", "cognitive", "yes", "yes", "no"],
    "irrefutable": ["no", "cognitive", "yes", "yes", "yes"],
}
KINDS = [kind for kind in load_taxonomy().types.values() if kind.severity != "critical"]
FACTS = [EstablishedFact("F1", "The bridge opened in 1932.", central=True), EstablishedFact("F 2", "It has lanes.")]


def steps_to(label):
    return [list(step) for step in walk(PATHS[label])]


@st.composite
def label_values(draw):
    label = draw(st.sampled_from(LABELS))
    steps = draw(st.sampled_from([[], steps_to(label), [["label", label]]]))
    return {"label": label, "steps": steps, "reason": draw(texts)}


@st.composite
def turn_values(draw, trapped):
    no_claims = draw(st.booleans())
    return {
        "far": None if no_claims else draw(shares),
        "sas": draw(shares),
        "no_claims": no_claims,
        "stance": draw(st.sampled_from(STANCES)) if trapped else None,
        "comment": draw(texts),
    }


@st.composite
def violations(draw, sentences):
    kind = draw(st.sampled_from(KINDS if sentences else [kind for kind in KINDS if kind.rung is not None]))
    found = {
        "type": kind.name,
        "fact": draw(st.sampled_from([None, *(fact.id for fact in FACTS)])),
        "reason": draw(texts),
    }
    if kind.rung is not None:
        return found
    place = draw(st.integers(0, len(sentences) - 1))
    text = sentences[place]["text"]
    start = draw(st.integers(0, len(text) - 1))
    return {
        **found,
        "sentence": place,
        "span": text[start : draw(st.integers(start + 1, len(text)))],
        "ambiguous": draw(st.booleans()),
        "note": draw(texts),
    }


@st.composite
def deductions(draw, project, item):
    sentences = project.documents[item.document].body["sentences"]
    look = st.fixed_dictionaries(
        {
            **{name: st.booleans() for name in ("missed", "twice", "values")},
            "note": texts,
            "score_before": st.integers(0, 100),
        }
    )
    given = {
        "holistic": draw(st.integers(0, 100)),
        "violations": draw(st.lists(violations(sentences), max_size=4)),
        "ambiguous": draw(st.booleans()),
        "note": draw(texts),
        "second_look": draw(st.none() | look),
    }
    return check_value(given, project, item)


def statements(answer="It opened in 1932. It may carry 💩 traffic.", context="C.", **settings):
    """A project of two statements of one answer, and one practice statement."""
    first = answer.partition(" It")[0]
    cut = [(0, len(first)), (len(first) + 1, len(answer))]
    body = {
        "context": context,
        "question": "When?",
        "answer": answer,
        "history": [["Hello?", "Hello."]],
        "statements": [{"text": answer[start:end], "start": start, "end": end} for start, end in cut],
    }
    documents = [
        Document(id="p", body=body, group="p"),
        Document(id="a_1", body=body, group="g", source={"answer": "a_1", "path": "x.jsonl", "dialogue": "a"}),
    ]
    items = [
        Item(id="p#0", document="p", pool="practice", key={"label": "faithful", "why": "SECRET"}),
        Item(id="a_1#0", document="a_1"),
        Item(id="a_1#1", document="a_1", place=1),
    ]
    return bare(Settings(task="cognibench", title="Statements", **settings), documents, items)


def responses(*texts_of):
    """A project of responses to the same facts."""
    documents = [
        Document(id=f"r{n}", body=body_of("A case.", FACTS, text), group="case", source={"item": f"true-{n}"})
        for n, text in enumerate(texts_of or ("The bridge opened around 1930. It may carry 💩 traffic.",))
    ]
    items = [Item(id=document.id, document=document.id) for document in documents]
    return bare(Settings(task="integrity", title="Responses"), documents, items)


def turns(fabricated="", answer="It moves 💩."):
    """A project of one turn."""
    body = {
        "concept": "Osmosis",
        "reference": "Water moves.",
        "turn": 4 if fabricated else 1,
        "history": [["What?", "That."]],
        "question": "What is it?",
        "answer": answer,
        "fabricated": fabricated,
        "kind": "established",
        "as_of": "",
    }
    source = {"dialogue": "model|osmosis|0.5|0", "turn": 4, "key": "k"}
    documents = [Document(id="k", body=body, group="osmosis", source=source)]
    return bare(Settings(task="ddft", title="Turns"), documents, [Item(id="k", document="k")])


def bare(settings, documents, items):
    return Project(
        settings=settings,
        documents={each.id: each for each in documents},
        items={each.id: each for each in items},
        raters={},
        ratings=(),
        gold={},
        questions=(),
    )


def rated(project, *given, raters=("Ana", "Ben"), gold=None, asked=(), adjudicators=()):
    """The project with ratings: (number of the rater from 0, item, value, seconds)."""
    people = [Rater(f"r{n}", name) for n, name in enumerate(raters, start=1)]
    people += [Rater(f"r{n}", name, "adjudicator") for n, name in enumerate(adjudicators, start=len(people) + 1)]
    ratings = [
        Rating(
            item=item,
            rater=people[who].id,
            value=value,
            at=AT,
            seconds=seconds,
            role=people[who].role,
            pool=project.items[item].pool,
            phase=project.items[item].pool,
            seq=seq,
        )
        for seq, (who, item, value, seconds) in enumerate(given, start=1)
    ]
    return replace(
        project,
        raters={each.id: each for each in people},
        ratings=tuple(ratings),
        gold=gold or {},
        questions=tuple(asked),
        rows=tuple(
            Row(
                seq=each.seq,
                token="t",
                at=AT,
                rater=each.rater,
                item=each.item,
                kind=IMPORTED,
                body={"value": each.value, "at": None},
            )
            for each in ratings
        ),
    )


def question(item, text, rater="r1", reply=None):
    replied = None if reply is None else AT
    return Question(seq=1, rater=rater, item=item, text=text, at=AT, afterwards=False, reply=reply, replied_at=replied)


def stored(path, project, raters=("Ana", "Ben")):
    """The project as a file, without its ratings."""
    people = [(name, "rater") for name in raters]
    Store.create(path, project.settings, tuple(project.documents.values()), tuple(project.items.values()), people)
    return path


def entered(path, rater, item, value, seconds=3.0):
    """Save a rating as if it had been entered here."""

    def work(transaction):
        row = transaction.add(rater, item, NewRow(IMPORTED, {"value": value, "at": None}), seconds=seconds)
        transaction.settle(rater, item, value, row.seq)

    with Store.open(path) as store:
        asyncio.run(store.write(work))


def said(project):
    """(item, rater's name, value, seconds) of every rating."""
    return sorted(
        ((each.item, project.raters[each.rater].name, each.value, each.seconds) for each in project.ratings),
        key=lambda each: each[:2],
    )


def said_in(path):
    return said(read_project(path))
