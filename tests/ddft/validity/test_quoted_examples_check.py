import pytest

from tests.ddft.validity._records import MODELS, sound, with_turns
from voirdire.ddft.questions import NO_EXAMPLE
from voirdire.ddft.validity.quoted_examples_check import example_quoted, is_fragment


def quoting(answer, example, notes=(), which=lambda row: True):
    of_example = with_turns(sound(), lambda row: row["turn"] == 2 and which(row), answer=answer)
    question = f"Take “{example}”. When did it happen?"
    return with_turns(
        of_example, lambda row: row["turn"] == 3 and which(row), question=question, question_notes=list(notes)
    )


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("drab", "The early ones were known as drab."),
        ("Bakery", "Boudin Bakery, founded in 1849, raised its prices."),
        ("the argument", 'An example is the argument: "If it rains, …"'),
        ("easy to", "One that is easy to understand."),
        ("particularly well-suited", "It is particularly well-suited here."),
        ("Storm in Quebec", "One is the analysis of the 1998 Ice Storm in Quebec, Canada."),
        ("Collapse", "**The Collapse of the Atlantic Cod Fishery**"),
        ("Pareto", "Think of the Pareto Principle."),
    ],
)
def test_a_fragment_is_known_by_its_ends_and_neighbours(phrase, answer):
    assert is_fragment(phrase, answer)


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("the peppered moth", "One example is the peppered moth, which darkened."),
        ("Boudin Bakery", "Boudin Bakery, founded in 1849. The Boudin Bakery raised prices."),
        ("The Tower of Hanoi", "## Example: The Tower of Hanoi\n\nIt has disks."),
        ("Impression, Sunrise", "It is Monet's *Impression, Sunrise* of 1872."),
        ("Method of Fluxions", "Newton's Method of Fluxions appeared in 1736."),
        ("In Search of Lost Time", "My example is In Search of Lost Time by Proust."),
    ],
)
def test_a_whole_name_or_phrase_is_none(phrase, answer):
    assert not is_fragment(phrase, answer)


def test_quotes_are_counted_and_shown_so_that_people_see_them():
    found = example_quoted(quoting("One example is the peppered moth, which darkened.", "the peppered moth"))
    assert (found.status, found.value) == ("pass", 0)
    first, *_, last = map(str, found.evidence)
    assert first == "Third questions that quote the model's own example: 24 of 24 (100.0 %)."
    assert last == "Quoted: “the peppered moth”."


def test_a_fragment_warns_and_stands_in_its_question():
    cut = quoting("The early ones were known as drab.", "drab", which=lambda row: row["model"] == MODELS[0])
    found = example_quoted(cut)
    assert (found.status, found.value, found.count) == ("warn", 1, (12, 12))
    assert any("Take “drab”" in each for each in map(str, found.evidence))


def test_an_example_of_the_concepts_own_is_not_quoted_from_the_model():
    given = example_quoted(quoting("It is Paris.", "Paris", notes=[NO_EXAMPLE]))
    assert (given.status, given.value) == ("not measured", None)
    assert "0 of 24" in str(given.evidence[0])
