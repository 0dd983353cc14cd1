"""The suite: what is changed, that it is another thing than the context says, and what a detector makes of it."""

import math
import random
import re
from collections.abc import Sequence

from voirdire.cognibench.contradiction_edits import KINDS, ContextTerms, change_unit
from voirdire.cognibench.contradictions import contradiction_rates, perturb
from voirdire.data import packaged_files
from voirdire.detectors import Answer, Exchange, OneByOne, Passage, Statement, open_detector
from voirdire.text.numbers import agree, find_numbers

CONTEXT = (
    "Lake Sorvik lies in northern Halvia. It is 42 kilometres long and was mapped by Ingrid Falk in 1874. "
    "Most fishermen left the lake before the war. The ferry Aurora sank on 3 May 1921 near Port Tamsel. "
    "The inquiry was led by Otto Brandt. Its report was not published. All passengers were saved."
)
SENTENCES = [
    ("The lake is 42 kilometres long.", "faithful"),
    ("It was mapped by ingrid falk in 1874.", "faithful"),
    ("Most of the fishermen left the lake before the war.", "faithful"),
    ("The ferry aurora sank on may 3, 1921 near port tamsel.", "faithful"),
    ("The report was not published.", "faithful"),
    ("It must have been a sad day for 900 people.", "speculative"),
]


def answer(name: str = "a", labelled: bool = True) -> Answer:
    text, statements = "", []
    for sentence, label in SENTENCES:
        start = len(text)
        text += sentence + " "
        statements.append(Statement(sentence, start, start + len(sentence), label if labelled else None))  # type: ignore[arg-type]
    return Answer(
        id=name,
        dialogue=name,
        group=name,
        context=CONTEXT,
        question="What of the lake?",
        text=text.strip(),
        statements=tuple(statements),
        history=(Exchange("Hello?", "Hello."),),
    )


def test_every_kind_is_made_of_faithful_statements_only() -> None:
    found = perturb([answer()])
    assert {each.kind for each in found} == set(KINDS)
    assert {each.statement for each in found} <= {0, 1, 2, 3, 4}
    assert all(each.text != each.original == SENTENCES[each.statement][0] for each in found)


def test_unlabelled_answers_give_nothing() -> None:
    assert perturb([answer(labelled=False)]) == []


def test_changed_numbers_and_dates_agree_with_nothing_in_the_context() -> None:
    known = find_numbers(CONTEXT)
    for seed in range(30):
        for each in perturb([answer()], seed):
            if each.kind in ("number", "date"):
                before = {number.text for number in find_numbers(each.original)}
                new = [number for number in find_numbers(each.text) if number.text not in before]
                assert new, each
                assert not any(agree(number, other) for number in new for other in known), each


def test_a_unit_is_changed_for_another_one_however_it_is_written() -> None:
    terms = ContextTerms.of(CONTEXT)
    read = packaged_files.read_yaml("lexicons/units.yaml")
    edited = packaged_files.read_yaml("lexicons/contradiction_edits.yaml")["units"]
    words = re.findall(r"[^\W\d_]+", str(read)) + re.split(r"[|\s]", " ".join(" ".join(units) for units in edited))
    for word in {written for each in words for written in (each, each.lower(), each.upper(), each.title())}:
        statement = f"The pot has 31.00 {word}."
        assert change_unit(statement, terms, random.Random(0)) != statement, word
    for code in ("EUR", "USD", "GBP", "eur"):
        changed = change_unit(f"The pot costs 31.00 {code}.", terms, random.Random(0))
        assert changed is not None and code not in changed


def test_a_swapped_name_is_one_of_the_context_that_does_not_stand_beside_it() -> None:
    names = {"ingrid falk", "otto brandt", "aurora", "port tamsel", "halvia", "lake sorvik"}
    for seed in range(10):
        for each in perturb([answer()], seed):
            if each.kind == "name":
                gone = {name for name in names if name in each.original and name not in each.text}
                come = {name for name in names if name in each.text and name not in each.original}
                assert gone, each
                assert come or "northern" not in each.text, each


def test_a_negation_is_put_in_or_taken_out() -> None:
    texts = {each.statement: each.text for each in perturb([answer()]) if each.kind == "negation"}
    assert texts[4] == "The report was published."
    assert any(word in texts[0] for word in ("is not", "is never"))


def test_the_same_seed_gives_the_same_suite_and_another_one_another() -> None:
    first, again, other = perturb([answer()], 1), perturb([answer("b"), answer()], 1), perturb([answer()], 2)
    assert first == [each for each in again if each.answer == "a"]
    assert first != other


def test_a_limit_spreads_what_is_kept_over_the_answers() -> None:
    answers = [answer(str(place)) for place in range(12)]
    kept = perturb(answers, limit=4)
    for kind in KINDS:
        of_kind = [each for each in kept if each.kind == kind]
        assert len(of_kind) == 4
        assert len({each.answer for each in of_kind}) >= 3


class Spy(OneByOne):
    """Keeps what it is shown; flags what is not part of the original answer, and cannot score one sentence."""

    name = "spy"
    threshold = 0.5

    def __init__(self) -> None:
        self.shown: list[Passage] = []

    def flag(self, context: str, sentences: Sequence[str], dialogue: Sequence[Exchange] = ()) -> list[float]:
        self.shown.append(Passage(context, tuple(sentences), tuple(dialogue)))
        original = {sentence for sentence, _ in SENTENCES}
        return [math.nan if "publish" in each else float(each not in original) for each in sentences]


def test_changed_statements_are_shown_within_their_whole_answer() -> None:
    spy = Spy()
    contradiction_rates(spy, [answer()], history="user")
    assert spy.shown[0].sentences == tuple(sentence for sentence, _ in SENTENCES)
    for passage in spy.shown[1:]:
        assert passage.context.endswith("Hello?")
        changed = [each for each, (original, _) in zip(passage.sentences, SENTENCES, strict=True) if each != original]
        assert len(changed) == 1
        assert changed[0] in passage.dialogue[-1].assistant


def test_rates_count_flags_controls_and_missing_scores() -> None:
    rates = contradiction_rates(Spy(), [answer()])
    number = rates.rates["number"]
    assert number.n == number.flagged > 0
    assert number.rate == 1.0
    negation = rates.rates["negation"]
    assert (negation.n - negation.flagged, negation.missing) == (1, 1)
    assert (rates.controls.flagged, rates.controls.n, rates.controls.missing) == (0, 5, 1)


def test_without_labels_there_are_no_rates() -> None:
    rates = contradiction_rates(open_detector("everything"), [answer(labelled=False)])
    assert rates.controls.rate is None
    assert all(count.rate is None for count in rates.rates.values())
