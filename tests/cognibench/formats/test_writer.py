import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from voirdire.cognibench.formats import iter_jsonl, write_jsonl
from voirdire.detectors.records import LABELS, Answer, Exchange, Statement
from voirdire.text.sentences import split_sentences

texts = st.text(st.characters(codec="utf-8"), max_size=60)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
prose = st.lists(st.sampled_from(["It is so.", "Is it?", "No!", "1. Item", "— maybe\n", "e.g. this "]), max_size=6)


@st.composite
def answers(draw):
    text = draw(st.one_of(prose.map(" ".join), texts))
    label = st.sampled_from([None, *LABELS])
    return Answer(
        id=draw(names),
        dialogue=draw(names),
        group=draw(names),
        context=draw(texts),
        question=draw(texts),
        text=text,
        statements=tuple(Statement(*each, draw(label)) for each in split_sentences(text)),
        history=tuple(Exchange(*pair) for pair in draw(st.lists(st.tuples(texts, texts), max_size=3))),
        turn=draw(st.integers(0, 9)),
        topic=draw(st.none() | texts),
        model=draw(st.none() | texts),
    )


@given(st.lists(answers(), max_size=4, unique_by=lambda answer: answer.id))
def test_what_is_written_is_read_back_as_it_was(written):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        assert write_jsonl(written, path) == len(written)
        problems = []
        assert list(iter_jsonl(path, problems.append)) == written
        assert not [each for each in problems if each.kind != "no label"]


def test_statements_cut_otherwise_keep_their_offsets(tmp_path):
    text = "One two three four."
    statements = (Statement("two", 4, 7, "invented"), Statement("three four.", 8, 19))
    answer = Answer(id="a", dialogue="a", group="g", context="", question="", text=text, statements=statements)
    write_jsonl([answer], tmp_path / "one.jsonl")
    assert list(iter_jsonl(tmp_path / "one.jsonl")) == [answer]
