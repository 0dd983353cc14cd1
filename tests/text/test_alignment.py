import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text._stretches import common_in_order, common_places
from voirdire.text.alignment import Alignment, align, span_to_sentences
from voirdire.text.sentences import split_sentences

SENTENCES = [
    "The kakapo is a large, nocturnal parrot of New Zealand.",
    '1. It "can\'t" fly, as Māori hunters knew.',
    "Its numbers fell to fifty-one birds in 1995 – mostly because of rats.",
    "It lives on islands.",
    "It lives on islands.",
    "Certainly!",
]


@pytest.mark.parametrize(
    ("returned", "place"),
    [
        ("THE KAKAPO IS A LARGE, NOCTURNAL PARROT OF NEW ZEALAND.", 0),
        ("The kakapo is a large, nocturnal\n  parrot of New Zealand", 0),
        ("It cant fly, as maori hunters knew", 1),
        ("It 'can’t' fly, as Māori hunters knew.", 1),
        ("“It lives on islands.”", 3),
        ("Its numbers fell to fiftyone birds in 1995 - mostly because of rats.", 2),
        ("Its number fell to fifty-one birds in 1995, mainly because of rats.", 2),
        ("certainly", 5),
    ],
    ids=["case", "white space", "list number", "quotes", "quoted", "hyphen", "light edits", "full stop"],
)
def test_what_was_changed_lightly_is_placed_on_its_sentence(returned, place):
    found = align(SENTENCES, [returned])
    assert found.places == ((place,),)
    assert found.uncovered == tuple(each for each in range(len(SENTENCES)) if each != place)


def test_a_returned_text_that_holds_several_sentences_covers_them_all():
    merged = "It can't fly, as Maori hunters knew; its numbers fell to fifty-one birds in 1995, mostly because of rats."
    assert align(SENTENCES, [merged]).places == ((1, 2),)


def test_a_merged_text_with_edits_in_it_covers_its_sentences_and_no_neighbour():
    merged = "The kakapo is a big, nocturnal parrot of New Zealand. It can't fly, as the Maori hunters knew."
    assert align(SENTENCES, [merged]).places == ((0, 1),)


def test_parts_of_one_sentence_are_all_placed_on_it():
    parts = ["mostly because of rats", "Its numbers fell to fifty-one", "birds in 1995"]
    assert align(SENTENCES, parts).places == ((2,), (2,), (2,))


def test_a_lightly_edited_part_of_a_long_sentence_is_placed_on_it():
    assert align(SENTENCES, ["Its numbers fell to just fifty-one birds"]).places == ((2,),)


def test_order_does_not_matter():
    returned = SENTENCES[::-1]
    assert align(SENTENCES, returned).places == ((5,), (3,), (4,), (2,), (1,), (0,))


def test_equal_sentences_are_given_away_once_each_and_in_order():
    found = align(SENTENCES, ["it lives on islands", "It lives on islands.", "It lives on islands"])
    assert sorted(found.places) == [(), (3,), (4,)]
    assert found.places[1] == (3,)  # the same characters come first
    assert len(found.unplaced) == 1


@pytest.mark.parametrize("garbage", ["", "…", "The", "of the in", "No hallucination was found in this answer at all."])
def test_what_belongs_nowhere_is_unplaced(garbage):
    found = align(SENTENCES, [garbage])
    assert found == Alignment(((),), (0,), tuple(range(len(SENTENCES))))


def test_a_sentence_of_signs_alone_is_only_itself():
    assert align(["—", "Yes."], ["—", "…"]).places == ((0,), ())


def test_text_without_spaces_between_words_is_aligned():
    sentences = ["鸮鹦鹉是一种不会飞的鹦鹉。", "它生活在新西兰。"]
    assert align(sentences, ["它生活在新西兰", "鸮鹦鹉是一种不会飞的鹦鹉，它"]).places == ((1,), (0,))


words = st.text(alphabet="abcdefgh", min_size=1, max_size=4)
sentences_of_words = st.lists(st.lists(words, min_size=3, max_size=8).map(" ".join), min_size=1, max_size=8)


@given(sentences_of_words, st.randoms())
def test_sentences_that_come_back_in_any_order_and_case_are_all_placed(sentences, random):
    returned = [each.upper() + "!" for each in sentences]
    random.shuffle(returned)
    found = align(sentences, returned)
    assert not found.unplaced
    assert not found.uncovered
    for text, places in zip(returned, found.places, strict=True):
        assert [sentences[place].upper() + "!" for place in places] == [text]


@given(sentences_of_words, st.lists(st.text(max_size=40), max_size=8))
def test_whatever_comes_back_the_books_balance(sentences, returned):
    found = align(sentences, returned)
    assert len(found.places) == len(returned)
    assert set(found.unplaced) == {which for which, places in enumerate(found.places) if not places}
    covered = {sentence for places in found.places for sentence in places}
    assert set(found.uncovered) == set(range(len(sentences))) - covered


def slow_common(first, second):
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if a == b else max(lengths[i][j + 1], lengths[i + 1][j])
    return lengths[-1][-1]


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_the_bit_parallel_subsequence_is_the_longest_and_stands_where_it_says(first, second):
    assert common_in_order(first, second) == slow_common(first, second)
    places = common_places(first, second)
    assert len(places) == slow_common(first, second)
    found = iter(first)
    assert all(second[place] in found for place in places)  # they stand in `first` in this order


@pytest.mark.parametrize("sentences", [1, 1_000])
def test_a_hundred_thousand_characters_of_the_same_few_words_are_aligned(sentences):
    """Comparing every text with every sentence, word by word, would take minutes here."""
    body = ["the cat of the house and the dog in a tree run to the house of a cat"] * 1_400
    text = [" ".join(body[place::sentences]) for place in range(sentences)]
    returned = [f"{each} a tree of the cat and the house" for each in body[:200]]
    found = align(text, returned)
    assert len(found.places) == 200
    assert align(text, [" ".join(body)]).uncovered == ()


TEXT = "Ada Lovelace wrote it in 1843. It ran on no machine in 1843. It was the first of its kind."


def spans(*quoted):
    return span_to_sentences(TEXT, split_sentences(TEXT), quoted)


def test_a_quoted_span_touches_the_sentences_it_stands_in():
    assert spans("Lovelace", "no machine in 1843. It was", "First of its kind").places == ((0,), (1, 2), (2,))


def test_a_span_that_stands_there_twice_is_the_one_after_the_span_before_it():
    assert spans("1843").places == ((0,),)
    assert spans("no machine", "1843").places == ((1,), (1,))
    assert spans("1843", "1843", "1843").places == ((0,), (1,), (0,))


def test_a_span_must_be_whole_words():
    assert spans("84").unplaced == (0,)


def test_spans_that_overlap_are_both_placed():
    assert spans("It ran on no machine", "on no machine in 1843").places == ((1,), (1,))


def test_a_lightly_edited_span_is_placed_and_a_foreign_one_is_named():
    found = spans("It ran on no real machine in 1843", "a difference engine of brass")
    assert found.places == ((1,), ())
    assert found.unplaced == (1,)
    assert found.uncovered == (0, 2)
