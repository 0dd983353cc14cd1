import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detectors.labelling.examples import TRUE_TAGS, answer, tagged
from voirdire.detectors.labelling.replies import read_numbered_votes, read_tiers, read_types, read_votes

SENTENCES = [statement.text for statement in answer().statements]
PAIRS = list(zip(SENTENCES, TRUE_TAGS, strict=True))
ALL = dict(enumerate(TRUE_TAGS))
EVERY = range(len(SENTENCES))


def votes(reply, wanted=EVERY, sentences=SENTENCES):
    return read_votes(reply, sentences, wanted)


def tags(pairs=PAIRS):
    return "\n".join(tagged(*pair) for pair in pairs)


@pytest.mark.parametrize(
    "reply",
    [
        tags(),
        tags().upper(),
        tags().replace("\n", " "),
        f"Here you are:\n{tags()}\nI hope this helps.",
        f"```html\n{tags()}\n```",
        "\n".join(f"<{tag}>{sentence}" for sentence, tag in PAIRS),
        "\n".join(f"{sentence}</{tag}>" for sentence, tag in PAIRS),
        "\n".join(f"<>{sentence}</{tag}>" for sentence, tag in PAIRS),
        "\n".join(f"{sentence} <{tag}>" for sentence, tag in PAIRS),
        "\n".join(f"<{tag}>{sentence}</>" for sentence, tag in PAIRS),
        "\n".join(f'<{tag} reason="it says so">{sentence}</{tag}>' for sentence, tag in PAIRS),
        "\n".join(f"{n}. < {tag} > {sentence} </ {tag} >" for n, (sentence, tag) in enumerate(PAIRS, 1)),
        tags().replace("hallu>", "hallucination>"),
        tags().replace(".", "").replace("!", ""),
        tags(PAIRS[::-1]),
        json.dumps([{"sentence": sentence, "label": tag} for sentence, tag in PAIRS]),
        json.dumps({"annotations": [{"text": sentence, "tag": f"<{tag}>"} for sentence, tag in PAIRS]}),
        json.dumps(dict(PAIRS)),
        "".join(f"<{tag}></{tag}>" for _, tag in PAIRS),
    ],
)
def test_votes_are_read_whatever_the_form(reply):
    assert votes(reply) == ALL


def test_a_bare_tag_is_the_vote_of_the_one_sentence_that_was_asked_about():
    assert votes("<hallu>", [2]) == votes("<hallu></>", [2]) == votes("<>hallu</><hallu></hallu>", [2]) == {2: "hallu"}


@given(st.permutations(range(len(SENTENCES))), st.sets(st.integers(0, len(SENTENCES) - 1)), st.data())
def test_reordered_and_dropped_sentences_give_the_votes_that_are_there(order, dropped, data):
    said = {
        place: data.draw(st.sampled_from(["faithful", "hallu", "irrelevant"]))
        for place in order
        if place not in dropped
    }

    assert votes("".join(tagged(SENTENCES[place], vote) for place, vote in said.items())) == said


def test_sentences_that_came_back_as_one_share_its_vote():
    merged = f"<faithful>{SENTENCES[1]} {SENTENCES[2]}</faithful>{tags(PAIRS[:1])}"

    assert votes(merged) == {0: "irrelevant", 1: "faithful", 2: "faithful"}


def test_a_sentence_that_was_left_out_has_no_vote():
    assert votes(tags(PAIRS[:2] + PAIRS[3:])) == {0: "irrelevant", 1: "faithful", 3: "faithful", 4: "hallu"}


def test_a_mark_that_was_not_filled_in_is_no_vote():
    assert votes(f"{tags(PAIRS[:2])}\n<>{SENTENCES[2]}</>\n{SENTENCES[3]}") == {0: "irrelevant", 1: "faithful"}


@pytest.mark.parametrize(
    "twice",
    [
        f"<faithful>{SENTENCES[2]}</faithful><hallu>{SENTENCES[2]}</hallu>",
        f"<hallu>{SENTENCES[2]}</hallu> on second thought <faithful>{SENTENCES[2]}</faithful>",
        f"<hallu>{SENTENCES[2]}</faithful>",
    ],
)
def test_two_different_tags_for_a_sentence_are_no_vote(twice):
    assert votes(f"{tags(PAIRS[:2])}{twice}") == {0: "irrelevant", 1: "faithful"}


def test_the_same_tag_twice_is_one_vote():
    assert votes(tags(PAIRS[1:2] * 2)) == {1: "faithful"}


def test_of_equal_sentences_each_has_its_own_vote():
    same = ["It is old.", "It was sold.", "It is old."]
    said = "<faithful>It is old.</faithful><hallu>It was sold.</hallu><hallu>It is old.</hallu>"

    assert votes(said, range(3), same) == {0: "faithful", 1: "hallu", 2: "hallu"}
    assert votes("<hallu>It is old.</hallu>", [2], same) == {2: "hallu"}


def test_only_what_was_asked_about_is_taken():
    assert votes(tags(), [1, 4]) == {1: "faithful", 4: "hallu"}


@pytest.mark.parametrize("reply", ["", "I can't do that.", "<>", "</>", "[1, 2]", '{"a": {"b": "c"}}', "<hallu>", "["])
def test_what_says_nothing_gives_no_vote(reply):
    assert votes(reply) == {}


def test_text_that_belongs_to_no_sentence_gives_no_vote():
    assert votes("<hallu>The moon is made of cheese, and mice live there.</hallu>") == {}


def test_votes_are_read_from_numbered_lines():
    said = "1. faithful\n2: **hallu**\n[3] Irrelevant.\n4. <hallucination>\n"
    assert read_numbered_votes(said, range(5)) == {0: "faithful", 1: "hallu", 2: "irrelevant", 3: "hallu"}


@pytest.mark.parametrize(
    "said", ["1. not faithful", "1. hallu or faithful", "1. unfaithful", "1. faithful\n1. hallu", "1.", "faithful"]
)
def test_a_numbered_line_that_says_none_or_two_of_the_words_is_no_vote(said):
    assert read_numbered_votes(said, [0]) == {}


def test_rungs_are_read_from_numbered_lines():
    said = (
        "1. rational yes, grounded yes, irrefutable yes\n"
        "[2] Rational: Yes; Grounded: no\n"
        "**3.** yes, yes, no\n"
        "Statement 4: no\n"
        "5) rational: yes\n   grounded: yes\n   irrefutable: no\n"
    )

    assert read_tiers(said, range(6)) == {
        0: "irrefutable",
        1: "speculative",
        2: "reliable",
        3: "misleading",
        4: "reliable",
    }


def test_a_rung_that_ends_before_a_no_is_not_read():
    assert read_tiers("1. rational yes\n2. rational yes, irrefutable yes\n3. perhaps", range(3)) == {}


def test_bare_answers_may_be_followed_by_a_reason():
    assert read_tiers("1. no - it contradicts the reference\n2. Yes no (it adds a date)", range(2)) == {
        0: "misleading",
        1: "speculative",
    }


@pytest.mark.parametrize("reply", ["1. no grade here", "1. No answer.", "1. yes no grade", "1. I can say no more"])
def test_a_no_that_belongs_to_a_word_grades_nothing(reply):
    assert read_tiers(reply, range(1)) == {}


def test_two_different_rungs_for_a_statement_are_none():
    assert read_tiers("1. no\n1. yes, no\n2. no\n2. no", range(2)) == {1: "misleading"}


def test_types_are_read_from_numbered_lines():
    assert read_types("1. Factual\n2: cognitive\n3. factual or cognitive\n9. factual", range(4)) == {0: False, 1: True}
