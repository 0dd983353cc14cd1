"""Does the third question quote the model's example whole? The check `example_quoted`."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from voirdire.ddft.questions import DETAIL_TURN, NO_EXAMPLE
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import most_of_model, quote, quotes_of, share, share_of, tally
from voirdire.reason_codes import reason
from voirdire.text.overlap import FUNCTION_WORDS

_SHOWN = 20
"""Quotes that are listed: whether they make sense, people see at once."""
_EXAMPLE_TURN = 2
_QUOTES = re.compile(r"“([^”]+)”|\"([^\"]+)\"")
_ARTICLES = frozenset(("a", "an", "the"))
_MARKS = "“”\"'‘’*_()[],.;:!?"


def example_quoted(record: RunRecord) -> Check:
    """Of the third questions that quote the answer before them: how many quote a fragment?"""
    asked = record.turns.loc[record.turns["turn"] == DETAIL_TURN]
    if asked.empty:
        return Check("example_quoted", "not measured", None, None, (reason("no_third_question"),))
    quoted = _quoted(record, asked)
    quotes = [share_of("examples_quoted", pd.Series(asked.index.isin(quoted.index)))]
    if quoted.empty:
        return Check("example_quoted", "not measured", None, None, tuple(quotes))
    shown = tuple(reason("words_quoted", quote=quote(each)) for each in quoted["quote"].drop_duplicates())
    more = len(shown) - _SHOWN
    listed = {"quotes": shown[:_SHOWN]}
    is_cut = quoted["is_cut"].astype(bool)
    value, interval = share(is_cut, quoted["concept"])
    evidence = [
        *quotes,
        share_of("examples_cut", is_cut),
        *most_of_model(is_cut, quoted["model"]),
        *quotes_of(quoted[is_cut], "question", list(quoted.loc[is_cut, "quote"])),
        reason("examples_listed_and_more", more=more, **listed) if more > 0 else reason("examples_listed", **listed),
    ]
    status: Status = "warn" if is_cut.any() else "pass"
    return Check("example_quoted", status, value, interval, tuple(evidence), tally(is_cut))


def is_fragment(phrase: str, answer: str) -> bool:
    """Whether a phrase that an answer holds looks cut out of a longer one, wherever it stands there.

    By its ends and its neighbours alone, not by the rule that takes it out: it begins or ends with a function word, is
    one word in lower case, stands beside a capitalised word without a mark between, or goes on with "of" or a colon.
    """
    words = phrase.split()
    first, last = (words[place].strip(_MARKS) for place in (0, -1))
    opens = first.casefold() in FUNCTION_WORDS - _ARTICLES or first.endswith("ly")
    if opens or last.casefold() in FUNCTION_WORDS or (len(words) == 1 and phrase.islower()):
        return not any(word[:1].isupper() for word in words)
    places = [match.span() for match in re.finditer(re.escape(phrase), answer)]
    return bool(places) and all(_goes_on(phrase, answer[:start], answer[end:]) for start, end in places)


def _goes_on(phrase: str, before: str, after: str) -> bool:
    earlier, later = re.search(r"(\S+) $", before), re.match(r" (\S+)", after)
    is_name = phrase[:1].isupper()
    if is_name and earlier and _is_part_of_name(earlier[1]):
        return True
    if later and (
        (later[1] == "of" and " of " not in phrase)
        or (phrase.split()[-1][:1].isupper() and _is_part_of_name(later[1].rstrip(_MARKS)))
    ):
        return True
    return phrase.islower() and after.startswith(":")


def _is_part_of_name(word: str) -> bool:
    owns = word.endswith(("'s", "’s"))
    return word[:1].isupper() and word.strip(_MARKS) == word and not owns and word.casefold() not in FUNCTION_WORDS


def _quoted(record: RunRecord, asked: pd.DataFrame) -> pd.DataFrame:
    """The third questions that quote words of the second answer, with these words and whether they are a fragment."""
    own = asked[[NO_EXAMPLE not in list(notes) for notes in asked["question_notes"]]]
    questions = dict(zip(own["dialogue"], own.index, strict=True))
    second = record.turns[record.turns["turn"] == _EXAMPLE_TURN]
    dialogues = dict(zip(second.index, second["dialogue"], strict=True))
    results: dict[Any, tuple[str, bool]] = {}
    for piece in record.answers():
        for place, answer in piece[piece.index.intersection(second.index)].dropna().items():
            row = questions.get(dialogues[place])
            if row is None:
                continue
            quotes = (match[1] or match[2] for match in _QUOTES.finditer(str(own.at[row, "question"])))
            if (phrase := next((each for each in quotes if each in answer), None)) is not None:
                results[row] = phrase, is_fragment(phrase, answer)
    of_rows = own.loc[list(results)]
    return of_rows.assign(quote=[each for each, _ in results.values()], is_cut=[cut for _, cut in results.values()])
