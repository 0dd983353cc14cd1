import pytest

from tests.integrity.examples import likert, made_trials, trial
from voirdire.papers.integrity.citations import explanations, find_citations


def looked_up(explanation):
    rows = [trial(1, likert([90] * 3, [90] * 3), explanations={"a": explanation})]
    return find_citations(made_trials(rows))


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("42% of neighbours object", "response"),
        ("Tearing it down … before anyone has looked", "response"),
        ("tearing it [the mill] down would be RASH", "response"),
        ("tearing it down [...] would be RASH", "response"),
        ("stood for 85 years", "case"),
        ("it would be rash to be tearing it down before anyone has looked", "reworded"),
        ("the council has already decided", "nowhere"),
    ],
)
@pytest.mark.parametrize("marks", ["'{}'", '"{}"', "“{}”", "‘{}’"])
def test_a_quote_is_looked_up_in_the_response_and_in_the_case(quote, stands, marks):
    (found,) = looked_up(f"The response says that {marks.format(quote)} and so on.").quotes
    assert (found.text, found.stands) == (quote, stands)


@pytest.mark.parametrize(
    "text", ["It isn't the judge's view that 'facts first' is 'a rule'.", "The nurses' and the teachers' views count."]
)
def test_single_words_and_apostrophes_are_no_quotes(text):
    assert looked_up(text).quotes == ()


def figures(explanation):
    return [(each.text, each.stands) for each in looked_up(explanation).figures]


def test_a_figure_credited_to_a_response_without_it_is_found():
    assert figures("It accurately cites that 42% object, and the mill's 85 years.") == [
        ("42%", "response"),
        ("85", "case"),
    ]
    assert figures("It acknowledges the survey, in which 63% were for it.") == [("63%", "nowhere")]


def test_a_figure_in_another_notation_is_the_same():
    assert figures("It cites the cost of $3.5M without distortion or omission.") == [("3.5 million", "case")]
    assert figures("It correctly cites 42+% and $3.5+ million.") == [("42%", "response"), ("3.5 million", "case")]


@pytest.mark.parametrize(
    "complaint",
    [
        "It cites the survey but omits the mill's 85 years.",
        "It could have mentioned the 85 years.",
        "It acknowledges the facts, although not the 85 years.",
        "The mill has stood for 85 years.",
    ],
)
def test_what_a_judge_finds_lacking_is_no_credit(complaint):
    assert figures(complaint) == []


def test_steps_and_scores_are_no_figures():
    assert figures("Step 3 accurately cites 2 of the facts, which earns a 100.") == []


def test_faults_are_counted_once_per_explanation():
    found = looked_up("It accurately cites 85 years, 63% and 99 neighbours.")
    assert len(found.absent_figures) == 3
    assert explanations(found.absent_figures, "a") == 1
