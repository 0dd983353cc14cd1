from collections import Counter

from tests.published.records import DEV
from voirdire.cognibench.formats import read_data


def test_cutting_the_released_answers_gives_every_labelled_sentence_its_span():
    answers, problems = read_data(DEV)
    labelled = [answer for answer in answers if answer.labelled]
    statements = [each for answer in labelled for each in answer.statements]
    assert (len(answers), len(labelled), len(statements)) == (136, 62, 596)
    assert all(answer.text[each.start : each.end] == each.text for answer in answers for each in answer.statements)
    assert Counter(each.label for each in statements) == {
        "faithful": 330,
        "speculative": 110,
        "reliable": 64,
        "invented": 56,
        "irrefutable": 20,
        "irrelevant": 14,
        "misleading": 2,
    }
    assert [(each.kind, each.says) for each in problems] == [("lists disagree", "on 1 of 5 sentences")] * 2
